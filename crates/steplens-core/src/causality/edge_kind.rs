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
    /// was not recorded; from the participant of a collective that came last to those that waited for it.
    Transfer = 2,
    /// From a call or op to the kernel that it launched, or to the collective that it put into a queue.
    Launch = 3,
    /// From a kernel to what waited for it: a call that waits, or a copy that blocks its call.
    Sync = 4,
    /// From a kernel to one on another stream, which waited for an event that was recorded on the stream of the first.
    Event = 5,
    /// The same where no event was recorded: the second kernel had been launched, its stream was free, and it started right after
    /// the first one had ended. Inferred.
    OtherStream = 6,
    /// From one thread of a program to another, which began when the first one began to rest; from a tensor to another one, where the rows of
    /// a timeline are tensors. Inferred.
    Handover = 7,
    /// From one op to the next on a stream of a GPU or on a thread of a program: the order is the program's own.
    Stream = 8,
    /// From one op to the next on a thread of the executor. This is no dependency.
    Thread = 9,
    /// From one transfer to the next on the same link. This is no dependency.
    Link = 10,
    /// From a kernel that ran until a launched one of another stream began, or longer: the GPU had no room for both. Inferred, and no
    /// dependency.
    Room = 11,
    /// The edge closes a circle, so it cannot be true and is not counted.
    Cut = 12,
}

impl EdgeKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Data,
        Self::Control,
        Self::Transfer,
        Self::Launch,
        Self::Sync,
        Self::Event,
        Self::OtherStream,
        Self::Handover,
        Self::Stream,
        Self::Thread,
        Self::Link,
        Self::Room,
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
            Self::Event => "event",
            Self::OtherStream => "other-stream",
            Self::Handover => "handover",
            Self::Stream => "stream",
            Self::Thread => "thread",
            Self::Link => "link",
            Self::Room => "room",
            Self::Cut => "cut",
        }
    }

    /// Whether the edge would exist with any number of threads, links and GPUs.
    #[inline]
    pub fn is_dependency(self) -> bool {
        !matches!(self, Self::Thread | Self::Link | Self::Room | Self::Cut)
    }

    /// Whether nothing in the file says that the edge is there: it follows from times alone. Edges of executor threads are inferred
    /// where the thread of their op is (`Threads::is_recorded`).
    pub fn is_inferred(self) -> bool {
        matches!(self, Self::OtherStream | Self::Handover | Self::Room)
    }
}
