//! Events that wait for work of other threads, which was recorded there: the work counts, and the event waits.
//!
//! - XLA on a CPU runs the ops of a program in a pool of threads, while the thread that called waits (`xla/service/cpu`,
//!   `CpuExecutable`). Where the ops were recorded, that wait is no work. Where they end later than their events, it is all that says how
//!   long the program ran: it stays compute. Where only the calls were recorded that run parts of it in the pool, these compute.
//! - An iterator of `tf.data` runs functions of Python in the threads of an executor, and waits for them (`generator_dataset_op.cc`,
//!   `map_dataset_op.cc`). A `PyFunc` that never ran but while such an iterator did loads input.

use super::TraceBuilder;
use crate::base::ids::{NodeId, StringId};
use crate::base::order;
use crate::model::category::{Category, is_input};
use crate::model::device::Device;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_messages::say;

/// The function that waits for the ops of a program.
const WAITS: &str = "ThunkExecutor::Execute (wait for completion)";
/// The same in the threads of the pool: a part of a program runs. It contains ops, where these were recorded.
pub(crate) const RUNS_PART: &str = "ThunkExecutor::Execute";
/// What runs a whole program on a CPU: no op of it.
const RUNS_PROGRAM: &str = "::ExecuteHelper";
/// Ops that call Python.
const PYTHON: [&str; 3] = ["PyFunc", "PyFuncStateless", "EagerPyFunc"];
/// Waits whose time is covered by ops for this share, in percent, are waits.
const COVERED_PERCENT: i128 = 75;

/// What an event is here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Waits,
    Runs,
    Part,
    Op,
    Python,
    Iterator,
    Other,
}

/// A time of one event: from and to.
type Time = (i64, i64);

impl TraceBuilder {
    /// Settles what waits, and which calls of Python load input. `rows` are the rows of the ops of `devices`, in their order.
    pub(super) fn settle_elsewhere(&mut self, rows: &[u32], devices: &[Device]) {
        let kinds: Vec<Kind> = self.nodes.ids().map(|node| self.kind_of(node)).collect();
        let kinds = &kinds[..];
        let has = |kind: Kind| kinds.contains(&kind);
        let nesting = || devices.iter().filter(|device| device.nests);
        let mut moved: HashMap<NodeId, (Category, &str), FixedState> = HashMap::default();
        if has(Kind::Waits) {
            let of_kind = |kind: Kind| self.nodes.ids().filter(move |node| kinds[node.index()] == kind);
            let by_ops = self.covers_waits(rows, devices, kinds, &[Kind::Op, Kind::Python]);
            // Ops that end later than their events are none of what the parts say.
            let by_parts = !has(Kind::Op) && self.covers_waits(rows, devices, kinds, &[Kind::Part]);
            if by_ops || by_parts {
                moved.extend(
                    of_kind(Kind::Waits).map(|node| (node, (Category::Waiting, say!("why-waits-for-ops")))),
                );
            }
            if by_parts {
                moved.extend(
                    of_kind(Kind::Part).map(|node| (node, (Category::Compute, say!("why-runs-part")))),
                );
            }
        }
        if has(Kind::Python) && has(Kind::Iterator) {
            let mut is_within: HashMap<NodeId, bool, FixedState> = HashMap::default();
            for device in nesting() {
                self.find_within(rows_of(rows, device), kinds, &mut is_within);
            }
            let within = is_within.into_iter().filter(|&(_, is_within)| is_within);
            moved.extend(within.map(|(node, _)| (node, (Category::Input, say!("why-within-iterator")))));
        }
        if moved.is_empty() {
            return;
        }
        let mut moved: Vec<(NodeId, (Category, &str))> = moved.into_iter().collect();
        moved.sort_unstable_by_key(|&(node, _)| node);
        let (nodes, strings) = (&mut self.nodes, &mut self.strings);
        let like: HashMap<NodeId, NodeId, FixedState> = moved
            .into_iter()
            .map(|(node, (category, reason))| {
                let reason = strings.intern(reason.as_bytes());
                (node, nodes.push_like(node, category, reason))
            })
            .collect();
        self.ops.map_nodes(|_, node| like.get(&node).copied().unwrap_or(node));
    }

    /// Whether events of kinds among `works` run for most of the time of those that wait.
    fn covers_waits(&self, rows: &[u32], devices: &[Device], kinds: &[Kind], works: &[Kind]) -> bool {
        let (mut all, mut covered) = (0, 0);
        for device in devices.iter().filter(|device| device.nests) {
            let (waits, ops) = self.stretches(rows_of(rows, device), kinds, works);
            let ops = united(ops);
            all += waits.iter().map(|&(from, to)| i128::from(to) - i128::from(from)).sum::<i128>();
            covered += waits.iter().map(|&wait| covered_of(&ops, wait)).sum::<i128>();
        }
        covered * 100 >= all * COVERED_PERCENT && covered > 0
    }

    fn kind_of(&self, node: NodeId) -> Kind {
        let text = |id: StringId| self.strings.get(id);
        let (name, op_type) = (text(self.nodes.name(node)), text(self.nodes.op_type(node)));
        match self.nodes.category(node) {
            Category::Compute if name == WAITS => Kind::Waits,
            Category::Compute if name.ends_with(RUNS_PROGRAM) => Kind::Runs,
            Category::Compute if PYTHON.contains(&op_type) => Kind::Python,
            Category::Compute => Kind::Op,
            Category::Range if name == RUNS_PART => Kind::Part,
            Category::Input if is_input(name) && name.starts_with("Iterator::") => Kind::Iterator,
            _ => Kind::Other,
        }
    }

    /// The times of waits, and of kinds among `works`, where nothing that they contain runs. `rows` are the ops of one device.
    fn stretches(&self, rows: &[u32], kinds: &[Kind], works: &[Kind]) -> (Vec<Time>, Vec<Time>) {
        let (mut waits, mut ops) = (Vec::new(), Vec::new());
        let kind = |row: u32| kinds[self.ops.node_of(row as usize) as usize];
        let is_told =
            |row: &u32| !matches!(kind(*row), Kind::Other | Kind::Part) || works.contains(&kind(*row));
        let mut sorted: Vec<u32> = rows.iter().copied().filter(is_told).collect();
        let time = |row: u32| {
            let start = self.ops.start.get(row as usize);
            (start, start.saturating_add(self.ops.length_of(row as usize).max(0)))
        };
        order::by_number(&mut sorted, |row| (time(row).0, time(row).1.wrapping_neg()));
        order::by_number(&mut sorted, |row| (i64::from(self.ops.thread_of(row as usize)), 0));
        let thread = |row: u32| self.ops.thread_of(row as usize);
        for own in sorted.chunk_by(|&a, &b| thread(a) == thread(b)) {
            let mut open: Vec<(Kind, Time)> = Vec::new();
            for next in own.iter().map(|&row| Some((kind(row), time(row)))).chain([None]) {
                let until = next.map(|(_, (from, _))| from);
                while let Some((inner, (from, to))) = open.last_mut() {
                    let end = until.map_or(*to, |until| until.min(*to));
                    if end > *from {
                        match inner {
                            Kind::Waits => waits.push((*from, end)),
                            inner if works.contains(inner) => ops.push((*from, end)),
                            _ => {}
                        }
                        *from = end;
                    }
                    let ended = *to;
                    if until.is_some_and(|until| ended > until) {
                        break;
                    }
                    open.pop();
                    if let Some((_, (outer, _))) = open.last_mut() {
                        *outer = (*outer).max(ended);
                    }
                }
                open.extend(next);
            }
        }
        (waits, ops)
    }

    /// Notes for the nodes of calls of Python whether each of them ran wholly while one iterator did. `rows` are the ops of one device, by
    /// start.
    fn find_within(&self, rows: &[u32], kinds: &[Kind], is_within: &mut HashMap<NodeId, bool, FixedState>) {
        let ops = &self.ops;
        let start = |row: u32| ops.start.get(row as usize);
        let end = |row: u32| start(row).saturating_add(ops.length_of(row as usize).max(0));
        let kind = |row: u32| kinds[ops.node_of(row as usize) as usize];
        let mut until = i64::MIN;
        for together in rows.chunk_by(|&a, &b| start(a) == start(b)) {
            let iterators = together.iter().filter(|&&row| kind(row) == Kind::Iterator);
            until = iterators.map(|&row| end(row)).fold(until, i64::max);
            for &row in together.iter().filter(|&&row| kind(row) == Kind::Python) {
                let node = NodeId::new(ops.node_of(row as usize));
                *is_within.entry(node).or_insert(true) &= end(row) <= until;
            }
        }
    }
}

fn rows_of<'a>(rows: &'a [u32], device: &Device) -> &'a [u32] {
    rows.get(device.first_op as usize..device.end_op() as usize).unwrap_or_default()
}

/// The union of `times`, and before each of its stretches how long those before it are.
fn united(mut times: Vec<Time>) -> Vec<(Time, i128)> {
    order::by_number(&mut times, |(from, to)| (from, to));
    let mut found: Vec<(Time, i128)> = Vec::new();
    for (from, to) in times {
        match found.last_mut() {
            Some(((_, end), _)) if from <= *end => *end = to.max(*end),
            last => {
                let before =
                    last.map_or(0, |((from, to), before)| *before + i128::from(*to) - i128::from(*from));
                found.push(((from, to), before));
            }
        }
    }
    found
}

/// How long `union` runs within `window`.
fn covered_of(union: &[(Time, i128)], (from, to): Time) -> i128 {
    let until = |at: i64| {
        let next = union.partition_point(|((start, _), _)| *start < at);
        let Some(((start, end), before)) = next.checked_sub(1).and_then(|last| union.get(last)) else {
            return 0;
        };
        before + i128::from(at.min(*end)) - i128::from(*start)
    };
    until(to) - until(from)
}
