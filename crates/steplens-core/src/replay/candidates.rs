//! What is worth changing: op types, links and tasks, each with what the step would take if they were faster.
//!
//! COZ (arXiv 1608.03676) draws such a line for each piece of a program: how much the whole gains as the piece gets faster. A line
//! goes flat where another path takes over.

use super::Replay;
use super::change::Change;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::{Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// By how much each candidate gets faster, in percent of its time.
pub const FASTER: [u32; 4] = [10, 25, 50, 100];

/// Something that may be made faster.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is.
    pub kind: CandidateKind,
    /// Its name: an op type, `source -> destination`, or a device.
    pub name: String,
    /// How much of the critical path it takes.
    pub on_path: Nanos,
}

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CandidateKind {
    /// All ops of a type.
    OpType,
    /// All transfers from one task to another.
    Link,
    /// A device.
    Device,
}

impl CandidateKind {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpType => "op-type",
            Self::Link => "link",
            Self::Device => "device",
        }
    }
}

impl Candidate {
    /// The change that makes it take `factor` times as long.
    pub fn change(&self, factor: f64) -> Change {
        match self.kind {
            CandidateKind::OpType => {
                Change::Ops { pattern: format!("type:^{}$", regex::escape(&self.name)), factor }
            }
            CandidateKind::Link => {
                let (source, destination) = self.name.split_once(" -> ").unwrap_or((&self.name, ""));
                Change::Link { source: source.to_owned(), destination: destination.to_owned(), factor }
            }
            CandidateKind::Device => Change::Device { name: self.name.clone(), factor },
        }
    }
}

/// Of each kind the `most` candidates that take most of the replayed critical path: what is not on it saves nothing, as long as it
/// gets faster alone.
pub fn candidates(study: &Study, replay: &Replay, most: usize) -> Vec<Candidate> {
    let trace = study.trace();
    let path = replay.unchanged().path(study, replay);
    let mut sums: HashMap<(CandidateKind, String), Nanos, FixedState> = HashMap::default();
    for segment in &path {
        let length = segment.end - segment.start;
        if let Some(link) = link_of(study, segment.op).filter(|_| segment.kind == SegmentKind::Transit) {
            *sums.entry((CandidateKind::Link, link)).or_default() += length;
        } else if is_run(segment.kind) {
            let op_type = trace.text(trace.nodes().op_type(trace.ops().node(segment.op)));
            let device = trace.text(trace.devices().get(trace.device_of(segment.op)).name);
            if !op_type.is_empty() {
                *sums.entry((CandidateKind::OpType, op_type.to_owned())).or_default() += length;
            }
            *sums.entry((CandidateKind::Device, device.to_owned())).or_default() += length;
        }
    }
    let mut found: Vec<Candidate> =
        sums.into_iter().map(|((kind, name), on_path)| Candidate { kind, name, on_path }).collect();
    found.sort_by(|a, b| {
        let key = |own: &Candidate| (own.kind.word(), Reverse(own.on_path));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    let mut kept: HashMap<CandidateKind, usize, FixedState> = HashMap::default();
    found.retain(|own| {
        let count = kept.entry(own.kind).or_default();
        *count += 1;
        *count <= most
    });
    found
}

fn is_run(kind: SegmentKind) -> bool {
    matches!(
        kind,
        SegmentKind::Compute
            | SegmentKind::Copy
            | SegmentKind::Transit
            | SegmentKind::Input
            | SegmentKind::Allocating
            | SegmentKind::Producer
    )
}

/// The link of the transfer that `op` recorded, as `source task -> destination task`.
fn link_of(study: &Study, op: crate::OpId) -> Option<String> {
    let transfer = study.transfers().of_op(op)?;
    let task = |trace: &Trace, id| {
        let name = trace.text(id);
        crate::model::device::task_of(name).unwrap_or(name).to_owned()
    };
    let trace = study.trace();
    Some(format!("{} -> {}", task(trace, transfer.source), task(trace, transfer.destination)))
}
