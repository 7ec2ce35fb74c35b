//! Calls with which a program makes a stream wait for an event, and those that record one.

use crate::base::order;
use crate::model::arguments::Noun;
use crate::model::category::is_driver_call;
use crate::{DeviceId, OpId, Timestamp, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A part of `cudaStreamWaitEvent`, `cuStreamWaitEvent`, `hipStreamWaitEvent`.
const WAIT: &str = "StreamWaitEvent";
/// A part of `cudaEventRecord`, `cudaEventRecordWithFlags`, `hipEventRecord`.
const RECORD: &str = "EventRecord";

/// Whether a call of this type makes a stream wait: the host goes on.
pub(crate) fn is_for_a_stream(op_type: &str) -> bool {
    op_type.contains(WAIT)
}

/// The ops of hosts whose type has this part.
fn named<'a>(trace: &'a Trace, parts: &'a [&str]) -> impl Iterator<Item = OpId> + 'a {
    let nodes = trace.nodes();
    let is_it: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let op_type = trace.text(nodes.op_type(node));
            is_driver_call(op_type) && parts.iter().any(|part| op_type.contains(part))
        })
        .collect();
    let any = is_it.contains(&true);
    let hosts = trace.devices().ids().filter(move |&id| any && trace.devices().get(id).nests);
    hosts.flat_map(|host| trace.ops_of(host)).filter(move |&op| is_it[trace.ops().node(op).index()])
}

/// On each thread the launches, and the calls that make a stream wait for an event.
#[derive(Default)]
pub(crate) struct EventWaits {
    threads: HashMap<(DeviceId, u32), Thread, FixedState>,
}

#[derive(Default)]
struct Thread {
    launches: Vec<Timestamp>,
    waits: Vec<Timestamp>,
}

impl EventWaits {
    /// Finds the calls, in time n log n; without cost for a trace that has none.
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut found = Self::default();
        let thread = |call: OpId| (trace.device_of(call), trace.ops().thread(call));
        for call in named(trace, &[WAIT]) {
            found.threads.entry(thread(call)).or_default().waits.push(trace.ops().start(call));
        }
        if found.threads.is_empty() {
            return found;
        }
        for &(_, call) in trace.calls() {
            if let Some(own) = found.threads.get_mut(&thread(call)) {
                own.launches.push(trace.ops().start(call));
            }
        }
        for own in found.threads.values_mut() {
            order::by_number(&mut own.launches, |at| (at.0, 0));
            order::by_number(&mut own.waits, |at| (at.0, 0));
        }
        found
    }

    /// When the program made a stream wait for an event, if that is what it did last before it launched `kernel`. Which stream such a
    /// call is for is rarely recorded; it is taken to be the one that the next launch is for.
    pub(crate) fn before_launch(&self, trace: &Trace, kernel: OpId) -> Option<Timestamp> {
        let call = trace.call_of(kernel)?;
        let own = self.threads.get(&(trace.device_of(call), trace.ops().thread(call)))?;
        let launch = trace.ops().start(call);
        let before = |all: &[Timestamp]| all[..all.partition_point(|&at| at < launch)].last().copied();
        before(&own.waits).filter(|&wait| before(&own.launches).is_none_or(|other| other < wait))
    }
}

/// Those calls by process and correlation.
pub(crate) struct Calls {
    starts: HashMap<(DeviceId, u64), Timestamp, FixedState>,
    /// For each device the process that launched kernels on it.
    process: Vec<Option<DeviceId>>,
}

impl Calls {
    /// Finds them.
    pub(crate) fn by_correlation(trace: &Trace) -> Self {
        let mut found = Self { starts: HashMap::default(), process: vec![None; trace.devices().len()] };
        for &(kernel, call) in trace.calls() {
            found.process[trace.device_of(kernel).index()].get_or_insert(trace.device_of(call));
        }
        for call in named(trace, &[WAIT, RECORD]) {
            let mut arguments = trace.arguments().of(call);
            let own = arguments.find(|own| Noun::of(own.name) == Some(Noun::Correlation));
            if let Some(correlation) = own.and_then(|own| own.value.count()) {
                let start = trace.ops().start(call);
                found.starts.entry((trace.device_of(call), correlation)).or_insert(start);
            }
        }
        found
    }

    /// When the process that launches kernels on `device` called with this `correlation`.
    pub(crate) fn start(&self, device: DeviceId, correlation: u64) -> Option<Timestamp> {
        self.starts.get(&(self.process[device.index()]?, correlation)).copied()
    }
}
