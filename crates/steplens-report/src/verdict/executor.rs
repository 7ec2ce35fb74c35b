//! What is said of TensorFlow's executors, where an op was not recorded.

use super::Inputs;
use crate::names::place_label;
use steplens_core::findings::Sender;
use steplens_messages::say;

/// What the path waits for, if that are tensors of a task of which nothing was recorded.
pub(super) fn waiting_for(inputs: &Inputs<'_>, sender: Sender) -> String {
    match sender {
        Sender::Of(device) => {
            say!("verdict-path-waiting-sender", device = place_label(inputs.study.trace().text(device)))
        }
        Sender::Unnamed => say!("verdict-path-waiting-unnamed").to_owned(),
    }
}
