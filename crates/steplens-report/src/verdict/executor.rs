//! What is said of TensorFlow's executors, where an op was not recorded.

use super::Inputs;
use crate::figures::{count, duration, share};
use crate::names::place_label;
use steplens_core::findings::{DecidedBy, Sender};
use steplens_messages::say;

/// What the path waits for: tensors of a task that was not recorded.
pub(super) fn waiting_for(inputs: &Inputs<'_>, sender: Sender) -> String {
    match sender {
        Sender::Of(device) => {
            say!("verdict-path-waiting-sender", device = place_label(inputs.study.trace().text(device)))
        }
        Sender::Unnamed => say!("verdict-path-waiting-unnamed").to_owned(),
    }
}

/// How much of the time between ops executors were at work.
pub(super) fn in_executors(inputs: &Inputs<'_>) -> Option<String> {
    let own = inputs.own;
    let found = own.in_executors.filter(|_| own.by == DecidedBy::Path && own.waits.is_none())?;
    let share = share(found.time.0, own.length.0);
    let (count, median) = (count(found.count), duration(found.median.0));
    Some(say!("verdict-in-executors", share, count, median))
}
