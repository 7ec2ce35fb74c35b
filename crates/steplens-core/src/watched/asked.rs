//! What a program that trains is asked, and what it answers.

use super::names::{ProcessName, RequestId};

/// Which runs are to be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// The next ones.
    Now,
    /// Each n-th.
    Every,
    /// Those whose step is a multiple of n.
    Multiple,
    /// None: all other requests end.
    Stop,
}

impl RequestKind {
    const ALL: [Self; 4] = [Self::Now, Self::Every, Self::Multiple, Self::Stop];

    /// The word in files, options and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Every => "every",
            Self::Multiple => "multiple",
            Self::Stop => "stop",
        }
    }

    /// The kind with this word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its id, which is its file's name.
    pub id: RequestId,
    /// Which runs.
    pub kind: RequestKind,
    /// The n of `every` and `multiple`, at least 1.
    pub n: u64,
    /// How many runs; 0, with `every`, until it is stopped.
    pub count: u64,
    /// Who is asked; `None` is every process.
    pub processes: Option<Vec<ProcessName>>,
    /// After this moment, in ns since 1970, nobody begins with it.
    pub expires_unix_ns: i64,
}

impl Request {
    /// A request of `kind`, with an n of at least 1 and at least one run where no run would mean nothing.
    pub fn new(id: RequestId, kind: RequestKind, n: u64, count: u64, expires_unix_ns: i64) -> Self {
        let count = match kind {
            RequestKind::Now | RequestKind::Multiple => count.max(1),
            RequestKind::Every => count,
            RequestKind::Stop => 0,
        };
        Self { id, kind, n: n.max(1), count, processes: None, expires_unix_ns }
    }
}

/// What became of a request in one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerState {
    /// The process knows of it.
    Seen,
    /// It traces.
    Tracing,
    /// All runs that were asked for are traced.
    Done,
    /// Another request ended it.
    Stopped,
    /// It came too late.
    Expired,
    /// The process cannot do it, and says why.
    Refused,
}

impl AnswerState {
    const ALL: [Self; 6] =
        [Self::Seen, Self::Tracing, Self::Done, Self::Stopped, Self::Expired, Self::Refused];

    /// The word in files and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Tracing => "tracing",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Expired => "expired",
            Self::Refused => "refused",
        }
    }

    /// The state with this word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether nothing more comes of it.
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Seen | Self::Tracing)
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What became of the request.
    pub state: AnswerState,
    /// The numbers of the runs that were traced for it.
    pub runs: Vec<u64>,
    /// Why it was refused.
    pub reason: Option<String>,
    /// When this was written, in ns since 1970.
    pub at_unix_ns: i64,
}
