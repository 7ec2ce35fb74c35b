//! The kinds of edges: why one node of the execution graph could not run before another one.

/// Why one node could not run before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EdgeKind {
    /// The node used the output of the other node.
    Data = 0,
    /// The node had to run after the other node, but used no value of it (a control edge).
    Control = 1,
    /// From a producer to the send, or from the arrival to a consumer; from producer to consumer where the transfer between them
    /// was not recorded.
    Transfer = 2,
    /// From a call or op to the kernel that it launched.
    Launch = 3,
    /// From a kernel, or from another thread of the same program, to what waited for it.
    Sync = 4,
    /// From one op to the next on a stream of a GPU or on a thread of a program: the order is the program's own.
    Stream = 5,
    /// From one op to the next on a thread of the executor. The thread is inferred, so this is no dependency.
    Thread = 6,
    /// From one transfer to the next on the same link. This is no dependency.
    Link = 7,
    /// The edge closes a circle, so it cannot be true and is not counted.
    Cut = 8,
}

impl EdgeKind {
    /// All kinds.
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

    /// The word for this value in every output.
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

    /// Whether the edge would exist with any number of threads and links.
    #[inline]
    pub fn is_dependency(self) -> bool {
        !matches!(self, Self::Thread | Self::Link | Self::Cut)
    }
}
