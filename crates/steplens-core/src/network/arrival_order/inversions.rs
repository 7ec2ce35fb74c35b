//! Inversions: pairs of parameters that arrived in the opposite order of need, though they could have arrived in order.
//!
//! `i` and `j` are inverted if `i` is needed before `j`, arrived after `j`, and could have arrived when `j` arrived. Parameters
//! that are needed at the same moment have no order.

use super::Parameter;
use super::links::Links;
use crate::Study;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};

/// At most this many inversions are listed per step.
const MAX_WORST: usize = 8;

/// A parameter that arrived too late, and one that arrived before it though it is needed later.
#[derive(Clone, Copy, Debug)]
pub struct Inversion {
    /// The transfer of the late parameter.
    pub late: OpId,
    /// The transfer of the early parameter: of those that arrived before the late one though they are needed later, the one that is
    /// needed last.
    pub early: OpId,
    /// How many parameters arrived before the late one though they are needed later.
    pub overtaken_by: u32,
    /// The first op that uses the late parameter.
    pub user: OpId,
    /// How long that op waited only for the late parameter, while it could have arrived.
    pub waited: Nanos,
}

/// Counts of inversions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Inverted pairs.
    pub(super) inversions: u64,
    /// Pairs that could have arrived in either order and are needed one after the other.
    pub(super) pairs: u64,
    /// For each parameter the number of parameters that arrived before it though they are needed later.
    pub(super) overtaken: Vec<u32>,
}

/// Counts the inversions of `tensors`, which must be in the order of need; in time n log n.
pub(super) fn count(tensors: &[Parameter]) -> Counts {
    let mut receipts: Vec<Timestamp> = tensors.iter().map(|parameter| parameter.received).collect();
    order::by_number(&mut receipts, |received| (received.0, 0));
    let mut counts = Counts { overtaken: vec![0; tensors.len()], ..Counts::default() };
    // First the parameters that are needed later than the current one; then, in the opposite direction, those that are needed
    // earlier.
    let mut came = Arrived { receipts: &receipts, counts: vec![0; receipts.len() + 1] };
    let mut end = tensors.len();
    for group in tensors.chunk_by(same_need).rev() {
        let first = end - group.len();
        for (parameter, overtaken) in group.iter().zip(&mut counts.overtaken[first..end]) {
            *overtaken = came.between(parameter.released, parameter.received);
            counts.inversions += u64::from(*overtaken);
        }
        group.iter().for_each(|parameter| came.add(parameter.received));
        end = first;
    }
    counts.pairs = counts.inversions;
    came.counts.fill(0);
    for group in tensors.chunk_by(same_need) {
        counts.pairs += group
            .iter()
            .map(|parameter| u64::from(came.between(parameter.released, parameter.received)))
            .sum::<u64>();
        group.iter().for_each(|parameter| came.add(parameter.received));
    }
    counts
}

/// The inversions for which ops waited longest.
pub(super) fn worst(
    study: &Study,
    links: &Links,
    tensors: &[Parameter],
    overtaken: &[u32],
) -> Vec<Inversion> {
    let mut inputs = None;
    let mut late: Vec<(Nanos, u32)> = Vec::new();
    for ((row, parameter), _) in (0..).zip(tensors).zip(overtaken).filter(|&(_, &overtaken)| overtaken > 0) {
        // The inversions of one op follow each other.
        let known = inputs.filter(|inputs: &Inputs| inputs.of == parameter.user);
        let known = *inputs.insert(known.unwrap_or_else(|| Inputs::of(study, links, parameter.user)));
        let waited = parameter.received - known.others_than(parameter.op).max(parameter.released);
        if waited > Nanos(0) {
            late.push((waited, row));
        }
    }
    order::by_number(&mut late, |(waited, row)| (-waited.0, i64::from(row)));
    late.truncate(MAX_WORST);
    let inversion = |&(waited, row): &(Nanos, u32)| {
        let parameter = &tensors[row as usize];
        let came_first =
            |other: &&Parameter| other.received >= parameter.released && other.received < parameter.received;
        let early = tensors[row as usize..].iter().rev().find(came_first)?;
        let overtaken_by = overtaken[row as usize];
        Some(Inversion { late: parameter.op, early: early.op, overtaken_by, user: parameter.user, waited })
    };
    late.iter().filter_map(inversion).collect()
}

fn same_need(a: &Parameter, b: &Parameter) -> bool {
    a.needed == b.needed
}

/// The two latest inputs of an op.
#[derive(Clone, Copy)]
struct Inputs {
    of: OpId,
    latest: (Timestamp, Option<OpId>),
    next: Timestamp,
}

impl Inputs {
    fn of(study: &Study, links: &Links, op: OpId) -> Self {
        let never = Timestamp(i64::MIN);
        let mut inputs = Self { of: op, latest: (never, None), next: never };
        for &maker in links.makers(op) {
            let end = study.trace().ops().end(maker);
            if end > inputs.latest.0 {
                if inputs.latest.1 != Some(maker) {
                    inputs.next = inputs.latest.0;
                }
                inputs.latest = (end, Some(maker));
            } else if inputs.latest.1 != Some(maker) {
                inputs.next = inputs.next.max(end);
            }
        }
        inputs
    }

    /// When the last input other than the one from `maker` was ready.
    fn others_than(&self, maker: OpId) -> Timestamp {
        if self.latest.1 == Some(maker) { self.next } else { self.latest.0 }
    }
}

/// How many parameters arrived by which moment: a Fenwick tree over the sorted times of arrival.
struct Arrived<'a> {
    receipts: &'a [Timestamp],
    counts: Vec<u32>,
}

impl Arrived<'_> {
    fn add(&mut self, received: Timestamp) {
        let mut at = self.receipts.partition_point(|&other| other < received) + 1;
        while let Some(count) = self.counts.get_mut(at) {
            *count += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many arrived at or after `from`, and before `until`.
    fn between(&self, from: Timestamp, until: Timestamp) -> u32 {
        let before = self.first(self.receipts.partition_point(|&other| other < until));
        before.saturating_sub(self.first(self.receipts.partition_point(|&other| other < from)))
    }

    /// How many arrived in the first `moments` moments.
    fn first(&self, moments: usize) -> u32 {
        let (mut at, mut sum) = (moments, 0);
        while at > 0 {
            sum += self.counts[at];
            at &= at - 1;
        }
        sum
    }
}
