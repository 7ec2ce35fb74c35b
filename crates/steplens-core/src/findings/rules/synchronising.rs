//! A host that waits for its GPU, after which the GPU waits for its host: `.item()`, `nonzero`, a copy to the host, a print of a value.
//!
//! Without the waits the host runs ahead, and the step takes as long as the longer of the two. So the most that can be saved is the
//! smaller of two times: how long the GPU was idle right after such a wait, until the next launch; and how long these waits took, in
//! which the host would have gone on.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::first_step::first_step;
use super::host_bound::ends;
use crate::OpId;
use crate::base::units::Nanos;
use crate::timeline::nesting;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return context.lacks_host() };
    let trace = context.trace();
    // A copy that waits while the driver starts is a part of a first step.
    let first = first_step(context);
    let (once, waits): (Vec<_>, Vec<_>) =
        own.waits.iter().copied().partition(|(_, call)| first.ops.contains(call));
    let waited = waits.iter().fold(Nanos(0), |sum, &(_, call)| sum + trace.ops().interval(call).length());
    let after_once = once.iter().fold(Nanos(0), |sum, &(idle, _)| sum + idle);
    let after_waiting = Nanos((own.after_waiting - after_once).0.max(0));
    let ends = ends(context, own).iter().fold(Nanos(0), |sum, own| sum + own.interval.length());
    // A pause that is no part of a loop may come after a wait.
    let after = if after_waiting >= ends { after_waiting - ends } else { after_waiting };
    let time = after.min(waited);
    let Some(&(_, longest)) = waits.first() else { return Ruling::Nothing };
    let facts = Facts {
        name: caller(context, longest).to_owned(),
        other: trace.op_name(longest).to_owned(),
        count: waits.len() as u64,
        time: after,
        usual: waited,
        ..Facts::default()
    };
    let evidence = waits.iter().map(|&(_, call)| call).collect();
    context.measured(Rule::Synchronising, time, facts, evidence, None)
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
