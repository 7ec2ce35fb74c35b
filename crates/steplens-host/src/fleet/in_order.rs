//! Work on all cores whose results are taken in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

/// How many results for each thread may wait for the one before them.
const AHEAD: usize = 2;

/// How far the results are taken; `usize::MAX` when nothing more is wanted.
struct Taken {
    until: Mutex<usize>,
    changed: Condvar,
}

impl Taken {
    fn set(&self, until: usize) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        self.changed.notify_all();
    }

    /// Waits until the result at `at` may be made; false if it is not wanted any more.
    fn may_make(&self, at: usize, ahead: usize) -> bool {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |until: &mut usize| *until != usize::MAX && at >= *until + ahead;
        let until = self.changed.wait_while(until, is_early).unwrap_or_else(PoisonError::into_inner);
        *until != usize::MAX
    }
}

/// Makes `count` results on `threads`, and takes them in order, on the thread of the caller. It ends at the first error of `take`.
pub(crate) fn in_order<T: Send, E>(
    count: usize,
    threads: usize,
    make: &(dyn Fn(usize) -> T + Sync),
    take: &mut dyn FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let taken = Taken { until: Mutex::new(0), changed: Condvar::new() };
    let (sender, made) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (sender, next, taken) = (sender.clone(), &next, &taken);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone when nothing more is wanted.
                    if at >= count
                        || !taken.may_make(at, AHEAD * threads)
                        || sender.send((at, make(at))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut at = 0;
        let mut result = Ok(());
        for (place, one) in made {
            early.insert(place, one);
            while result.is_ok()
                && let Some(one) = early.remove(&at)
            {
                result = take(at, one);
                at += 1;
                taken.set(if result.is_ok() { at } else { usize::MAX });
            }
            if result.is_err() {
                break;
            }
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_not_too_early() {
        for threads in [1, 3, 8] {
            let (taken, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let make = |at: usize| {
                most.fetch_max(at - at.min(taken.load(Ordering::SeqCst)), Ordering::SeqCst);
                // The first ones are late.
                thread::sleep(Duration::from_millis(if at.is_multiple_of(7) { 3 } else { 0 }));
                at * at
            };
            let mut got = Vec::new();
            let done: Result<(), ()> = in_order(50, threads, &make, &mut |at, one| {
                assert_eq!(one, at * at);
                got.push(at);
                taken.store(at + 1, Ordering::SeqCst);
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(got, (0..50).collect::<Vec<_>>());
            assert!(most.load(Ordering::SeqCst) <= 2 * threads);
        }
    }

    #[test]
    fn an_error_ends_it() {
        let made = AtomicUsize::new(0);
        let make = |_| made.fetch_add(1, Ordering::SeqCst);
        let done = in_order(1_000, 2, &make, &mut |at, _| if at == 3 { Err(at) } else { Ok(()) });
        assert_eq!(done, Err(3));
        assert!(made.load(Ordering::SeqCst) < 20);
        assert_eq!(in_order(0, 2, &make, &mut |_, _| Err(0)), Ok(()));
    }
}
