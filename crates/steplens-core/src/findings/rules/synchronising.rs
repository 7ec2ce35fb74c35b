//! A host that waits for its GPU, after which the GPU waits for its host: `.item()`, `nonzero`, a copy to the host, a print of a value.
//!
//! Without the waits the host runs ahead, and the step takes as long as the longer of the two. So the most that can be saved is the
//! smaller of two times: how long the GPU was idle right after such a wait, until the next launch; and how long these waits took, in
//! which the host would have gone on. A pause of 1 ms or longer is not that idle time: the program does something of its own. Waits for copies to the GPU (from memory that is not pinned, the call returns when they are done) and
//! other waits are two things: of PyTorch, the finding is about those that cost more; of others it is never about the former, which read
//! no result. Of an executor, the waits are ops that read a result back. Where no GPU was recorded: [`unrecorded_waits`].

use super::super::context::Context;
use super::super::finding::{Direction, Facts, Rule, Ruling};
use super::super::framework::Framework;
use super::directions::{Directions, by_name};
use super::first_step::first_step;
use super::unrecorded_waits;
use crate::base::units::Nanos;
use crate::timeline::nesting;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return unrecorded_waits::judge(context) };
    let trace = context.trace();
    let length = |call: OpId| trace.ops().interval(call).length();
    let waited = |all: &[(Nanos, OpId)]| all.iter().fold(Nanos(0), |sum, &(_, call)| sum + length(call));
    // A copy that waits while the driver starts is a part of a first step, and so are waits that only it has: a library that tries algorithms.
    let first_step = first_step(context);
    let first: HashSet<OpId, FixedState> = first_step.ops.iter().copied().collect();
    let later = || own.waits.iter().copied().filter(|&(_, call)| !first_step.has(trace, call));
    let types: HashSet<&str, FixedState> = later().map(|(_, call)| trace.op_type(call)).collect();
    let recurs = |call: OpId| !first_step.has(trace, call) || types.contains(trace.op_type(call));
    let again = own.waits.iter().copied().filter(|&(_, call)| !first.contains(&call) && recurs(call));
    let to_gpu = CopiesTo::of(trace);
    let (copying, reading): (Vec<_>, Vec<_>) =
        again.partition(|&(_, call)| to_gpu.is_waited_for(trace, call));
    // Only PyTorch's program decides how it copies a batch.
    let is_own = Framework::of_trace(trace) == Framework::PyTorch;
    let copying = if is_own { copying } else { Vec::new() };
    let after = |waits: &[(Nanos, OpId)]| waits.iter().fold(Nanos(0), |sum, &(after, _)| sum + after);
    let saved = |waits: &[(Nanos, OpId)]| after(waits).min(waited(waits));
    // Advice is about one of the two: the one that costs more.
    let is_copying = saved(&copying) > saved(&reading);
    let waits = if is_copying { copying } else { reading };
    let (time, after) = (saved(&waits), after(&waits));
    let longest = waits.iter().map(|&(_, call)| call);
    let Some(longest) = longest.max_by_key(|&call| (length(call), std::cmp::Reverse(call))) else {
        return Ruling::Nothing;
    };
    let facts = Facts {
        name: caller(context, longest).to_owned(),
        other: trace.op_name(longest).to_owned(),
        count: waits.len() as u64,
        of: u64::from(is_copying),
        time: after,
        usual: waited(&waits),
        ..Facts::default()
    };
    let evidence = waits.iter().map(|&(_, call)| call).collect();
    context.measured(Rule::Synchronising, time, facts, evidence, None)
}

/// The calls that copy to a GPU, and the call before each other one of its thread.
struct CopiesTo {
    copies: HashSet<OpId, FixedState>,
    /// For each call that waits, and copies nothing, the call before it on its thread.
    before: HashMap<OpId, OpId, FixedState>,
}

impl CopiesTo {
    fn of(trace: &Trace) -> Self {
        let pairs = trace.calls().iter().filter(|&&(copy, _)| trace.category(copy) == Category::Copy);
        let pairs: Vec<(OpId, OpId)> = pairs.copied().collect();
        let mut directions = Directions::of(trace, &pairs.iter().map(|own| own.0).collect::<Vec<_>>());
        // Not all files say where each copy goes; a call may say it, too (`cuMemcpyHtoDAsync`).
        let mut goes_there = |&(copy, call): &(OpId, OpId)| match directions.get(trace, copy).0 {
            Direction::Unknown => by_name(trace, call) == Direction::ToDevice,
            known => known == Direction::ToDevice,
        };
        let copies = pairs.iter().filter(|&pair| goes_there(pair)).map(|&(_, call)| call).collect();
        let mut before = HashMap::default();
        let mut last: HashMap<(DeviceId, u32), OpId, FixedState> = HashMap::default();
        for op in trace.ops().ids().filter(|&op| trace.is_call(op)) {
            let last = last.entry((trace.device_of(op), trace.ops().thread(op)));
            let known = last.or_insert(op);
            if *known != op && trace.category(op) == Category::Waiting {
                before.insert(op, *known);
            }
            *known = op;
        }
        Self { copies, before }
    }

    /// Whether `call` waits for such a copy: it makes it, or comes next.
    fn is_waited_for(&self, trace: &Trace, call: OpId) -> bool {
        let waits = trace.category(call) == Category::Waiting;
        let copy = if waits { self.before.get(&call) } else { Some(&call) };
        copy.is_some_and(|copy| self.copies.contains(copy))
    }
}

/// The name of the outermost operator around `call`, or of the call itself.
fn caller<'a>(context: &Context<'a>, call: OpId) -> &'a str {
    let trace = context.trace();
    let device = trace.device_of(call);
    let within = nesting::operators(trace, device);
    let row = trace.devices().get(device);
    let outer = |op: OpId| within.get((op.get() - row.first_op) as usize).copied().flatten();
    let mut found = call;
    // Operators nest some ten deep; a chain is no longer than the ops of the device.
    for _ in 0..within.len() {
        match outer(found) {
            Some(next) if next != found => found = next,
            _ => break,
        }
    }
    trace.op_name(found)
}
