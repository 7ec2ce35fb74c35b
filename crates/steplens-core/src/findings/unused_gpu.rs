//! Reports a GPU that the file names and no op used. Only the reader of the file knows of it: the trace looks like that of a program on a CPU.

use super::finding::{Alone, Basis, Facts, Finding, MOST_EVIDENCE, Rule};
use super::framework::Framework;
use super::{Findings, Subject};
use crate::base::units::Nanos;
use crate::{Category, OpId};
use std::cmp::Reverse;

impl Findings {
    /// Puts first that the GPU was not used: all that `subject` computes could run there.
    pub fn put_unused_gpu(&mut self, subject: &Subject<'_>) {
        let study = subject.study();
        let trace = study.trace();
        let time = study.step_split(trace.span()).compute;
        if time <= Nanos(0) {
            return;
        }
        let is_torch = Framework::of_trace(trace) == Framework::PyTorch;
        let mut evidence: Vec<OpId> =
            trace.ops().ids().filter(|&op| trace.category(op) == Category::Compute).collect();
        evidence.sort_by_key(|&op| (Reverse(study.self_time(op)), op));
        evidence.truncate(MOST_EVIDENCE);
        let finding = Finding {
            rule: Rule::GpuUnused,
            saving: Some(time),
            range: Some((Nanos(0), time)),
            on_path: Nanos(0),
            basis: Basis::Measured,
            // PyTorch sends no tensors: its memory says where it computes.
            facts: Facts { time, of: u64::from(is_torch), ..Facts::default() },
            evidence,
            change: None,
            is_part: false,
            after: None,
            denied: None,
        };
        // Which ops the CPU had is one with that.
        self.forget_kinds_of_cpu();
        self.rows.insert(0, finding);
    }

    /// Takes back what kind of op a CPU mostly ran: a GPU that has no event in the file may have run them.
    pub fn forget_kinds_of_cpu(&mut self) {
        self.rows.retain(|own| !matches!(own.facts.alone, Some(Alone::OfKind(_))));
    }
}
