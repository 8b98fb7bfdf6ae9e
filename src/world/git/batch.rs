//! Ids of blobs → their bytes, one after the other, from one process, under a cap.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;

use super::answers::size_of_blob;
use super::{GitError, ObjectId, Repository, git};
use crate::world::files::MAX_BYTES;

/// What there is of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blob {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// More than [`MAX_BYTES`]; they were not kept.
    TooLarge,
    /// It is not at hand.
    Missing,
}

impl Repository {
    /// Hands each blob to `take`, in the order asked, with its place in `ids`.
    ///
    /// # Errors
    /// [`GitError`] if git does not answer as it should.
    pub fn each_blob(
        &self,
        ids: &[ObjectId],
        mut take: impl FnMut(usize, Blob),
    ) -> Result<(), GitError> {
        if ids.is_empty() {
            return Ok(());
        }
        let asked: String = ids.iter().map(|id| format!("{}\n", id.as_str())).collect();
        let mut running = git(&self.folder, &["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let to = running.stdin.take();
        // Written from a thread of its own: git answers before it has read everything.
        let writer = std::thread::spawn(move || to.map(|mut to| to.write_all(asked.as_bytes())));
        let mut from = BufReader::new(running.stdout.take().ok_or_else(unreadable)?);
        for place in 0..ids.len() {
            take(place, next(&mut from)?);
        }
        drop(from);
        // A pipe that git closed early has shown in what was read.
        drop(writer.join());
        running.wait()?;
        Ok(())
    }

    /// The bytes of blobs, in the order asked; `None` for one that is not at hand.
    ///
    /// # Errors
    /// [`GitError`] if git does not answer as it should.
    pub fn blobs(&self, ids: &[ObjectId]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let mut blobs = Vec::with_capacity(ids.len());
        self.each_blob(ids, |_, blob| {
            blobs.push(match blob {
                Blob::Bytes(bytes) => Some(bytes),
                Blob::TooLarge | Blob::Missing => None,
            });
        })?;
        Ok(blobs)
    }
}

/// `<id> blob <size>\n<bytes>\n`, or `<id> missing\n`.
fn next(from: &mut impl BufRead) -> Result<Blob, GitError> {
    let mut head = String::new();
    from.read_line(&mut head)?;
    if head.is_empty() {
        return Err(unreadable());
    }
    let Some(size) = size_of_blob(&head) else {
        return Ok(Blob::Missing);
    };
    let mut whole = from.take(size + 1);
    if size > MAX_BYTES {
        io::copy(&mut whole, &mut io::sink())?;
        return Ok(Blob::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size + 1).unwrap_or_default());
    whole.read_to_end(&mut bytes)?;
    match bytes.pop() {
        Some(b'\n') => Ok(Blob::Bytes(bytes)),
        Some(_) | None => Err(unreadable()),
    }
}

fn unreadable() -> GitError {
    GitError::Refused("an answer of `cat-file --batch` that cannot be read".to_owned())
}
