//! Timelines of Horovod: tensors are processes, and what is done with one is a phase within a phase.
//!
//! The names are those of `common.h` and `timeline.cc`. The outermost phase of a tensor is either `NEGOTIATE_ALLREDUCE`, in which
//! the ranks wait for one another and a tick for each rank says when it was ready, or `ALLREDUCE`, the collective. In a collective
//! the tensor waits for its data and for others (`WAIT_FOR_DATA`, `QUEUE`), is copied (`MEMCPY_IN_FUSION_BUFFER`) and is sent
//! (`NCCL_ALLREDUCE`). Time that no phase within it has is the collective's own.

use super::event::{Event, Field};
use super::kinds::{EventKind, Home};
use steplens_core::build::builder::TraceBuilder;
use steplens_core::{Category, Hint, Says};
use steplens_messages::say;

/// Beginnings of names of phases in which a tensor waits: for other ranks, for data, for its turn, for a communicator to be made.
const WAITS: [&[u8]; 5] = [b"NEGOTIATE_", b"WAIT_", b"ENQUEUE_", b"QUEUE", b"INIT_"];
/// Beginnings of names of phases that move data.
const MOVES: [&[u8]; 8] = [b"MEMCPY_", b"COPY_", b"NCCL_", b"MPI_", b"GLOO_", b"CCL_", b"MLSL_", b"DDL_"];
/// Beginnings of names by which a document is known as Horovod's, though it begins in the middle.
const KNOWN: [&[u8]; 10] = [
    b"NEGOTIATE_",
    b"WAIT_FOR_",
    b"MEMCPY_IN_",
    b"MEMCPY_OUT_",
    b"NCCL_",
    b"MPI_",
    b"GLOO_",
    b"CCL_",
    b"INIT_FUSION_BUFFER",
    b"CYCLE_START",
];
/// Collectives, by which it is known, too.
const COLLECTIVES: [&[u8]; 8] = [
    b"ALLREDUCE",
    b"ALLGATHER",
    b"BROADCAST",
    b"ALLTOALL",
    b"REDUCESCATTER",
    b"ADASUM",
    b"BARRIER",
    b"NEIGHBOR_ALLREDUCE",
];

/// Whether an event can only be of Horovod, whose events have neither a category nor a thread.
pub(super) fn says_so(event: &Event) -> bool {
    let name = event.get(Field::Name);
    if event.get(Field::Phase) == b"B" && name.starts_with(b"NEGOTIATE_") {
        return true;
    }
    let is_phase = match event.get(Field::Phase) {
        b"B" => is_known(name),
        b"i" => name == b"CYCLE_START",
        b"X" => is_tick(name) && event.length == Some(Ok(0)),
        _ => false,
    };
    is_phase && !event.has(Field::Category) && !event.has(Field::Thread)
}

fn is_known(name: &[u8]) -> bool {
    COLLECTIVES.contains(&name) || KNOWN.iter().any(|known| name.starts_with(known))
}

/// Whether `name` is that of a rank, which was ready at that moment.
fn is_tick(name: &[u8]) -> bool {
    (1..=6).contains(&name.len()) && name.iter().all(u8::is_ascii_digit)
}

/// The hints of phases, created when they are first needed.
#[derive(Default)]
pub(super) struct Phases {
    waiting: Option<Hint>,
    moving: Option<Hint>,
    outermost: Option<Hint>,
    within: Option<Hint>,
    byteps: Option<Hint>,
}

impl Phases {
    /// The kind of a phase. `is_within` says that it is within another one.
    pub(super) fn kind(&mut self, name: &[u8], is_within: bool, builder: &mut TraceBuilder) -> EventKind {
        let starts = |words: &[&[u8]]| words.iter().any(|word| name.starts_with(word));
        let (hint, says, field): (_, _, &[u8]) = if starts(&WAITS) {
            (&mut self.waiting, Says::Is(Category::Waiting), say!("hint-waiting-phase").as_bytes())
        } else if !is_within {
            (&mut self.outermost, Says::Is(Category::Communication), say!("hint-outermost-phase").as_bytes())
        } else if starts(&MOVES) {
            (&mut self.moving, Says::Is(Category::Communication), say!("hint-moving-phase").as_bytes())
        } else {
            (&mut self.within, Says::Is(Category::Range), say!("hint-within-phase").as_bytes())
        };
        let hint = *hint.get_or_insert_with(|| builder.hint(says, field));
        EventKind { hint, home: Home::Process, is_call: false }
    }

    /// The kind of what BytePS does with a tensor: all of it is communication.
    pub(super) fn byteps(&mut self, builder: &mut TraceBuilder) -> EventKind {
        let says = Says::Is(Category::Communication);
        let hint = *self.byteps.get_or_insert_with(|| builder.hint(says, b"cat=Comm"));
        EventKind { hint, home: Home::Process, is_call: false }
    }
}
