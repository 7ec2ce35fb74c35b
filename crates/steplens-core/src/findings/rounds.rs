//! Rounds of tensors: where the rows of a timeline are tensors (Horovod, Bluefog, BytePS), and the same tensors are reduced again and again, each
//! round is a step.
//!
//! A tensor's turn begins as it is ready, and ends with what is done with it last before its next turn. A round begins where a tensor comes that the
//! round before has already. While the first gradients of a round are negotiated and reduced, the program computes the others: a step waits for its
//! tensors only from where the last one is ready, and nothing is computed any more.

use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::device::is_of_tensors;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// Fewer rounds may be anything.
const LEAST_ROUNDS: usize = 3;
/// At least this part of them have as many tensors as the one in the middle, in percent.
const LEAST_ALIKE_PERCENT: usize = 90;

/// What BytePS does with a tensor from beginning to end, and where one of its processors calculates, by the fields that say so.
const WHOLE: &str = "tid=total";
const STAGE: &str = "COMPRESS";

/// One round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// When its first tensor was ready.
    pub start: Timestamp,
    /// From where its last tensor was ready, and nothing was computed any more, to the end of its last collective.
    pub tail: Interval,
    /// How many tensors it has.
    pub tensors: usize,
}

/// The rounds of a timeline of tensors, in order of time; none where the same tensors do not come again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds(Vec<Round>);

impl Rounds {
    /// The rounds of the only device of `trace` whose rows are tensors.
    pub fn of(trace: &Trace) -> Self {
        let name = |id: DeviceId| trace.text(trace.devices().get(id).name);
        let mut devices = trace.devices().ids().filter(|&id| is_of_tensors(name(id)));
        match (devices.next(), devices.next()) {
            (Some(device), None) => Self::found(trace, device),
            _ => Self::default(),
        }
    }

    fn found(trace: &Trace, device: DeviceId) -> Self {
        let (nodes, ops) = (trace.nodes(), trace.ops());
        let is_work = |op: &OpId| !nodes.is_range(ops.node(*op));
        let mut work: Vec<OpId> = trace.ops_of(device).filter(is_work).collect();
        order::by_number(&mut work, |op| (ops.start(op).0, i64::from(op.get())));
        // A tensor that comes much more seldom than others (a metric, after many steps) is of no round.
        let mut turns: HashMap<u32, usize, FixedState> = HashMap::default();
        work.iter()
            .filter(|&&op| begins_turn(trace, op))
            .for_each(|&op| *turns.entry(ops.thread(op)).or_default() += 1);
        let most = turns.values().copied().max().unwrap_or_default();
        let is_usual = |tensor: u32| turns.get(&tensor).is_some_and(|&own| own * 2 >= most);
        let mut rounds: Vec<Round> = Vec::new();
        let mut present: HashSet<u32, FixedState> = HashSet::default();
        // For each tensor that had a turn the round of that.
        let mut round_of: HashMap<u32, usize, FixedState> = HashMap::default();
        let mut computed: Vec<Interval> = Vec::new();
        for op in work {
            let (tensor, own) = (ops.thread(op), ops.interval(op));
            if begins_turn(trace, op) && is_usual(tensor) {
                if rounds.is_empty() || present.contains(&tensor) {
                    present.clear();
                    rounds.push(Round { start: own.start, tail: own, tensors: 0 });
                }
                present.insert(tensor);
                let last = rounds.len() - 1;
                round_of.insert(tensor, last);
                rounds[last].tensors += 1;
                rounds[last].tail.start = own.start;
            }
            if computes(trace, op) {
                computed.push(own);
            } else if let Some(&row) = round_of.get(&tensor) {
                rounds[row].tail.end = rounds[row].tail.end.max(own.end);
            }
        }
        let computed = Busy::of(computed.into_iter());
        let starts: Vec<Timestamp> = rounds.iter().map(|own| own.start).collect();
        for (row, own) in rounds.iter_mut().enumerate() {
            let next = starts.get(row + 1).copied().unwrap_or(own.tail.end);
            own.tail.end = own.tail.end.min(next).max(own.tail.start);
            own.tail.start = computed
                .end_before(own.tail.end)
                .unwrap_or(own.tail.start)
                .clamp(own.tail.start, own.tail.end);
        }
        let mut sizes: Vec<usize> = rounds.iter().map(|own| own.tensors).collect();
        sizes.sort_unstable();
        let middle = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
        let alike = sizes.iter().filter(|&&size| size == middle).count();
        // Of one tensor nothing says when a program waits for it.
        let are_rounds =
            middle > 1 && rounds.len() >= LEAST_ROUNDS && alike * 100 >= rounds.len() * LEAST_ALIKE_PERCENT;
        Self(if are_rounds { rounds } else { Vec::new() })
    }

    /// All rounds.
    pub fn as_slice(&self) -> &[Round] {
        &self.0
    }

    /// How long it is from the start of one to the next, in the middle.
    pub fn median(&self) -> Nanos {
        let mut periods: Vec<Nanos> = self.0.windows(2).map(|two| two[1].start - two[0].start).collect();
        periods.sort_unstable();
        periods.get(periods.len() / 2).copied().unwrap_or_default()
    }

    /// When a step waits for its tensors.
    pub(crate) fn tails(&self) -> impl Iterator<Item = Interval> + '_ {
        self.0.iter().map(|own| own.tail)
    }
}

/// Whether a tensor is ready as `op` begins.
fn begins_turn(trace: &Trace, op: OpId) -> bool {
    let op_type = trace.op_type(op);
    let begins = ["NEGOTIATE_", "ENQUEUE_"].iter().any(|own| op_type.starts_with(own));
    begins && !op_type.contains("BROADCAST") || says(trace, op, WHOLE)
}

/// Whether `op` is what the model computes, and no stage of a tensor.
fn computes(trace: &Trace, op: OpId) -> bool {
    trace.category(op) == Category::Compute && !says(trace, op, STAGE)
}

fn says(trace: &Trace, op: OpId, field: &str) -> bool {
    trace.text(trace.nodes().reason(trace.ops().node(op))).starts_with(field)
}
