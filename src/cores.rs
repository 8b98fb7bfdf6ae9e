//! Many things → what becomes of each, in their order, on all cores: the one place of threads.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;

/// How many things make another thread worth its start.
const PER_THREAD: usize = 8;

/// What `work` makes of each thing, in the order of the things.
pub(crate) fn each<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on(cores.min(things.len() / PER_THREAD), things, work)
}

/// Each thread takes every n-th thing, so that costly ones side by side are shared out.
fn on<T: Sync, R: Send>(threads: usize, things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if threads < 2 {
        return things.iter().map(work).collect();
    }
    let work = &work;
    let share = |first| things.iter().skip(first).step_by(threads).map(work);
    let mut shares: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || share(first).collect::<Vec<R>>()))
            .collect();
        let ended = started.into_iter().map(|thread| thread.join());
        ended
            .map(|share| {
                share
                    .unwrap_or_else(|panic| resume_unwind(panic))
                    .into_iter()
            })
            .collect()
    });
    (0..things.len())
        .filter_map(|at| shares.get_mut(at % threads)?.next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_things() {
        let things: Vec<usize> = (0..103).collect();
        let due: Vec<usize> = things.iter().map(|thing| thing * 7).collect();
        for threads in [0, 1, 2, 3, 16, 200] {
            assert_eq!(on(threads, &things, |thing| thing * 7), due, "{threads}");
        }
        assert_eq!(each(&things, |thing| thing * 7), due);
        assert!(each(&[], |thing: &usize| *thing).is_empty());
    }

    #[test]
    fn a_panic_of_one_is_a_panic_of_all() {
        let run = || on(3, &[1, 2, 3, 4], |thing| assert_ne!(*thing, 3));
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
