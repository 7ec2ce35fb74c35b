//! Convolutions whose library tries its algorithms: cuDNN or MIOpen runs each of them on the first convolution of each shape, and later ones
//! run the one that was quickest. The GPU is busy with that, and the op runs many more kernels than it does later.
//!
//! An op of an executor tries if it runs at least 16 kernels, and
//! - they have at least 4 names; or
//! - their names were not recorded, some op of its type runs an eighth as many, and the longest takes 4 times their median: the parts of a
//!   batch, or of a group, take the same time.
//!
//! One algorithm may run many kernels: Winograd's that is not fused multiplies 36 tiles of matrices, each in a kernel. So an op tries nothing
//! - if it runs as many kernels, in the same time, as two others of its type on its device, for the library tries once for each shape; or
//! - if three quarters of its kernels take the same time.
//!
//! Where no op of an executor was recorded, kernels in a row that say they ran for one op, or else are of one op type, count as one op: it tries
//! if `redzone_checker`, which looks for writes outside of its memory after each trial (`redzone_allocator.cc`), is among them, or if they have
//! at least 8 names and such a longest one.
//!
//! Where other calls show that a step is a first one, an op with at least 8 kernels tries algorithms, too.
//!
//! A later step needs the last kernel: the algorithm that was chosen runs at the end.

use super::super::only_first::{Shown, Trial};
use super::recurs::recurs;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{accelerators, dispatched_to};
use crate::model::label::op_of_kernel;
use crate::{Category, DeviceId, NodeId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// An op that tries runs this many kernels.
const LEAST_KERNELS: usize = 16;
/// One that tries in a first step, as other calls there say, runs this many: one that tries nothing, hardly ever more than four.
const LEAST_KERNELS_FIRST: usize = 8;
/// How many different kernels an op of an executor runs that tries,
const LEAST_KINDS: usize = 4;
/// and kernels in a row without one.
const LEAST_KINDS_IN_A_ROW: usize = 8;
/// An op that tries runs this many times as many kernels as another one of its type.
const TIMES_OTHERS: usize = 8;
/// The longest kernel takes this many times the median: each algorithm takes its own time.
const TIMES_MEDIAN: i64 = 4;
/// This number of ops of one type that run alike, each included, try nothing,
const ALIKE: usize = 3;
/// if their kernels take the same time but for this part, as its divisor.
const ALIKE_PART: i64 = 10;
/// Kernels take the same time if they differ from the median by this part of it, as its divisor.
const EQUAL_PART: i64 = 5;
/// The kernel with which TensorFlow and XLA look at the memory around that of a trial.
const CHECKER: &str = "redzone_checker";

/// All ops that try algorithms, if one step has them all. Those come last that are sure only next to other first calls (`is_short`).
pub(super) fn trials(shown: &Shown<'_>) -> Vec<Trial> {
    let trace = shown.trace();
    let dispatched: Vec<DeviceId> =
        dispatched_to(trace, &accelerators(trace)).into_iter().flatten().collect();
    let found = match dispatched.is_empty() {
        true => in_a_row(trace),
        false => of_executors(shown, &dispatched),
    };
    let (short, long): (Vec<Trial>, Vec<Trial>) = found.into_iter().partition(|own| own.is_short);
    let of_one_step = |own: Vec<Trial>| {
        let ops: Vec<OpId> = own.iter().map(|own| own.op).collect();
        if !shown.steps.is_one() && recurs(shown, &ops) { Vec::new() } else { own }
    };
    [of_one_step(long), of_one_step(short)].concat()
}

fn of_executors(shown: &Shown<'_>, dispatched: &[DeviceId]) -> Vec<Trial> {
    let (trace, kernels) = (shown.trace(), shown.study.kernels());
    let ops = dispatched.iter().flat_map(|&device| trace.ops_of(device));
    let convolutions = ops.filter(|&op| trace.op_type(op).contains("Conv"));
    let own: Vec<(OpId, Vec<OpId>)> = convolutions
        .map(|op| (op, computing(trace, kernels.of_op(trace, op))))
        .filter(|(_, own)| !own.is_empty())
        .collect();
    let op_type = |op: OpId| trace.nodes().op_type(trace.ops().node(op));
    let mut fewest: HashMap<StringId, usize, FixedState> = HashMap::default();
    for (op, own) in &own {
        let fewest = fewest.entry(op_type(*op)).or_insert(own.len());
        *fewest = own.len().min(*fewest);
    }
    let alike = Alike::of(trace, &own);
    let tries = |op: OpId, own: &[OpId]| {
        let has_few =
            fewest.get(&op_type(op)).is_some_and(|few| few.saturating_mul(TIMES_OTHERS) <= own.len());
        let may =
            own.len() >= LEAST_KERNELS_FIRST && alike.count(trace, op, own) < ALIKE && !are_tiles(trace, own);
        let is_sure = own.len() >= LEAST_KERNELS
            && (kinds(trace, own) >= LEAST_KINDS || has_few && are_unlike(trace, own));
        may.then_some(!is_sure)
    };
    let tried = own.iter().filter_map(|(op, own)| Some((*op, own, tries(*op, own)?)));
    tried
        .filter_map(|(op, own, is_short)| {
            let last = own.iter().max_by_key(|&&kernel| (trace.ops().start(kernel), kernel))?;
            let needed = trace.ops().interval(*last).length();
            let (process, window) = (trace.device_of(op), trace.ops().interval(op));
            Some(Trial { op, process, window, needed, is_short })
        })
        .collect()
}

/// What ops of each type and device ran with each number of kernels: how long all of these took, in order.
struct Alike(HashMap<(DeviceId, StringId, usize), Vec<i64>, FixedState>);

impl Alike {
    fn of(trace: &Trace, all: &[(OpId, Vec<OpId>)]) -> Self {
        let mut sums: HashMap<_, Vec<i64>, FixedState> = HashMap::default();
        for (op, own) in all {
            sums.entry(Self::key(trace, *op, own)).or_default().push(sum(trace, own));
        }
        sums.values_mut().for_each(|own| own.sort_unstable());
        Self(sums)
    }

    fn key(trace: &Trace, op: OpId, own: &[OpId]) -> (DeviceId, StringId, usize) {
        (trace.device_of(op), trace.nodes().op_type(trace.ops().node(op)), own.len())
    }

    /// How many ops ran as `op` with the kernels `own`, itself included.
    fn count(&self, trace: &Trace, op: OpId, own: &[OpId]) -> usize {
        let time = sum(trace, own);
        let (least, most) = (time - time / ALIKE_PART, time.saturating_add(time / ALIKE_PART));
        let sums = self.0.get(&Self::key(trace, op, own)).map_or(&[][..], Vec::as_slice);
        sums.partition_point(|&own| own <= most) - sums.partition_point(|&own| own < least)
    }
}

fn sum(trace: &Trace, kernels: &[OpId]) -> i64 {
    kernels.iter().fold(0, |sum, &kernel| sum.saturating_add(trace.ops().interval(kernel).length().0))
}

/// What TensorFlow calls the op that a kernel ran for.
const RAN_FOR: [&str; 2] = ["tf_op", "annotation"];

/// The op that a kernel says it ran for; else its op type.
fn ran_for(trace: &Trace, kernel: OpId) -> Cow<'_, str> {
    let label = trace.text(trace.nodes().label(trace.ops().node(kernel)));
    match op_of_kernel("", label) {
        own if label.contains("@@") && !own.is_empty() => return Cow::Borrowed(own),
        _ => {}
    }
    let said = trace.arguments().of(kernel).find(|own| RAN_FOR.contains(&own.name));
    said.map_or(Cow::Borrowed(trace.op_type(kernel)), |own| own.value.shown())
}

/// Kernels of one op, or of one op type, in a row, on each GPU.
fn in_a_row(trace: &Trace) -> Vec<Trial> {
    let nodes = trace.nodes();
    let checks: HashSet<NodeId, FixedState> =
        nodes.ids().filter(|&node| trace.text(nodes.name(node)).contains(CHECKER)).collect();
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let ran = gpu.unrepeated(trace).flat_map(|device| trace.ops_of(device)).collect();
        let mut ran = computing(trace, ran);
        order::by_number(&mut ran, |op| (trace.ops().start(op).0, i64::from(op.get())));
        let ops: Vec<Cow<'_, str>> = ran.iter().map(|&kernel| ran_for(trace, kernel)).collect();
        let mut rest = ran.as_slice();
        for own in ops.chunk_by(|a, b| a == b) {
            let (own, after) = rest.split_at(own.len().min(rest.len()));
            rest = after;
            let checked = || own.iter().any(|&op| checks.contains(&trace.ops().node(op)));
            let is_convolution = || own.first().is_some_and(|&op| trace.op_type(op).contains("Conv"));
            let tries = own.len() >= LEAST_KERNELS
                && (checked()
                    || is_convolution()
                        && kinds(trace, own) >= LEAST_KINDS_IN_A_ROW
                        && are_unlike(trace, own));
            let (true, Some(&first), Some(&last)) = (tries, own.first(), own.last()) else { continue };
            let calculates = own.iter().filter(|&&op| !checks.contains(&trace.ops().node(op)));
            let longest = calculates.max_by_key(|&&op| (trace.ops().interval(op).length(), op));
            found.push(Trial {
                op: longest.copied().unwrap_or(first),
                process: trace.call_of(first).map_or(trace.device_of(first), |call| trace.device_of(call)),
                window: Interval::new(trace.ops().start(first), trace.ops().start(last)),
                needed: Nanos(0),
                is_short: false,
            });
        }
    }
    found
}

/// The kernels of `all` that are no copies.
fn computing(trace: &Trace, all: Vec<OpId>) -> Vec<OpId> {
    all.into_iter().filter(|&op| trace.category(op) == Category::Compute).collect()
}

fn kinds(trace: &Trace, kernels: &[OpId]) -> usize {
    let names: HashSet<StringId, FixedState> =
        kernels.iter().map(|&kernel| trace.nodes().name(trace.ops().node(kernel))).collect();
    names.len()
}

fn lengths(trace: &Trace, kernels: &[OpId]) -> Vec<i64> {
    let mut lengths: Vec<i64> =
        kernels.iter().map(|&kernel| trace.ops().interval(kernel).length().0).collect();
    lengths.sort_unstable();
    lengths
}

/// Whether three quarters of `kernels` take the same time: they are parts of one algorithm.
fn are_tiles(trace: &Trace, kernels: &[OpId]) -> bool {
    let lengths = lengths(trace, kernels);
    let median = lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    let is_equal = |own: i64| (own - median).abs() <= median / EQUAL_PART;
    lengths.iter().filter(|&&own| is_equal(own)).count() * 4 >= lengths.len() * 3
}

/// Whether the longest of `kernels` takes much longer than their median.
fn are_unlike(trace: &Trace, kernels: &[OpId]) -> bool {
    let lengths = lengths(trace, kernels);
    let median = lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    lengths.last().is_some_and(|&longest| longest > 0 && longest >= median.saturating_mul(TIMES_MEDIAN))
}
