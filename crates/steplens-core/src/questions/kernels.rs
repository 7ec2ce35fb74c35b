//! Kernels: the work of GPUs and the like by name, how it was launched, and by which ops.
//!
//! A kernel is what ran on an accelerator and computes or communicates: no copy, no range, nothing that waits; of a TPU it is an
//! instruction, without its number. Streams of RunMetadata have no names of kernels, so theirs are summed by op type.

use crate::base::ids::{OpId, StringId};
use crate::base::units::Nanos;
use crate::gpu::kernels::Kernels;
use crate::gpu::launch::Launch;
use crate::model::device::DeviceKind;
use crate::questions::op_types::{AcceleratorDevices, Place};
use crate::questions::range::Range;
use crate::work::WorkSum;
use crate::{Category, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The kernels of one name in a range.
#[derive(Clone, Debug)]
pub struct KernelRow {
    /// The name, with all its arguments.
    pub name: StringId,
    /// Compute, or communication.
    pub category: Category,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window.
    pub total: Nanos,
    /// The sum of their whole durations.
    pub whole: Nanos,
    /// The shortest of their durations.
    pub shortest: Nanos,
    /// The longest of them.
    pub longest: OpId,
    /// The mean occupancy in percent, weighted by time, of those whose occupancy was recorded.
    pub occupancy: Option<f64>,
    /// What they calculate and move.
    pub work: WorkSum,
    /// The ways in which they were launched, the one with most time first.
    pub launches: Vec<LaunchRow>,
    /// The names of the op types that launched them, the one with most time first. An unrecorded launch has none.
    pub launchers: Vec<LauncherRow>,
}

impl KernelRow {
    /// The mean of their whole durations.
    pub fn mean(&self) -> Nanos {
        mean(self.whole, self.count)
    }
}

/// The kernels of one name that were launched in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchRow {
    /// The way.
    pub launch: Launch,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window.
    pub total: Nanos,
}

/// The kernels of one name that ops of one type launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LauncherRow {
    /// The op type.
    pub op_type: StringId,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window.
    pub total: Nanos,
}

fn mean(sum: Nanos, count: u64) -> Nanos {
    Nanos(sum.0 / i64::try_from(count).unwrap_or(i64::MAX).max(1))
}

/// The kernels of one name while they are counted.
struct Counted {
    row: KernelRow,
    of_launch: HashMap<LaunchKey, usize, FixedState>,
    of_launcher: HashMap<StringId, usize, FixedState>,
    /// Occupancy times nanoseconds, and these nanoseconds.
    occupied: (f64, f64),
}

/// A launch as a key.
type LaunchKey = (Option<[u64; 3]>, Option<[u64; 3]>, Option<u64>, Option<u64>, Option<u64>);

fn key_of(launch: &Launch) -> LaunchKey {
    (launch.grid, launch.block, launch.registers, launch.shared_bytes, launch.occupancy.map(f64::to_bits))
}

/// The kernels of `range` by name, those with most time first.
pub fn kernels(study: &Study, range: &Range<'_>) -> Vec<KernelRow> {
    let trace = study.trace();
    let (ops, joined, works) = (trace.ops(), study.kernels(), study.works());
    let accelerators = AcceleratorDevices::of(trace);
    let mut rows: Vec<Counted> = Vec::new();
    let mut row_of_name: HashMap<(StringId, Category), usize, FixedState> = HashMap::default();
    for kernel in range.counted_ops() {
        let category = trace.category(kernel);
        let is_kernel = matches!(category, Category::Compute | Category::Communication);
        if !is_kernel || accelerators.place(trace.device_of(kernel)) == Place::Host {
            continue;
        }
        let name = name_of(trace, kernel);
        let length = ops.interval(kernel).length();
        let row = *row_of_name.entry((name, category)).or_insert_with(|| {
            rows.push(Counted::new(name, category, kernel, length));
            rows.len() - 1
        });
        let op_type = launcher(trace, joined, kernel);
        let within = ops.interval(kernel).clamp_to(range.window()).length();
        if let Some(work) = works.of(kernel) {
            rows[row].row.work.add(work, length);
        }
        rows[row].add(trace, (kernel, length, within), Launch::of(trace, kernel), op_type);
    }
    let mut rows: Vec<KernelRow> = rows.into_iter().map(|counted| counted.finish(trace)).collect();
    rows.sort_by(|a, b| {
        let tie = || trace.text(a.name).cmp(trace.text(b.name)).then(a.category.cmp(&b.category));
        b.total.cmp(&a.total).then_with(tie)
    });
    rows
}

/// The name of `kernel`: of a stream of RunMetadata, whose names are those of ops, the op type. So of an instruction that XLA numbered (`fusion.123`).
fn name_of(trace: &Trace, kernel: OpId) -> StringId {
    let (node, nodes) = (trace.ops().node(kernel), trace.nodes());
    let (name, op_type) = (nodes.name(node), nodes.op_type(node));
    let number = trace.text(name).strip_prefix(trace.text(op_type)).and_then(|rest| rest.strip_prefix('.'));
    let is_numbered =
        number.is_some_and(|own| !own.is_empty() && own.bytes().all(|own| own.is_ascii_digit()));
    match trace.devices().get(trace.device_of(kernel)).kind {
        DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy => op_type,
        _ if is_numbered => op_type,
        _ => name,
    }
}

/// The type of the op that launched `kernel`: of the operator around the launch, otherwise what the kernel itself says it ran for,
/// otherwise the call. Some profilers call that as the kernel, which says nothing.
fn launcher(trace: &Trace, joined: &Kernels, kernel: OpId) -> Option<StringId> {
    let op_type = |op: OpId| trace.nodes().op_type(trace.ops().node(op));
    let by = joined.op_of(kernel);
    if by.is_some() && by != trace.call_of(kernel) {
        return by.map(op_type);
    }
    let call = by.map(op_type).filter(|&own| own != op_type(kernel));
    ran_for(trace, kernel).or(call)
}

/// The type of the op that `kernel` says it ran for: its own op type, if that is not from its name, or TensorFlow's `annotation`,
/// `NAME:OP`.
fn ran_for(trace: &Trace, kernel: OpId) -> Option<StringId> {
    let own = trace.nodes().op_type(trace.ops().node(kernel));
    if !trace.op_name(kernel).replace("(anonymous namespace)::", "").starts_with(trace.text(own)) {
        return Some(own);
    }
    let annotation = trace.arguments().of(kernel).find(|argument| argument.name == "annotation")?;
    let text = annotation.value.shown();
    let (_, op_type) = text.rsplit_once(':')?;
    trace.strings().find(op_type).filter(|_| !op_type.is_empty())
}

impl Counted {
    fn new(name: StringId, category: Category, kernel: OpId, length: Nanos) -> Self {
        let row = KernelRow {
            name,
            category,
            count: 0,
            total: Nanos(0),
            whole: Nanos(0),
            shortest: length,
            longest: kernel,
            occupancy: None,
            work: WorkSum::default(),
            launches: Vec::new(),
            launchers: Vec::new(),
        };
        Self { row, of_launch: HashMap::default(), of_launcher: HashMap::default(), occupied: (0.0, 0.0) }
    }

    fn add(
        &mut self,
        trace: &Trace,
        (kernel, length, within): (OpId, Nanos, Nanos),
        launch: Launch,
        op_type: Option<StringId>,
    ) {
        let row = &mut self.row;
        let longest = |op: OpId, length: Nanos| (length, Reverse(op));
        row.count += 1;
        row.total += within;
        row.whole += length;
        row.shortest = row.shortest.min(length);
        if longest(kernel, length) > longest(row.longest, trace.ops().interval(row.longest).length()) {
            row.longest = kernel;
        }
        if let Some(occupancy) = launch.occupancy {
            // A kernel without a length counts, but less than any other one.
            let weight = (length.0 as f64).max(1e-3);
            self.occupied = (self.occupied.0 + occupancy * weight, self.occupied.1 + weight);
        }
        let place = *self.of_launch.entry(key_of(&launch)).or_insert_with(|| {
            row.launches.push(LaunchRow { launch, count: 0, total: Nanos(0) });
            row.launches.len() - 1
        });
        row.launches[place].count += 1;
        row.launches[place].total += within;
        if let Some(op_type) = op_type {
            let place = *self.of_launcher.entry(op_type).or_insert_with(|| {
                row.launchers.push(LauncherRow { op_type, count: 0, total: Nanos(0) });
                row.launchers.len() - 1
            });
            row.launchers[place].count += 1;
            row.launchers[place].total += within;
        }
    }

    fn finish(self, trace: &Trace) -> KernelRow {
        let mut row = self.row;
        let (sum, weight) = self.occupied;
        row.occupancy = (weight > 0.0).then_some(sum / weight);
        // The sorts are stable: ways that took the same time stay in the order in which they were first used.
        row.launches.sort_by_key(|own| (Reverse(own.total), Reverse(own.count)));
        row.launchers.sort_by(|a, b| {
            let tie = || trace.text(a.op_type).cmp(trace.text(b.op_type));
            b.total.cmp(&a.total).then(b.count.cmp(&a.count)).then_with(tie)
        });
        row
    }
}
