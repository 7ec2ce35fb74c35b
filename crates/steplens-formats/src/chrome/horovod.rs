//! Timelines of Horovod: tensors are processes, and what is done with one is a phase within a phase.
//!
//! The names are those of `common.h` and `timeline.cc`. The outermost phase of a tensor is either `NEGOTIATE_ALLREDUCE`, in which
//! the ranks wait for one another and a tick for each rank says when it was ready, or an operation such as `ALLREDUCE`. In an operation
//! the tensor waits for its data and for others (`WAIT_FOR_DATA`, `QUEUE`), is copied (`MEMCPY_IN_FUSION_BUFFER`) and is sent
//! (`NCCL_ALLREDUCE`). Between these phases Horovod scales sums to means (`ScaleBuffer` in `mpi_operations.cc`), asks the GPU for work
//! and calls back whoever waits for other tensors of the buffer (`PerformOperation` in `operations.cc`). So an operation is what its
//! phases say, as its authors count it (horovod#321). Only a broadcast does nothing but send: it is neither fused nor scaled.
//!
//! Bluefog's timeline is made like it, with threads and other names: `ENQUEUE_ALLREDUCE`, `NEGOTIATION`, `COMMUNICATE`, `CALLBACK`.

use super::event::{Event, Field};
use super::kinds::{EventKind, Home};
use steplens_core::build::builder::TraceBuilder;
use steplens_core::{Category, Hint, Says};
use steplens_messages::say;

/// Beginnings of names of phases in which a tensor waits: for other ranks, for data, for its turn, for a communicator to be made.
const WAITS: [&[u8]; 8] =
    [b"NEGOTIATE_", b"NEGOTIATION", b"WAIT_", b"ENQUEUE_", b"QUEUE", b"INIT_", b"Aquire_Mutex", b"JOIN"];
/// Beginnings of names of phases that move data.
const MOVES: [&[u8]; 10] = [
    b"MEMCPY_",
    b"COPY_",
    b"NCCL_",
    b"MPI_",
    b"GLOO_",
    b"CCL_",
    b"MLSL_",
    b"DDL_",
    b"COMMUNICATE",
    b"COMM. (NCCL)",
];
/// Operations that do nothing but move one tensor: all of such a one is communication.
const ONLY_MOVES: [&[u8]; 1] = [b"BROADCAST"];
/// Beginnings of names of phases that neither wait nor move anything, which may be outermost in a slice and in Bluefog's timelines.
const BESIDE: [&[u8]; 5] = [b"ALLOCATE_", b"COMPUTE_AVERAGE", b"CALLBACK", b"Callback", b"WIN_SYNC_COMPUTE_"];
/// What a model computes while Bluefog waits for its tensors (`bluefog/torch/optimizers.py`).
const COMPUTES: [&[u8]; 2] = [b"FORWARD", b"GRADIENT COMPT."];
/// Beginnings of names of Bluefog, whose events have threads.
const BLUEFOG: [&[u8]; 5] = [b"ENQUEUE_", b"PROC_", b"COMM. (NCCL)", b"WIN_PUT", b"WIN_ACCUMULATE"];
/// The operations of BytePS before it wrote categories, which are followed by what was done.
const BYTEPS: [&[u8]; 5] = [b"PUSH_PULL", b"PUSH", b"PULL", b"INIT", b"BROADCAST"];
/// Stages of BytePS in which a processor calculates.
const STAGES_OF_HOSTS: [&[u8]; 3] = [b"COMPRESS", b"DECOMPRESS", b"PCIE_REDUCE"];
/// Beginnings of names by which a document is known as Horovod's, though it begins in the middle.
const KNOWN: [&[u8]; 13] = [
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
    b"ALLOCATE_OUTPUT",
    b"ALLOCATE_SHARED_BUFFER",
    b"COPY_ALLGATHER_OUTPUT",
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

/// A writer whose processes are tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfTensors {
    Horovod,
    Bluefog,
    BytePs,
}

impl OfTensors {
    /// The name of its device.
    pub(super) fn device(self) -> &'static [u8] {
        match self {
            Self::Horovod => b"Horovod",
            Self::Bluefog => b"Bluefog",
            Self::BytePs => b"BytePS",
        }
    }
}

/// Who wrote an event, if it can only be of Horovod, whose events have neither a category nor a thread, or of Bluefog.
pub(super) fn says_so(event: &Event) -> Option<OfTensors> {
    let name = event.get(Field::Name);
    if event.get(Field::Phase) == b"B" && name.starts_with(b"NEGOTIATE_") {
        return Some(OfTensors::Horovod);
    }
    if event.get(Field::Phase) == b"B" && is_bluefog(name) && !event.has(Field::Category) {
        return Some(OfTensors::Bluefog);
    }
    let has_more = event.has(Field::Category) || event.has(Field::Thread);
    if event.get(Field::Phase) == b"B" && byteps_phase(name).is_some() && !has_more {
        return Some(OfTensors::BytePs);
    }
    let is_phase = match event.get(Field::Phase) {
        b"B" => is_known(name),
        b"i" => name == b"CYCLE_START",
        b"X" => is_tick(name) && event.length == Some(Ok(0)),
        _ => false,
    };
    (is_phase && !has_more).then_some(OfTensors::Horovod)
}

/// Whether Bluefog calls a phase `name`: `ENQUEUE_NEIGHBOR_ALLREDUCE`, `PROC_BROADCAST`, `COMM. (NCCL)`.
fn is_bluefog(name: &[u8]) -> bool {
    if name == b"GRADIENT COMPT." {
        return true;
    }
    BLUEFOG.iter().any(|beginning| {
        let rest = name.strip_prefix(*beginning);
        let is_of_collective = |rest: &[u8]| COLLECTIVES.iter().any(|collective| rest.ends_with(collective));
        rest.is_some_and(|rest| {
            !beginning.ends_with(b"_") || rest == b"PAIR_GOSSIP" || is_of_collective(rest)
        })
    })
}

fn is_known(name: &[u8]) -> bool {
    COLLECTIVES.contains(&name) || name == b"QUEUE" || KNOWN.iter().any(|known| name.starts_with(known))
}

/// Whether `name` is that of a rank, which was ready at that moment.
fn is_tick(name: &[u8]) -> bool {
    (1..=6).contains(&name.len()) && name.iter().all(u8::is_ascii_digit)
}

/// Where a phase is among those of its tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Within no other. `has_moves` says that phases within it move data.
    Outermost { has_moves: bool },
    /// Within another one.
    Within,
}

/// Whether a phase called `name` moves data.
pub(super) fn moves(name: &[u8]) -> bool {
    MOVES.iter().any(|beginning| name.starts_with(beginning)) || byteps_phase(name) == Some(true)
}

/// Whether BytePS' phase `name` moves data or, of its first versions, waits for its turn: `PUSH_PULLCOMMUNICATION`, `PUSH_PULLQUEUE`.
fn byteps_phase(name: &[u8]) -> Option<bool> {
    let rest = BYTEPS.iter().find_map(|operation| name.strip_prefix(*operation))?;
    match rest {
        b"COMMUNICATION" => Some(true),
        b"QUEUE" => Some(false),
        _ => None,
    }
}

/// The hints of phases, created when they are first needed.
#[derive(Default)]
pub(super) struct Phases {
    waiting: Option<Hint>,
    moving: Option<Hint>,
    outermost: Option<Hint>,
    divided: Option<Hint>,
    within: Option<Hint>,
    computing: Option<Hint>,
    of_program: Option<Hint>,
    byteps: Option<Hint>,
    whole: Option<Hint>,
    coordinating: Option<Hint>,
    calculating: Option<Hint>,
}

impl Phases {
    /// The kind of a phase.
    pub(super) fn kind(&mut self, name: &[u8], place: Place, builder: &mut TraceBuilder) -> EventKind {
        let starts = |words: &[&[u8]]| words.iter().any(|word| name.starts_with(word));
        let range = Says::Is(Category::Range);
        let (hint, says, field): (_, _, &[u8]) = if byteps_phase(name)
            .map_or_else(|| starts(&WAITS), |moves| !moves)
        {
            (&mut self.waiting, Says::Is(Category::Waiting), say!("hint-waiting-phase").as_bytes())
        } else if COMPUTES.contains(&name) {
            (&mut self.computing, Says::Is(Category::Compute), say!("hint-computing-phase").as_bytes())
        } else if moves(name) {
            (&mut self.moving, Says::Is(Category::Communication), say!("hint-moving-phase").as_bytes())
        } else if place == Place::Within || starts(&BESIDE) {
            (&mut self.within, range, say!("hint-within-phase").as_bytes())
        } else if name.iter().any(u8::is_ascii_lowercase) {
            // Both write their own phases in capitals; a program names others (`bf.timeline_start_activity`).
            (&mut self.of_program, range, say!("hint-phase-of-program").as_bytes())
        } else if place == (Place::Outermost { has_moves: true }) && !ONLY_MOVES.contains(&name) {
            (&mut self.divided, range, say!("hint-divided-phase").as_bytes())
        } else {
            (&mut self.outermost, Says::Is(Category::Communication), say!("hint-outermost-phase").as_bytes())
        };
        let hint = *hint.get_or_insert_with(|| builder.hint(says, field));
        EventKind { hint, home: Home::Process, is_call: false }
    }

    /// The kind of what BytePS does with a tensor, by its stage (`logStrings` of `common.cc`): it is on its way (`REDUCE` and `BROADCAST` are NCCL's),
    /// is calculated with, or waits for the other ranks of its machine. The row `total` holds all of them: what no stage has of it is waiting.
    pub(super) fn byteps(&mut self, event: &Event, builder: &mut TraceBuilder) -> EventKind {
        let stage = event.get(Field::Name).rsplit(|&byte| byte == b'.').next().unwrap_or_default();
        let is_whole = event.get(Field::Thread) == b"total";
        let (hint, says, field): (_, _, &[u8]) = if is_whole {
            (&mut self.whole, Says::Is(Category::Waiting), b"tid=total")
        } else if stage.starts_with(b"COORDINATE_") {
            (&mut self.coordinating, Says::Is(Category::Waiting), b"COORDINATE")
        } else if STAGES_OF_HOSTS.contains(&stage) {
            (&mut self.calculating, Says::Is(Category::Compute), b"COMPRESS")
        } else {
            (&mut self.byteps, Says::Is(Category::Communication), b"cat=Comm")
        };
        let hint = *hint.get_or_insert_with(|| builder.hint(says, field));
        EventKind { hint, home: Home::Process, is_call: false }
    }
}
