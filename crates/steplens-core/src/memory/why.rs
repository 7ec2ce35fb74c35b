//! Why a tensor is alive at a moment: which op reads it last and what that op waited for, what would be freed if it had not waited,
//! and what else is alive for the same reason.
//!
//! At a moment, the ops that have not ended hold the tensors that they will read, and hold back the ops that will read their
//! outputs. An op **dominates** a tensor if all ops that will read the tensor come after this op, or are this op: every path from
//! the running ops to the tensor leads through it. So the tensor is alive at least until the op has ended. An op *keeps* all
//! tensors that it dominates.

use crate::Trace;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::{Bytes, Nanos, Timestamp};
use crate::memory::Account;
use crate::memory::reads::Reads;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The ops that keep tensors alive at one moment.
#[derive(Debug)]
pub struct Holders {
    at: Timestamp,
    /// The ops that have not ended and lead to a tensor that is alive, in order of start. The first row stands for no op.
    ops: Vec<Option<OpId>>,
    /// For each row the nearest op that all paths to it lead through.
    above: Vec<u32>,
    /// For each row the bytes and the number of tensors that it keeps.
    keeps: Vec<(Bytes, u64)>,
    /// (life, the rows of the ops that will read it, the row that dominates it).
    tensors: HashMap<usize, (Vec<u32>, u32), FixedState>,
}

/// An op that keeps bytes alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The op.
    pub op: OpId,
    /// The bytes that stay alive at least until it ends.
    pub bytes: Bytes,
    /// The number of tensors with these bytes.
    pub tensors: u64,
}

/// The last reader of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastReader {
    /// The op.
    pub op: OpId,
    /// The op that ended last among those that made its inputs.
    pub waited_for: Option<OpId>,
    /// When that op ended: all inputs were ready.
    pub ready: Timestamp,
    /// How long the last reader did not run although all inputs were ready.
    pub late: Nanos,
    /// Bytes alive at the moment that would be freed by then if the last reader had run right after its inputs were ready.
    pub would_free: Bytes,
    /// Bytes of its outputs that would be alive instead, except those that are alive already.
    pub would_need: Bytes,
}

/// Why a tensor is alive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// All ops that read it, in order of their ends.
    pub readers: Vec<OpId>,
    /// The last of these ops.
    pub last: Option<LastReader>,
    /// How many of these ops have not ended.
    pub waiting: u64,
    /// The ops that keep it alive: the nearest first, each held back by the next.
    pub holders: Vec<Holder>,
}

/// At most this many holders of one tensor are listed.
const MOST_HOLDERS: usize = 64;

impl Holders {
    /// Finds the ops that hold the tensors of `account` that are alive at `at`.
    pub fn found(trace: &Trace, reads: &Reads, account: &Account, at: Timestamp) -> Self {
        // No op keeps a tensor alive that is never freed.
        let is_freed = |row: &usize| account.lives.get(*row).freed.is_some();
        let rows = account.lives.alive_at(at).filter(is_freed);
        // For each output the life with its bytes, plus 1.
        let mut life_of = vec![0_u32; reads.outputs()];
        for row in rows {
            if let Some(root) = root_of(reads, account, row) {
                life_of[root as usize] = row as u32 + 1;
            }
        }
        let pending = |op: &OpId| trace.ops().end(*op) > at;
        let mut readers: HashMap<usize, Vec<OpId>, FixedState> = HashMap::default();
        let mut is_wanted = vec![false; trace.ops().len()];
        let mut front = Vec::new();
        for op in trace.ops().ids().filter(pending) {
            for &output in reads.of_op(op) {
                let life = life_of[reads.root(output) as usize];
                if life > 0 {
                    readers.entry(life as usize - 1).or_default().push(op);
                    if !std::mem::replace(&mut is_wanted[op.index()], true) {
                        front.push(op);
                    }
                }
            }
        }
        // Add the ops that these ops wait for, and that have not ended either.
        while let Some(op) = front.pop() {
            for &output in reads.of_op(op) {
                let (maker, _) = reads.made_by(output);
                if pending(&maker) && !std::mem::replace(&mut is_wanted[maker.index()], true) {
                    front.push(maker);
                }
            }
        }
        let mut ops: Vec<OpId> = trace.ops().ids().filter(|op| is_wanted[op.index()]).collect();
        order::by_number(&mut ops, |op| (trace.ops().start(op).0, i64::from(op.get())));
        let mut holders = Self {
            at,
            ops: std::iter::once(None).chain(ops.into_iter().map(Some)).collect(),
            above: vec![0],
            keeps: Vec::new(),
            tensors: HashMap::default(),
        };
        // For each op its row; 0 for ops that hold nothing.
        let mut row_of = vec![0_u32; trace.ops().len()];
        let mut tree = Tree::default();
        for row in 1..holders.ops.len() {
            let Some(op) = holders.ops[row] else { continue };
            let maker = |&output: &u32| row_of[reads.made_by(output).0.index()];
            // An op without a row holds nothing, or starts later if clocks are wrong: then it holds nothing back.
            let makers = reads.of_op(op).iter().map(maker).filter(|&maker| maker > 0);
            let above = makers.reduce(|a, b| tree.common(a, b)).unwrap_or(0);
            tree.push(above);
            holders.above.push(above);
            row_of[op.index()] = row as u32;
        }
        holders.keeps = vec![(Bytes(0), 0); holders.ops.len()];
        for (life, ops) in readers {
            let rows: Vec<u32> = ops.iter().map(|op| row_of[op.index()]).filter(|&row| row > 0).collect();
            let above = rows.iter().copied().reduce(|a, b| tree.common(a, b)).unwrap_or(0);
            let keeps = &mut holders.keeps[above as usize];
            keeps.0 += account.lives.get(life).bytes;
            keeps.1 += 1;
            holders.tensors.insert(life, (rows, above));
        }
        for row in (1..holders.ops.len()).rev() {
            let (bytes, tensors) = holders.keeps[row];
            let above = &mut holders.keeps[holders.above[row] as usize];
            above.0 += bytes;
            above.1 += tensors;
        }
        holders
    }

    /// The moment.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The `most` ops that keep the most bytes alive, the largest first; of equal ones the op that ran first.
    pub fn largest(&self, most: usize) -> Vec<Holder> {
        let mut rows: Vec<u32> =
            (1..self.ops.len() as u32).filter(|&row| self.keeps[row as usize].0 > Bytes(0)).collect();
        rows.sort_by(|&a, &b| self.keeps[b as usize].0.cmp(&self.keeps[a as usize].0).then(a.cmp(&b)));
        rows.into_iter().take(most).filter_map(|row| self.holder(row)).collect()
    }

    /// The op that is the only one that will read most bytes: of equal ones the one that runs first.
    pub fn only_reader(&self, account: &Account) -> Option<Holder> {
        let mut read: HashMap<u32, (Bytes, u64), FixedState> = HashMap::default();
        for (&life, (rows, _)) in &self.tensors {
            let only = rows.first().copied().filter(|first| rows.iter().all(|own| own == first));
            if let Some(row) = only {
                let (bytes, tensors) = read.entry(row).or_default();
                *bytes += account.lives.get(life).bytes;
                *tensors += 1;
            }
        }
        let most = read.into_iter().max_by_key(|&(row, (bytes, _))| (bytes, std::cmp::Reverse(row)));
        let (row, (bytes, tensors)) = most?;
        Some(Holder { op: self.ops[row as usize]?, bytes, tensors })
    }

    /// Why the life `row` of `account` is alive.
    pub fn why(&self, trace: &Trace, reads: &Reads, account: &Account, row: usize) -> Why {
        let ops = trace.ops();
        let mut why = Why::default();
        let Some(root) = root_of(reads, account, row) else { return why };
        why.readers = reads.readers(root);
        order::by_number(&mut why.readers, |op| (ops.end(op).0, i64::from(op.get())));
        why.waiting = why.readers.iter().filter(|&&op| ops.end(op) > self.at).count() as u64;
        why.last = why.readers.last().map(|&op| self.last_reader(trace, reads, account, op));
        if let Some((_, above)) = self.tensors.get(&row) {
            let mut at = *above;
            while at > 0 && why.holders.len() < MOST_HOLDERS {
                why.holders.extend(self.holder(at));
                at = self.above[at as usize];
            }
        }
        why
    }

    fn holder(&self, row: u32) -> Option<Holder> {
        let (bytes, tensors) = self.keeps[row as usize];
        Some(Holder { op: self.ops[row as usize]?, bytes, tensors })
    }

    fn last_reader(&self, trace: &Trace, reads: &Reads, account: &Account, op: OpId) -> LastReader {
        let ops = trace.ops();
        let interval = ops.interval(op);
        let makers = reads.of_op(op).iter().map(|&output| reads.made_by(output).0);
        let waited_for = makers.max_by_key(|&maker| (ops.end(maker), maker));
        let ready = waited_for.map_or(interval.start, |maker| ops.end(maker).min(interval.start));
        let (mut would_free, mut would_need) = (Bytes(0), Bytes(0));
        let would_end = ready + interval.length();
        if would_end <= self.at && interval.end > self.at {
            for (&life, (rows, _)) in &self.tensors {
                let is_alone = rows.iter().all(|&row| self.ops[row as usize] == Some(op));
                let life = account.lives.get(life);
                if is_alone {
                    would_free += life.bytes;
                }
            }
            if interval.start > self.at {
                let made = (0..).zip(trace.outputs().of(op));
                let has_own = |row| reads.number(op, row).is_some_and(|number| reads.root(number) == number);
                would_need = made.filter(|&(row, _)| has_own(row)).map(|(_, output)| output.requested).sum();
            }
        }
        LastReader { op, waited_for, ready, late: interval.start - ready, would_free, would_need }
    }
}

/// The output with the bytes of a life.
pub fn root_of(reads: &Reads, account: &Account, row: usize) -> Option<u32> {
    let life = account.lives.get(row);
    Some(reads.root(reads.number(life.op, life.output?)?))
}

/// A tree that grows at its leaves. The nearest common ancestor of two rows is found in logarithmic time, because each row knows
/// one far above it (Myers, "An applicative random-access stack").
struct Tree {
    above: Vec<u32>,
    far: Vec<u32>,
    depth: Vec<u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { above: vec![0], far: vec![0], depth: vec![0] }
    }
}

impl Tree {
    fn push(&mut self, above: u32) {
        let above_row = above as usize;
        let far = self.far[above_row];
        let next = self.far[far as usize];
        let is_same = self.depth[above_row] - self.depth[far as usize]
            == self.depth[far as usize] - self.depth[next as usize];
        self.far.push(if is_same { next } else { above });
        self.depth.push(self.depth[above_row] + 1);
        self.above.push(above);
    }

    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        if self.depth[a as usize] < self.depth[b as usize] {
            std::mem::swap(&mut a, &mut b);
        }
        while self.depth[a as usize] > self.depth[b as usize] {
            let far = self.far[a as usize];
            a = if self.depth[far as usize] >= self.depth[b as usize] { far } else { self.above[a as usize] };
        }
        while a != b {
            let far = (self.far[a as usize], self.far[b as usize]);
            (a, b) = if far.0 != far.1 { far } else { (self.above[a as usize], self.above[b as usize]) };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_ancestors_are_those_of_a_plain_walk() {
        let (mut tree, mut above) = (Tree::default(), vec![0_u32]);
        let mut state = 7_u32;
        for row in 1..500_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let parent = if row % 3 == 0 { row - 1 } else { state % row };
            tree.push(parent);
            above.push(parent);
        }
        let walk = |mut row: u32| {
            let mut all = vec![row];
            while row > 0 {
                row = above[row as usize];
                all.push(row);
            }
            all
        };
        for a in 0..500 {
            for b in (0..500).step_by(7) {
                let (of_a, of_b) = (walk(a), walk(b));
                let expected = of_a.iter().find(|row| of_b.contains(row)).copied();
                assert_eq!(Some(tree.common(a, b)), expected, "{a} {b}");
            }
        }
    }
}
