//! What went over each link, step by step.

use crate::base::order;
use crate::study::step_of_op::StepOfOp;
use crate::transfers::links::{Load, Moved, matrix};
use crate::{StringId, Study};

/// What went from one device to another in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkStep {
    /// The step, as [`StepOfOp`] counts: that of the op that recorded the transfer, else of its producer.
    pub step: usize,
    /// The device that sent.
    pub source: StringId,
    /// The device that received.
    pub destination: StringId,
    /// The sums over these transfers.
    pub load: Load,
}

/// The links of every step, in order of step; within a step in order of their names' ids. In time n log n.
pub fn links(study: &Study, steps: &StepOfOp) -> Vec<LinkStep> {
    let trace = study.trace();
    let mut moved: Vec<(usize, StringId, StringId, Moved)> = Vec::new();
    for transfer in study.transfers().rows() {
        let op = transfer.op.or(transfer.producer.ok());
        let step = op.map_or(0, |op| steps.step(study, op));
        moved.push((step, transfer.source, transfer.destination, Moved::with(trace, &transfer)));
    }
    let pair = |from: StringId, to: StringId| i64::from(from.get()) << 32 | i64::from(to.get());
    order::by_number(&mut moved, |(step, from, to, _)| (step as i64, pair(from, to)));
    let alike = moved.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2));
    let of_link = |own: &[(usize, StringId, StringId, Moved)]| {
        let (step, source, destination, _) = own[0];
        let moved: Vec<Moved> = own.iter().map(|&(.., moved)| moved).collect();
        let one = matrix(vec!["", ""], &vec![(0, 1); moved.len()], &moved);
        LinkStep { step, source, destination, load: one.all }
    };
    alike.map(of_link).collect()
}
