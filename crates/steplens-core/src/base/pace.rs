//! Pace: long work in pieces of a bounded size, so that other questions are answered between two of them.
//!
//! Such work is an `async` function that says how much it has done (`pace.worked(n).await`). There is no runtime: [`Work`] polls it
//! once a piece, and [`at_once`] to its end.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// How many rows (ops, transfers or the like) one piece has: some 3 to 15 milliseconds in wasm.
const PIECE: u64 = 1 << 16;
/// Rows that a loop goes through between two reports.
pub(crate) const STRIDE: usize = 1 << 14;

/// How much may still be done in this piece.
pub struct Pace {
    left: Cell<u64>,
    parts: Cell<Parts>,
}

/// How many parts of some work are done, for who waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// So many.
    pub done: u32,
    /// Of so many.
    pub of: u32,
}

impl Pace {
    fn with_left(left: u64) -> Self {
        Self { left: Cell::new(left), parts: Cell::default() }
    }

    /// Says how many parts of the work are done.
    pub fn did(&self, done: u32, of: u32) {
        self.parts.set(Parts { done, of });
    }

    /// Counts `rows` as done; the piece ends here if that was enough.
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

/// `0..count` in strides, each to be reported.
pub(crate) fn strides(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(STRIDE).map(move |start| start..count.min(start + STRIDE))
}

/// Work that goes on piece by piece.
pub struct Work<T> {
    pace: Rc<Pace>,
    rest: Pin<Box<dyn Future<Output = T>>>,
}

impl<T> Work<T> {
    /// The work that `start` begins.
    pub fn new<W: Future<Output = T> + 'static>(start: impl FnOnce(Rc<Pace>) -> W) -> Self {
        let pace = Rc::new(Pace::with_left(0));
        Self { rest: Box::pin(start(Rc::clone(&pace))), pace }
    }

    /// Does one piece; gives the result if that was the last.
    pub fn go_on(&mut self) -> Option<T> {
        self.pace.left.set(PIECE);
        match self.rest.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// How many of its parts are done.
    pub fn parts(&self) -> Parts {
        self.pace.parts.get()
    }

    /// Does all that is left.
    pub fn end(mut self) -> T {
        loop {
            if let Some(result) = self.go_on() {
                return result;
            }
        }
    }
}

/// Does work that could go piece by piece all at once.
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
