//! What the transfers say of the clocks, for people.

use crate::wording::{duration, plural};
use steplens_core::clocks::{Ahead, Clocks, Search};

/// What the transfers say of the clocks, for people.
pub fn sentence(clocks: &Clocks) -> String {
    let transfers = clocks.transfers();
    if transfers == 0 {
        return match clocks.tasks.len() {
            0 => "no device has a task, and so there are no clocks to compare".to_owned(),
            1 => "there is one task, and so one clock".to_owned(),
            _ => "no tensor of a known producer went from one task to another, so nothing tells how far their clocks are apart".to_owned(),
        };
    }
    let contradicting = match clocks.contradicting().len() {
        0 => String::new(),
        count => format!(
            "; {} have times that contradict the others', however the clocks are set",
            plural(count, "tensor")
        ),
    };
    let before = clocks.violated_before();
    if before == 0 {
        return format!(
            "none of {transfers} tensors between tasks arrives before it is sent: nothing says that the clocks \
             differ{contradicting}"
        );
    }
    let offsets =
        || clocks.tasks.iter().filter(|clock| clock.transfers > 0).map(|clock| clock.applied.at_middle);
    let spread = offsets().max().unwrap_or_default() - offsets().min().unwrap_or_default();
    let moved = clocks.tasks.iter().filter(|clock| clock.applied != Ahead::default()).count();
    let found = match clocks.search {
        Search::GivenUp => "; there are too many tasks and tensors between them to find all offsets",
        Search::NotProven => ", and maybe fewer or less",
        Search::Done => "",
    };
    format!(
        "{before} of {transfers} tensors between tasks arrive before they are sent: the clocks of {} differ by {}; \
         aligning them moves {moved}{found}{contradicting}",
        plural(offsets().count(), "task"),
        duration(spread.0.unsigned_abs()),
    )
}
