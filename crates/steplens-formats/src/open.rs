//! Opening: takes the bytes of one or several files, and returns one trace and a list of problems.

mod said;

use crate::content::Content;
use crate::error::{ReadError, ReadErrorKind};
use crate::first_bytes::Collected;
use crate::reader::{Found, FoundSession, FoundTrace, Room, Shown};
use crate::sniff::{self, sniff};
use crate::unpack::{Packing, Stopped, Unpacker};
use said::{
    name_lost_files, report, report_arguments, report_damage, report_full, report_left_out, why_no_ops,
};
use std::borrow::Cow;
use steplens_core::build::selection::{FoundDevice, LeftOut};
use steplens_core::clocks::files::{self, MovedFile};
use steplens_core::model::file::FileReport;
use steplens_core::{CategoryRules, Problem, Problems, Selection, Trace, TraceBuilder};
use steplens_messages::say;

/// The limits of opening.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most memory, in bytes, that the columns may use while reading. Sorting them needs half as much in addition for a moment.
    pub memory_bytes: usize,
}

impl Default for Limits {
    /// 1.5 GiB if addresses have 32 bits, as in wasm; 64 GiB otherwise.
    fn default() -> Self {
        let memory_bytes =
            if usize::BITS == 32 { 3 << 29 } else { usize::try_from(64u64 << 30).unwrap_or(usize::MAX) };
        Self { memory_bytes }
    }
}

/// An opened trace.
pub struct Opened {
    /// The trace of all files together.
    pub trace: Trace,
    /// The files in the order they were given.
    pub files: Vec<FileReport>,
    /// What the files contain of every device, including devices that are left out.
    pub found: Vec<FoundDevice>,
    /// What was shown of the trace, if everything that was opened is one session that says so.
    pub shown: Shown,
}

/// Opens files as one trace. For each file call `begin_file`, `push` with all of its bytes, and `end_file`; then call `finish`.
///
/// Several files are read as protobuf itself would merge them: the ops of one device come together.
pub struct Opener {
    builder: TraceBuilder,
    rules: CategoryRules,
    limits: Limits,
    files: Vec<FileReport>,
    current: Option<Current>,
    first_error: Option<ReadError>,
    files_ended: usize,
    shown: Option<Shown>,
    /// Memory for the current slice, for a caller whose bytes are in another memory.
    slice: Vec<u8>,
}

/// The file being read.
struct Current {
    name: String,
    bytes: u64,
    ops_before: usize,
    blocks_before: usize,
    graph_nodes_before: usize,
    left_out_before: LeftOut,
    /// The expected number of bytes; 0 if it is not known.
    expected: u64,
    input: Input,
}

enum Input {
    /// The first bytes, until there are enough to know the format.
    Unknown(Collected),
    Plain(Content),
    Packed(Packed),
    Unpacked(Unpacked),
}

impl Default for Input {
    fn default() -> Self {
        Self::Unknown(Collected::default())
    }
}

/// The room for the content of a packed file, whose size is not known.
fn unpacked(limits: Limits) -> Room {
    Room { memory_bytes: limits.memory_bytes, expected: 0 }
}

/// A packed file that is unpacked here.
struct Packed {
    packing: Packing,
    unpacker: Unpacker,
    /// How many of the unpacked bytes were read before.
    read_before: u64,
    content: Content,
}

/// A packed file that the caller unpacks.
struct Unpacked {
    packing: Packing,
    /// How many unpacked bytes have come.
    given: u64,
    /// Whether the caller could unpack all of the file.
    result: Result<(), Stopped>,
    content: Content,
}

impl Packed {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        let Self { unpacker, read_before, content, .. } = self;
        unpacker.push(bytes, |unpacked| content.push(rest(read_before, unpacked), builder));
    }

    fn finish(&mut self, builder: &mut TraceBuilder) -> Result<(), Stopped> {
        let Self { unpacker, read_before, content, .. } = self;
        unpacker.finish(|unpacked| content.push(rest(read_before, unpacked), builder))
    }
}

/// `unpacked` without the bytes that were read before.
fn rest<'a>(read_before: &mut u64, unpacked: &'a [u8]) -> &'a [u8] {
    let count = usize::try_from(*read_before).map_or(unpacked.len(), |count| count.min(unpacked.len()));
    *read_before -= count as u64;
    &unpacked[count..]
}

impl Opener {
    /// An opener in which `rules` decide the categories of ops.
    pub fn new(rules: CategoryRules, limits: Limits) -> Self {
        Self {
            builder: TraceBuilder::default(),
            rules,
            limits,
            files: Vec::new(),
            current: None,
            first_error: None,
            files_ended: 0,
            shown: None,
            slice: Vec::new(),
        }
    }

    /// Opens only the ops in `selection`.
    pub fn select(mut self, selection: Selection) -> Self {
        self.builder.select(selection);
        self
    }

    /// Keeps the order of the files for [`Trace::file_order`]. It takes twelve bytes per op, and sixteen more per output.
    pub fn keep_file_order(mut self) -> Self {
        self.builder.keep_file_order();
        self
    }

    /// Opens as much as fits into `limits`.
    pub fn limit(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The limits of opening.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Opens no ops and only counts them, for [`found`](Self::found).
    pub fn count_only(mut self) -> Self {
        self.builder.fill();
        self
    }

    /// What the files read so far contain of every device.
    pub fn found(&mut self) -> Vec<FoundDevice> {
        self.end_file();
        self.builder.found()
    }

    /// Opens one file whose bytes are in memory.
    pub fn open_bytes(name: &str, bytes: &[u8], rules: CategoryRules) -> Result<Opened, ReadError> {
        let mut opener = Self::new(rules, Limits::default());
        opener.begin_file(name);
        opener.push(bytes);
        opener.end_file();
        opener.finish()
    }

    /// An opener for some of the files of this one, on another thread: [`append`](Self::append) takes what it has read. The limit of memory is
    /// divided by `at_once`. `None` where this one has begun, only counts, or keeps the order of its files.
    pub fn apart(&self, at_once: usize) -> Option<Self> {
        let has_begun = self.files_ended > 0 || self.current.is_some();
        if has_begun || self.builder.keeps_file_order() || self.builder.is_full() {
            return None;
        }
        let limits = Limits { memory_bytes: self.limits.memory_bytes / at_once.max(1) };
        Some(Self::new(CategoryRules::default(), limits).select(self.builder.selection().clone()))
    }

    /// Takes the files that `other` has read, as if this opener had read them after those that it has. Returns false where one opener would have
    /// come to a limit: then this one must be [restarted](Self::restart), and read all files itself.
    #[must_use]
    pub fn append(&mut self, mut other: Self) -> bool {
        self.end_file();
        other.end_file();
        if !self.builder.has_room_for(&other.builder, self.limits.memory_bytes) {
            return false;
        }
        self.shown = if self.files_ended == 0 && other.files_ended == 1 { other.shown } else { None };
        self.builder.append(other.builder, self.files.len() as u32);
        self.files_ended += other.files_ended;
        self.files.extend(other.files);
        self.first_error = self.first_error.take().or(other.first_error);
        true
    }

    /// Forgets all files.
    pub fn restart(&mut self) {
        let mut new = Self::new(std::mem::take(&mut self.rules), self.limits);
        new.builder.select(self.builder.selection().clone());
        *self = new;
    }

    /// Starts the next file.
    pub fn begin_file(&mut self, name: &str) {
        self.end_file();
        self.builder.begin_file(self.files.len() as u32);
        self.current = Some(Current {
            name: name.to_owned(),
            bytes: 0,
            expected: 0,
            ops_before: self.builder.op_count(),
            blocks_before: self.builder.block_count(),
            graph_nodes_before: self.builder.graph_node_count(),
            left_out_before: self.builder.left_out(),
            input: Input::default(),
        });
    }

    /// Sets the user's name for the process of the current file, before its first bytes. Its devices that belong to no task of a
    /// cluster become devices of that process: for `trainer0` for example `/job:trainer/replica:0/task:0/device:CPU:0`.
    pub fn name_process(&mut self, name: &str) {
        self.builder.name_process(name);
    }

    /// Sets the number of bytes of the current file, before its first bytes, so that a file that must be kept whole is copied only
    /// once.
    pub fn expect(&mut self, bytes: u64) {
        if let Some(current) = &mut self.current {
            current.expected = bytes;
        }
    }

    /// Sets the packing of the current file, before its first bytes, and that the caller unpacks it, for example on another thread:
    /// all bytes pushed from now on are unpacked. The bytes of the file itself are counted by [`pass_over`](Self::pass_over).
    pub fn expect_unpacked(&mut self, packing: Packing) {
        if let Some(current) = &mut self.current {
            let content = Content::new(unpacked(self.limits));
            current.input = Input::Unpacked(Unpacked { packing, given: 0, result: Ok(()), content });
        }
    }

    /// Reports that the caller could not unpack all of the current file, and why. The bytes before are read.
    pub fn unpacking_stopped(&mut self, why: Stopped) {
        if let Some(Current { input: Input::Unpacked(unpacked), .. }) = &mut self.current {
            unpacked.result = Err(why);
        }
    }

    /// From now on the current file is unpacked here, because the caller cannot continue. The caller must push the whole file
    /// again, from its first byte; what was unpacked before is not read twice.
    pub fn unpack_here(&mut self) {
        let Some(current) = &mut self.current else { return };
        match std::mem::take(&mut current.input) {
            Input::Unpacked(Unpacked { packing, given, content, .. }) => {
                let unpacker = Unpacker::new(packing, self.limits.memory_bytes);
                current.bytes = 0;
                current.input = Input::Packed(Packed { packing, unpacker, read_before: given, content });
            }
            other => current.input = other,
        }
    }

    /// Takes the next bytes of the current file; slices may have any size.
    pub fn push(&mut self, mut bytes: &[u8]) {
        let Some(current) = &mut self.current else { return };
        if let Input::Unpacked(unpacked) = &mut current.input {
            unpacked.given += bytes.len() as u64;
            unpacked.content.push(bytes, &mut self.builder);
            return;
        }
        current.bytes += bytes.len() as u64;
        if let Input::Unknown(head) = &mut current.input {
            if !head.take(&mut bytes) {
                return;
            }
            current.start(self.limits, &mut self.builder);
        }
        current.feed(bytes, &mut self.builder);
    }

    /// Like `push`, for the next `length` bytes, which `copy` writes to their place: it gets an offset in them and the memory to
    /// fill from there. So they are copied only once.
    pub fn push_copied(&mut self, length: usize, copy: impl Fn(usize, &mut [u8])) {
        let mut taken = 0;
        if let Some(Current { input: Input::Unknown(head), .. }) = &self.current {
            let mut first = [0; sniff::ENOUGH];
            taken = head.missing().min(length);
            copy(0, &mut first[..taken]);
            self.push(&first[..taken]);
        }
        let length = length - taken;
        if let Some(Current { input: Input::Plain(content), bytes, .. }) = &mut self.current
            && let Some(room) = content.room(length)
        {
            copy(taken, room);
            *bytes += length as u64;
            return;
        }
        let mut slice = std::mem::take(&mut self.slice);
        slice.resize(length, 0);
        copy(taken, &mut slice);
        self.push(&slice);
        self.slice = slice;
    }

    /// Whether more bytes of the current file are needed. They are not once the file is known to be no trace.
    pub fn wants_more(&self) -> bool {
        self.current.as_ref().is_some_and(|current| match &current.input {
            Input::Unknown(_) => true,
            Input::Packed(Packed { content, .. }) | Input::Unpacked(Unpacked { content, .. }) => {
                content.refused().is_none()
            }
            Input::Plain(content) => content.refused().is_none() && !content.is_stopped(),
        })
    }

    /// Counts bytes of the current file that are not pushed, because no more are needed, or because their content is pushed
    /// unpacked.
    pub fn pass_over(&mut self, bytes: u64) {
        if let Some(current) = &mut self.current {
            current.bytes += bytes;
        }
    }

    /// Ends the current file.
    pub fn end_file(&mut self) {
        let Some(mut current) = self.current.take() else {
            return;
        };
        current.start(self.limits, &mut self.builder);
        let is_first = self.files_ended == 0;
        let Ended { reports, error, shown } = current.end(self.limits, &mut self.builder);
        self.files_ended += 1;
        // What was shown belongs to a single trace.
        self.shown = if is_first { shown } else { None };
        self.files.extend(reports);
        self.first_error = self.first_error.take().or(error);
    }

    /// The number of ops read so far.
    pub fn ops(&self) -> usize {
        self.builder.op_count()
    }

    /// Returns the trace. Fails only if no file has an op; the error is that of the first file.
    pub fn finish(mut self) -> Result<Opened, ReadError> {
        self.end_file();
        if self.builder.op_count() == 0 {
            let nothing = || {
                let ops = self.builder.left_out().total();
                let kind =
                    if ops > 0 { ReadErrorKind::NothingSelected { ops } } else { ReadErrorKind::Empty };
                let first = self.files.first().map_or(say!("no-file-name"), |file| &file.name);
                ReadError { file: first.to_owned(), kind }
            };
            return Err(self.first_error.unwrap_or_else(nothing));
        }
        let found = self.builder.found();
        for (place, file) in self.builder.unnamed_processes().into_iter().enumerate() {
            report(&mut self.files, file, "process-unnamed", || say!("process-unnamed", place));
        }
        let (trace, moved) = files::set_beside(self.builder.finish(&self.rules));
        for MovedFile { file, by } in moved {
            report(&mut self.files, file, "clock-is-relative", || {
                say!("clock-is-relative", ns = by.0.to_string())
            });
        }
        Ok(Opened { trace, files: self.files, found, shown: self.shown.unwrap_or_default() })
    }
}

impl Current {
    /// Starts reading, unless that has begun: there are enough bytes to know the format, or no more will come.
    fn start(&mut self, limits: Limits, builder: &mut TraceBuilder) {
        let Input::Unknown(head) = &mut self.input else { return };
        let head = std::mem::take(head).into_bytes();
        let kind = sniff(&head);
        self.input = match Packing::of_kind(kind) {
            Some(packing) => {
                let unpacker = Unpacker::new(packing, limits.memory_bytes);
                let content = Content::new(unpacked(limits));
                let mut packed = Packed { packing, unpacker, read_before: 0, content };
                packed.push(&head, builder);
                Input::Packed(packed)
            }
            None => {
                let room = Room { memory_bytes: limits.memory_bytes, expected: self.expected };
                Input::Plain(Content::of(kind, &head, room, builder))
            }
        };
    }

    fn feed(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        match &mut self.input {
            Input::Plain(content) => content.push(bytes, builder),
            Input::Packed(packed) => packed.push(bytes, builder),
            Input::Unpacked(_) | Input::Unknown(_) => {}
        }
    }

    fn end(self, limits: Limits, builder: &mut TraceBuilder) -> Ended {
        let mut is_other_note = false;
        let (found, packing, suffix, noted) = match self.input {
            Input::Plain(content) => (content.finish(builder), Ok(()), None, None),
            Input::Packed(mut packed) => {
                let result = packed.finish(builder);
                let suffix = packed.packing.suffix();
                let noted = packed.unpacker.shown().unwrap_or_else(|| {
                    is_other_note = true;
                    None
                });
                (packed.content.finish(builder), result, Some(suffix), noted)
            }
            Input::Unpacked(Unpacked { packing, result, content, .. }) => {
                (content.finish(builder), result, Some(packing.suffix()), None)
            }
            Input::Unknown(_) => (Found::Nothing(ReadErrorKind::Empty), Ok(()), None, None),
        };
        // Ops of a host profiler do not count as ops of the file.
        let repeated = builder.repeated_ops_from(self.blocks_before);
        let ops = (builder.op_count() - self.ops_before).saturating_sub(repeated);
        let graph_nodes = builder.graph_node_count() - self.graph_nodes_before;
        let left_out = builder.left_out().since(self.left_out_before);
        let mut problems_so_far = Problems::default();
        report_left_out(&mut problems_so_far, left_out, builder.selection());
        report_arguments(&mut problems_so_far, builder.argument_forms().take_left_out());
        let damaged = |kind: ReadErrorKind| packing.clone().err().map_or(kind, ReadErrorKind::from);
        let found = match found {
            Found::Session(mut found) => {
                name_lost_files(&mut found, &self.name, self.bytes, ops);
                report_damage(&mut found, packing.clone().err(), is_other_note);
                Found::Session(found)
            }
            found => found,
        };
        let (format, problems, error) = match found {
            Found::Session(mut found) if left_out.total() == 0 => {
                if let Some(first) = found.files.first_mut() {
                    first.problems.extend_from_slice(problems_so_far.as_slice());
                }
                return Ended {
                    reports: found.files,
                    error: None,
                    shown: Some(noted.unwrap_or(found.shown)),
                };
            }
            Found::Session(FoundSession { files, shown, .. }) => {
                // A session does not store which op came from which of its files, so what is left counts as one file.
                let format = files.first().map_or("run-metadata".into(), |file| file.format.clone());
                let problems = files.into_iter().flat_map(|file| file.problems);
                let problems = problems_so_far.as_slice().iter().cloned().chain(problems).collect();
                let reports = vec![FileReport { name: self.name, format, bytes: self.bytes, ops, problems }];
                return Ended { reports, error: None, shown: Some(noted.unwrap_or(shown)) };
            }
            Found::Nothing(kind @ ReadErrorKind::OtherFormat { .. }) => ("", Problems::default(), Some(kind)),
            Found::Nothing(kind) => ("", Problems::default(), Some(damaged(kind))),
            Found::Trace(found) => {
                let FoundTrace { format, nothing, mut problems, stopped_at, full_at, bytes } = found;
                if full_at.is_some() || left_out.memory > 0 {
                    report_full(
                        &mut problems_so_far,
                        limits,
                        full_at.unwrap_or(0),
                        bytes,
                        ops,
                        left_out.memory,
                    );
                }
                if let Err(Stopped { code, packing, why }) = &packing {
                    problems.add(code, self.bytes, || say!("packing-damaged", packing, why));
                }
                let is_error = ops == 0 && left_out.total() == 0;
                let full = say!("got-over-memory", limit = limits.memory_bytes >> 20);
                let stopped_at = full_at.map(|at| (at, full)).or(stopped_at);
                let error = is_error.then(|| match (nothing, &packing) {
                    (Some(kind), Ok(())) => kind,
                    _ => why_no_ops(&problems, stopped_at, packing.clone(), graph_nodes),
                });
                (format, problems, error)
            }
        };
        // Missing data is listed before unusual data.
        let mut problems = [problems_so_far.as_slice(), problems.as_slice()].concat();
        if let Some(kind) = &error {
            problems.push(Problem {
                code: kind.code().into(),
                count: 1,
                offset: 0,
                detail: kind.about(&self.name),
            });
        }
        let format = match (&error, suffix) {
            (Some(_), _) => Cow::Borrowed(FileReport::UNREADABLE),
            (None, Some(suffix)) => Cow::Owned(format!("{format}{suffix}")),
            (None, None) => Cow::Borrowed(format),
        };
        let error = error.map(|kind| ReadError { file: self.name.clone(), kind });
        let reports = vec![FileReport { name: self.name, format, bytes: self.bytes, ops, problems }];
        Ended { reports, error, shown: None }
    }
}

/// The result of a file.
struct Ended {
    /// The report of this file, or those of the files it was made from.
    reports: Vec<FileReport>,
    /// Why the file cannot be used.
    error: Option<ReadError>,
    /// What was shown of it, if it is a session.
    shown: Option<Shown>,
}
