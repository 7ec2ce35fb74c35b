//! How often a program went through the same operators, where nothing marks its steps.

use crate::base::order;
use crate::timeline::nesting::operators;
use crate::{Category, DeviceId, NodeId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// Fewer passes are no habit.
const LEAST_PASSES: usize = 3;
/// A pass has at least this many operators.
const LEAST_OPERATORS: usize = 5;
/// This part of the passes, in percent, is alike.
const ALIKE_PERCENT: usize = 75;

/// How many passes the thread with most operators made through the same ones, one after the other; `None` if it did not.
pub fn passes(trace: &Trace) -> Option<u64> {
    let names: Vec<NodeId> = outermost(trace);
    let mut counts: HashMap<NodeId, usize, FixedState> = HashMap::default();
    names.iter().for_each(|&name| *counts.entry(name).or_default() += 1);
    // What comes once in each pass comes least often.
    let (&first, &count) = counts
        .iter()
        .filter(|(_, count)| **count >= LEAST_PASSES)
        .min_by_key(|&(&name, &count)| (count, name))?;
    let starts: Vec<usize> = (0..names.len()).filter(|&at| names[at] == first).collect();
    let mut alike: HashMap<&[NodeId], usize, FixedState> = HashMap::default();
    starts.windows(2).for_each(|pair| *alike.entry(&names[pair[0]..pair[1]]).or_default() += 1);
    let (most, times) = alike.into_iter().max_by_key(|&(pass, times)| (times, pass))?;
    let is_alike = times * 100 >= (starts.len() - 1) * ALIKE_PERCENT;
    // Layers of one pass repeat some of its operators: a pass has nearly all kinds.
    let kinds: HashSet<NodeId, FixedState> = most.iter().copied().collect();
    let has_most = kinds.len() * 4 >= counts.len() * 3;
    (is_alike && has_most && most.len() >= LEAST_OPERATORS).then_some(count as u64)
}

/// The names of the outermost operators of the thread that has most of them, in order.
fn outermost(trace: &Trace) -> Vec<NodeId> {
    let ops = trace.ops();
    let mut of_thread: HashMap<(DeviceId, u32), Vec<OpId>, FixedState> = HashMap::default();
    for device in trace.devices().ids() {
        let row = trace.devices().get(device);
        if !row.nests || row.is_accelerator {
            continue;
        }
        let within = operators(trace, device);
        let is_outermost = |op: OpId| within[(op.get() - row.first_op) as usize].is_none();
        let is_operator = |op: OpId| trace.category(op) != Category::Range && !trace.is_call(op);
        for op in trace.ops_of(device).filter(|&op| is_operator(op) && is_outermost(op)) {
            of_thread.entry((device, ops.thread(op))).or_default().push(op);
        }
    }
    let most = of_thread.into_iter().max_by_key(|(thread, own)| (own.len(), std::cmp::Reverse(*thread)));
    let mut most = most.map(|(_, own)| own).unwrap_or_default();
    order::by_number(&mut most, |op| (ops.start(op).0, i64::from(op.get())));
    // Nodes are by name and category.
    most.into_iter().map(|op| ops.node(op)).collect()
}
