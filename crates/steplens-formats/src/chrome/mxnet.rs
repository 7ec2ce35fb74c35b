//! What MXNet's profiler writes: a process for each device (`gpu/0`), and one for the calls of a program, as asynchronous events whose thread is known
//! (`src/profiler/profiler.h`). It writes the ops of devices once more, as asynchronous events of all devices together.

use super::kinds::{EventKind, Home};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::{Category, Hint, Says};

/// The category, and the process, of a program's calls.
pub(super) const CALLS: &[u8] = b"MXNET_C_API";
/// The category of ops.
pub(super) const OPS: &[u8] = b"operator";
/// The engine of MXNet gives memory back in ops of this name: on a thread of the host, whatever device had it. Nothing is computed.
const FREES: &[u8] = b"DeleteVariable";

/// What a process of MXNet has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Gpu,
    Cpu,
    Calls,
}

impl Rows {
    fn of(name: &[u8]) -> Option<Self> {
        let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        match name {
            CALLS => Some(Self::Calls),
            _ if name.strip_prefix(b"gpu/").is_some_and(is_number) => Some(Self::Gpu),
            _ if name.strip_prefix(b"cpu/").is_some_and(is_number) => Some(Self::Cpu),
            _ => None,
        }
    }
}

/// The processes of MXNet in a document, and the hints of their events.
#[derive(Default)]
pub(super) struct Mxnet {
    rows: HashMap<usize, Rows, FixedState>,
    hints: [Option<Hint>; 5],
    /// For calls: work of the host where a GPU is in the document. Those that wait say nothing of what they wait for.
    calls: Option<Hint>,
}

impl Mxnet {
    /// Takes the name of a process.
    pub(super) fn name(&mut self, row: usize, name: &[u8]) {
        Rows::of(name).into_iter().for_each(|rows| _ = self.rows.insert(row, rows));
    }

    /// Whether the document has a device of MXNet.
    pub(super) fn has_devices(&self) -> bool {
        self.rows.values().any(|&rows| rows != Rows::Calls)
    }

    /// The kind of an event called `name` of the process `row`; `None` if its name alone says it.
    pub(super) fn kind(&mut self, row: usize, name: &[u8], builder: &mut TraceBuilder) -> Option<EventKind> {
        let rows = *self.rows.get(&row)?;
        let waits = name.windows(4).any(|own| own == b"Wait");
        let copies = name.strip_prefix(b"Copy").is_some_and(|rest| rest.contains(&b'2'));
        if rows == Rows::Calls && !waits {
            let hint = *self.calls.get_or_insert_with(|| builder.open_hint(b"process MXNET_C_API"));
            return Some(EventKind { hint, home: Home::Host, is_call: false });
        }
        let is_gpu = rows == Rows::Gpu;
        let (place, says, field): (usize, Says, &[u8]) = match name {
            _ if rows == Rows::Calls => (1, Says::Is(Category::Range), b"name Wait"),
            FREES => (0, Says::Is(Category::Range), b"name DeleteVariable"),
            _ if copies => (2, Says::Is(Category::Copy), b"name Copy"),
            _ if waits => (3, Says::Is(Category::Waiting), b"name Wait"),
            _ if is_gpu => (4, Says::Stream, b"process gpu/"),
            _ => return None,
        };
        let hint = *self.hints[place].get_or_insert_with(|| builder.hint(says, field));
        let home = if is_gpu { Home::Accelerator } else { Home::Host };
        Some(EventKind { hint, home, is_call: false })
    }

    /// Says what calls are, when all of the document is known.
    pub(super) fn settle(&self, has_accelerator: bool, builder: &mut TraceBuilder) {
        let range = Says::Is(Category::Range);
        let says = if has_accelerator { Says::Operator } else { range };
        self.calls.into_iter().for_each(|hint| builder.settle_hint(hint, says));
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * (size_of::<(usize, Rows)>() + 1)
    }
}
