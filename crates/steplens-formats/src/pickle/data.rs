//! Texts and bytes of a pickle as they come: short ones are kept, and those that are a RunMetadata are passed on.

use super::decode::{Decoder, Writing};
use super::heap::{MAX_TEXT_BYTES, Value};
use super::machine::{Context, Machine};
use super::opcode::*;
use super::runs::{Message, Runs};
use crate::wire::varint;
use steplens_core::build::builder::TraceBuilder;

/// The data after an opcode, until its end.
pub(super) struct Data {
    opcode: u8,
    decoder: Decoder,
    target: Target,
    /// The offset of its start in the file.
    at: u64,
    /// Bytes that are kept, or the first bytes, from which their kind is decided.
    kept: Vec<u8>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Bytes for the stack; at most as many as a text may have.
    Kept,
    /// Bytes that may be a RunMetadata: the first few decide.
    Undecided,
    Run,
}

/// This many bytes are enough to recognise a RunMetadata: three tags and lengths, and the first byte of a device's name.
pub(super) const TELLING: usize = 34;
/// How many bytes are decoded at once.
const DECODED_SLICE_BYTES: usize = 8 << 10;

impl Data {
    /// Begins the data after `opcode`, which starts at `at`.
    pub(super) fn begin(
        opcode: u8,
        at: u64,
        machine: &Machine,
        runs: &mut Runs,
        builder: &mut TraceBuilder,
    ) -> Self {
        let is_text = matches!(opcode, UNICODE | BINUNICODE | SHORT_BINUNICODE | BINUNICODE8);
        let is_bytes = matches!(
            opcode,
            STRING | BINSTRING | SHORT_BINSTRING | BINBYTES | SHORT_BINBYTES | BINBYTES8 | BYTEARRAY8
        );
        let context = if is_text || is_bytes { machine.context(is_text) } else { Context::Text };
        let as_bytes = context != Context::Text;
        let writing = match opcode {
            STRING => Writing::Repr,
            UNICODE => Writing::RawUnicode { as_bytes },
            _ if is_text && as_bytes => Writing::Utf8Bytes,
            _ => Writing::Plain,
        };
        let target = match context {
            Context::State(message) => {
                runs.begin(message, at, builder);
                Target::Run
            }
            Context::Bytes => Target::Undecided,
            Context::Text => Target::Kept,
        };
        let decoder = Decoder::new(writing);
        Self { opcode, decoder, target, at, kept: Vec::new(), scratch: Vec::new() }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8], runs: &mut Runs, builder: &mut TraceBuilder) {
        if self.decoder.is_plain() {
            self.deliver(bytes, runs, builder);
        } else {
            for slice in bytes.chunks(DECODED_SLICE_BYTES) {
                let mut decoded = std::mem::take(&mut self.scratch);
                self.decoder.decode(slice, &mut decoded);
                self.deliver(&decoded, runs, builder);
                decoded.clear();
                self.scratch = decoded;
            }
        }
    }

    fn deliver(&mut self, mut bytes: &[u8], runs: &mut Runs, builder: &mut TraceBuilder) {
        if self.target == Target::Undecided {
            let first = bytes.split_off(..bytes.len().min(TELLING - self.kept.len())).unwrap_or_default();
            self.kept.extend_from_slice(first);
            if self.kept.len() < TELLING {
                return;
            }
            self.decide(runs, builder);
        }
        match self.target {
            Target::Run => runs.push(bytes, builder),
            _ => {
                let room = MAX_TEXT_BYTES - self.kept.len();
                self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
            }
        }
    }

    /// Decides from the first bytes what the data is.
    fn decide(&mut self, runs: &mut Runs, builder: &mut TraceBuilder) {
        if !looks_like_run_metadata(&self.kept, u64::MAX) {
            self.target = Target::Kept;
            return;
        }
        self.target = Target::Run;
        runs.begin(Message::RunMetadata, self.at, builder);
        runs.push(&self.kept, builder);
        self.kept.clear();
    }

    /// Ends the data, because it is complete or because the file ends.
    pub(super) fn end(mut self, runs: &mut Runs, builder: &mut TraceBuilder) -> Ended {
        let mut decoded = std::mem::take(&mut self.scratch);
        self.decoder.end(&mut decoded);
        self.deliver(&decoded, runs, builder);
        if self.target == Target::Undecided {
            self.decide(runs, builder);
        }
        let is_damaged = self.decoder.is_damaged();
        let run = (self.target == Target::Run).then(|| runs.end(builder)).flatten();
        Ended { opcode: self.opcode, run: run.map(Value::Run), kept: self.kept, is_damaged }
    }
}

/// The result of the data.
pub(super) struct Ended {
    pub(super) opcode: u8,
    /// The RunMetadata, if it was one.
    pub(super) run: Option<Value>,
    /// Its bytes otherwise.
    pub(super) kept: Vec<u8>,
    /// Whether its escapes are damaged.
    pub(super) is_damaged: bool,
}

/// Whether bytes that start with `head` begin like a RunMetadata with ops: a `step_stats`, in it a `dev_stats`, in it the name of a
/// device. `room` is the number of all bytes.
pub(super) fn looks_like_run_metadata(head: &[u8], mut room: u64) -> bool {
    let field_1 = |message: &'_ [u8]| {
        let rest = message.strip_prefix(&[0x0a])?;
        let (length, taken) = varint(rest)?;
        Some((length, message.len() - rest.len() + taken))
    };
    let mut rest = head;
    for _ in 0..3 {
        let Some((length, taken)) = field_1(rest) else { return false };
        if length == 0 || length.saturating_add(taken as u64) > room {
            return false;
        }
        (rest, room) = (&rest[taken..], length);
    }
    rest.first() == Some(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_tell_what_they_are() {
        assert!(looks_like_run_metadata(b"\x0a\xea\x82\x01\x0a\xe6\x82\x01\x0a\x2c/job:localhost", 99_999));
        assert!(looks_like_run_metadata(b"\x0a\x10\x0a\x0e\x0a\x06/cpu:0", 18));
        for other in
            [&b""[..], b"\n", b"\n\n\n\n\n\n", b"\x0a\x10\x0a\x11\x0a\x06/cpu:0", b"\x0a\x10\x0a\x06/cpu:0"]
        {
            assert!(!looks_like_run_metadata(other, 99), "{other:?}");
        }
        assert!(!looks_like_run_metadata(b"\x0a\x10\x0a\x0e\x0a\x06/cpu:0", 17));
    }
}
