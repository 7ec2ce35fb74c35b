//! Calls of a GPU's runtime that do what only a first call does: they start the driver or load a module, within a call that usually
//! takes microseconds. PyTorch's `alexnet` has one call of 30 s among 266 with a median of 2 µs.
//!
//! A call that already launched the same kernel quickly does nothing for the first time: it waits, because the queue of launches is
//! full, or its thread has lost its core. Kernels of other processes are others, whatever their names. Where a process loads modules (`hipModuleLoadData`),
//! and nothing says which kernel a call launched, a long one is taken for a first one. One that launches nothing waits for no queue: creating an event takes 1 µs 231 times, and 720 ms
//! once, in the middle, while cuDNN begins.

use crate::base::units::{Nanos, Timestamp};
use crate::{Category, DeviceId, NodeId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// Such a call takes at least a millisecond,
const LEAST: Nanos = Nanos(1_000_000);
/// and 100 times the median of all calls.
const TIMES_MEDIAN: i64 = 100;

/// The first launch of a process is a first call with less, if each of at least this many others is so much shorter.
const LEAST_LAUNCHES: usize = 2;

/// One call stands alone that is this many times as long as the longest other of its name,
const TIMES_LONGEST: i64 = 20;
/// and there are at least this many others.
const LEAST_OTHERS: usize = 8;

/// A call into a driver that takes as long as only first calls do.
pub(super) struct FirstCall {
    pub(super) op: OpId,
    /// Whether it is the first one that launches its kernel: it loads the kernel's module. Others of its kind load other modules, whenever
    /// their kernels come first.
    pub(super) loads: bool,
    /// The longest other call of its name, where it is many times as long as that: no queue of launches keeps a single call waiting.
    pub(super) longest_other: Option<Nanos>,
}

/// The calls of one name in one process.
#[derive(Clone, Copy, Default)]
struct Calls {
    count: usize,
    longest: Nanos,
    second: Nanos,
}

impl Calls {
    fn push(&mut self, length: Nanos) {
        self.count += 1;
        self.second = self.second.max(length.min(self.longest));
        self.longest = self.longest.max(length);
    }
}

/// The calls into a driver that take as long as only first calls do.
pub(super) fn first_calls(trace: &Trace) -> Vec<FirstCall> {
    let calls = || trace.ops().ids().filter(|&op| is_call(trace, op));
    let length = |op: OpId| trace.ops().interval(op).length();
    let mut lengths: Vec<Nanos> = calls().map(length).collect();
    if lengths.is_empty() {
        return Vec::new();
    }
    let middle = (lengths.len() - 1) / 2;
    let median = *lengths.select_nth_unstable(middle).1;
    let least = LEAST.max(Nanos(median.0.saturating_mul(TIMES_MEDIAN)));
    let begins = first_launches(trace);
    let is_long = |op: OpId| length(op) >= least || begins.contains(&op);
    let mut long: Vec<OpId> = calls().filter(|&op| is_long(op)).collect();
    if long.is_empty() {
        return Vec::new();
    }
    let mut launched: Vec<Option<NodeId>> = vec![None; trace.ops().len()];
    for &(kernel, call) in trace.calls() {
        launched[call.index()].get_or_insert(trace.ops().node(kernel));
    }
    type Launch = (DeviceId, NodeId, Option<NodeId>);
    let key = |op: OpId| (trace.device_of(op), trace.ops().node(op), launched[op.index()]);
    let mut quick: HashMap<Launch, Timestamp, FixedState> = HashMap::default();
    for op in calls().filter(|&op| !is_long(op)) {
        let start = trace.ops().start(op);
        let first = quick.entry(key(op)).or_insert(start);
        *first = start.min(*first);
    }
    let loading: HashSet<DeviceId, FixedState> =
        calls().filter(|&op| loads_module(trace, op)).map(|op| trace.device_of(op)).collect();
    long.retain(|&op| {
        let is_first = quick.get(&key(op)).is_none_or(|&first| trace.ops().start(op) < first);
        // A call that hands nothing to a device waits for no queue: it waits while a library begins.
        let waits_for_none =
            || trace.category(op) == Category::Compute || loading.contains(&trace.device_of(op));
        is_first || launched[op.index()].is_none() && waits_for_none()
    });
    long.sort_by_key(|&op| (trace.ops().start(op), op));
    let mut seen: HashSet<(DeviceId, NodeId), FixedState> = HashSet::default();
    let is_new =
        |op: OpId| launched[op.index()].is_some_and(|kernel| seen.insert((trace.device_of(op), kernel)));
    let mut of_name: HashMap<(NodeId, DeviceId), Calls, FixedState> = HashMap::default();
    let name_of = |op: OpId| (trace.ops().node(op), trace.device_of(op));
    calls().for_each(|op| of_name.entry(name_of(op)).or_default().push(length(op)));
    let longest_other = |own: OpId| {
        let all = of_name.get(&name_of(own)).filter(|all| all.count > LEAST_OTHERS)?;
        // Where it is not the longest of its name, it does not stand alone.
        let longest = Some(all.second).filter(|_| all.longest == length(own))?;
        (longest.0.saturating_mul(TIMES_LONGEST) <= length(own).0).then_some(longest)
    };
    // Of each process one.
    let mut longest: HashMap<DeviceId, OpId, FixedState> = HashMap::default();
    for &op in &long {
        let own = longest.entry(trace.device_of(op)).or_insert(op);
        *own = if length(op) > length(*own) { op } else { *own };
    }
    let is_longest = |op: OpId| longest.get(&trace.device_of(op)) == Some(&op);
    long.iter()
        .copied()
        .map(is_new)
        .zip(&long)
        .map(|(loads, &op)| FirstCall {
            op,
            loads,
            longest_other: Some(op).filter(|&op| is_longest(op)).and_then(longest_other),
        })
        .collect()
}

/// Whether `op` loads a module of kernels.
pub(super) fn loads_module(trace: &Trace, op: OpId) -> bool {
    let name = trace.op_type(op);
    ["cuModuleLoad", "cuLibraryLoad", "hipModuleLoad"].iter().any(|own| name.starts_with(own))
}

/// The first call of each process that launches, where it takes many times as long as each of the others.
fn first_launches(trace: &Trace) -> HashSet<OpId, FixedState> {
    #[derive(Default)]
    struct Launches {
        first: Option<OpId>,
        calls: Calls,
    }
    let mut all: HashMap<DeviceId, Launches, FixedState> = HashMap::default();
    for op in trace.ops().ids() {
        if trace.category(op) == Category::Launch && is_call(trace, op) {
            let own = all.entry(trace.device_of(op)).or_default();
            own.calls.push(trace.ops().interval(op).length());
            let start = |op: OpId| trace.ops().start(op);
            own.first = Some(own.first.filter(|&first| start(first) <= start(op)).unwrap_or(op));
        }
    }
    let is_long = |own: &Launches, length: Nanos| {
        let Calls { count, longest, second } = own.calls;
        count > LEAST_LAUNCHES && longest == length && second.0.saturating_mul(TIMES_LONGEST) <= length.0
    };
    let first = all.values().filter_map(|own| Some((own, own.first?)));
    let first = first.filter(|&(own, op)| {
        let length = trace.ops().interval(op).length();
        length >= LEAST && is_long(own, length)
    });
    first.map(|(_, op)| op).collect()
}

/// Whether `op` is a call into a driver, apart from those that wait or get memory. A call that copies is none: it may wait for work of
/// the GPU that was not recorded. PyTorch's operators of collectives are none: they contain their calls.
fn is_call(trace: &Trace, op: OpId) -> bool {
    let name = trace.op_type(op);
    let copies = name.contains("emcpy") || name.contains("emCpy");
    match trace.category(op) {
        Category::Launch => !copies && !name.starts_with("c10d::"),
        // Modules are loaded by calls that hand nothing to a device.
        Category::Compute => !copies && trace.is_call(op),
        _ => false,
    }
}
