//! Times of a GPU that PyTorch's first profiler took with two events of CUDA around each operator (`torch/csrc/autograd/profiler_legacy.cpp`). What lies
//! between two events is work of the GPU only where its queue is never empty; else it is mostly the time that the host needs to launch it.

use crate::base::order;
use crate::base::units::Nanos;
use crate::{DeviceId, OpId, StringId, Trace};
use std::collections::BTreeMap;

/// What the profiler calls the process of these times.
const PROCESS: &str = "CUDA functions";
/// The first event comes sooner after its operator begins where nothing is queued.
const MOST_LAG: Nanos = Nanos(10_000);
/// Fewer operators say nothing.
const LEAST: usize = 20;

/// How many operators have such times, and how long after each began the GPU came to it, in the median, where its host sets the pace: half of
/// them find nothing queued.
pub fn paced_by_host(trace: &Trace) -> Option<(u64, Nanos)> {
    let is_pairs = |id: &DeviceId| trace.text(trace.devices().get(*id).name).ends_with(PROCESS);
    let pairs = trace.devices().ids().find(is_pairs)?;
    // The profiler names both alike: the first of a name is of the first operator of that name.
    let mut of_name: BTreeMap<StringId, [Vec<OpId>; 2]> = BTreeMap::new();
    for op in trace.ops().ids() {
        let place = usize::from(trace.device_of(op) == pairs);
        of_name.entry(trace.nodes().name(trace.ops().node(op))).or_default()[place].push(op);
    }
    let start = |op: OpId| trace.ops().start(op);
    let mut lags: Vec<Nanos> = Vec::new();
    for [operators, times] in of_name.values_mut().filter(|[operators, times]| operators.len() == times.len())
    {
        for own in [&mut *operators, &mut *times] {
            order::by_number(own, |op| (start(op).0, i64::from(op.get())));
        }
        lags.extend(
            operators.iter().zip(times.iter()).map(|(&operator, &time)| start(time) - start(operator)),
        );
    }
    lags.sort_unstable();
    let median = *lags.get(lags.len().saturating_sub(1) / 2)?;
    let are_most = lags.len() >= LEAST && lags.len() * 2 >= trace.ops_of(pairs).count();
    (are_most && median <= MOST_LAG).then_some((lags.len() as u64, median.max(Nanos(0))))
}
