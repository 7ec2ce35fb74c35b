//! The processes of one document, which are devices, and their threads.
//!
//! Their numbers mean nothing outside of their document: the next document in the file starts again, and devices of the same name
//! are one.

use super::horovod::OfTensors;
use super::kinds::Home;
use super::number::integer;
use super::paddle::Place;
use super::thread_ranks::Ranks;
use crate::lines::{LineKind, STEPS, is_device, is_megascale, work_of};
use crate::silent_gpus::{Used, is_gpu};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use steplens_core::StringId;
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, TraceBuilder};
use steplens_core::model::device::FRAMES;
use steplens_core::model::part::PartRecord;
use steplens_core::storage::strings::StringTable;

/// The suffixes of `timeline.py` for a device with ops, and for a device with their tensors.
const COMPUTE: &[u8] = b" Compute";
const TENSORS: &[u8] = b" Tensors";

#[derive(Default)]
pub(super) struct Process {
    pub(super) slot: Option<DeviceSlot>,
    /// Whether the device's name was given to the builder.
    is_named: bool,
    pub(super) name: Option<StringId>,
    pub(super) labels: Option<StringId>,
    /// Its label as a GPU: if a host's process and a GPU have the same number, both names are given to it.
    gpu_labels: Option<StringId>,
    /// The block of the GPU's ops, if the process is also a host.
    pub(super) gpu: Option<DeviceSlot>,
    /// The device in the name, if `timeline.py` wrote the name.
    device: Option<StringId>,
    /// Whether its device has the ops of a GPU, stream by stream.
    is_stream: bool,
    /// The place of Paddle in the name.
    place: Option<Place>,
    /// The block of its Python frames.
    pub(super) frames: Option<DeviceSlot>,
    /// The block of its counters and instants.
    samples: Option<DeviceSlot>,
    pub(super) nests: bool,
    is_accelerator: bool,
    /// The finest kind of its lines, which are named before their events.
    work: Option<LineKind>,
}

/// The name of a thread, and whether the file has it.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    pub(super) process: u32,
    pub(super) thread: u32,
    pub(super) name: StringId,
    is_given: bool,
}

/// All processes of a document so far.
#[derive(Default)]
pub(super) struct Processes {
    /// `pid`s as texts; the id of a text is the row of its process.
    pub(super) pids: StringTable,
    pub(super) rows: Vec<Process>,
    /// "Process `tid`" as text, if the `tid` is not a small number.
    tids: StringTable,
    pub(super) threads: Vec<Thread>,
    /// The ranks that threads are called after.
    pub(super) ranks: Ranks,
    /// The processes that are lanes of another one.
    lanes: HashSet<u32, FixedState>,
    /// For each named thread of a device of TensorFlow's profiler: (process, thread) and the kind of its line.
    lines: HashMap<(u32, u32), LineKind, FixedState>,
    /// The threads with the steps of devices: (process, thread).
    step_lines: HashSet<(u32, u32), FixedState>,
    /// The devices of `timeline.py` that have a block.
    devices: HashSet<StringId, FixedState>,
    pub(super) names: StringTable,
    /// For each name the first process.
    first_of_name: HashMap<StringId, u32, FixedState>,
    /// The process that says what the times of the document count from.
    pub(super) epoch: Option<usize>,
    of_tensors: Option<DeviceSlot>,
    /// Who wrote it.
    writer: Option<OfTensors>,
    tensor_samples: Option<DeviceSlot>,
    /// For each row the number of ops of this tensor on the timeline of Horovod.
    tensors: Vec<u32>,
    is_tensorflow: bool,
    is_rocprof: bool,
    /// What the names of events say of where TensorFlow's ops run.
    pub(super) used: Used,
    /// Whether any process is a place of Paddle.
    pub(super) has_places: bool,
    /// Whether a process has the name that `timeline.py` gives to that of its allocators.
    pub(super) has_allocators: bool,
    /// The first process with the name that Ascend's profiler gives to NPUs, and how many were called so.
    pub(super) npu: Option<u32>,
    pub(super) npus: u32,
    /// For each process with the calls of CANN the program that made them.
    pub(super) callers: HashMap<u32, u32, FixedState>,
    /// The processes with a thread of the collectives of a group, and (process, thread) of those with their tasks.
    pub(super) groups: HashSet<u32, FixedState>,
    pub(super) planes: HashSet<(u32, u32), FixedState>,
    /// Of NPUs (process, thread) with their steps, and of those streams that run tasks of collectives.
    pub(super) step_traces: HashSet<(u32, u32), FixedState>,
    pub(super) notifying: HashSet<(u32, u32), FixedState>,
}

impl Processes {
    /// The row of the process `pid`.
    pub(super) fn row(&mut self, pid: &[u8]) -> usize {
        let row = self.pids.intern(pid).index();
        if row == self.rows.len() {
            self.rows.push(Process::default());
        }
        row
    }

    /// Sets the name of a process.
    pub(super) fn name(&mut self, row: usize, given: &[u8]) {
        let device = given.strip_suffix(COMPUTE).or(given.strip_suffix(TENSORS));
        let device = device.map(|device| self.names.intern(device));
        let name = Some(self.names.intern(given));
        let has = |part: &[u8]| given.windows(part.len()).any(|window| window == part);
        name.into_iter().for_each(|name| _ = self.first_of_name.entry(name).or_insert(row as u32));
        let process = &mut self.rows[row];
        let is_known = process.name == name;
        (process.name, process.device) = (name, device);
        process.place = std::str::from_utf8(given).ok().and_then(Place::of);
        self.has_places |= process.place.is_some();
        process.is_stream = has(b"/stream:") || has(b"/memcpy");
        self.has_allocators |= given == b"Allocators";
        self.find_caller(row, given);
        // An export may name one process several times.
        if given == b"Ascend Hardware" && !is_known {
            self.npu.get_or_insert(row as u32);
            self.npus += 1;
        }
        self.is_rocprof |= matches!(given, b"COPY" | b"CPU HIP API" | b"CPU HSA API");
        self.is_tensorflow |= given.starts_with(b"/device:") || given == b"/host:CPU";
    }

    /// The place of Paddle that a process is.
    pub(super) fn place(&self, row: usize) -> Option<&Place> {
        self.rows[row].place.as_ref()
    }

    /// Whether the document is of TensorFlow's or JAX's profiler.
    pub(super) fn is_tensorflow(&self) -> bool {
        self.is_tensorflow
    }

    /// Whether any process is a GPU or the like.
    pub(super) fn has_accelerator(&self) -> bool {
        self.rows.iter().any(|process| process.is_accelerator)
    }

    /// How many GPUs of TensorFlow's profiler have a name, if nothing was recorded of any: where one was recorded, the others ran nothing.
    pub(super) fn silent_gpus(&self) -> u64 {
        let name = |process: &Process| process.name.map_or("", |name| self.names.get(name));
        let gpus = || self.rows.iter().filter(|process| is_gpu(name(process)));
        if gpus().any(|process| process.slot.is_some()) { 0 } else { gpus().count() as u64 }
    }

    /// Whether the process has a name that rocprof gives to GPUs: `GPU2`.
    pub(super) fn is_named_gpu(&self, row: usize) -> bool {
        let name = self.rows[row].name.map(|name| self.names.get(name));
        let digits = name.and_then(|name| name.strip_prefix("GPU")).map(str::trim_start);
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether rocprof wrote the document: it calls the process of its copies `COPY`, and those of a host's calls `CPU HIP API` and so on.
    pub(super) fn is_rocprof(&self) -> bool {
        self.is_rocprof
    }

    /// Whether the process has the transfers between slices of TPUs.
    pub(super) fn is_megascale(&self, row: usize) -> bool {
        self.rows[row].name.is_some_and(|name| is_megascale(self.names.get(name)))
    }

    /// Whether the process is the one that PyTorch's first profiler calls `CUDA functions`.
    pub(super) fn is_legacy_gpu(&self, row: usize) -> bool {
        self.pid(row) == b"CUDA functions"
    }

    /// Whether the process is a GPU and no host: by its label, or by its ops so far.
    pub(super) fn is_gpu(&self, row: usize) -> bool {
        let process = &self.rows[row];
        let is_labelled =
            process.gpu_labels.is_some() && process.labels.is_none() && process.frames.is_none();
        !process.nests && (process.is_accelerator || is_labelled)
    }

    /// Whether the process is the one in which rocprof records copies.
    pub(super) fn has_copies(&self, row: usize) -> bool {
        self.rows[row].name.is_some_and(|name| self.names.get(name) == "COPY")
    }

    /// The process of the GPU of a copy, which rocprof records in the process `row`.
    pub(super) fn row_of_copy(&self, row: usize, gpu: &[u8]) -> Option<usize> {
        if gpu.is_empty() || !self.has_copies(row) {
            return None;
        }
        let wanted = [b"GPU", gpu].concat();
        let name = self.names.find(std::str::from_utf8(&wanted).ok()?)?;
        self.first_of_name.get(&name).map(|&row| row as usize)
    }

    /// The kind of the line of a thread on a device of TensorFlow's profiler, and whether it is work.
    pub(super) fn line(&self, row: usize, thread: u32) -> Option<(LineKind, bool)> {
        let name = self.rows[row].name?;
        if !is_device(self.names.get(name)) {
            return None;
        }
        let own = self.lines.get(&(row as u32, thread)).copied().unwrap_or(LineKind::Other);
        let kinds = [self.rows[row].work.unwrap_or(LineKind::Other), own].into_iter();
        Some((own, work_of(kinds)(own)))
    }

    /// Whether a thread has the steps of a device of TensorFlow's profiler.
    pub(super) fn has_steps(&self, row: usize, thread: u32) -> bool {
        self.step_lines.contains(&(row as u32, thread))
    }

    /// Adds the label that distinguishes a process from others of the same name.
    pub(super) fn label(&mut self, row: usize, labels: &[u8]) {
        let id = Some(self.names.intern(labels));
        match labels.starts_with(b"GPU ") {
            true => self.rows[row].gpu_labels = id,
            false => self.rows[row].labels = id,
        }
    }

    /// Sets the name of a thread.
    pub(super) fn name_thread(&mut self, row: usize, thread: u32, given: &[u8]) {
        let name = self.names.intern(given);
        self.find_plane(row, thread, given);
        self.threads.push(Thread { process: row as u32, thread, name, is_given: true });
        if self.is_tensorflow {
            let kind = LineKind::of(self.names.get(name));
            self.lines.insert((row as u32, thread), kind);
            if given == STEPS.as_bytes() {
                self.step_lines.insert((row as u32, thread));
            }
            let work = &mut self.rows[row].work;
            *work = Some(work.map_or(kind, |work| work.min(kind)));
        }
    }

    /// The device in the name of a process, if `timeline.py` wrote it.
    pub(super) fn device(&self, row: usize) -> Option<StringId> {
        self.rows[row].device
    }

    /// Whether a process has the ops of a GPU, stream by stream: these have names like `NAME:OP`.
    pub(super) fn is_stream(&self, row: usize) -> bool {
        self.rows[row].is_stream
    }

    /// The number of a thread: its own number if that fits, otherwise one from the highest numbers down.
    pub(super) fn thread(&mut self, row: usize, tid: &[u8]) -> u32 {
        if let Some(number) = integer(tid).and_then(|number| u32::try_from(number).ok()) {
            return number;
        }
        let known = self.tids.len();
        let id = self.tids.intern(&[row.to_string().as_bytes(), b" ", tid].concat());
        let thread = u32::MAX - id.get();
        if id.index() == known && !tid.is_empty() {
            let name = self.names.intern(tid);
            self.threads.push(Thread { process: row as u32, thread, name, is_given: false });
        }
        thread
    }

    /// The block of ops of a process; `None` if no more devices are counted.
    pub(super) fn slot(
        &mut self,
        row: usize,
        is_timeline: bool,
        builder: &mut TraceBuilder,
    ) -> Option<DeviceSlot> {
        let process = &self.rows[row];
        if let Some(slot) = process.slot {
            return Some(slot);
        }
        if !builder.has_room_for_device() {
            return None;
        }
        let device = process.device.filter(|_| is_timeline);
        // If another process is the same device, it was recorded twice: a separate part keeps the two apart.
        let slot = match device.is_some_and(|device| !self.devices.insert(device)) {
            true => {
                let part = builder.add_part(0, &PartRecord::default());
                builder.begin_device_of(part)
            }
            false => builder.begin_device(),
        };
        let process = &mut self.rows[row];
        process.slot = Some(slot);
        // The name is set at once, so that ops of devices that are not selected need not be kept until the end.
        if let Some(device) = process.device.filter(|_| is_timeline) {
            builder.name_device(slot, self.names.get(device).as_bytes());
            process.is_named = true;
        }
        Some(slot)
    }

    /// The process in which events without a thread are shown, where SageMaker's debugger wrote them: it calls what one program did by the kind of it
    /// (`DataIterator`, `NcclManager`), and these are its lanes.
    pub(super) fn lane_of(&mut self, row: usize, thread: u32, tid: &[u8]) -> Option<usize> {
        let of = self.epoch.filter(|_| tid.is_empty())?;
        if let Some(name) = self.rows[row].name.filter(|_| !self.lanes.contains(&(row as u32))) {
            self.lanes.insert(row as u32);
            self.threads.push(Thread { process: of as u32, thread, name, is_given: true });
        }
        Some(of)
    }

    /// The block in which an event of a process is shown.
    pub(super) fn home(&mut self, row: usize, home: Home, builder: &mut TraceBuilder) -> Option<DeviceSlot> {
        if home == Home::Frames {
            let process = &mut self.rows[row];
            if process.frames.is_none() && builder.has_room_for_device() {
                let slot = builder.begin_device();
                builder.mark_nesting(slot);
                process.frames = Some(slot);
            }
            return process.frames;
        }
        let process = &self.rows[row];
        let is_second = match home {
            Home::Accelerator => process.nests && !process.is_accelerator,
            Home::Host => process.is_accelerator && !process.nests,
            _ => false,
        };
        if is_second || (process.gpu.is_some() && matches!(home, Home::Host | Home::Accelerator)) {
            return self.beside(row, home, builder);
        }
        let slot = self.slot(row, false, builder)?;
        let process = &mut self.rows[row];
        match home {
            Home::Host if !process.nests => {
                builder.mark_nesting(slot);
                process.nests = true;
            }
            Home::Accelerator if !process.is_accelerator => {
                builder.mark_accelerator(slot);
                process.is_accelerator = true;
            }
            _ => {}
        }
        Some(slot)
    }

    /// The block of a process whose number both a host and a GPU have: they are two devices.
    fn beside(&mut self, row: usize, home: Home, builder: &mut TraceBuilder) -> Option<DeviceSlot> {
        let process = &mut self.rows[row];
        if process.gpu.is_none() {
            if !builder.has_room_for_device() {
                return None;
            }
            let other = builder.begin_device();
            match process.nests {
                true => {
                    builder.mark_accelerator(other);
                    process.gpu = Some(other);
                }
                // The GPU came first: it keeps its block.
                false => {
                    builder.mark_nesting(other);
                    process.gpu = process.slot.replace(other);
                }
            }
            (process.nests, process.is_accelerator) = (true, true);
        }
        if home == Home::Accelerator { process.gpu } else { process.slot }
    }

    /// The block of a timeline of Horovod or BytePS, in which the tensor `row` is a thread.
    pub(super) fn tensor(
        &mut self,
        row: usize,
        writer: OfTensors,
        builder: &mut TraceBuilder,
    ) -> Option<DeviceSlot> {
        if self.of_tensors.is_none() && builder.has_room_for_device() {
            let slot = builder.begin_device();
            builder.name_device(slot, writer.device());
            builder.mark_nesting(slot);
            self.of_tensors = Some(slot);
            self.writer = Some(writer);
        }
        if self.tensors.len() <= row {
            self.tensors.resize(row + 1, 0);
        }
        self.tensors[row] += 1;
        self.of_tensors
    }

    /// The block of a process for its counters and instants; `None` if no more devices are counted.
    pub(super) fn samples(&mut self, row: usize, builder: &mut TraceBuilder) -> Option<DeviceSlot> {
        let process = &mut self.rows[row];
        if process.samples.is_none() {
            process.samples = builder.begin_process();
        }
        process.samples
    }

    /// The block of ops of each process with one, and the row of the process.
    pub(super) fn blocks(&self) -> Vec<(DeviceSlot, u32)> {
        let rows = (0..).zip(&self.rows);
        let own = rows.flat_map(|(row, process)| {
            process.slot.into_iter().chain(process.gpu).map(move |slot| (slot, row))
        });
        own.collect()
    }

    /// The block of counters and instants of a timeline of Horovod or the like.
    pub(super) fn tensor_samples(
        &mut self,
        writer: OfTensors,
        builder: &mut TraceBuilder,
    ) -> Option<DeviceSlot> {
        if self.tensor_samples.is_none() {
            self.tensor_samples = builder.begin_process();
            self.tensor_samples.into_iter().for_each(|slot| _ = builder.name_device(slot, writer.device()));
        }
        self.tensor_samples
    }

    /// Ends the document: names its devices and threads.
    pub(super) fn name_all(mut self, is_timeline: bool, builder: &mut TraceBuilder) {
        if is_timeline {
            // A device without any op is still a device of the step.
            for row in 0..self.rows.len() {
                let name = self.rows[row].name;
                if name.is_some_and(|name| self.names.get(name).as_bytes().ends_with(COMPUTE)) {
                    self.slot(row, true, builder);
                }
            }
        }
        self.name_devices(builder);
        self.name_samples(builder);
        for (row, &ops) in (0..).zip(&self.tensors) {
            let Some(slot) = self.of_tensors.filter(|_| ops > 0) else { continue };
            let name = self.rows.get(row as usize).and_then(|process| process.name);
            // BytePS calls a process by its tensor.
            let pid = self.pid(row as usize);
            match name {
                Some(name) => builder.name_thread(slot, row, self.names.get(name).as_bytes()),
                None if integer(pid).is_none() => builder.name_thread(slot, row, pid),
                None => {}
            }
        }
        // Of two names for one thread, the one from the file has priority; of two from the file, the first.
        order::by_number(&mut self.threads, |thread| {
            (i64::from(thread.process) << 32 | i64::from(thread.thread), i64::from(!thread.is_given))
        });
        self.threads.dedup_by_key(|thread| (thread.process, thread.thread));
        for Thread { process, thread, name, .. } in self.threads {
            let of_rank = self.ranks.of_thread(process, thread);
            let process = &self.rows[process as usize];
            let own = of_rank.or(process.slot);
            for slot in own.iter().chain(&process.gpu).chain(&process.frames) {
                builder.name_thread(*slot, thread, self.names.get(name).as_bytes());
            }
        }
    }

    /// Names the blocks of counters and instants as the devices of their processes; a process without a device as itself.
    fn name_samples(&self, builder: &mut TraceBuilder) {
        let mut full_names = StringTable::default();
        let (mut of_ops, mut without) = (Vec::new(), Vec::new());
        for (row, process) in self.rows.iter().enumerate() {
            let has_ops = process.slot.is_some() || process.frames.is_some();
            if !has_ops && process.samples.is_none() {
                continue;
            }
            let is_gpu = process.is_accelerator && process.gpu.is_none();
            let name = match process.name.is_none() && self.pid(row).is_empty() {
                true => full_names.intern(b""),
                false => full_names.intern(&self.full_name(row, is_gpu)),
            };
            of_ops.resize(full_names.len(), 0_u32);
            of_ops[name.index()] += u32::from(has_ops);
            if !has_ops {
                without.push((row, name));
            }
        }
        let mut processes = vec![0_u32; full_names.len()];
        without.iter().for_each(|&(_, name)| processes[name.index()] += 1);
        for &(row, name) in &without {
            let is_only = of_ops[name.index()] == 0 && processes[name.index()] == 1;
            let name = self.with_number(full_names.get(name).as_bytes(), row, is_only);
            self.rows[row].samples.into_iter().for_each(|slot| _ = builder.name_device(slot, &name));
        }
        for process in &self.rows {
            let of_ops = process.slot.or(process.gpu).or(process.frames);
            if let (Some(samples), Some(of_ops)) = (process.samples, of_ops) {
                builder.name_like(samples, of_ops);
            }
        }
    }

    /// `name`, followed by the number of the process unless it is the only one of that name.
    fn with_number(&self, name: &[u8], row: usize, is_only: bool) -> Vec<u8> {
        let parts = [name, b" (pid ", self.pid(row), b")"];
        parts[..if is_only { 1 } else { 4 }].concat()
    }

    /// Names the devices that have no name yet; devices with equal names also get their numbers.
    fn name_devices(&self, builder: &mut TraceBuilder) {
        let mut full_names = StringTable::default();
        let mut counts = Vec::new();
        let unnamed = self.rows.iter().enumerate().filter(|(_, process)| !process.is_named);
        let devices = unnamed.flat_map(|(row, process)| {
            let is_gpu = process.is_accelerator && process.gpu.is_none();
            let own = (row, process.slot, process.frames, is_gpu);
            let gpu = process.gpu.map(|gpu| (row, Some(gpu), None, true));
            [own].into_iter().filter(|(_, slot, frames, _)| slot.is_some() || frames.is_some()).chain(gpu)
        });
        let devices: Vec<_> = devices
            .map(|(row, slot, frames, is_gpu)| {
                let name = full_names.intern(&self.full_name(row, is_gpu));
                counts.resize(full_names.len(), 0_u32);
                counts[name.index()] += 1;
                (row, slot, frames, name)
            })
            .collect();
        // Bluefog begins with what its model computes, before any name that only Bluefog has: that is of its device, too.
        let agent = self.writer.filter(|&writer| writer == OfTensors::Bluefog).map(OfTensors::device);
        for (row, slot, frames, name) in devices {
            let full_name = full_names.get(name).as_bytes();
            let name = match agent {
                Some(agent) => agent.to_vec(),
                None => self.with_number(full_name, row, counts[name.index()] == 1),
            };
            let ranks = self.ranks.of(row as u32);
            if let Some(slot) = slot.filter(|_| ranks.is_empty()) {
                builder.name_device(slot, &name);
            }
            for (slot, rank) in ranks {
                builder.name_device(*slot, &[&name, b" ".as_slice(), rank.as_bytes()].concat());
            }
            if let Some(frames) = frames {
                builder.name_device(frames, &[&name, FRAMES.as_bytes()].concat());
            }
        }
    }

    /// The full name: `python GPU 0`, `/host:CPU`, `pid 42`; `MTIA 17` for a process whose label only repeats its name.
    fn full_name(&self, row: usize, is_gpu: bool) -> Vec<u8> {
        let process = &self.rows[row];
        let is_host = process.nests || process.frames.is_some();
        let labels = match (is_gpu, is_host) {
            (true, _) => process.gpu_labels.or(process.labels),
            // A host's process whose number is also that of a GPU is no GPU.
            (false, true) => process.labels,
            (false, false) => process.labels.or(process.gpu_labels),
        };
        let text = |id: StringId| self.names.get(id).as_bytes();
        let (first, second) = match (process.name.map(text), labels.map(text)) {
            (Some(name), Some(labels)) if name != labels => (name, labels),
            (Some(name), _) | (None, Some(name)) => return name.to_vec(),
            (None, None) if is_gpu => (&b"GPU"[..], self.pid(row)),
            // PyTorch's spans are in a process with the number `Spans`.
            (None, None) if !self.pid(row).is_empty() && integer(self.pid(row)).is_none() => {
                return self.pid(row).to_vec();
            }
            (None, None) => (&b"pid"[..], self.pid(row)),
        };
        [first, b" ", second].concat()
    }

    pub(super) fn pid(&self, row: usize) -> &[u8] {
        self.pids.get(StringId::from_usize(row)).as_bytes()
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        let texts = [&self.pids, &self.tids, &self.names].map(StringTable::heap_bytes);
        texts.iter().sum::<usize>()
            + self.rows.capacity() * size_of::<Process>()
            + self.threads.capacity() * size_of::<Thread>()
            + self.lines.capacity() * 16
            + self.callers.capacity() * 9
            + self.groups.capacity() * 5
            + (self.step_traces.capacity() + self.notifying.capacity()) * 9
            + self.planes.capacity() * 9
            + self.step_lines.capacity() * 9
            + self.lanes.capacity() * 5
            + self.devices.capacity() * 5
            + self.tensors.capacity() * 4
    }
}
