//! What is said of a log of `torch.compile`, which has nothing else.

use super::short;
use crate::figures::{count, duration, share};
use steplens_core::Study;
use steplens_core::findings::compiling;
use steplens_messages::say;

/// How long `what` compiled, and for how many graphs; then what took most of that, and which frame was compiled again.
pub(super) fn log_of(study: &Study, what: &str) -> Option<(String, Vec<String>)> {
    let found = compiling(study)?;
    let time = duration(found.time.0);
    let main = match found.graphs {
        0 => say!("verdict-compiling", what, time),
        graphs => say!("verdict-compiling-graphs", what, time, count = count(graphs)),
    };
    let largest = found.largest.map(|(op, own)| {
        let name = short(study.trace().op_type(op));
        say!("verdict-compiling-largest", name, share = share(own.0, found.time.0))
    });
    let again = found.again.map(|(frame, times)| {
        say!("verdict-compiling-again", frame = frame.to_string(), count = count(times))
    });
    Some((main, largest.into_iter().chain(again).collect()))
}
