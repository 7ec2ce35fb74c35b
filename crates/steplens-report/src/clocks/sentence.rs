//! A sentence about the clocks, from what the transfers show.

use crate::wording::duration;
use steplens_core::clocks::{Ahead, Clocks, Search};
use steplens_messages::{asides, say};

/// What the transfers show about the clocks, as a sentence.
pub fn sentence(clocks: &Clocks) -> String {
    let transfers = clocks.transfers();
    if transfers == 0 {
        return match clocks.tasks.len() {
            0 => say!("clocks-no-task"),
            1 => say!("clocks-one-task"),
            _ => say!("clocks-no-transfers"),
        }
        .to_owned();
    }
    let contradicting = match clocks.contradicting().len() {
        0 => None,
        count => Some(say!("clocks-contradicting", tensors = say!("tensors", count))),
    };
    let before = clocks.violated_before();
    if before == 0 && clocks.is_by_collectives() {
        return joined([Some(say!("clocks-ends-not-apart").to_owned()), contradicting, None]);
    }
    if before == 0 {
        return joined([Some(say!("clocks-not-apart", transfers)), contradicting, None]);
    }
    let offsets =
        || clocks.tasks.iter().filter(|clock| clock.transfers > 0).map(|clock| clock.applied.at_middle);
    let spread = offsets().max().unwrap_or_default() - offsets().min().unwrap_or_default();
    let spread = duration(spread.0.unsigned_abs());
    let tasks = say!("tasks", count = offsets().count());
    let moved = clocks.tasks.iter().filter(|clock| clock.applied != Ahead::default()).count();
    let apart = match clocks.search {
        _ if clocks.is_by_collectives() => {
            say!("clocks-ends-apart", before, transfers, tasks, spread, moved)
        }
        Search::NotProven => say!("clocks-apart-at-most", before, transfers, tasks, spread, moved),
        Search::Done | Search::GivenUp => say!("clocks-apart", before, transfers, tasks, spread, moved),
    };
    let given_up = (clocks.search == Search::GivenUp).then(|| say!("clocks-given-up").to_owned());
    joined([Some(apart), given_up, contradicting])
}

fn joined(parts: [Option<String>; 3]) -> String {
    asides(parts.into_iter().flatten())
}
