//! Errors of opening, which is the only step that can fail.

use steplens_messages::say;

/// Why a file cannot be opened. Its text says what is wrong with the file, then what to do, then where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", kind.about(file))]
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
    /// The file has no bytes.
    Empty,
    /// A different format by its first bytes.
    OtherFormat {
        /// The format, such as "a Python pickle".
        what: &'static str,
        /// What the user can do.
        advice: &'static str,
    },
    /// Not a protobuf, or a different protobuf.
    NotRunMetadata {
        /// Where reading had to stop, in the unpacked file.
        offset: u64,
        /// What was found there.
        got: String,
    },
    /// JSON, but no Chrome trace.
    OtherJson,
    /// A list that ends after its bracket.
    EmptyTimeline,
    /// A Chrome trace with asynchronous events only.
    OnlyAsynchronous {
        /// Their number.
        events: u64,
    },
    /// A memory snapshot of PyTorch.
    MemorySnapshot,
    /// A Chrome trace without any op.
    NoEvents {
        /// The number of other events in it.
        events: u64,
    },
    /// A pickle in which no RunMetadata was found.
    PickleWithoutRunMetadata {
        /// The content: "a pickle of collections.OrderedDict".
        found: String,
    },
    /// A session of tensorflow-tracer in which no run was traced.
    NoTraces {
        /// The number of runs in the session.
        runs: usize,
    },
    /// A file that ends, or breaks, before its first op.
    NoOpsReadable {
        /// The format: "a RunMetadata".
        format: &'static str,
        /// Where the damage is.
        offset: u64,
        /// What is damaged.
        what: String,
    },
    /// A whole RunMetadata without any op.
    NoOps {
        /// The number of graph nodes in it.
        graph_nodes: usize,
    },
    /// An event file without RunMetadata.
    NoRuns {
        /// The content, such as `100 events (tags loss)`.
        seen: String,
    },
    /// An event file whose RunMetadata have graphs, but no ops.
    NoTimes {
        /// The number of RunMetadata.
        runs: u64,
        /// The number of graph nodes in them.
        graph_nodes: usize,
    },
    /// A complete file of another format without any op.
    NoOpsIn {
        /// The format: "an XSpace".
        format: &'static str,
        /// The content.
        holds: String,
        /// What the user can do.
        advice: &'static str,
    },
    /// There are ops, but none on the selected devices and in the selected window.
    NothingSelected {
        /// The number of ops that were left out.
        ops: u64,
    },
    /// A Steplens session that cannot be read.
    SessionDamaged {
        /// Where the damage is, in the unpacked file.
        offset: u64,
        /// What was found there.
        got: &'static str,
    },
    /// A packed file that cannot be unpacked.
    Packed {
        /// `gzip-damaged`, `page-damaged`, `zstd-damaged` or `zstd-refused`.
        code: &'static str,
        /// `gzip`, `zstd` or `HTML`.
        packing: &'static str,
        /// The error of the unpacker.
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
            | Self::EmptyTimeline
            | Self::OnlyAsynchronous { .. }
            | Self::NoTimes { .. }
            | Self::NoOpsIn { .. }
            | Self::NoTraces { .. } => "no-ops",
            Self::NoRuns { .. } => "no-run-metadata",
            Self::PickleWithoutRunMetadata { .. } | Self::MemorySnapshot => "pickle-without-run-metadata",
            Self::NothingSelected { .. } => "nothing-selected",
            Self::SessionDamaged { .. } => "session-damaged",
            Self::Packed { code, .. } => code,
        }
    }
}

impl ReadErrorKind {
    /// What is wrong with the file called `file`, and what to do.
    pub(crate) fn about(&self, file: &str) -> String {
        match self {
            Self::Empty => say!("error-empty", file),
            Self::OtherFormat { what, advice } => say!("error-other-format", file, what, advice),
            Self::NotRunMetadata { offset, got } => say!("error-not-run-metadata", file, offset, got),
            Self::OtherJson => say!("error-other-json", file),
            Self::NoEvents { events } => say!("error-no-events", file, events),
            Self::EmptyTimeline => say!("error-empty-timeline", file),
            Self::OnlyAsynchronous { events } => say!("error-only-asynchronous", file, events),
            Self::MemorySnapshot => say!("error-memory-snapshot", file),
            Self::PickleWithoutRunMetadata { found } => {
                say!("error-pickle-without-run-metadata", file, found)
            }
            Self::NoTraces { runs } => say!("error-no-traces", file, runs),
            Self::NoOpsReadable { format, offset, what } => {
                say!("error-no-ops-readable", file, format, offset, what)
            }
            Self::NoOps { graph_nodes } => say!("error-no-ops", file, nodes = graph_nodes),
            Self::NoRuns { seen } => say!("error-no-runs", file, seen),
            Self::NoTimes { runs, graph_nodes } => say!("error-no-times", file, runs, nodes = graph_nodes),
            Self::NoOpsIn { format, holds, advice } => {
                say!("error-no-ops-in", file, format, holds, advice)
            }
            Self::NothingSelected { ops } => say!("error-nothing-selected", file, ops),
            Self::SessionDamaged { offset, got } => say!("error-session-damaged", file, offset, got),
            Self::Packed { code: "zstd-refused", why, .. } => say!("error-zstd-refused", file, why),
            Self::Packed { code: "page-damaged", why, .. } => say!("error-page-damaged", file, why),
            Self::Packed { packing, why, .. } => say!("error-packed", file, packing, why),
        }
    }
}
