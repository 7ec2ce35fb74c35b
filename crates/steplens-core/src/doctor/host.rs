//! What TensorFlow's host profiler recorded: a note, and a finding where its events are not the executor's ops.

use super::{Finding, FindingKind, about};
use crate::Trace;
use crate::host_profile::HostProfile;

/// So many events may be none of the executor's ops without being a finding: the profiler starts and stops while ops run.
const A_FEW: usize = 3;
/// Nor is one of so many a finding.
const A_FEW_OF: usize = 50;

pub(super) fn find(trace: &Trace) -> Vec<Finding> {
    let profile = HostProfile::of(trace);
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
