//! A host that waits for its GPU, after which the GPU waits for its host: `.item()`, `nonzero`, a copy to the host, a print of a value.
//!
//! Without the waits the host runs ahead, and the step takes as long as the longer of the two. So the most that can be saved is the
//! smaller of two times: how long the GPU was idle right after such a wait, until the next launch; and how long these waits took, in
//! which the host would have gone on.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::host_bound::ends;
use crate::OpId;
use crate::base::units::Nanos;
use crate::timeline::nesting;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return context.lacks_host() };
    let trace = context.trace();
    let waited = own.waits.iter().fold(Nanos(0), |sum, &(_, call)| sum + trace.ops().interval(call).length());
    let ends = ends(context, own).iter().fold(Nanos(0), |sum, own| sum + own.interval.length());
    // A pause that is no part of a loop may come after a wait.
    let after = if own.after_waiting >= ends { own.after_waiting - ends } else { own.after_waiting };
    let time = after.min(waited);
    let Some(&(_, longest)) = own.waits.first() else { return Ruling::Nothing };
    let facts = Facts {
        name: caller(context, longest).to_owned(),
        other: trace.op_name(longest).to_owned(),
        count: own.waits.len() as u64,
        time: after,
        usual: waited,
        ..Facts::default()
    };
    let evidence = own.waits.iter().map(|&(_, call)| call).collect();
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
