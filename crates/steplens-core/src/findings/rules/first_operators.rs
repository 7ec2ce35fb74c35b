//! Operators of a program in which a library begins: cuDNN in the first convolution, cuBLAS in the first matrix product. It takes time in the
//! operator itself, before anything is launched; calls within the operator count by themselves. So does what an operator does that loads modules, and the
//! one call of its name that is unlike all others, or several of the first quarter: memory that is taken for the first time.

use super::super::host_op::starts_nothing;
use super::super::only_first::Shown;
use super::first_calls::loads_module;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::overhead::Overhead;
use crate::model::category::only_wraps;
use crate::{Category, DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The first operator takes at least this long by itself,
const LEAST_OP: Nanos = Nanos(10_000_000);
/// this many times the median of the later ones of its name,
const TIMES_LATER: i64 = 10;
/// and this many times where nothing else says that something began.
const TIMES_LATER_ALONE: i64 = 100;
/// How many later ones there are at least.
const LEAST_LATER: usize = 2;
/// Where many later ones are alike, an operator that launches something takes at least this long,
const LEAST_OF_MANY: Nanos = Nanos(1_000_000);
/// and this many times their median,
const TIMES_MANY: i64 = 20;
/// of at least this many.
const MANY: usize = 8;
/// The most operators of one name that are first ones.
const MOST_FIRST: usize = 3;
/// One of a name that takes a hundred times the median is a first one; so are several that get memory, if all are in this part of the calls, as its divisor,
const FIRST_PART: usize = 4;
/// and if such ones are of at most this many names: a thread without a core is held up anywhere.
const MOST_LONE: usize = 3;
/// The only operator of its name takes this many times as long as its kernels.
const TIMES_KERNELS: i64 = 100;

/// One of the first operators of its name, which took much longer than the later ones.
pub(super) struct FirstOperator {
    pub(super) op: OpId,
    /// Whether that says by itself that something began.
    pub(super) is_sure: bool,
    /// Whether it needs only another operator that does, and no call of the driver.
    pub(super) is_lone: bool,
}

/// These operators, of all programs. `is_idle` says whether the GPUs of a process were idle for most of a time.
pub(super) fn first_operators(
    shown: &Shown<'_>,
    is_idle: impl Fn(DeviceId, Interval) -> bool,
) -> Vec<FirstOperator> {
    let trace = shown.trace();
    let mut all: HashMap<(DeviceId, StringId), Vec<OpId>, FixedState> = HashMap::default();
    // What only wraps others is no operator: a whole function is in one, and a small op in the next.
    let is_operator = |op: OpId| {
        trace.category(op) == Category::Compute && !trace.is_call(op) && !only_wraps(trace.op_type(op))
    };
    // What the profiler notes as overhead is not the operator's.
    let overhead = Overhead::of(trace);
    let own_time = |op: OpId| {
        let noted = overhead.within(trace, trace.device_of(op), trace.ops().interval(op));
        Nanos((shown.study.self_time(op) - noted).0.max(0))
    };
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
        for op in trace.ops_of(device).filter(|&op| is_operator(op)) {
            all.entry((device, trace.nodes().name(trace.ops().node(op)))).or_default().push(op);
        }
    }
    let launches = Launches::of(trace);
    let loads = Loads::of(trace);
    let mut lone: Vec<Vec<OpId>> = Vec::new();
    let mut found: Vec<FirstOperator> = Vec::new();
    for (&(device, _), ops) in &mut all {
        ops.sort_unstable_by_key(|&op| (trace.ops().start(op), op));
        let judge = |op: OpId, later: &[OpId]| -> Option<FirstOperator> {
            let mut later: Vec<Nanos> = later.iter().map(|&op| own_time(op)).collect();
            let own = own_time(op);
            if later.is_empty() {
                let is_first = own >= LEAST_OP && launches.are_little(trace, op, own)
                    || own >= LEAST_OF_MANY && loads.are_within(trace, op);
                let is_first = is_first && is_idle(device, trace.ops().interval(op));
                return is_first.then_some(FirstOperator { op, is_sure: false, is_lone: false });
            }
            let is_of_many = later.len() >= MANY && own >= LEAST_OF_MANY;
            if later.len() < LEAST_LATER || own < LEAST_OP && !is_of_many {
                return None;
            }
            let middle = (later.len() - 1) / 2;
            let usual = later.select_nth_unstable(middle).1.0.max(1);
            let times = own.0 / usual;
            let is_of_many = is_of_many && times >= TIMES_MANY && !starts_nothing(shown.study, op);
            let is_long = own >= LEAST_OP && times >= TIMES_LATER;
            let is_first = (is_long || is_of_many) && is_idle(device, trace.ops().interval(op));
            let is_sure = is_of_many || own >= LEAST_OP && times >= TIMES_LATER_ALONE;
            is_first.then_some(FirstOperator { op, is_sure, is_lone: false })
        };
        // What begins may need more than one call.
        for place in 0..ops.len().min(MOST_FIRST) {
            match judge(ops[place], &ops[place + 1..]) {
                Some(own) if place == 0 || own.is_sure => found.push(own),
                _ => break,
            }
        }
        let times: Vec<Nanos> = ops.iter().map(|&op| own_time(op)).collect();
        let gets_memory = trace.op_type(ops[0]).starts_with("aten::empty");
        let unlike = unlike(&times, gets_memory)
            .into_iter()
            .filter(|&place| place >= MOST_FIRST)
            .map(|place| ops[place]);
        let unlike: Vec<OpId> = unlike.filter(|&op| is_idle(device, trace.ops().interval(op))).collect();
        lone.extend(Some(unlike).filter(|own| !own.is_empty()));
    }
    if lone.len() <= MOST_LONE {
        found.extend(lone.into_iter().flatten().map(|op| FirstOperator {
            op,
            is_sure: false,
            is_lone: true,
        }));
    }
    found.sort_unstable_by_key(|own| own.op);
    found
}

/// The places of those of `times`, in order, that are unlike the others, as only first ones are.
fn unlike(times: &[Nanos], may_be_several: bool) -> Vec<usize> {
    let mut sorted = times.to_vec();
    if sorted.len() <= MANY {
        return Vec::new();
    }
    let middle = (sorted.len() - 1) / 2;
    let usual = sorted.select_nth_unstable(middle).1.0.max(1);
    let is_long = |own: &Nanos| *own >= LEAST_OP && own.0 / usual >= TIMES_LATER_ALONE;
    let long: Vec<usize> =
        times.iter().enumerate().filter(|(_, own)| is_long(own)).map(|(place, _)| place).collect();
    let is_first =
        long.last().is_some_and(|&last| long.len() == 1 || may_be_several && last * FIRST_PART < times.len());
    if is_first { long } else { Vec::new() }
}

/// By thread of a process, when it loads modules.
struct Loads(HashMap<(DeviceId, u32), Vec<Timestamp>, FixedState>);

impl Loads {
    fn of(trace: &Trace) -> Self {
        let mut all: HashMap<(DeviceId, u32), Vec<Timestamp>, FixedState> = HashMap::default();
        for op in trace.ops().ids().filter(|&op| loads_module(trace, op)) {
            all.entry((trace.device_of(op), trace.ops().thread(op))).or_default().push(trace.ops().start(op));
        }
        all.values_mut().for_each(|row| row.sort_unstable());
        Self(all)
    }

    fn are_within(&self, trace: &Trace, op: OpId) -> bool {
        let Some(row) = self.0.get(&(trace.device_of(op), trace.ops().thread(op))) else { return false };
        let own = trace.ops().interval(op);
        row.get(row.partition_point(|&at| at < own.start)).is_some_and(|&at| at < own.end)
    }
}

/// By thread of a process, when each of its calls that launched something began, and how long all ran that it and those before it launched.
struct Launches(HashMap<(DeviceId, u32), Vec<(Timestamp, Nanos)>, FixedState>);

impl Launches {
    fn of(trace: &Trace) -> Self {
        let ops = trace.ops();
        let mut all: HashMap<(DeviceId, u32), Vec<(Timestamp, Nanos)>, FixedState> = HashMap::default();
        for &(kernel, call) in trace.calls() {
            let row = all.entry((trace.device_of(call), ops.thread(call))).or_default();
            row.push((ops.start(call), ops.interval(kernel).length()));
        }
        for row in all.values_mut() {
            row.sort_unstable();
            let mut sum = Nanos(0);
            for (_, time) in row {
                sum += *time;
                *time = sum;
            }
        }
        Self(all)
    }

    /// Whether the operator `op` launches something, and its own time is many times that of all that it launches.
    fn are_little(&self, trace: &Trace, op: OpId, own: Nanos) -> bool {
        let Some(row) = self.0.get(&(trace.device_of(op), trace.ops().thread(op))) else { return false };
        let count = |until: Timestamp| row.partition_point(|&(start, _)| start < until);
        let (from, to) = (count(trace.ops().start(op)), count(trace.ops().end(op)));
        let until = |place: usize| place.checked_sub(1).map_or(Nanos(0), |last| row[last].1);
        to > from && (until(to) - until(from)).0.saturating_mul(TIMES_KERNELS) <= own.0
    }
}
