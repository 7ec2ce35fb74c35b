//! Pace: long work in pieces of a bounded size, so that other questions can be answered between the pieces.
//!
//! Such work is an `async` function that reports how much it has done (`pace.worked(n).await`). There is no runtime: [`Work`] polls
//! it once per piece, and [`at_once`] polls it to its end.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The number of rows (ops, transfers or the like) in a piece, which takes about 3 to 15 milliseconds in wasm.
const PIECE: u64 = 1 << 16;
/// The number of rows that a loop processes between two reports.
pub(crate) const STRIDE: usize = 1 << 14;

/// How much work the current piece may still do.
pub struct Pace {
    left: Cell<u64>,
    parts: Cell<Parts>,
}

/// The progress of some work, for the user who waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The number of finished parts.
    pub done: u32,
    /// The number of all parts.
    pub of: u32,
}

impl Pace {
    fn with_left(left: u64) -> Self {
        Self { left: Cell::new(left), parts: Cell::default() }
    }

    /// Reports how many parts of the work are finished.
    pub fn did(&self, done: u32, of: u32) {
        self.parts.set(Parts { done, of });
    }

    /// Counts `rows` as done. The piece ends here if its limit is reached.
    pub async fn worked(&self, rows: usize) {
        match self.left.get().checked_sub(rows as u64) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                let mut is_over = false;
                poll_fn(|_| match std::mem::replace(&mut is_over, true) {
                    false => Poll::Pending,
                    true => Poll::Ready(()),
                })
                .await;
            }
        }
    }
}

/// Divides `0..count` into strides; the caller reports after each.
pub(crate) fn strides(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(STRIDE).map(move |start| start..count.min(start + STRIDE))
}

/// Work that is done piece by piece.
pub struct Work<T> {
    pace: Rc<Pace>,
    rest: Pin<Box<dyn Future<Output = T>>>,
}

impl<T> Work<T> {
    /// Starts the work with `start`.
    pub fn new<W: Future<Output = T> + 'static>(start: impl FnOnce(Rc<Pace>) -> W) -> Self {
        let pace = Rc::new(Pace::with_left(0));
        Self { rest: Box::pin(start(Rc::clone(&pace))), pace }
    }

    /// Does one piece; returns the result if it was the last one.
    pub fn go_on(&mut self) -> Option<T> {
        self.pace.left.set(PIECE);
        match self.rest.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// The progress.
    pub fn parts(&self) -> Parts {
        self.pace.parts.get()
    }

    /// Does all remaining pieces.
    pub fn end(mut self) -> T {
        loop {
            if let Some(result) = self.go_on() {
                return result;
            }
        }
    }
}

/// Does work that could be done in pieces all at once.
pub fn at_once<T>(work: impl AsyncFnOnce(&Pace) -> T) -> T {
    let pace = Pace::with_left(u64::MAX);
    let mut work = pin!(work(&pace));
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn count(to: usize, pace: &Pace) -> usize {
        let mut rows = 0;
        for stride in strides(to) {
            rows += stride.len();
            pace.worked(stride.len()).await;
        }
        rows
    }

    #[test]
    fn parts_that_are_done_can_be_seen_between_pieces() {
        let mut work = Work::new(|pace| async move {
            for done in 0..3 {
                pace.did(done, 3);
                pace.worked(PIECE as usize + 1).await;
            }
        });
        let mut seen = Vec::new();
        while work.go_on().is_none() {
            seen.push((work.parts().done, work.parts().of));
        }
        assert_eq!(seen, [(0, 3), (1, 3), (2, 3)]);
    }

    #[test]
    fn pieces_are_bounded_and_make_the_whole() {
        let to = 3 * PIECE as usize + 5;
        assert_eq!(at_once(async |pace: &Pace| count(to, pace).await), to);
        let mut work = Work::new(|pace| async move { count(to, &pace).await });
        let pieces = std::iter::from_fn(|| work.go_on().is_none().then_some(())).count();
        assert!((2..=3).contains(&pieces), "{pieces}");
        assert_eq!(Work::new(|pace| async move { count(to, &pace).await }).end(), to);
    }
}
