//! Ops: one row per execution of a node, as columns.

use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::node::NodeTable;
use crate::storage::chunked::Chunked;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::moments::{self, Moments};
use crate::{NodeId, OpId, PartId};

/// All ops in order of device, start, end and place in the file. A device's ops are contiguous.
#[derive(Default)]
pub struct OpTable {
    start: Moments,
    length: Column,
    /// Start minus scheduled.
    queued: Column,
    /// From the op's start to the kernel's start.
    kernel_start: Column,
    /// From the kernel's end to the op's end. It is smaller than the value in the file, which is from the op's start to the
    /// kernel's end.
    after_kernel: Column,
    node: Column,
    thread: Column,
    part: Column,
}

impl OpTable {
    /// The number of ops.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are no ops.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = OpId> + DoubleEndedIterator + use<> {
        (0..self.len()).map(OpId::from_usize)
    }

    /// `all_start`.
    #[inline]
    pub fn start(&self, op: OpId) -> Timestamp {
        self.start.get(op.index())
    }

    /// `all_start + all_end_rel`.
    #[inline]
    pub fn end(&self, op: OpId) -> Timestamp {
        self.start(op) + Nanos(self.length.get(op.index()))
    }

    /// `[start, end)`.
    #[inline]
    pub fn interval(&self, op: OpId) -> Interval {
        let start = self.start(op);
        Interval { start, end: start + Nanos(self.length.get(op.index())) }
    }

    /// When the executor scheduled the op, if that was recorded.
    pub fn scheduled(&self, op: OpId) -> Option<Timestamp> {
        self.queued(op).map(|queued| self.start(op) - queued)
    }

    /// The time from scheduling to start, in the executor's queue.
    pub fn queued(&self, op: OpId) -> Option<Nanos> {
        self.queued.get_option(op.index()).map(Nanos)
    }

    /// The kernel inside the op: `op_start` to `op_end`.
    pub fn kernel(&self, op: OpId) -> Interval {
        let (start, row) = (self.start(op), op.index());
        let end = self.length.get(row).wrapping_sub(self.after_kernel.get(row));
        Interval::new(start + Nanos(self.kernel_start.get(row)), start + Nanos(end))
    }

    /// The node of the op.
    #[inline]
    pub fn node(&self, op: OpId) -> NodeId {
        NodeId::new(self.node.get(op.index()) as u32)
    }

    /// The thread that ran it; 0 where nothing was recorded.
    pub fn thread(&self, op: OpId) -> u32 {
        self.thread.get(op.index()) as u32
    }

    /// The part of the files that the op is from.
    #[inline]
    pub fn part(&self, op: OpId) -> PartId {
        PartId::new(self.part.get(op.index()) as u32)
    }

    /// Calls `each` with the interval and the part of every op. Reads many at a time, because reading them one by one takes three
    /// times as long.
    #[inline]
    pub(crate) fn each_interval(&self, mut each: impl FnMut(OpId, Interval, PartId)) {
        let [mut starts, mut lengths, mut parts] = [[0; moments::BLOCK]; 3];
        for from in (0..self.len()).step_by(moments::BLOCK) {
            let count = moments::BLOCK.min(self.len() - from);
            self.start.read(from, &mut starts[..count]);
            self.length.read(from, &mut lengths[..count]);
            self.part.read(from, &mut parts[..count]);
            let rows = starts.iter().zip(&lengths).zip(&parts).take(count);
            for (op, ((&start, &length), &part)) in (from..).map(OpId::from_usize).zip(rows) {
                let start = Timestamp(start);
                each(op, Interval { start, end: start + Nanos(length) }, PartId::new(part as u32));
            }
        }
    }

    /// The table from columns that are in order already.
    pub(crate) fn of_whole(whole: WholeOps) -> Self {
        let WholeOps { start, length, queued, kernel_start, after_kernel, node, thread, part } = whole;
        Self { start, length, queued, kernel_start, after_kernel, node, thread, part }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let Self { start, length, queued, kernel_start, after_kernel, node, thread, part } = self;
        let columns = [length, queued, kernel_start, after_kernel, node, thread, part];
        start.heap_bytes() + columns.map(Column::heap_bytes).iter().sum::<usize>()
    }
}

/// The columns of an [`OpTable`], from a reader that has the ops in order.
#[derive(Default)]
pub struct WholeOps {
    /// Starts, relative to the origin.
    pub start: Moments,
    /// From start to end; never negative.
    pub length: Column,
    /// Start minus scheduled; no value where that was not recorded.
    pub queued: Column,
    /// From the op's start to the kernel's start.
    pub kernel_start: Column,
    /// From the kernel's end to the op's end.
    pub after_kernel: Column,
    /// Rows of the nodes.
    pub node: Column,
    /// Threads; the highest numbers are stored as negative ones.
    pub thread: Column,
    /// Rows of the parts.
    pub part: Column,
}

/// When and on which thread an op ran. Times are ns from 1970 (`unix`) or from the op's start.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpTimes {
    /// `all_start`.
    pub start_unix_ns: i64,
    /// `all_end_rel`; a negative length counts as 0.
    pub length_ns: i64,
    /// `scheduled`, if it was recorded.
    pub scheduled_unix_ns: Option<i64>,
    /// `op_start_rel`.
    pub kernel_start_ns: i64,
    /// `op_end_rel`.
    pub kernel_end_ns: i64,
    /// `thread_id`.
    pub thread: u32,
}

/// The ops that a reader has added, in the order of the file.
#[derive(Default)]
pub(crate) struct OpTableBuilder {
    /// In ns from 1970.
    pub(crate) start: Chunked<i64>,
    pub(crate) length: ColumnBuilder,
    queued: ColumnBuilder,
    kernel_start: ColumnBuilder,
    after_kernel: ColumnBuilder,
    node: ColumnBuilder,
    thread: ColumnBuilder,
}

impl OpTableBuilder {
    #[inline]
    pub(crate) fn push(&mut self, node: NodeId, times: &OpTimes) {
        let OpTimes { start_unix_ns, length_ns, scheduled_unix_ns, kernel_start_ns, kernel_end_ns, thread } =
            *times;
        let length = length_ns.max(0);
        self.start.push(start_unix_ns);
        self.length.push(length);
        self.queued.push_option(scheduled_unix_ns.and_then(|scheduled| start_unix_ns.checked_sub(scheduled)));
        self.kernel_start.push(kernel_start_ns);
        self.after_kernel.push(length.wrapping_sub(kernel_end_ns));
        self.node.push(i64::from(node.get()));
        // Readers give the highest numbers to threads without a number that fits. As negative numbers they are small.
        self.thread.push(i64::from(thread as i32));
    }

    /// The number of ops.
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// Appends the ops of `other`; `nodes` has the new id of each of its nodes.
    pub(crate) fn append(&mut self, other: &Self, nodes: &[NodeId]) {
        other.start.iter().for_each(|start| self.start.push(start));
        self.length.append(&other.length);
        self.queued.append(&other.queued);
        self.kernel_start.append(&other.kernel_start);
        self.after_kernel.append(&other.after_kernel);
        self.node.append_ids(&other.node, |old| nodes[old].get());
        self.thread.append(&other.thread);
    }

    /// The id of the node in a row, as a number.
    pub(crate) fn node_of(&self, row: usize) -> u32 {
        self.node.get(row) as u32
    }

    /// Replaces the node of every row by the result of `map`.
    pub(crate) fn map_nodes(&mut self, mut map: impl FnMut(usize, NodeId) -> NodeId) {
        let mut mapped = ColumnBuilder::default();
        for row in 0..self.len() {
            mapped.push(i64::from(map(row, NodeId::new(self.node_of(row))).get()));
        }
        self.node = mapped;
    }

    /// How long the op of a row lasts.
    pub(crate) fn length_of(&self, row: usize) -> i64 {
        self.length.get(row)
    }

    /// The thread of a row's op.
    pub(crate) fn thread_of(&self, row: usize) -> u32 {
        self.thread.get(row) as u32
    }

    /// The first start in `rows` and in `marks`, which are some of these rows, in ns from 1970. Other ranges count only if all rows are
    /// ranges.
    pub(crate) fn origin(&self, rows: &[u32], marks: &[u32], nodes: &NodeTable) -> i64 {
        let start = |&row: &u32| self.start.get(row as usize);
        let is_work = |row: &&u32| !nodes.is_range(NodeId::new(self.node.get(**row as usize) as u32));
        let first = match nodes.has_ranges() {
            true => rows.iter().filter(is_work).map(start).min(),
            false => None,
        };
        let first = first.map(|first| marks.iter().map(start).fold(first, i64::min));
        first.or_else(|| rows.iter().map(start).min()).unwrap_or(0)
    }

    /// The table with its rows in the order of `rows`, and times relative to `origin`. `parts` has the part of each new row.
    pub(crate) fn finish(self, rows: &[u32], origin: i64, parts: Column) -> OpTable {
        let starts = rows.iter().map(|&row| Timestamp(self.start.get(row as usize) - origin));
        OpTable {
            start: Moments::of(rows.len(), starts),
            length: self.length.finish(rows),
            queued: self.queued.finish(rows),
            kernel_start: self.kernel_start.finish(rows),
            after_kernel: self.after_kernel.finish(rows),
            node: self.node.finish(rows),
            thread: self.thread.finish(rows),
            part: parts,
        }
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let Self { start, length, queued, kernel_start, after_kernel, node, thread } = self;
        let columns = [length, queued, kernel_start, after_kernel, node, thread];
        start.heap_bytes() + columns.map(ColumnBuilder::heap_bytes).iter().sum::<usize>()
    }
}
