//! Two lists → what stands between the pieces that are the same at both of their ends.

/// What two lists have between their like ends.
pub(super) struct Between<'a, T> {
    /// So many pieces stand before it, on both sides.
    pub(super) before: usize,
    /// What was approved there.
    pub(super) approved: &'a [T],
    /// What is there now.
    pub(super) current: &'a [T],
}

/// Takes off the beginning that both lists share, then the end.
pub(super) fn between_ends<'a, T: PartialEq>(
    approved: &'a [T],
    current: &'a [T],
) -> Between<'a, T> {
    let same = |(a, c): &(&T, &T)| a == c;
    let before = approved.iter().zip(current).take_while(same).count();
    let (a, c) = (approved.split_at(before).1, current.split_at(before).1);
    let after = a.iter().rev().zip(c.iter().rev()).take_while(same).count();
    Between {
        before,
        approved: a.split_at(a.len() - after).0,
        current: c.split_at(c.len() - after).0,
    }
}
