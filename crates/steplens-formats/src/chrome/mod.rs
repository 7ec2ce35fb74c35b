//! Chrome trace JSON: what `timeline.py`, `ProfilerHook`, and the profilers of TensorFlow 2, JAX and PyTorch write.
//!
//! | module | does |
//! |---|---|
//! | [`lexer`] | bytes to tokens, resumable at any byte |
//! | [`whole`] | reads an event at once if a slice has all of it |
//! | [`reader`] | tokens to events: which object is open, what is skipped, where to continue after damage |
//! | [`event`] | one event: its fields, and where its arguments are |
//! | [`arguments`] | other data of events, stored once for all events with the same data |
//! | [`asynchronous`] | how long asynchronous events last, which are not shown |
//! | [`repeated_rows`] | rows that repeat others |
//! | [`document`] | events to ops |
//! | [`spans`] | ops that are a beginning and an end |
//! | [`timeline_py`] | ops of `timeline.py` with their tensors, and of Steplens' own exports |
//! | [`paddle`] | timelines of Paddle, whose events are those of a profile |
//! | [`processes`] | processes and threads to devices |
//! | [`part_ranks`], [`thread_ranks`] | ranks that threads of a process are called after |
//! | [`gpus`] | the GPUs that a document of PyTorch names |
//! | [`horovod`] | phases of tensors on timelines of Horovod |
//! | [`kinds`] | the kind of an event, and where it is shown |
//! | [`launches`] | kernels to the calls that launched them, and steps |
//! | [`numbered_steps`] | the steps that events name themselves |
//! | [`optimizer_steps`] | the steps of a program that marks none, by those of its optimizer |
//! | [`memory`] | PyTorch's allocations and frees |
//! | [`rocprof`] | kernels and copies of rocprof to the calls that launched them |
//! | [`npu`] | calls and tasks of Ascend's NPUs: whose they are, and which launched which |
//! | [`samples`] | counters and instants |
//! | [`lost`] | what the format did not keep |
//! | [`number`], [`text`], [`tensor`] | times to nanoseconds without floats, escapes, the text of a tensor |
//!
//! Only one event is in memory at a time, and the tensors of `timeline.py`, which come before their ops. The format is the "Trace
//! Event Format" of Chromium's `catapult`.

mod arguments;
mod asynchronous;
mod cursor;
mod document;
mod event;
mod gpus;
mod horovod;
mod kinds;
mod launches;
pub(crate) mod lexer;
mod lost;
mod memory;
mod mxnet;
mod npu;
mod number;
mod numbered_steps;
mod optimizer_steps;
mod paddle;
mod part_ranks;
mod processes;
mod reader;
mod repeated_rows;
mod rocprof;
mod samples;
mod spans;
mod tensor;
pub(crate) mod text;
mod thread_ranks;
mod timeline_py;
mod unused;
mod whole;

use crate::first_bytes::FirstBytes;
use crate::reader::Format;
pub(crate) use reader::ChromeReader;

/// Chrome traces. Other JSON is read, too, to say what it is.
pub(crate) const FORMAT: Format = Format {
    name: "chrome-trace",
    recognises: is_json,
    reader: |room| Box::new(ChromeReader::new(room.memory_bytes)),
};

/// A file of at least this many white-space bytes is no protobuf. A single line feed may be a protobuf that was cut.
const BLANK: usize = 16;

fn is_json(first: &FirstBytes<'_>) -> bool {
    let is_blank = first.text.is_empty() && first.bytes.len() >= BLANK;
    is_blank || first.text.starts_with(b"{") || first.text.starts_with(b"[")
}
