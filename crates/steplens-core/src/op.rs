//! Ops: one row per execution of a node, in columns.

use crate::column::Column;
use crate::units::{Interval, Nanos, Timestamp};
use crate::{NodeId, OpId};

/// All ops in order of device, start, end and place in the file. A device's ops are contiguous.
#[derive(Default)]
pub struct OpTable {
    pub(crate) start: Vec<i64>,
    pub(crate) length: Column,
    /// Start minus scheduled.
    pub(crate) queued: Column,
    /// Relative to the start.
    pub(crate) kernel_start: Column,
    /// Relative to the start.
    pub(crate) kernel_end: Column,
    pub(crate) node: Vec<NodeId>,
    /// Empty when every op ran on thread 0, as most CPU traces say.
    pub(crate) thread: Vec<u32>,
}

impl OpTable {
    /// How many ops there are.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = OpId> + DoubleEndedIterator + use<> {
        (0..self.start.len()).map(OpId::from_usize)
    }

    /// `all_start`.
    #[inline]
    pub fn start(&self, op: OpId) -> Timestamp {
        Timestamp(self.start[op.index()])
    }

    /// `all_start + all_end_rel`.
    #[inline]
    pub fn end(&self, op: OpId) -> Timestamp {
        Timestamp(self.start[op.index()].saturating_add(self.length.get(op.index())))
    }

    /// `[start, end)`.
    #[inline]
    pub fn interval(&self, op: OpId) -> Interval {
        Interval { start: self.start(op), end: self.end(op) }
    }

    /// When the executor queued the op, if that was recorded.
    pub fn scheduled(&self, op: OpId) -> Option<Timestamp> {
        self.queued(op).map(|queued| self.start(op) - queued)
    }

    /// How long it waited in the executor's queue.
    pub fn queued(&self, op: OpId) -> Option<Nanos> {
        self.queued.get_option(op.index()).map(Nanos)
    }

    /// The kernel inside the op: `op_start` to `op_end`.
    pub fn kernel(&self, op: OpId) -> Interval {
        let start = self.start(op);
        Interval::new(
            start + Nanos(self.kernel_start.get(op.index())),
            start + Nanos(self.kernel_end.get(op.index())),
        )
    }

    /// What the op is.
    #[inline]
    pub fn node(&self, op: OpId) -> NodeId {
        self.node[op.index()]
    }

    /// The thread that ran it; 0 where nothing was recorded.
    pub fn thread(&self, op: OpId) -> u32 {
        self.thread.get(op.index()).copied().unwrap_or(0)
    }

    /// Memory the columns hold, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let columns = [&self.length, &self.queued, &self.kernel_start, &self.kernel_end];
        self.start.capacity() * 8
            + (self.node.capacity() + self.thread.capacity()) * 4
            + columns.iter().map(|column| column.heap_bytes()).sum::<usize>()
    }

    /// The table with its rows in the order of `rows`, and times counted from `origin`.
    pub(crate) fn permuted(&self, rows: &[u32], origin: i64) -> Self {
        Self {
            start: rows.iter().map(|&row| self.start[row as usize] - origin).collect(),
            length: self.length.permuted(rows),
            queued: self.queued.permuted(rows),
            kernel_start: self.kernel_start.permuted(rows),
            kernel_end: self.kernel_end.permuted(rows),
            node: rows.iter().map(|&row| self.node[row as usize]).collect(),
            thread: match self.thread.iter().any(|&thread| thread != 0) {
                true => rows.iter().map(|&row| self.thread[row as usize]).collect(),
                false => Vec::new(),
            },
        }
    }
}
