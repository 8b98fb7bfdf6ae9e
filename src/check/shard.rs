//! `1/4` → [`Shard`]: which servers of a run one of several jobs asks.
//!
//! A server goes where the digest of its identity says: the same shard on every machine,
//! whatever stands beside it. Rules are never divided.

use std::fmt;
use std::str::FromStr;

use crate::lock::Digest;

/// Most shards of one run: so many jobs has a matrix.
pub const MAX_SHARDS: u16 = 256;

/// One of the parts that a run's servers are divided into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: u16,
    of: u16,
}

/// The text is no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not `I/N` with 1 ≤ I ≤ N ≤ 256")]
pub struct NotAShard;

impl Shard {
    /// The `index`-th of `of`, counted from 1.
    ///
    /// # Errors
    /// [`NotAShard`] if there is none.
    pub fn new(index: u16, of: u16) -> Result<Self, NotAShard> {
        match (1..=of).contains(&index) && of <= MAX_SHARDS {
            true => Ok(Shard { index, of }),
            false => Err(NotAShard),
        }
    }

    /// Which one it is, counted from 1.
    pub fn index(self) -> u16 {
        self.index
    }

    /// Of how many.
    pub fn of(self) -> u16 {
        self.of
    }

    /// All shards of as many, in order.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        let of = self.of;
        (1..=of).map(move |index| Shard { index, of })
    }

    /// The one of as many that asks the server of that identity.
    pub fn asking(self, server: Digest) -> Shard {
        let rest = server.as_bytes().iter().fold(0, |rest: u32, byte| {
            (rest * 256 + u32::from(*byte)) % u32::from(self.of)
        });
        Shard {
            index: u16::try_from(rest).unwrap_or_default() + 1,
            of: self.of,
        }
    }

    /// Does it ask the server of that identity?
    pub fn asks(self, server: Digest) -> bool {
        self.asking(server) == self
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let (index, of) = text.split_once('/').ok_or(NotAShard)?;
        let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse().map_err(|_| NotAShard),
            false => Err(NotAShard),
        };
        Shard::new(number(index)?, number(of)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_read_as_it_is_spelled() {
        for spelled in ["1/1", "1/4", "4/4", "256/256"] {
            let shard: Shard = spelled.parse().unwrap();
            assert_eq!(shard.to_string(), spelled);
        }
        for wrong in [
            "",
            "1",
            "/",
            "0/4",
            "5/4",
            "1/0",
            "0/0",
            "1/257",
            "+1/4",
            "-1/4",
            "1/ 4",
            "1/4/4",
            "1.0/4",
            "99999/99999",
        ] {
            assert_eq!(wrong.parse::<Shard>(), Err(NotAShard), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn each_server_is_in_exactly_one(text in ".*", of in 1..=MAX_SHARDS) {
            let server = Digest::of(text);
            let first = Shard::new(1, of).unwrap();
            let asking: Vec<Shard> = first.all().filter(|shard| shard.asks(server)).collect();
            prop_assert_eq!(&asking, &[first.asking(server)]);
            // The digest is the number that its hexadecimal digits spell, and this its rest.
            prop_assert_eq!(of != 1 || asking[0].index() == 1, true);
            prop_assert_eq!(of != 256 || asking[0].index() == u16::from(server.as_bytes()[31]) + 1, true);
        }
    }

    #[test]
    fn servers_are_spread() {
        let first = Shard::new(1, 4).unwrap();
        let mut counts = [0; 4];
        for number in 0..4000 {
            let shard = first.asking(Digest::of(format!("{number}")));
            counts[usize::from(shard.index() - 1)] += 1;
        }
        assert!(
            counts.iter().all(|count| (900..1100).contains(count)),
            "{counts:?}"
        );
    }
}
