//! Names, lengths and parts in the sentences of findings.

use crate::names::{cut_to, kernel_label, kernel_labels, place_label};
use crate::wording::duration;
use steplens_core::Nanos;
use steplens_core::findings::{FactPart, Finding};
use steplens_core::scheduling::host_idle::HostPart;
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_messages::{listed, say};

/// Names of kernels may be hundreds of letters long.
const LONGEST_NAME: usize = 60;

/// The name of a task in a few words; other names as they are, up to [`LONGEST_NAME`] letters.
pub(super) fn short(name: &str) -> String {
    cut(&kernel_label(name))
}

/// The short names of a list, which differ where the names do.
pub(super) fn shorts(names: &[(String, Nanos)]) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    kernel_labels(&names).iter().map(|name| cut(name)).collect()
}

fn cut(name: &str) -> String {
    match name.starts_with("/job:") {
        true => place_label(name),
        false => cut_to(name, LONGEST_NAME),
    }
}

pub(super) fn length(time: Nanos) -> String {
    duration(time.0.unsigned_abs())
}

/// The names of a finding with their times.
pub(super) fn named(own: &Finding) -> Option<String> {
    let names = own.facts.names.iter().zip(shorts(&own.facts.names));
    let names: Vec<String> =
        names.map(|((_, time), name)| say!("finding-name-time", name, time = length(*time))).collect();
    (!names.is_empty()).then(|| listed(names))
}

/// The parts of the time of a finding, the longest first.
pub(super) fn parts(own: &Finding) -> Option<String> {
    parts_in(own, part_words)
}

/// The same, in other `words`.
pub(super) fn parts_in(own: &Finding, words: impl Fn(FactPart) -> &'static str) -> Option<String> {
    let said = own.facts.parts.iter();
    let said: Vec<String> =
        said.map(|&(part, time)| say!("finding-part", time = length(time), what = words(part))).collect();
    (!said.is_empty()).then(|| listed(said))
}

pub(super) fn part_words(part: FactPart) -> &'static str {
    match part {
        FactPart::Launched(LaunchedPart::Latency) => say!("finding-part-latency"),
        FactPart::Launched(LaunchedPart::Graph) => say!("finding-part-graph"),
        FactPart::Launched(LaunchedPart::Other) => say!("finding-part-other-stream"),
        FactPart::Launched(LaunchedPart::Hole) => say!("finding-part-hole"),
        FactPart::Launched(LaunchedPart::Unrecorded) => say!("finding-part-unrecorded"),
        FactPart::Transfer => say!("finding-part-transfer"),
        FactPart::Waiting => say!("finding-part-waiting"),
        FactPart::MoreOrWaiting => say!("finding-part-more-or-waiting"),
        FactPart::WaitingForUnopened => say!("finding-part-waiting-unopened"),
        FactPart::Computing => say!("finding-part-computing"),
        FactPart::Idle => say!("finding-part-idle"),
        FactPart::Other => say!("finding-part-other"),
        FactPart::Host(HostPart::Operators) => say!("finding-part-host-operators"),
        FactPart::Host(HostPart::Asking) => say!("finding-part-host-asking"),
        FactPart::Host(HostPart::Launching) => say!("finding-part-host-launching"),
        FactPart::Host(HostPart::Copying) => say!("finding-part-host-copying"),
        FactPart::Host(HostPart::Allocating) => say!("finding-part-host-allocation"),
        FactPart::Host(HostPart::Waiting) => say!("finding-part-host-waiting"),
        FactPart::Host(HostPart::Input) => say!("finding-part-host-input"),
        FactPart::Host(HostPart::Between) => say!("finding-part-host-between"),
        FactPart::Host(HostPart::Beginning) => say!("finding-part-host-beginning"),
    }
}
