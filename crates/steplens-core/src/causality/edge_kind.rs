//! Why one node of the execution graph could not run before another.

/// Why one node could not run before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EdgeKind {
    /// It used what the other made.
    Data = 0,
    /// It had to come after the other, and took nothing of it.
    Control = 1,
    /// Producer to sending, or receipt to consumer; producer to consumer where nothing recorded the transfer between.
    Transfer = 2,
    /// A kernel, and the call or op that launched it.
    Launch = 3,
    /// What waited for a kernel, or for another thread of its program.
    Sync = 4,
    /// One after another on a stream of a GPU or a thread of a program: the program's own order.
    Stream = 5,
    /// One after another on an executor's thread, which is inferred: no dependency.
    Thread = 6,
    /// One after another from one place to the same other: no dependency.
    Link = 7,
    /// Closes a circle, and so cannot be true: it counts for nothing.
    Cut = 8,
}

impl EdgeKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Data,
        Self::Control,
        Self::Transfer,
        Self::Launch,
        Self::Sync,
        Self::Stream,
        Self::Thread,
        Self::Link,
        Self::Cut,
    ];

    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Control => "control",
            Self::Transfer => "transfer",
            Self::Launch => "launch",
            Self::Sync => "sync",
            Self::Stream => "stream",
            Self::Thread => "thread",
            Self::Link => "link",
            Self::Cut => "cut",
        }
    }

    /// Whether it holds however many threads and links there are.
    #[inline]
    pub fn is_dependency(self) -> bool {
        !matches!(self, Self::Thread | Self::Link | Self::Cut)
    }
}
