//! Keeps the data of records until the file ends, and reports problems.

use super::FORMAT;
use super::assemble::{Event as Kept, EventSource, Use, assemble};
use super::devices::Devices;
use super::event::is_gpu;
use super::records::{Record, Records, Sink};
use crate::error::ReadErrorKind;
use crate::reader::{Found, FoundTrace, Reader};
use steplens_core::Problems;
use steplens_core::build::builder::{Refused, TraceBuilder};
use steplens_core::model::op::OpTimes;
use steplens_core::storage::strings::StringTable;
use steplens_messages::say;
use steplens_proto::paddle::{Event, MemEvent};

/// The number of records between two checks of the memory in use.
const MEMORY_CHECK_PERIOD: u32 = 4096;

/// Reads one file.
pub(crate) struct PaddleReader {
    records: Records,
    keeper: Keeper,
}

/// The data that is kept, and the problems.
struct Keeper {
    /// Names of events.
    names: StringTable,
    /// Details, and names of the events in which memory was allocated.
    texts: StringTable,
    devices: Devices,
    events: Vec<Kept>,
    uses: Vec<Use>,
    allocations: u64,
    problems: Problems,
    memory_limit: usize,
    until_memory_check: u32,
    full_at: Option<u64>,
    is_stopped: bool,
}

/// Passes records to a keeper and a builder.
struct Taker<'a>(&'a mut Keeper, &'a mut TraceBuilder);

impl PaddleReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        let keeper = Keeper {
            names: StringTable::default(),
            texts: StringTable::default(),
            devices: Devices::default(),
            events: Vec::new(),
            uses: Vec::new(),
            allocations: 0,
            problems: Problems::default(),
            memory_limit,
            until_memory_check: MEMORY_CHECK_PERIOD,
            full_at: None,
            is_stopped: false,
        };
        Self { records: Records::default(), keeper }
    }
}

impl Reader for PaddleReader {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        // Every process uses the same names for its devices.
        builder.separate_process();
        self.records.push(bytes, &mut Taker(&mut self.keeper, builder));
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let bytes = self.records.finish(&mut Taker(&mut self.keeper, builder));
        let mut keeper = self.keeper;
        keeper.hand_on(builder);
        Found::Trace(FoundTrace {
            format: FORMAT.name,
            nothing: Some(keeper.why_nothing(bytes)),
            problems: keeper.problems,
            stopped_at: None,
            full_at: keeper.full_at,
            bytes,
        })
    }
}

impl PaddleReader {}

impl Sink for Taker<'_> {
    fn take(&mut self, record: Record, at: u64) {
        let Self(keeper, builder) = self;
        match record {
            _ if keeper.is_stopped => {}
            Record::Event(event) => keeper.event(&event, at, builder),
            Record::Memory(event) => keeper.memory(&event, builder),
            Record::Unknown(field) => {
                keeper.problems.add("unknown-field", at, || say!("unknown-profile-field", field, at))
            }
            Record::Damage => {
                let what = say!("cannot-be-read");
                keeper.report("damaged-event", say!("the-record"), at, what);
            }
            Record::Cut => {
                keeper.report("truncated", say!("the-file-ends-in-record"), at, say!("cut-record-left-out"));
            }
        }
        keeper.look_at_memory(at, builder);
    }
}

impl Keeper {
    fn event(&mut self, event: &Event, at: u64, builder: &mut TraceBuilder) {
        let time = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
        let (start_ns, end_ns) = (time(event.start_ns()), time(event.end_ns()));
        let length_ns = end_ns.saturating_sub(start_ns);
        let times = OpTimes { start_unix_ns: start_ns, length_ns, ..OpTimes::default() };
        match builder.check(&times) {
            Err(Refused::TimeOutOfRange) => {
                return self.report("time-out-of-range", say!("the-event"), at, say!("time-too-far"));
            }
            Err(_) => return self.stop("too-many-ops", at),
            Ok(()) => {}
        }
        let Some(slot) = self.devices.slot(event, builder) else { return self.stop("too-many-devices", at) };
        if length_ns < 0 {
            self.report("negative-duration", say!("the-event"), at, say!("ends-before-start"));
        }
        if builder.is_full() {
            let node = builder.node(b"", b"");
            // The builder is full, so this only counts the op.
            let _ = builder.op_of(slot, node, &times);
            return;
        }
        let kind = match (is_gpu(event), event.device_id()) {
            (true, _) => EventSource::Gpu,
            (false, -1) => EventSource::Api,
            (false, _) => EventSource::Cpu,
        };
        let thread = self.devices.thread(event, slot, builder);
        let detail = (!event.detail_info().is_empty()).then(|| self.texts.intern(event.detail_info()));
        let name = self.names.intern(event.name());
        let copied_bytes = event.memcopy.as_ref().map(|copy| copy.bytes());
        self.events.push(Kept {
            start_ns,
            length_ns,
            copied_bytes: copied_bytes.map(time),
            name,
            detail,
            slot,
            thread,
            kind,
        });
    }

    fn memory(&mut self, event: &MemEvent, builder: &TraceBuilder) {
        self.allocations += 1;
        if builder.is_full() {
            return;
        }
        let time = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
        self.uses.push(Use {
            start_ns: time(event.start_ns()),
            end_ns: time(event.end_ns()),
            bytes: time(event.bytes()),
            made_in: self.texts.intern(event.alloc_in()),
            place: u8::try_from(event.place()).unwrap_or(u8::MAX),
            device: event.device_id(),
        });
    }

    fn look_at_memory(&mut self, at: u64, builder: &mut TraceBuilder) {
        self.until_memory_check -= 1;
        if self.until_memory_check > 0 {
            return;
        }
        self.until_memory_check = MEMORY_CHECK_PERIOD;
        if !builder.is_full() && builder.heap_bytes() + self.heap_bytes() > self.memory_limit {
            self.hand_on(builder);
            builder.fill();
            self.full_at = Some(at);
        }
    }

    /// Makes ops of the kept data.
    fn hand_on(&mut self, builder: &mut TraceBuilder) {
        let (events, uses) = (std::mem::take(&mut self.events), std::mem::take(&mut self.uses));
        let homeless = assemble(&events, uses, (&self.names, &self.texts), builder);
        if homeless > 0 {
            self.problems.add_many("unjoined-allocation", homeless, 0, || {
                say!("paddle-unjoined-allocation").to_owned()
            });
        }
    }

    fn heap_bytes(&self) -> usize {
        // An event becomes an op, which needs the same memory again.
        2 * self.events.capacity() * size_of::<Kept>()
            + 2 * self.uses.capacity() * size_of::<Use>()
            + self.names.heap_bytes()
            + self.texts.heap_bytes()
            + self.devices.heap_bytes()
    }

    /// Stops, because the tables are full.
    fn stop(&mut self, code: &'static str, at: u64) {
        self.report(code, say!("the-event"), at, say!("too-many-to-hold"));
        self.is_stopped = true;
    }

    fn report(&mut self, code: &'static str, subject: &str, at: u64, what: &str) {
        self.problems.add(code, at, || say!("subject-at", subject, at, what));
    }

    /// Why the file has no ops, as a sentence.
    fn why_nothing(&self, bytes: u64) -> ReadErrorKind {
        let format = say!("word-paddle");
        let broken = |code| self.problems.as_slice().iter().find(|problem| problem.code == code);
        match (broken("damaged-event").or(broken("time-out-of-range")), broken("truncated")) {
            (Some(damage), _) => ReadErrorKind::NoOpsReadable {
                format,
                offset: damage.offset,
                what: say!("got-damage").to_owned(),
            },
            (None, Some(_)) => ReadErrorKind::NoOpsReadable {
                format,
                offset: bytes,
                what: say!("got-end-of-file").to_owned(),
            },
            (None, None) => ReadErrorKind::NoOpsIn {
                format,
                holds: say!("paddle-allocations", count = self.allocations),
                advice: say!("paddle-advice"),
            },
        }
    }
}
