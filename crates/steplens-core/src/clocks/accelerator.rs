//! The clock of an accelerator next to that of its host: a program that ends there before its host asked for it says that they differ.
//!
//! XLA's profiler writes one number (`run_id`) at the program on the accelerator and at the call that enqueues it. Where it did not, the k-th
//! call `PjitFunction(f)` started the k-th program `jit_f(…)`, if one accelerator ran as many programs as there are calls. The clocks differ
//! if half of the programs end before their calls begin: by at least as long as a program begins before its call.

use super::doubt::{Doubt, Why};
use crate::base::units::{Nanos, Timestamp};
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// The argument with the number of a run.
const RUN: &str = "run_id";
/// How calls are called that enqueue a program.
const ENQUEUES: [&str; 3] = ["Enqueue", "Execute", "Launch"];

/// The doubt about the clock of an accelerator of `trace`; `None` if no program of it ends before it was enqueued.
pub(crate) fn accelerator_doubt(trace: &Trace) -> Option<Doubt> {
    let is_accelerator = |id: DeviceId| trace.devices().get(id).is_accelerator;
    if !trace.devices().ids().any(is_accelerator) {
        return None;
    }
    let pairs = match by_number(trace) {
        pairs if pairs.is_empty() => by_order(trace),
        pairs => pairs,
    };
    let early = |&(program, asked): &(OpId, Timestamp)| trace.ops().end(program) < asked;
    let of_early = pairs.iter().filter(|pair| early(pair));
    let count = of_early.clone().count() as u64;
    let by = of_early.map(|&(program, asked)| asked - trace.ops().start(program)).max()?;
    let of = pairs.len() as u64;
    // Clocks that differ do so for all; a number may come twice.
    let are_most = count.saturating_mul(2) >= of;
    (by > Nanos(0) && are_most).then_some(Doubt {
        why: Why::Accelerator,
        by,
        tensors: count,
        of,
        is_by_collectives: false,
    })
}

/// Each program with the time of the call of its number; of several calls, the first.
fn by_number(trace: &Trace) -> Vec<(OpId, Timestamp)> {
    let arguments = trace.arguments();
    let forms = arguments.forms();
    let has_run: Vec<bool> =
        (0..forms.len()).map(|form| forms.of(form).any(|(name, ..)| name == RUN)).collect();
    if !has_run.contains(&true) {
        return Vec::new();
    }
    let numbered = |op: &OpId| arguments.form(*op).and_then(|form| has_run.get(form)).is_some_and(|&has| has);
    let number = |op: OpId| arguments.of(op).find(|own| own.name == RUN)?.value.count();
    let (mut calls, mut programs) = (HashMap::<u64, Timestamp, FixedState>::default(), Vec::new());
    let mut seen: HashSet<(DeviceId, u64), FixedState> = HashSet::default();
    for op in trace.ops().ids().filter(numbered) {
        let Some(run) = number(op) else { continue };
        let device = trace.device_of(op);
        let start = trace.ops().start(op);
        let name = trace.op_name(op);
        if trace.devices().get(device).is_accelerator {
            // Of what one run has on a device, the program comes first.
            if seen.insert((device, run)) {
                programs.push((op, run));
            }
        } else if ENQUEUES.iter().any(|part| name.contains(part)) {
            let first = calls.entry(run).or_insert(start);
            *first = start.min(*first);
        }
    }
    programs.into_iter().filter_map(|(op, run)| Some((op, *calls.get(&run)?))).collect()
}

/// The programs of the only accelerator with the times of the calls of their functions, joined by their order.
fn by_order(trace: &Trace) -> Vec<(OpId, Timestamp)> {
    let function = |op: OpId, start: &str| -> Option<&str> {
        let name = trace.op_name(op).strip_prefix(start)?;
        name.split(['(', ')']).next().filter(|name| !name.is_empty())
    };
    let mut devices = trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator);
    let (Some(device), None) = (devices.next(), devices.next()) else { return Vec::new() };
    let mut programs: HashMap<&str, Vec<OpId>, FixedState> = HashMap::default();
    for op in trace.ops_of(device) {
        // The parentheses say that it is a program, and no op of it.
        if let Some(name) = function(op, "jit_").filter(|_| trace.op_name(op).ends_with(')')) {
            programs.entry(name).or_default().push(op);
        }
    }
    let mut calls: HashMap<&str, Vec<OpId>, FixedState> = HashMap::default();
    if !programs.is_empty() {
        for op in trace.ops().ids().filter(|&op| trace.device_of(op) != device) {
            if let Some(name) = function(op, "PjitFunction(") {
                calls.entry(name).or_default().push(op);
            }
        }
    }
    let mut pairs = Vec::new();
    for (name, mut programs) in programs {
        let mut asked = calls.remove(name).unwrap_or_default();
        let start = |op: &OpId| (trace.ops().start(*op), std::cmp::Reverse(trace.ops().end(*op)), *op);
        asked.sort_by_key(start);
        programs.sort_by_key(start);
        // The profiler writes some calls twice, one within the other.
        asked.dedup_by(|inner, outer| trace.ops().end(*inner) <= trace.ops().end(*outer));
        if asked.len() == programs.len() {
            let times = asked.into_iter().map(|call| trace.ops().start(call));
            pairs.extend(programs.into_iter().zip(times));
        }
    }
    pairs.sort_unstable();
    pairs
}
