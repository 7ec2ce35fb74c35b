//! Errors of opening: the only thing that can fail.

use std::fmt;

/// Why a file cannot be opened. Its text is one sentence: what was being read, where, what was got, what was wanted,
/// what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct ReadError {
    /// The file's name as the user knows it.
    pub file: String,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// No byte in it.
    Empty,
    /// Something else by its first bytes: `what` names it.
    OtherFormat {
        /// What it is, such as "a Python pickle".
        what: &'static str,
        /// What to do with it.
        advice: &'static str,
    },
    /// Not a protobuf, or not this one.
    NotRunMetadata {
        /// Where reading had to stop, in the unpacked file.
        offset: u64,
        /// What stood there.
        got: String,
    },
    /// JSON, but no Chrome trace.
    OtherJson,
    /// A Chrome trace without any op.
    NoEvents {
        /// How many other events it holds instead.
        events: u64,
    },
    /// A pickle in which no RunMetadata was found.
    PickleWithoutRunMetadata {
        /// What it holds: "a pickle of collections.OrderedDict".
        found: String,
    },
    /// A session of tensorflow-tracer in which no run was traced.
    NoTraces {
        /// How many runs it knows.
        runs: usize,
    },
    /// A file that ends, or breaks, before its first op.
    NoOpsReadable {
        /// What it is: "a RunMetadata".
        format: &'static str,
        /// Where the damage is.
        offset: u64,
        /// What is damaged.
        what: String,
    },
    /// A whole RunMetadata without any op.
    NoOps {
        /// How many graph nodes it holds instead.
        graph_nodes: usize,
    },
    /// An event file without any RunMetadata.
    NoRuns {
        /// What it holds instead, such as `100 events (tags loss)`.
        seen: String,
    },
    /// An event file whose RunMetadata hold graphs and no op.
    NoTimes {
        /// How many RunMetadata.
        runs: u64,
        /// How many graph nodes they hold.
        graph_nodes: usize,
    },
    /// A whole file of another format without any op.
    NoOpsIn {
        /// What it is: "an XSpace".
        format: &'static str,
        /// What it holds instead.
        holds: String,
        /// What to do.
        advice: &'static str,
    },
    /// Ops enough, but none on the devices and in the window that were selected.
    NothingSelected {
        /// How many ops were left out.
        ops: u64,
    },
    /// A Steplens session that cannot be read.
    SessionDamaged {
        /// Where the damage is, in the unpacked file.
        offset: u64,
        /// What stood there.
        got: &'static str,
    },
    /// Packed, and nothing of use comes out of the packing.
    Packed {
        /// `gzip-damaged`, `zstd-damaged` or `zstd-refused`.
        code: &'static str,
        /// `gzip` or `zstd`.
        packing: &'static str,
        /// What the unpacker says.
        why: String,
    },
}

impl ReadErrorKind {
    /// Stable, kebab-case; documented in `docs/problems.md`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty-file",
            Self::OtherFormat { .. } => "other-format",
            Self::NotRunMetadata { .. } => "not-run-metadata",
            Self::NoOpsReadable { .. } => "no-ops-readable",
            Self::OtherJson => "other-json",
            Self::NoOps { .. }
            | Self::NoEvents { .. }
            | Self::NoTimes { .. }
            | Self::NoOpsIn { .. }
            | Self::NoTraces { .. } => "no-ops",
            Self::NoRuns { .. } => "no-run-metadata",
            Self::PickleWithoutRunMetadata { .. } => "pickle-without-run-metadata",
            Self::NothingSelected { .. } => "nothing-selected",
            Self::SessionDamaged { .. } => "session-damaged",
            Self::Packed { code, .. } => code,
        }
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                write!(f, "got an empty file, want a RunMetadata or a Chrome trace; write it again")
            }
            Self::OtherFormat { what, advice } => {
                write!(
                    f,
                    "at byte 0: got {what}, want a RunMetadata (.pb) or a Chrome trace (.json), plain or gzip; {advice}"
                )
            }
            Self::NotRunMetadata { offset, got } => write!(
                f,
                "reading a RunMetadata at byte {offset}: got {got}, want its step_stats; \
                 write run_metadata.SerializeToString() to the file in binary mode"
            ),
            Self::OtherJson => write!(
                f,
                "got JSON without trace events, want a Chrome trace: an object with traceEvents, or a list of events with \"ph\"; \
                 open what timeline.py or a profiler wrote"
            ),
            Self::NoEvents { events } => write!(
                f,
                "got a Chrome trace with {events} events and no op among them, want ops (\"ph\" is X, or B and E); \
                 record with the profiler running"
            ),
            Self::PickleWithoutRunMetadata { found } => write!(
                f,
                "got {found}, want one of a RunMetadata, of a list or dict of them, or a session of tensorflow-tracer; \
                 pickle run_metadata itself, or write run_metadata.SerializeToString() to a file"
            ),
            Self::NoTraces { runs } => write!(
                f,
                "got a session of tensorflow-tracer with {runs} runs and no trace of any, want at least one; \
                 save it again after a run with tracing enabled"
            ),
            Self::NoOpsReadable { format, offset, what } => write!(
                f,
                "reading {format} at byte {offset}: got {what} before the first op, want at least one op; \
                 copy or record the file again"
            ),
            Self::NoOps { graph_nodes } => write!(
                f,
                "got a RunMetadata with {graph_nodes} graph nodes and no op in its step_stats, want ops; \
                 record with trace_level=FULL_TRACE (TensorFlow 2.1 leaves step_stats empty: use another version)"
            ),
            Self::NoRuns { seen } => write!(
                f,
                "got an event file with {seen} and no RunMetadata among them, want at least one; \
                 trace a step and write it with FileWriter.add_run_metadata(run_metadata, tag)"
            ),
            Self::NoTimes { runs, graph_nodes } => write!(
                f,
                "got an event file with {runs} RunMetadata that hold {graph_nodes} graph nodes and no op, so that there are no times, want ops; \
                 trace_export of TensorFlow 2 writes graphs only: record with a Session and trace_level=FULL_TRACE, or open what its profiler \
                 wrote (trace.json.gz)"
            ),
            Self::NoOpsIn { format, holds, advice } => {
                write!(f, "got {format} with {holds} and no op among them, want ops; {advice}")
            }
            Self::NothingSelected { ops } => write!(
                f,
                "got {ops} ops and none of them on the devices and in the window of time selected, want at least one; \
                 select other devices or a longer window"
            ),
            Self::SessionDamaged { offset, got } => write!(
                f,
                "reading a Steplens session at byte {offset}: got {got}, want the session as it was written; \
                 copy it again, or open it with a newer Steplens"
            ),
            Self::Packed { code: "zstd-refused", why, .. } => write!(
                f,
                "unpacking zstd at byte 0: got {why}, want a window of at most 128 MiB and no dictionary; \
                 unpack it first with `zstd -d`, and --long=31 or -D as it was packed"
            ),
            Self::Packed { packing, why, .. } => write!(
                f,
                "unpacking {packing} at byte 0: got {why}, want a {packing} stream; pack or copy the file again"
            ),
        }
    }
}
