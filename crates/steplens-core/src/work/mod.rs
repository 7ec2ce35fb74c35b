//! Work: how many floating-point operations an op calculates, which bytes it must move at least, and how long that took. From what profilers recorded,
//! and from the shapes of tensors. For the tables of op types and kernels, what is shown of an op, and findings.
//!
//! | module | what it has |
//! |---|---|
//! | this one | [`Works`]: the work of each op, where it is known |
//! | `formulas` | what products, convolutions and attention calculate, by shapes |
//! | `graph` | the shapes of TensorFlow's ops: their outputs, and those of the makers of their inputs |
//! | `torch` | the shapes of PyTorch's operators: their arguments |
//!
//! A kernel has its part of the work of the op that launched it. An op that launches kernels works for as long as these run: its own time is only that of
//! its host. Where an op contains another one whose work is known, only the inner one counts.

mod formulas;
mod graph;
mod torch;

pub(crate) use graph::carried_out;

use crate::base::bits::RankedBits;
use crate::gpu::accelerators::accelerators;
use crate::gpu::kernels::Kernels;
use crate::gpu::unrecorded::{is_gpu_unrecorded, is_tpu_unrecorded};
use crate::makers::Edges;
use crate::model::device::DeviceKind;
use crate::{Bytes, Category, DeviceId, Flops, Nanos, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What an op calculates and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Its floating-point operations.
    pub flops: Option<Flops>,
    /// What it must read and write at least.
    pub bytes: Option<Bytes>,
    /// Whether a profiler recorded it; otherwise it is calculated from shapes.
    pub is_recorded: bool,
    /// How long it took; `None` where nothing says when the work was done.
    pub time: Option<Nanos>,
}

impl Work {
    /// The floating-point operations of a second.
    pub fn flops_per_second(&self) -> Option<f64> {
        per_second(u128::from(self.flops?.0), self.time?)
    }

    /// A part of it, as long as `time` is of `all`.
    fn part(self, time: Nanos, all: Nanos) -> Self {
        let part = |whole: u64| {
            let [time, all] = [time, all].map(|own| own.0.max(0) as u128);
            u64::try_from(u128::from(whole) * time / all.max(1)).unwrap_or(whole)
        };
        Self {
            flops: self.flops.map(|own| Flops(part(own.0))),
            bytes: self.bytes.map(|own| Bytes(part(own.0))),
            time: Some(time),
            ..self
        }
    }
}

fn per_second(amount: u128, time: Nanos) -> Option<f64> {
    (time > Nanos(0)).then(|| amount as f64 * 1e9 / time.0 as f64)
}

/// The work of several ops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSum {
    flops: Amount,
    bytes: Amount,
    known: Nanos,
}

/// A sum of what is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    count: u64,
    sum: u128,
    /// The part with a known time, and that time.
    timed: u128,
    time: Nanos,
}

impl Amount {
    fn add(&mut self, amount: u64, time: Option<Nanos>) {
        self.count += 1;
        self.sum += u128::from(amount);
        if let Some(time) = time {
            self.timed += u128::from(amount);
            self.time += time;
        }
    }

    fn sum(self) -> Option<u64> {
        u64::try_from(self.sum).ok().filter(|_| self.count > 0)
    }
}

impl WorkSum {
    /// Adds the work of an op that lasts `length`.
    pub fn add(&mut self, work: Work, length: Nanos) {
        if let Some(Flops(flops)) = work.flops {
            self.flops.add(flops, work.time);
        }
        if let Some(Bytes(bytes)) = work.bytes {
            self.bytes.add(bytes, work.time);
        }
        self.known += length;
    }

    /// The floating-point operations; ops without known ones are left out.
    pub fn flops(&self) -> Option<Flops> {
        self.flops.sum().map(Flops)
    }

    /// The bytes of those of which they are known.
    pub fn bytes(&self) -> Option<Bytes> {
        self.bytes.sum().map(Bytes)
    }

    /// The floating-point operations of a second of the time that they took.
    pub fn flops_per_second(&self) -> Option<f64> {
        per_second(self.flops.timed, self.flops.time)
    }

    /// The bytes of a second of the time in which they were moved.
    pub fn bytes_per_second(&self) -> Option<f64> {
        per_second(self.bytes.timed, self.bytes.time)
    }

    /// How long those ops last whose work is known.
    pub fn known(&self) -> Nanos {
        self.known
    }
}

/// The work of every op of which it is known.
#[derive(Default)]
pub struct Works {
    known: RankedBits,
    /// In the order of ops.
    works: Vec<Work>,
}

impl Works {
    /// Finds the work of all ops of `trace`. It asks for `edges` only where these can say more.
    pub fn found<'a>(trace: &'a Trace, kernels: &Kernels, edges: impl Fn() -> Edges<'a>) -> Self {
        let mut works = own_works(trace, edges);
        if works.is_empty() {
            return Self::default();
        }
        let is_of_accelerator = of_accelerators(trace);
        let is_kernel = |op: OpId| {
            is_of_accelerator[trace.device_of(op).index()] && trace.category(op) == Category::Compute
        };
        let length = |op: OpId| trace.ops().interval(op).length();
        // How long the kernels of each op ran, those of devices that repeat others apart.
        let mut launched: HashMap<OpId, Nanos, FixedState> = HashMap::default();
        for (kernel, op) in kernels.with_ops().filter(|&(kernel, _)| is_kernel(kernel)) {
            if !trace.devices().repeats_streams(trace.device_of(kernel)) && works.contains_key(&op) {
                *launched.entry(op).or_default() += length(kernel);
            }
        }
        let hides_devices = is_gpu_unrecorded(trace) || is_tpu_unrecorded(trace);
        let has_accelerators = is_of_accelerator.contains(&true);
        for (&op, work) in &mut works {
            let device = trace.devices().get(trace.device_of(op));
            let is_done_here = is_of_accelerator[trace.device_of(op).index()]
                || device.kind == DeviceKind::Cpu && !device.nests
                || !has_accelerators && !hides_devices;
            work.time = launched.get(&op).copied().or(is_done_here.then(|| length(op)));
        }
        for (kernel, op) in kernels.with_ops().filter(|&(kernel, _)| is_kernel(kernel)) {
            if let (Some(&work), Some(&all)) = (works.get(&op), launched.get(&op)) {
                works.entry(kernel).or_insert_with(|| work.part(length(kernel), all));
            }
        }
        let mut rows: Vec<(OpId, Work)> = works.into_iter().collect();
        rows.sort_unstable_by_key(|own| own.0);
        let known = RankedBits::of_members(trace.ops().len(), rows.iter().map(|own| own.0.index()));
        Self { known, works: rows.into_iter().map(|own| own.1).collect() }
    }

    /// The work of `op`.
    pub fn of(&self, op: OpId) -> Option<Work> {
        let place = self.known.contains(op.index()).then(|| self.known.count(0..op.index()))?;
        self.works.get(place).copied()
    }

    /// Whether the work of no op is known.
    pub fn is_empty(&self) -> bool {
        self.works.is_empty()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.known.heap_bytes() + self.works.capacity() * size_of::<Work>()
    }
}

fn of_accelerators(trace: &Trace) -> Vec<bool> {
    let mut found = vec![false; trace.devices().len()];
    let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
    devices.for_each(|device| found[device.index()] = true);
    found
}

/// The work of ops by what is recorded of them: none of what they launched.
fn own_works<'a>(trace: &'a Trace, edges: impl Fn() -> Edges<'a>) -> HashMap<OpId, Work, FixedState> {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let forms = trace.arguments().forms();
    let records: Vec<bool> =
        (0..forms.len()).map(|form| forms.of(form).any(|(name, ..)| RECORDED.contains(&name))).collect();
    let has_formula: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let op_type = trace.text(nodes.op_type(node));
            nodes.category(node) == Category::Compute
                && (torch::has_formula(op_type) || graph::kind_of(op_type).is_some())
        })
        .collect();
    let mut of_form = HashMap::default();
    let mut found = HashMap::default();
    // The last op of each thread whose work is known.
    let mut last: HashMap<(DeviceId, u32), OpId, FixedState> = HashMap::default();
    for op in ops.ids() {
        let form = trace.arguments().form(op);
        let is_recorded = form.is_some_and(|form| records.get(form) == Some(&true));
        let node = ops.node(op);
        let work = match () {
            () if is_recorded && nodes.category(node) == Category::Compute => recorded(trace, op),
            () if !has_formula[node.index()] => None,
            () => torch::work(trace, op, &mut of_form).or_else(|| graph::work(trace, op, &edges)),
        };
        let Some(work) = work else { continue };
        let device = trace.device_of(op);
        let own = ops.interval(op);
        if trace.devices().get(device).nests
            && let Some(before) = last.insert((device, ops.thread(op)), op)
        {
            let outer = ops.interval(before);
            if own.start < outer.end && own.end <= outer.end {
                found.remove(&before);
            }
        }
        found.insert(op, work);
    }
    found
}

/// What XLA's profilers say of an instruction: `flops` and `bytes_accessed` are what the device does, `model_flops` what the program says.
const RECORDED: [&str; 4] = ["flops", "model_flops", "bytes_accessed", "raw_bytes_accessed"];

fn recorded(trace: &Trace, op: OpId) -> Option<Work> {
    let mut figures = [None; RECORDED.len()];
    for own in trace.arguments().of(op) {
        if let Some(place) = RECORDED.iter().position(|&name| name == own.name) {
            figures[place] = own.value.count().filter(|&figure| figure > 0);
        }
    }
    let [flops, model_flops, bytes, raw_bytes] = figures;
    let (flops, bytes) = (flops.or(model_flops).map(Flops), bytes.or(raw_bytes).map(Bytes));
    (flops.is_some() || bytes.is_some()).then_some(Work { flops, bytes, is_recorded: true, time: None })
}
