//! Records of TensorFlow's host profiler: a note, and a finding if its events are not ops of the executor.

use super::{Finding, FindingKind, about};
use crate::Trace;
use crate::host_profile::HostProfile;

/// Up to this number of events without an op of the executor are no finding: the profiler starts and stops while ops run.
const A_FEW: usize = 3;
/// Neither is up to one event in this many.
const A_FEW_OF: usize = 50;

pub(super) fn find(trace: &Trace) -> Vec<Finding> {
    let profile = HostProfile::read(trace);
    if profile.is_empty() {
        return Vec::new();
    }
    let counts = profile.counts();
    let note = about(trace, FindingKind::HostProfile(counts), profile.events().iter().map(|own| own.event));
    let is_many = counts.unjoined > A_FEW.max((counts.joined + counts.unjoined) / A_FEW_OF);
    let named = (counts.joined + counts.unjoined) as u64;
    let unjoined = || about(trace, FindingKind::UnjoinedEvents(named), profile.unjoined());
    note.into_iter().chain(is_many.then(unjoined).flatten()).collect()
}
