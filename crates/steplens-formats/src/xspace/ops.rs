//! Rows to ops, after the end of the file.

use super::arguments::Stats;
use super::describe::{Holder, describe};
use super::first_look::{FirstLook, start_of};
use super::lines::{LineKind, is_custom, is_device, is_megascale};
use super::rows::{Row, Rows};
use super::shapes::OfShapes;
use super::tables::{Line, Plane, Tables};
use crate::memory_events::MemoryEvents;
use crate::op_type::waits_for_arrays;
use crate::silent_gpus::Used;
use crate::step_marks::{Mark, Steps};
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, Refused, TraceBuilder};
use steplens_core::model::device::FRAMES;
use steplens_core::model::op::OpTimes;
use steplens_core::model::part::PartRecord;
use steplens_core::{NodeId, PartId, Problems};
use steplens_messages::say;

/// The most stats of a plane that are read; its start time is among the first few.
pub(super) const MAX_PLANE_STATS: usize = 64;

/// What is known about the file in addition to its events.
#[derive(Default)]
pub(super) struct Context {
    /// The number of planes.
    pub(super) planes: u64,
    /// The start of the profile, in ns from 1970; 0 if no plane has it.
    pub(super) start_unix_ns: i64,
    pub(super) host: Option<String>,
    /// The steps that a program marks.
    pub(super) marks: Vec<StepEvent>,
    /// The steps that devices mark.
    pub(super) device_marks: Vec<StepEvent>,
    /// Events that are only counted, without times.
    pub(super) counts: Count,
    /// The number of messages from the profiler, and the first of them.
    pub(super) said: u64,
    pub(super) first_said: Option<String>,
    /// The GPUs without an event, and those with any.
    pub(super) gpus: [u64; 2],
    /// Whether the profiler says that it did not find CUPTI, which records GPUs.
    pub(super) lacks_cupti: bool,
    /// The number of stats of planes that were not read.
    pub(super) stats_left_out: u64,
    /// Allocations and frees, by line and ns from its start.
    pub(super) memory: MemoryEvents,
}

/// An event that marks a step.
#[derive(Clone, Copy)]
pub(super) struct StepEvent {
    pub(super) line: usize,
    /// Its place among the rows of all lines.
    pub(super) row: usize,
    pub(super) offset_ps: i64,
    pub(super) length_ps: i64,
    pub(super) number: i64,
}

/// A count, and the place of the first one.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    count: u64,
    first: u64,
}

impl Count {
    /// Counts one more, found at byte `at`.
    pub(super) fn add(&mut self, at: u64) {
        self.add_many(1, at);
    }

    fn add_many(&mut self, count: u64, at: u64) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += count;
    }

    fn report(self, problems: &mut Problems, code: &'static str, what: &str) {
        if self.count > 0 {
            problems.add_many(code, self.count, self.first, || say!("first-at", what, at = self.first));
        }
    }
}

/// Unusual events.
#[derive(Default)]
struct Odd {
    negative: Count,
    out_of_range: Count,
    too_many: Count,
    unnamed: Count,
    unnamed_planes: Count,
}

/// The blocks of a line: one for work and one for Python frames.
type Block = [Option<(usize, DeviceSlot)>; 2];

/// Kernels and calls, to be joined: (correlation, row of the builder).
#[derive(Default)]
struct Joints {
    kernels: Vec<(u32, u32)>,
    calls: Vec<(u32, u32)>,
}

impl Joints {
    /// Joins each kernel with the call that launched it; of several calls with one correlation it is the first.
    fn join(mut self, builder: &mut TraceBuilder) {
        order::by_number(&mut self.calls, |(correlation, row)| (i64::from(correlation), i64::from(row)));
        for (correlation, kernel) in self.kernels {
            let place = self.calls.partition_point(|&(other, _)| other < correlation);
            if let Some(&(_, call)) = self.calls.get(place).filter(|&&(other, _)| other == correlation) {
                builder.set_call(kernel, call);
            }
        }
    }
}

/// Adds every event to `builder`, as an op.
pub(super) fn emit(
    mut tables: Tables,
    mut context: Context,
    builder: &mut TraceBuilder,
    problems: &mut Problems,
) {
    let rows = std::mem::take(&mut tables.rows);
    let numbers = std::mem::take(&mut tables.numbers).into_iter();
    let memory = std::mem::take(&mut context.memory);
    let mark_of_ops = builder.mark();
    let steps = steps_of(&tables, &context);
    let look = FirstLook::at(&rows, &tables, context.start_unix_ns, &steps);
    if let Some(host) = &context.host {
        builder.set_host(host);
    }
    let parts = begin_parts(&steps, look.is_before_steps(), &context, builder);
    let mut emission = Emission {
        tables: &tables,
        context: &context,
        steps: &steps,
        look: &look,
        slot_of_part: vec![Block::default(); parts.len()],
        parts,
        nodes: [OfShapes::new(), OfShapes::new()],
        stats: Stats::new(),
        joints: Joints::default(),
        row: 0,
        marks: [0; 2],
        blocks: Vec::new(),
        odd: Odd::default(),
        used: Used::default(),
        builder,
    };
    emission.lines(rows, numbers);
    let Emission { joints, blocks, odd, used, builder, .. } = emission;
    joints.join(builder);
    let memory = placed(memory, &tables, &context);
    memory.join(mark_of_ops, 0, blocks, builder).report(problems);
    odd.report(problems);
    context.report_gpus(used, problems);
    context.report(problems);
    builder.end_part();
}

/// The plane of a line.
fn plane_of(tables: &Tables, line: usize) -> usize {
    tables.planes.partition_point(|plane| plane.lines.end <= line)
}

/// The steps that programs and devices marked.
fn steps_of(tables: &Tables, context: &Context) -> Steps {
    let mark = |&StepEvent { line, offset_ps, length_ps, number, .. }: &StepEvent, is_device: bool| {
        let start_unix_ns = start_of(tables.lines.get(line)?, context.start_unix_ns, offset_ps)?;
        let length_ns = length_ps / 1_000;
        Some(Mark {
            number,
            start_unix_ns,
            length_ns,
            device: is_device.then(|| plane_of(tables, line) as u32),
        })
    };
    let by_programs = context.marks.iter().filter_map(|recorded| mark(recorded, false));
    let by_devices = context.device_marks.iter().filter_map(|recorded| mark(recorded, true));
    Steps::of(by_programs.chain(by_devices).collect())
}

/// Allocations and frees by thread and in ns from 1970.
fn placed(mut memory: MemoryEvents, tables: &Tables, context: &Context) -> MemoryEvents {
    memory.place(|line, offset_ns| {
        let index = line as usize;
        let (plane, line) = (tables.planes.get(plane_of(tables, index))?, tables.lines.get(index)?);
        let start = start_of(line, context.start_unix_ns, 0)?;
        Some((thread_of(plane, index, line), start.checked_add(offset_ns)?))
    });
    memory
}

impl Context {
    /// Reports the GPUs that ran nothing that was recorded.
    fn report_gpus(&self, used: Used, problems: &mut Problems) {
        match (self.gpus, used.only_cpu()) {
            ([0, 0], false) if self.lacks_cupti => {
                problems.add("gpu-without-events", 0, || say!("gpu-without-events", count = 1_u64));
            }
            // Where one was recorded, the others ran nothing.
            ([without, with], _) if without == 0 || with > 0 => {}
            ([count, _], true) => problems.add_many("gpu-unused", count, 0, || say!("gpu-unused", count)),
            ([count, _], false) => {
                problems.add_many("gpu-without-events", count, 0, || say!("gpu-without-events", count));
            }
        }
    }

    /// Reports what is known about the file and is no op.
    fn report(&self, problems: &mut Problems) {
        let Count { count, first } = self.counts;
        if count > 0 {
            problems.note("events-not-shown", first, || say!("events-only-counted", count));
        }
        if self.stats_left_out > 0 {
            problems.add_many("plane-stats-left-out", self.stats_left_out, 0, || {
                say!("plane-stats-left-out", max_plane_stats = MAX_PLANE_STATS, more = self.stats_left_out)
            });
        }
        if let Some(said) = &self.first_said {
            problems.add_many("profiler-said", self.said, 0, || say!("profiler-said", said));
        }
    }
}

/// A part for each step, and one for what `is_before` the first step; or a single part.
fn begin_parts(steps: &Steps, is_before: bool, context: &Context, builder: &mut TraceBuilder) -> Vec<PartId> {
    let host = context.host.as_deref().unwrap_or_default();
    let facts = [("host", host)];
    let record = PartRecord {
        recorded_unix_ns: Some(context.start_unix_ns).filter(|&start| start > 0),
        facts: if host.is_empty() { &[] } else { &facts },
        ..PartRecord::default()
    };
    if steps.as_slice().is_empty() {
        return vec![builder.add_part(0, &record)];
    }
    let record = PartRecord { is_run: true, ..record };
    let before =
        is_before.then(|| builder.add_part(0, &PartRecord { name: say!("step-before-first"), ..record }));
    let steps = steps.as_slice().iter().map(|&(_, number)| PartRecord { step: Some(number), ..record });
    before.into_iter().chain(steps.map(|record| builder.add_part(0, &record)).collect::<Vec<_>>()).collect()
}

/// The thread of a line. Python's threads have 64-bit numbers: they get one from the highest numbers down.
fn thread_of(plane: &Plane, index: usize, line: &Line) -> u32 {
    u32::try_from(line.id).unwrap_or(u32::MAX - (index - plane.lines.start) as u32)
}

/// The length of an event that starts at `offset_ns`.
#[inline]
fn length_of(row: &Row, offset_ns: i64) -> i64 {
    // Most events are short: wasm divides 32 bits in a few cycles, 64 bits in about twenty.
    let from_ns = row.offset_ps.wrapping_sub(offset_ns.wrapping_mul(1_000));
    if let Some(short) = row.duration_ps.checked_add(from_ns).and_then(|ps| u32::try_from(ps).ok()) {
        return i64::from(short / 1_000);
    }
    row.offset_ps.saturating_add(row.duration_ps).div_euclid(1_000).saturating_sub(offset_ns)
}

/// Whether an event of a host is a frame of Python, and no wait.
fn is_frame(name: &str) -> bool {
    name.starts_with('$') && !waits_for_arrays(name.as_bytes())
}

/// What is known about the events of a shape.
#[derive(Clone, Copy)]
struct Known {
    node: NodeId,
    /// Whether the file has no name for it.
    is_unnamed: bool,
    /// Whether it is a Python frame on a host: `$file.py:12 f`.
    is_frame: bool,
}

/// Adds ops line by line.
struct Emission<'a> {
    tables: &'a Tables,
    context: &'a Context,
    steps: &'a Steps,
    look: &'a FirstLook,
    /// A part for each step, and one before them if there is one more.
    parts: Vec<PartId>,
    /// For each part the blocks, and the line for which they were begun last.
    slot_of_part: Vec<Block>,
    /// For each shape its node. The second list is for work on a device and for calls on a host, the first for everything else.
    nodes: [OfShapes<(u32, Option<LineKind>), Known>; 2],
    /// The arguments of events.
    stats: Stats,
    joints: Joints,
    /// The number of rows so far.
    row: usize,
    /// The number of marks of steps so far: those of programs, and those of devices.
    marks: [usize; 2],
    /// The blocks of ops of hosts, and their lines.
    blocks: Vec<(DeviceSlot, u32)>,
    odd: Odd,
    used: Used,
    builder: &'a mut TraceBuilder,
}

impl Emission<'_> {
    /// Adds the events of all lines: `rows`, with their `numbers`.
    fn lines(&mut self, rows: Rows, mut numbers: impl Iterator<Item = u64>) {
        let mut left = rows.into_iter();
        for (number, plane) in (0..).zip(&self.tables.planes) {
            for index in plane.lines.clone() {
                let Some(line) = self.tables.lines.get(index) else { continue };
                let own = left.by_ref().take(line.rows);
                let is_work = self.look.is_work.get(index) == Some(&true);
                self.line(number, plane, (index, line, is_work), own, &mut numbers);
            }
        }
    }

    fn line(
        &mut self,
        number: u32,
        plane: &Plane,
        (index, line, is_work): (usize, &Line, bool),
        rows: impl Iterator<Item = Row>,
        numbers: &mut impl Iterator<Item = u64>,
    ) {
        let texts = &self.tables.texts;
        let plane_name = texts.get(plane.name);
        let (is_device, kind) = (is_device(plane_name), LineKind::of(texts.get(line.name)));
        let device = match plane_name {
            "" => {
                self.odd.unnamed_planes.add(line.at);
                "(unnamed device)".to_owned()
            }
            name => name.to_owned(),
        };
        let thread = thread_of(plane, index, line);
        let base = start_of(line, self.context.start_unix_ns, 0);
        let thread = (thread, texts.get(line.name));
        let mut last = None;
        // Iterate inside the rows: asking for the next row each time would search its chunk each time.
        rows.for_each(|row| {
            self.row += 1;
            let told = self.stats.next(self.tables, (plane, row.shape), numbers, self.builder);
            let offset_ns = row.offset_ps.div_euclid(1_000);
            let Some(start) = base.and_then(|base| base.checked_add(offset_ns)) else {
                self.odd.out_of_range.add(line.at);
                self.mark(None);
                return;
            };
            let launch = if is_device { self.look.launches.of(row.correlation) } else { None };
            let part = self.part(number, start, launch);
            let holder = match is_device {
                true => Holder::Device(kind, is_work),
                false if is_megascale(plane_name) => Holder::Transfers,
                false => {
                    let FirstLook { has_ops, has_calls, .. } = *self.look;
                    Holder::Host { has_ops, has_calls, is_call: row.correlation != 0 }
                }
            };
            let Known { node, is_unnamed, is_frame } = self.known(plane, holder, row.shape);
            let slot = match last {
                Some((other, slot)) if other == (part, is_frame) => slot,
                _ => self.slot((part, is_frame), (index, is_device), &device, thread),
            };
            last = Some(((part, is_frame), slot));
            // Both ends are rounded in the same way, so that events that touch still touch.
            let length_ns = length_of(&row, offset_ns);
            let times = OpTimes {
                start_unix_ns: start,
                length_ns,
                scheduled_unix_ns: launch.filter(|&launch| launch <= start),
                kernel_start_ns: 0,
                kernel_end_ns: length_ns.max(0),
                thread: thread.0,
            };
            let added = self.builder.op_of(slot, node, &times);
            if added.is_ok() {
                self.stats.give(told, self.builder);
            }
            self.mark(Some(part).filter(|_| added.is_ok()));
            if row.correlation != 0 && added.is_ok() {
                let op = self.builder.last_row().map(|op| (row.correlation, op));
                match is_device {
                    true if is_work => self.joints.kernels.extend(op),
                    true => {}
                    false => self.joints.calls.extend(op),
                }
            }
            match added {
                Err(Refused::TimeOutOfRange) => self.odd.out_of_range.add(line.at),
                Err(Refused::TooManyOps) => self.odd.too_many.add(line.at),
                Ok(()) | Err(Refused::LeftOut) => {
                    if length_ns < 0 {
                        self.odd.negative.add(line.at);
                    }
                    if is_unnamed {
                        self.odd.unnamed.add(line.at);
                    }
                }
            }
        });
        if line.lost > 0 {
            let slot = self.slot((0, false), (index, is_device), &device, thread);
            self.builder.pass_by_many(slot, line.lost);
        }
    }

    /// Marks the step in `part` if the newest row does so; its op was added to that part. Marks were found in the order of rows.
    fn mark(&mut self, part: Option<usize>) {
        let before = self.parts.len() - self.steps.as_slice().len().max(1);
        for (next, marks) in self.marks.iter_mut().zip([&self.context.marks, &self.context.device_marks]) {
            let Some(mark) = marks.get(*next).filter(|mark| mark.row + 1 == self.row) else { continue };
            *next += 1;
            let Some((part, op)) = part.zip(self.builder.last_row()) else { continue };
            let step = part.checked_sub(before).and_then(|step| self.steps.as_slice().get(step));
            if step.is_some_and(|&(_, number)| number == mark.number) {
                self.builder.mark_step(self.parts[part], op);
            }
        }
    }

    /// The part of an event, as a row of `parts`.
    fn part(&self, plane: u32, start: i64, launch: Option<i64>) -> usize {
        let before = self.parts.len() - self.steps.as_slice().len().max(1);
        let step = match launch.filter(|_| !self.steps.is_of_devices()) {
            Some(launch) => self.steps.at(launch),
            None => self.steps.on_device_at(plane, start).or_else(|| self.steps.at(start)),
        };
        step.map_or(0, |step| step + before)
    }

    /// The block for a line's ops, or for its Python frames, in a part.
    fn slot(
        &mut self,
        (part, is_frame): (usize, bool),
        (line, is_device): (usize, bool),
        device: &str,
        thread: (u32, &str),
    ) -> DeviceSlot {
        if let Some((other, slot)) = self.slot_of_part[part][usize::from(is_frame)]
            && other == line
        {
            return slot;
        }
        let slot = self.builder.begin_device_of(self.parts[part]);
        let suffix = if is_frame { FRAMES } else { "" };
        self.builder.name_device(slot, [device, suffix].concat().as_bytes());
        self.builder.name_thread(slot, thread.0, thread.1.as_bytes());
        if is_device {
            self.builder.mark_accelerator(slot);
            let plane = self.tables.planes.get(plane_of(self.tables, line));
            let capability = plane.and_then(|plane| plane.capability);
            capability.into_iter().for_each(|own| self.builder.set_capability(slot, own));
            let peak_flops = plane.and_then(|plane| plane.peak_flops);
            peak_flops.into_iter().for_each(|own| self.builder.add_peak_flops(own));
        } else if !is_custom(device) {
            self.builder.mark_nesting(slot);
            self.blocks.extend((!is_frame).then_some((slot, line as u32)));
        }
        self.slot_of_part[part][usize::from(is_frame)] = Some((line, slot));
        slot
    }

    /// What is known about the events of `shape`; looked up once per shape, because there are many events.
    #[inline]
    fn known(&mut self, plane: &Plane, holder: Holder, shape: u32) -> Known {
        let (kind, variant) = match holder {
            Holder::Device(kind, is_work) => (Some(kind), is_work),
            Holder::Host { is_call, .. } => (None, is_call),
            // In the dictionary of its own plane, no other kind of event has its names.
            Holder::Transfers => (None, false),
        };
        let Self { nodes, tables, used, builder, .. } = self;
        nodes[usize::from(variant)].get((plane.dictionary.number, kind), shape, || {
            let described = describe(tables, plane, holder, shape);
            if let Some((name, _)) = tables.event_names(plane, shape) {
                used.saw(name.as_bytes());
            }
            let hint = builder.hint(described.says, described.field.as_bytes());
            let node = builder.hinted_node(&described.name, &described.label, hint);
            let is_frame = matches!(holder, Holder::Host { .. })
                && tables.event_names(plane, shape).is_some_and(|(name, _)| is_frame(name));
            Known { node, is_unnamed: described.is_unnamed, is_frame }
        })
    }
}

impl Odd {
    fn report(self, problems: &mut Problems) {
        let Self { negative, out_of_range, too_many, unnamed, unnamed_planes } = self;
        negative.report(problems, "negative-duration", say!("events-negative-duration"));
        out_of_range.report(problems, "time-out-of-range", say!("events-out-of-range"));
        too_many.report(problems, "too-many-ops", say!("events-too-many"));
        // Names come last: a file that is cut has none, which is reported as one problem.
        if unnamed.count > 0 {
            problems.add("unnamed-event", unnamed.first, || say!("events-unnamed", count = unnamed.count));
        }
        unnamed_planes.report(problems, "unnamed-device", say!("planes-unnamed"));
    }
}
