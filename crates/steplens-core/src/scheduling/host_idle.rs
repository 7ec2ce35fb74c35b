//! The idle time of a GPU that its host causes, divided by what the host did meanwhile.
//!
//! A GPU is idle here while nothing of it runs at all: no kernel, no copy, no collective. Such a time is the host's until the call that
//! launches the next kernel has returned. What the launching thread did in it is the innermost op there; while that thread ran
//! nothing, it is what another thread of its process ran, that launches kernels, hands them to the first one, or loads input; else the program waited, if it did so by
//! itself (JAX launches from threads of its own, while Python waits for arrays); else the thread was between ops.
//!
//! Where an executor launched the kernels and no call was recorded, the launch has returned when the op that the kernel ran for has ended,
//! and any op of the executor's devices in that task is what the host did. Waiting for tensors of other tasks is not the host's time.
//!
//! HTA (`idle_time_breakdown`) has the same limit between host and kernel wait; it does not divide the time of the host.

pub use super::host_part::HostPart;

use super::RunBy;
use super::launched_idle::{LaunchedIdle, LaunchedPart};
use super::moments::{launched, threads_not_only_loading};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::gpu::captures::windows;
use crate::gpu::event_waits::is_for_a_stream;
use crate::gpu::kernels::{Kernels, has_kernels};
use crate::gpu::launching::{is_copy_call, launching};
use crate::gpu::reads_back::read_back;
use crate::gpu::task_queue::TaskQueue;
use crate::makers::Edges;
use crate::model::category::{is_driver_call, is_loading};
use crate::storage::busy::Busy;
use crate::timeline::nesting::{self, Piece};
use crate::{Category, DeviceId, NodeId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The beginning of an executor is a part of its own from this part of its host's time on, as its divisor; else it is time between ops.
const LEAST_BEGINNING: i64 = 20;

/// Whether an executor began for so much of its `host`'s time that it is said.
pub(crate) fn begins_long(beginning: Nanos, host: Nanos) -> bool {
    beginning > Nanos(0) && beginning.0.saturating_mul(LEAST_BEGINNING) >= host.0
}

/// The idle time of one GPU, as far as its host caused it.
#[derive(Clone, Debug)]
pub struct HostIdle {
    /// The first of the devices of the GPU.
    pub device: DeviceId,
    /// How long anything of the GPU ran.
    pub busy: Nanos,
    /// Whether anything but copies ran.
    pub works: bool,
    /// How long nothing of it ran.
    pub idle: Nanos,
    /// How long it may have run what was launched before the recording: then it is neither known to be busy nor to be idle.
    pub unknown: Nanos,
    /// How much of the idle time was before the next launch had returned, and while no graph was captured.
    pub host: Nanos,
    /// What the host did in that time, in the order of [`HostPart::ALL`]: they add up to it.
    pub parts: [Nanos; HostPart::ALL.len()],
    /// For each part the op of whose node most of it is, and how much.
    pub most: [Option<(OpId, Nanos)>; HostPart::ALL.len()],
    /// The longest time at once in which it ran nothing that was recorded, and what its thread, or else the GPU, ran next.
    pub pause: Option<(Nanos, OpId)>,
    /// How many such times of [`LONG_PAUSE`] or longer there were, and how long they were together.
    pub pauses: (u64, Nanos),
    /// The idle time before work that had been launched already, or whose launch is not known, in the order of [`LaunchedPart::ALL`].
    pub launched: [Nanos; LaunchedPart::ALL.len()],
    /// What came after the longest of these times.
    pub after_launched: Option<OpId>,
    /// How much of the host's time came right after its thread had waited for the GPU, so that it could not run ahead; without long pauses,
    /// in which the program did something of its own.
    pub after_waiting: Nanos,
    /// The calls that waited so, those before the longest of these times first.
    pub waits: Vec<(Nanos, OpId)>,
}

impl HostIdle {
    /// How long the host did this.
    pub fn part(&self, part: HostPart) -> Nanos {
        self.parts[part as usize]
    }

    /// The host's time apart from loading the next batch.
    pub fn without_input(&self) -> Nanos {
        self.host - self.part(HostPart::Input)
    }
}

/// The GPU whose host keeps it waiting least, of those that worked: a step cannot get shorter by more than that, as the others wait for it. One that
/// only copies waits for nobody where another one does more.
pub fn least_waiting(hosts: &[HostIdle]) -> Option<&HostIdle> {
    let works = hosts.iter().any(|own| own.works);
    hosts.iter().filter(|own| own.busy > Nanos(0) && own.works == works).min_by_key(|own| own.host)
}

/// A thread that ran nothing that was recorded for this long did not just come from one op to the next.
pub const LONG_PAUSE: Nanos = Nanos(1_000_000);
/// A program that waits for longer after its GPU is done waits for something else.
const LATEST_RETURN: Nanos = Nanos(1_000_000);
/// A call that returns sooner found its GPU idle.
const LEAST_WAIT: Nanos = Nanos(100_000);

/// For each process the calls that waited for a GPU for [`LEAST_WAIT`] or longer: their ends, in order.
fn long_waits(trace: &Trace) -> HashMap<DeviceId, Vec<Timestamp>, FixedState> {
    let ops = trace.ops();
    let mut found: HashMap<DeviceId, Vec<Timestamp>, FixedState> = HashMap::default();
    for op in ops.ids().filter(|&op| trace.category(op) == Category::Waiting && trace.is_call(op)) {
        if ops.interval(op).length() >= LEAST_WAIT && !is_for_a_stream(trace.op_type(op)) {
            found.entry(trace.device_of(op)).or_default().push(ops.end(op));
        }
    }
    found.values_mut().for_each(|ends| ends.sort_unstable());
    found
}

/// Until when a GPU ran what was launched before the recording: until the end of the last of the `waits` of its process before anything was
/// launched. `None` where nothing says so. A first copy whose call takes long may wait for such work, or for a driver that begins.
fn busy_before(
    trace: &Trace,
    waits: &HashMap<DeviceId, Vec<Timestamp>, FixedState>,
    work: &[OpId],
) -> Option<Timestamp> {
    let calls = work.iter().filter_map(|&op| trace.call_of(op));
    let first = calls.min_by_key(|&call| (trace.ops().start(call), call))?;
    let ends = waits.get(&trace.device_of(first))?;
    let before = ends.partition_point(|&end| end <= trace.ops().start(first));
    before.checked_sub(1).map(|last| ends[last])
}

/// The idle time of every GPU of whose kernels the calls are known, in time n log n.
pub fn host_idle(edges: Edges<'_>, kernels: &Kernels) -> Vec<HostIdle> {
    host_idle_within(edges, kernels, None)
}

/// The same, of what the host does in `steps` alone, if that is known: before a step begins, no launch of it can come.
pub(crate) fn host_idle_within(edges: Edges<'_>, kernels: &Kernels, steps: Option<&Busy>) -> Vec<HostIdle> {
    let trace = edges.trace;
    let hosts = match trace.calls().is_empty() {
        true => Hosts::of_executors(trace, kernels),
        false => Hosts::of(trace),
    };
    let span = trace.span();
    // What a GPU did before a step was recorded.
    let waits = (!trace.is_period()).then(|| long_waits(trace));
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let mut work: Vec<OpId> = Vec::new();
        for device in gpu.unrepeated(trace) {
            work.extend(
                trace.ops_of(device).filter(|&op| RunBy::of(trace, edges.transfers, op) == RunBy::Stream),
            );
        }
        let Some(&device) =
            gpu.devices.first().filter(|_| work.iter().any(|&op| hosts.fed(trace, kernels, op).is_some()))
        else {
            continue;
        };
        order::by_number(&mut work, |op| (trace.ops().start(op).0, i64::from(op.get())));
        let mut own = Divided::of(trace, kernels, &hosts, device, steps);
        let before = waits.as_ref().and_then(|waits| busy_before(trace, waits, &work));
        let mut now = before.map_or(span.start, |end| end.clamp(span.start, span.end));
        own.found.unknown = now - span.start;
        for &op in &work {
            let interval = trace.ops().interval(op).clamp_to(span);
            if interval.start > now {
                own.gap(Interval { start: now, end: interval.start }, Some(op));
            }
            own.found.works |= trace.category(op) != Category::Copy;
            own.found.busy += Interval::new(interval.start.max(now), interval.end).length();
            now = now.max(interval.end);
        }
        if now < span.end {
            own.gap(Interval { start: now, end: span.end }, None);
        }
        found.push(own.finished());
    }
    found
}

/// The division of one GPU while it is made.
struct Divided<'a> {
    trace: &'a Trace,
    kernels: &'a Kernels,
    hosts: &'a Hosts,
    steps: Option<&'a Busy>,
    /// The process of the last launch: what a GPU waits for after its last kernel.
    process: Option<DeviceId>,
    launched: LaunchedIdle,
    found: HostIdle,
    of_node: [HashMap<NodeId, (Nanos, Nanos, OpId), FixedState>; HostPart::ALL.len()],
}

impl<'a> Divided<'a> {
    fn of(
        trace: &'a Trace,
        kernels: &'a Kernels,
        hosts: &'a Hosts,
        device: DeviceId,
        steps: Option<&'a Busy>,
    ) -> Self {
        let zero = Nanos(0);
        let found = HostIdle {
            device,
            busy: zero,
            works: false,
            idle: zero,
            unknown: zero,
            host: zero,
            parts: [zero; HostPart::ALL.len()],
            most: [None; HostPart::ALL.len()],
            pause: None,
            pauses: (0, zero),
            launched: [zero; LaunchedPart::ALL.len()],
            after_launched: None,
            after_waiting: zero,
            waits: Vec::new(),
        };
        let launched = LaunchedIdle::default();
        Self { trace, kernels, hosts, steps, process: None, launched, found, of_node: Default::default() }
    }

    /// Adds the idle time `gap` before `kernel`.
    fn gap(&mut self, gap: Interval, kernel: Option<OpId>) {
        self.found.idle += gap.length();
        let fed = kernel.and_then(|kernel| self.hosts.fed(self.trace, self.kernels, kernel));
        let (thread, until) = match (kernel, fed) {
            (Some(_), Some((thread, returned))) => {
                self.process = Some(thread.0);
                let until = returned.clamp(gap.start, gap.end);
                kernel.into_iter().for_each(|kernel| self.launched.add(self.trace, kernel, gap.end - until));
                (thread, until)
            }
            // After the last kernel of a step its host runs on until the step ends.
            (None, _) if self.trace.is_period() => match self.process {
                Some(process) => ((process, u32::MAX), gap.end),
                None => return,
            },
            (Some(work), None) => return self.launched.add_unrecorded(work, gap.length()),
            (None, _) => return,
        };
        let Some(start) = self.steps.map_or(Some(gap.start), |steps| begun_by(steps, gap)) else { return };
        let host = Interval { start, end: until };
        if host.length() <= Nanos(0) {
            return;
        }
        // While a graph is captured, nothing that is launched runs.
        let captures = self.hosts.captures.get(&thread.0).map_or(&[][..], Vec::as_slice);
        let mut outside = Vec::new();
        divide(captures, host, |_| {}, |free| outside.push(free));
        let own = self.hosts.threads.get(&thread).map_or(&[][..], Vec::as_slice);
        let all = self.hosts.processes.get(&thread.0).map_or(&[][..], Vec::as_slice);
        let (mut between, mut paused) = (Nanos(0), Nanos(0));
        let mut longest = Interval { start: host.start, end: host.start };
        let mut rest = Vec::new();
        let mut ran = Vec::new();
        for &free in &outside {
            divide(own, free, |piece| ran.push(piece), |free| rest.push(free));
        }
        let waits = self.hosts.waits.get(&thread.0).map_or(&[][..], Vec::as_slice);
        let mut free_of_all = Vec::new();
        let is_awaited = |piece: &Piece| {
            self.trace.category(piece.op) != Category::Input
                || self.hosts.is_executor
                || self.trace.ops().end(piece.op) <= until
        };
        for free in rest {
            let mut not_awaited = Vec::new();
            let ran_here = |piece: Piece| match is_awaited(&piece) {
                true => ran.push(piece),
                false => not_awaited.push(piece.interval),
            };
            divide(all, free, ran_here, |free| free_of_all.push(free));
            free_of_all.append(&mut not_awaited);
        }
        for free in free_of_all {
            divide(
                waits,
                free,
                |piece| ran.push(piece),
                |free| {
                    between += free.length();
                    if free.length() >= LONG_PAUSE {
                        paused += free.length();
                        self.found.pauses.0 += 1;
                    }
                    if free.length() > longest.length() {
                        longest = free;
                    }
                },
            );
        }
        for Piece { op, interval } in ran {
            let is_received = self.hosts.is_executor && self.trace.category(op) == Category::Communication;
            if is_received {
                continue;
            }
            self.found.host += interval.length();
            let part = HostPart::of(self.trace, op, self.hosts.is_launching[op.index()]) as usize;
            self.found.parts[part] += interval.length();
            let node = self.trace.ops().node(op);
            let row = self.of_node[part].entry(node).or_insert((Nanos(0), Nanos(0), op));
            row.0 += interval.length();
            if interval.length() > row.1 {
                (row.1, row.2) = (interval.length(), op);
            }
        }
        if longest.length() > self.found.pause.map_or(Nanos(0), |(length, _)| length) {
            let next = own.get(own.partition_point(|piece| piece.interval.start < longest.end));
            let next = next.map(|piece| piece.op).or(kernel);
            self.found.pause = next.map(|op| (longest.length(), op)).or(self.found.pause);
        }
        self.found.parts[HostPart::Between as usize] += between;
        self.found.host += between;
        self.found.pauses.1 += paused;
        if let Some(wait) =
            self.hosts.waiting_at(self.trace, thread, gap.start, until).filter(|_| start == gap.start)
        {
            let after = outside.iter().fold(Nanos(0), |sum, own| sum + own.length()) - paused;
            self.found.after_waiting += after;
            self.found.waits.push((after, wait));
        }
    }

    fn finished(mut self) -> HostIdle {
        for (most, rows) in self.found.most.iter_mut().zip(self.of_node) {
            let longest = rows.into_values().max_by_key(|&(sum, _, op)| (sum, Reverse(op)));
            *most = longest.map(|(sum, _, op)| (op, sum));
        }
        self.found.after_launched = self.launched.longest();
        self.found.launched = self.launched.parts();
        self.found.waits.sort_by_key(|&(length, op)| (Reverse(length), op));
        self.found
    }
}

/// From when on `gap` is a part of the step in which it ends; `None` if it ends in none.
fn begun_by(steps: &Busy, gap: Interval) -> Option<Timestamp> {
    let all = steps.intervals();
    let step = all.get(all.partition_point(|own| own.end < gap.end))?;
    (step.start < gap.end).then(|| gap.start.max(step.start))
}

/// Calls `ran` with what of `pieces`, which do not overlap and are in order, lies within `window`, and `free` with the rest of it.
fn divide(pieces: &[Piece], window: Interval, mut ran: impl FnMut(Piece), mut free: impl FnMut(Interval)) {
    let mut now = window.start;
    let first = pieces.partition_point(|piece| piece.interval.end <= window.start);
    for piece in pieces[first..].iter().take_while(|piece| piece.interval.start < window.end) {
        let part = piece.interval.clamp_to(Interval { start: now, end: window.end });
        if part.start > now {
            free(Interval { start: now, end: part.start });
        }
        if part.length() > Nanos(0) {
            ran(Piece { op: piece.op, interval: part });
        }
        now = part.end;
    }
    if now < window.end {
        free(Interval { start: now, end: window.end });
    }
}

/// What the threads of hosts ran.
#[derive(Default)]
struct Hosts {
    /// For each thread that launched a kernel its pieces, which do not overlap, in order.
    threads: HashMap<(DeviceId, u32), Vec<Piece>, FixedState>,
    /// For each process what any of these threads ran, or any thread that loads input: one op for each moment, in order.
    processes: HashMap<DeviceId, Vec<Piece>, FixedState>,
    /// For each process when a thread of its program waited for results, by no call of the driver.
    waits: HashMap<DeviceId, Vec<Piece>, FixedState>,
    /// For each process when it captured graphs, in order.
    captures: HashMap<DeviceId, Vec<Piece>, FixedState>,
    /// For each op whether it is a call that launches something.
    is_launching: Vec<bool>,
    /// Whether these are executors, and no calls were recorded.
    is_executor: bool,
    /// For each device the first of its task's executor, of executors.
    executor_of: Vec<Option<DeviceId>>,
    /// The same by task.
    first_of_task: HashMap<Option<StringId>, DeviceId, FixedState>,
    /// The only one, if there is one.
    only_executor: Option<DeviceId>,
    /// The ops of executors that read a result back, by when they had it.
    read_back: Vec<(Timestamp, OpId)>,
}

impl Hosts {
    fn of(trace: &Trace) -> Self {
        let mut found = Self { is_launching: launching(trace), ..Self::default() };
        for &(_, call) in trace.calls() {
            let device = trace.device_of(call);
            found.processes.entry(device).or_default();
            found.threads.entry((device, trace.ops().thread(call))).or_default();
        }
        for own in windows(trace) {
            let captured = Piece { op: own.begin, interval: own.interval };
            push_after(found.captures.entry(own.device).or_default(), captured);
        }
        let queue = TaskQueue::found(trace);
        // The threads that hand to a thread what it launches.
        let putting: HashSet<(DeviceId, u32), FixedState> =
            queue.taken().iter().map(|&(_, put)| (trace.device_of(put), trace.ops().thread(put))).collect();
        let mut devices: Vec<DeviceId> = found.processes.keys().copied().collect();
        devices.sort_unstable();
        for device in devices {
            let mut all: Vec<Piece> = Vec::new();
            let mut waits: Vec<Piece> = Vec::new();
            let other_threads = threads_not_only_loading(trace, device);
            let loads = |op: OpId| {
                trace.category(op) == Category::Input
                    && (other_threads.contains(&trace.ops().thread(op)) || !is_loading(trace.op_name(op)))
            };
            for piece in nesting::pieces(trace, device) {
                let own_thread = (device, trace.ops().thread(piece.op));
                let thread = found.threads.get_mut(&own_thread);
                let puts = putting.contains(&own_thread);
                if thread.is_some() || puts || loads(piece.op) {
                    all.push(piece);
                }
                thread.into_iter().for_each(|own| push_after(own, piece));
                let may_wait = puts || !is_driver_call(trace.op_type(piece.op));
                if trace.category(piece.op) == Category::Waiting && may_wait {
                    push_after(&mut waits, piece);
                }
            }
            found.waits.insert(device, waits);
            let process = found.processes.entry(device).or_default();
            all.into_iter().for_each(|piece| push_after(process, piece));
        }
        found
    }

    /// What executors ran, on any of the devices of a task: where ops run at once, one that calculates, rather than one that loads input
    /// or waits; of equal ones the one that began last.
    fn of_executors(trace: &Trace, kernels: &Kernels) -> Self {
        let mut found = Self { is_launching: launching(trace), is_executor: true, ..Self::default() };
        found.executor_of = vec![None; trace.devices().len()];
        let mut first_of_task: HashMap<Option<StringId>, DeviceId, FixedState> = HashMap::default();
        let mut ops_of: HashMap<DeviceId, Vec<OpId>, FixedState> = HashMap::default();
        for device in trace.devices().ids() {
            let row = trace.devices().get(device);
            let has_ops = || trace.ops_of(device).any(|op| trace.category(op) != Category::Range);
            if row.nests || has_kernels(trace, device) || trace.devices().repeats_others(device) || !has_ops()
            {
                continue;
            }
            let first = *first_of_task.entry(row.task).or_insert(device);
            found.executor_of[device.index()] = Some(first);
            ops_of
                .entry(first)
                .or_default()
                .extend(trace.ops_of(device).filter(|&op| trace.category(op) != Category::Range));
        }
        found.only_executor = first_of_task.values().next().copied().filter(|_| first_of_task.len() == 1);
        found.first_of_task = first_of_task;
        found.read_back = read_back(trace, kernels).into_iter().map(|(op, at)| (at, op)).collect();
        found.read_back.sort_unstable();
        for (first, ops) in ops_of {
            found.processes.insert(first, one_at_a_time(trace, &ops));
        }
        found
    }

    /// The thread that launched `kernel`, and when that call had returned; of an executor, its first device.
    fn fed(&self, trace: &Trace, kernels: &Kernels, kernel: OpId) -> Option<((DeviceId, u32), Timestamp)> {
        if let Some(call) = trace.call_of(kernel) {
            let returned = launched(trace, kernel)?;
            return Some(((trace.device_of(call), trace.ops().thread(call)), returned));
        }
        if !self.is_executor {
            return None;
        }
        let known = kernels.op_of(kernel).and_then(|op| {
            let executor = (*self.executor_of.get(trace.device_of(op).index())?)?;
            Some(((executor, u32::MAX), trace.ops().end(op)))
        });
        // A copy whose op is not known is the executor's, too: it begins when the executor has the tensor.
        known.or_else(|| {
            let task = trace.devices().get(trace.device_of(kernel)).task;
            let executor = self.first_of_task.get(&task).or(self.only_executor.as_ref())?;
            Some(((*executor, u32::MAX), trace.ops().start(kernel)))
        })
    }

    /// The call in which `thread` waited for the GPU at the moment `at`, when the GPU had nothing more to do; of a thread that ran nothing then,
    /// that of its program. What is no call of the driver returns soon after the GPU is done, and before the next launch has returned at `until`.
    fn waiting_at(
        &self,
        trace: &Trace,
        thread: (DeviceId, u32),
        at: Timestamp,
        until: Timestamp,
    ) -> Option<OpId> {
        if self.is_executor {
            let &(had, op) = self.read_back.get(self.read_back.partition_point(|own| own.0 < at))?;
            let is_own = self.executor_of.get(trace.device_of(op).index()) == Some(&Some(thread.0));
            return Some(op).filter(|_| had == at && is_own);
        }
        let within = |pieces: &[Piece]| {
            let piece = pieces.get(pieces.partition_point(|piece| piece.interval.end <= at));
            piece.filter(|piece| piece.interval.start < at).map(|piece| piece.op)
        };
        let op = within(self.threads.get(&thread)?).or_else(|| within(self.waits.get(&thread.0)?))?;
        let ended = trace.ops().end(op);
        let is_wait = match trace.category(op) {
            Category::Waiting if is_driver_call(trace.op_type(op)) => true,
            Category::Waiting => ended <= until && ended - at <= LATEST_RETURN,
            _ => is_blocking_copy(trace, op),
        };
        is_wait.then_some(op)
    }
}

/// Whether `op` is a call that copies and returns when the copy is done, as the runtime does with memory that is not pinned.
fn is_blocking_copy(trace: &Trace, op: OpId) -> bool {
    let name = trace.op_type(op);
    trace.category(op) == Category::Launch && is_copy_call(name) && !name.contains("Memset")
}

/// For each moment one of the `ops` that run then.
fn one_at_a_time(trace: &Trace, ops: &[OpId]) -> Vec<Piece> {
    let rank = |op: OpId| match trace.category(op) {
        Category::Input => 1,
        Category::Communication => 2,
        Category::Waiting => 3,
        Category::Compute | Category::Copy | Category::Launch | Category::Allocation | Category::Range => 0,
    };
    let key = |op: OpId| (rank(op), Reverse(trace.ops().start(op)), op);
    let mut moments: Vec<(Timestamp, bool, OpId)> = Vec::with_capacity(ops.len() * 2);
    for &op in ops.iter().filter(|&&op| trace.ops().interval(op).length() > Nanos(0)) {
        moments.extend([(trace.ops().start(op), true, op), (trace.ops().end(op), false, op)]);
    }
    order::by_number(&mut moments, |(at, begins, _)| (at.0, i64::from(begins)));
    let mut running: BTreeSet<(u8, Reverse<Timestamp>, OpId)> = BTreeSet::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut now = Timestamp(i64::MIN);
    for (at, begins, op) in moments {
        if let Some(&(.., own)) = running.first().filter(|_| at > now) {
            match pieces.last_mut().filter(|last| last.op == own && last.interval.end == now) {
                Some(last) => last.interval.end = at,
                None => pieces.push(Piece { op: own, interval: Interval { start: now, end: at } }),
            }
        }
        now = at;
        match begins {
            true => _ = running.insert(key(op)),
            false => _ = running.remove(&key(op)),
        }
    }
    pieces
}

/// Adds what of `piece` comes after the last of `pieces`.
fn push_after(pieces: &mut Vec<Piece>, piece: Piece) {
    let now = pieces.last().map_or(piece.interval.start, |last| last.interval.end);
    let interval = Interval { start: piece.interval.start.max(now), end: piece.interval.end };
    if interval.start < interval.end {
        pieces.push(Piece { op: piece.op, interval });
    }
}
