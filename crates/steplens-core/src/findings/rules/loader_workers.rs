//! The worker processes of a `DataLoader` start before its first batch and stop after its last: the long pauses of the host that the verdict names
//! so ([`pauses`]), while the GPU has nothing to do. A program that makes them for each epoch pays for that in each.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::super::pauses::{Pause, PauseOf, pauses};
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.compares {
        return Ruling::Nothing;
    }
    let gpus = accelerators(context.trace());
    let devices: Vec<_> = gpus.iter().flat_map(|one| one.devices.iter().copied()).collect();
    let busy = context.busy(&devices, |_| true);
    let was_idle = |own: &Pause| busy.within(own.interval).0.saturating_mul(10) <= own.interval.length().0;
    let found: Vec<Pause> = pauses(context.study).into_iter().filter(was_idle).collect();
    let sum = |of: PauseOf| {
        let times = found.iter().filter(|own| own.of == of);
        times.fold(Nanos(0), |sum, own| sum + Nanos(own.interval.length().0.saturating_mul(own.count as i64)))
    };
    let (starting, stopping) = (sum(PauseOf::WorkersStart), sum(PauseOf::WorkersStop));
    let is_of_workers = |own: &&Pause| matches!(own.of, PauseOf::WorkersStart | PauseOf::WorkersStop);
    let evidence = found.iter().filter(is_of_workers).map(|own| own.op).collect();
    let facts = Facts { time: starting + stopping, usual: starting, since: stopping, ..Facts::default() };
    context.measured(Rule::LoaderWorkers, starting + stopping, facts, evidence, None)
}
