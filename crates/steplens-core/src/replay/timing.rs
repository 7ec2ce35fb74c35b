//! When each node ran, and where it runs: what links and collectives refine before the model is whole.

use crate::OpId;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Where a node runs, and what it has to wait for besides other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It starts as soon as what it waits for is done: the order on its stream or thread is a dependency already.
    Own,
    /// A thread of this pool of executor threads.
    Pool(u32),
    /// This line: a link that transfers share.
    Line(u32),
    /// This collective: it ends once all participants have arrived.
    Collective(u32),
}

/// When each node ran, from the start of the step, by node.
pub(super) struct Timing {
    /// When it started.
    pub(super) start: Vec<i64>,
    /// How long it runs when nothing makes it wait.
    pub(super) length: Vec<i64>,
    /// How long after everything that it waits for it started.
    pub(super) delay: Vec<i64>,
    /// Whether the delay comes after its thread or line is free.
    pub(super) holds: Vec<bool>,
    /// Its op.
    pub(super) op: Vec<OpId>,
}

impl Timing {
    /// When `node` ended.
    pub(super) fn end(&self, node: usize) -> i64 {
        self.start[node] + self.length[node]
    }
}

/// When each node ran.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    pub(super) start: &'a [i64],
    pub(super) length: &'a [i64],
}

impl Ran<'_> {
    pub(super) fn start(&self, node: u32) -> i64 {
        self.start[node as usize]
    }

    pub(super) fn end(&self, node: u32) -> i64 {
        self.start(node) + self.length[node as usize]
    }

    pub(super) fn nodes(&self) -> std::ops::Range<u32> {
        0..self.start.len() as u32
    }
}
