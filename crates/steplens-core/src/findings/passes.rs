//! How often a program went through the same operators, where nothing marks its steps.
//!
//! A model of equal layers goes through the same operators in each of them, too: then something comes before the first and after the last one that
//! none of them has (an embedding, a last norm, a loss), or one range of the program holds them all.

use crate::base::order;
use crate::base::units::Nanos;
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

/// How operators begin that only make tensors, move them, or read them: they may come around the passes.
const AROUND: [&str; 16] = [
    "empty", "zeros", "ones", "rand", "randn", "randint", "arange", "full", "tensor", "to", "copy_", "item",
    "detach", "clone", "fill_", "zero_",
];

/// How many passes the thread with most operators made through the same ones, one after the other; `None` if it did not.
pub fn passes(trace: &Trace) -> Option<u64> {
    let all = outermost(trace);
    if is_within_one_range(trace, &all) {
        return None;
    }
    // Nodes are by name and category.
    let names: Vec<NodeId> = all.into_iter().map(|op| trace.ops().node(op)).collect();
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
    let around = names[..*starts.first()?].iter().chain(&names[*starts.last()?..]);
    let is_one = is_at_most(trace, around.copied(), most);
    (is_alike && has_most && is_one && most.len() >= LEAST_OPERATORS).then_some(count as u64)
}

/// Whether `operators` are no more than those of one `pass`, but for what may come around it.
fn is_at_most(trace: &Trace, mut operators: impl Iterator<Item = NodeId>, pass: &[NodeId]) -> bool {
    let mut left: HashMap<NodeId, usize, FixedState> = HashMap::default();
    pass.iter().for_each(|&name| *left.entry(name).or_default() += 1);
    let may_come = |name: NodeId| {
        let own = trace.text(trace.nodes().name(name)).strip_prefix("aten::").unwrap_or_default();
        AROUND.iter().any(|start| own.strip_prefix(start).is_some_and(ends_word))
    };
    let is_left = |name: NodeId| match left.get_mut(&name) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => may_come(name),
    };
    operators.all(is_left)
}

/// Whether a word of a name ends here: `to` is one of `to_copy`, and none of `topk`.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_ascii_lowercase())
}

/// Whether the program marks all of `operators`, which are in order, as one range.
fn is_within_one_range(trace: &Trace, operators: &[OpId]) -> bool {
    let (Some(&first), Some(&last)) = (operators.first(), operators.last()) else { return false };
    let ops = trace.ops();
    let holds = |op: OpId| {
        trace.nodes().is_range(ops.node(op))
            && ops.start(op) <= ops.start(first)
            && ops.end(op) >= ops.end(last)
            && ops.interval(op).length() > Nanos(0)
    };
    trace.ops_of(trace.device_of(first)).any(holds)
}

/// The outermost operators of the thread that has most of them, in order.
fn outermost(trace: &Trace) -> Vec<OpId> {
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
    most
}
