//! text → its canonical form at once, without a tree between: for what is read to be
//! hashed. Refuses what [`super::read`] refuses, at the same place, by the same steps.

use super::canonical::write_canonical_text;
use super::items::{Item, ItemMember};
use super::read::{Reader, Refusal};
use super::{number, order, string};

impl<'a> Reader<'_, 'a> {
    /// Reads one item; the canonical forms of its members go into `to`.
    pub(super) fn item<'f>(&mut self, to: &'f mut String) -> Result<Item<'f, 'a>, Refusal> {
        to.clear();
        if self.peek() != Some(b'{') {
            return Ok(Item::Other(self.value()?.kind()));
        }
        self.count()?;
        let first = self.parts.len();
        self.nested(|reader| reader.form_members(to))?;
        order::sort_unique(self.parts.get_mut(first..).unwrap_or_default())?;
        Ok(Item::Object {
            members: self.parts.drain(first..).collect(),
            forms: to,
        })
    }

    /// Reads the value that is next and appends its canonical form.
    fn form(&mut self, to: &mut String) -> Result<(), Refusal> {
        self.count()?;
        match self.peek() {
            Some(b'"') => write_canonical_text(&string::read(self)?, to),
            Some(b'{') => self.nested(|reader| reader.form_object(to))?,
            Some(b'[') => self.nested(|reader| reader.form_array(to))?,
            Some(b'-' | b'0'..=b'9') => number::write_canonical(self.number()?, to),
            Some(_) | None => to.push_str(self.word()?.0),
        }
        Ok(())
    }

    fn form_array(&mut self, to: &mut String) -> Result<(), Refusal> {
        to.push('[');
        let mut ended = self.take(b']');
        while !ended {
            self.form(to)?;
            ended = self.ends(b']', "expected `,` or `]`")?;
            if !ended {
                to.push(',');
            }
        }
        to.push(']');
        Ok(())
    }

    fn form_object(&mut self, to: &mut String) -> Result<(), Refusal> {
        let (first, start) = (self.parts.len(), to.len());
        to.push('{');
        self.form_members(to)?;
        to.push('}');
        let parts = self.parts.get_mut(first..).unwrap_or_default();
        if order::sort_unique(parts)? {
            put_in_order(parts, start, to, &mut self.spare);
        }
        self.parts.truncate(first);
        Ok(())
    }

    /// Reads members to the closing brace, each `"name":value`, commas between.
    fn form_members(&mut self, to: &mut String) -> Result<(), Refusal> {
        let mut ended = self.take(b'}');
        while !ended {
            let at = self.at;
            let name = self.name()?;
            let start = to.len();
            write_canonical_text(&name, to);
            to.push(':');
            let value = to.len();
            self.form(to)?;
            self.parts.push(ItemMember {
                name,
                at,
                start,
                value,
                end: to.len(),
            });
            ended = self.ends(b'}', "expected `,` or `}`")?;
            if !ended {
                to.push(',');
            }
        }
        Ok(())
    }
}

/// Writes the members of the object that begins at `start` anew, in the order of `parts`.
fn put_in_order(parts: &[ItemMember<'_>], start: usize, to: &mut String, spare: &mut String) {
    spare.clear();
    spare.push_str(to.get(start..).unwrap_or_default());
    to.truncate(start);
    for (index, part) in parts.iter().enumerate() {
        to.push(if index > 0 { ',' } else { '{' });
        to.push_str(
            spare
                .get(part.start - start..part.end - start)
                .unwrap_or_default(),
        );
    }
    to.push('}');
}
