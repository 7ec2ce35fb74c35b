//! Says how long a GPU may have worked unseen: in graphs of kernels that the profiler recorded only in part.

use super::Inputs;
use crate::figures::{duration, share};
use steplens_core::scheduling::host_idle::{host_idle, least_waiting};
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_messages::say;

/// It is said from this part of the time on, as its divisor.
const LEAST_HIDDEN: i64 = 10;

/// How long nothing was recorded between parts of graphs that were launched: the only accelerator may work then.
pub(super) fn holes(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    if own.accelerators != 1 {
        return None;
    }
    let hosts = host_idle(study.edges(), study.kernels());
    let hidden = least_waiting(&hosts)?.launched[LaunchedPart::Hole as usize];
    let most = (own.busy + hidden).min(own.length);
    (hidden.0.saturating_mul(LEAST_HIDDEN) >= own.length.0 && hidden.0 > 0).then(|| {
        let (least, most) = (share(own.busy.0, own.length.0), share(most.0, own.length.0));
        say!("verdict-holes", time = duration(hidden.0), least, most)
    })
}
