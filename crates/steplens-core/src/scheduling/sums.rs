//! The parts of ops, summed by device and by op type.

use super::RunBy;
use super::moments::{Moments, Part};
use crate::base::units::Nanos;
use crate::causality::Causes;
use crate::makers::Edges;
use crate::{DeviceId, OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// One of the five parts of the ops of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSum {
    /// The number of ops for which this part is known.
    pub known: u64,
    /// The sum over these ops.
    pub sum: Nanos,
    /// The median.
    pub p50: Nanos,
    /// The value that 99 of 100 ops do not exceed.
    pub p99: Nanos,
    /// The op with the largest value, and that value.
    pub most: Option<(OpId, Nanos)>,
}

/// The ops of one device, or of one op type on executors or on streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<K> {
    /// The device or the op type.
    pub key: K,
    /// What ran them.
    pub run_by: RunBy,
    /// The number of ops.
    pub ops: u64,
    /// How many of them were scheduled before their last input ended, according to the records.
    pub contradicted: u64,
    /// The five parts, in the order of [`Part::ALL`].
    pub parts: [PartSum; Part::ALL.len()],
}

/// The parts of every op that an executor or a stream ran, summed.
pub struct Sums {
    /// By device, in order.
    pub by_device: Vec<Row<DeviceId>>,
    /// By op type: the longest queue first.
    pub by_op_type: Vec<Row<StringId>>,
    /// The number of ops run by [`RunBy::Network`], [`RunBy::Program`] and [`RunBy::Nothing`], in this order.
    pub others: [u64; 3],
}

impl Sums {
    /// Computes the sums of all ops, in time linear in the ops, and n log n for the percentiles.
    pub fn computed(edges: Edges<'_>, causes: &Causes) -> Self {
        let trace = edges.trace;
        let (mut by_device, mut by_op_type) = (Gathered::default(), Gathered::default());
        let mut others = [0; 3];
        for op in trace.ops().ids() {
            let run_by = RunBy::of(trace, edges.transfers, op);
            match run_by {
                RunBy::Executor | RunBy::Stream => {
                    let moments = Moments::of(edges, causes, op);
                    by_device.add(trace.device_of(op), run_by, op, &moments);
                    by_op_type.add(trace.nodes().op_type(trace.ops().node(op)), run_by, op, &moments);
                }
                RunBy::Network => others[0] += 1,
                RunBy::Program => others[1] += 1,
                RunBy::Nothing => others[2] += 1,
            }
        }
        let by_device = by_device.rows();
        let mut by_op_type = by_op_type.rows();
        let weight = |row: &Row<StringId>| {
            let [wait, queue, set_up, kernel, tear_down] = row.parts.map(|part| part.sum.0);
            (queue, kernel.saturating_add(set_up).saturating_add(tear_down).saturating_add(wait))
        };
        by_op_type.sort_by(|a, b| {
            let tie = || trace.text(a.key).cmp(trace.text(b.key)).then(a.run_by.word().cmp(b.run_by.word()));
            weight(b).cmp(&weight(a)).then_with(tie)
        });
        Self { by_device, by_op_type, others }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.by_device.capacity() * size_of::<Row<DeviceId>>()
            + self.by_op_type.capacity() * size_of::<Row<StringId>>()
    }
}

/// Rows that are not finished, in the order in which their keys first came.
struct Gathered<K> {
    row_of: HashMap<(K, RunBy), u32, FixedState>,
    rows: Vec<(Row<K>, [Vec<i64>; Part::ALL.len()])>,
}

impl<K> Default for Gathered<K> {
    fn default() -> Self {
        Self { row_of: HashMap::default(), rows: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> Gathered<K> {
    fn add(&mut self, key: K, run_by: RunBy, op: OpId, moments: &Moments) {
        let next = self.rows.len() as u32;
        let row = *self.row_of.entry((key, run_by)).or_insert(next);
        if row == next {
            let parts = [PartSum::default(); Part::ALL.len()];
            self.rows.push((Row { key, run_by, ops: 0, contradicted: 0, parts }, Default::default()));
        }
        let (row, lengths) = &mut self.rows[row as usize];
        row.ops += 1;
        row.contradicted += u64::from(moments.contradiction().is_some());
        for ((sum, lengths), part) in row.parts.iter_mut().zip(lengths).zip(moments.parts()) {
            let Some(part) = part else { continue };
            lengths.push(part.0);
            sum.known += 1;
            sum.sum += part;
            if sum.most.is_none_or(|(_, most)| part > most) {
                sum.most = Some((op, part));
            }
        }
    }

    fn rows(self) -> Vec<Row<K>> {
        let finished = self.rows.into_iter().map(|(mut row, lengths)| {
            for (sum, mut lengths) in row.parts.iter_mut().zip(lengths) {
                (sum.p50, sum.p99) = (percentile(&mut lengths, 50), percentile(&mut lengths, 99));
            }
            row
        });
        let mut rows: Vec<Row<K>> = finished.collect();
        // They stand where the unfinished ones did, which are larger.
        rows.shrink_to_fit();
        rows
    }
}

/// The smallest of `values` that at least `percent` of 100 of them do not exceed; 0 without values.
pub(super) fn percentile(values: &mut [i64], percent: usize) -> Nanos {
    let rank = (values.len() * percent).div_ceil(100).max(1);
    if values.is_empty() {
        return Nanos(0);
    }
    Nanos(*values.select_nth_unstable(rank - 1).1)
}
