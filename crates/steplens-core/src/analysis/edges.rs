//! Edges: each input of an op with where it came from, and who used what an op made or a transfer brought.

use crate::Trace;
use crate::analysis::dataflow::pairing::{Pair, User, by_order, last_ended};
use crate::analysis::dataflow::runs::Place;
use crate::analysis::dataflow::{Certainty, DataFlow, Maker};
use crate::analysis::transfers::{Brought, Transfers};
use crate::graph::End;
use crate::ids::{GraphNodeId, OpId, StringId, TransferId};
use crate::label::{self, InputRef};
use crate::order;

/// How many nodes that use one value are looked at. A variable of a large model has some hundreds of readers; hostile files may
/// have any number.
const MAX_USERS: usize = 4096;
/// How many ops are found at most to have used one value. A loop reads a variable once an iteration.
const MAX_CONSUMERS: usize = 16_384;
/// How many inputs of one op are looked at. Real ops have a few, `AddN` some hundreds.
pub const MAX_INPUTS: usize = 1_000;
/// Up to how many runs of a name are looked at one by one where their labels may differ.
const MAX_UNORDERED: usize = 64;

/// Where an input came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An op: of the same device, or of another one where nothing recorded the transfer between them.
    Op(OpId),
    /// A transfer brought it.
    Transfer(TransferId),
    /// Nothing came from there this time: the other branch, or the other input of a `Merge`, did.
    NotTaken,
    /// Its maker left no op.
    NotRecorded,
}

/// An input of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<'a> {
    /// What the graph or the label calls it: name, output, and whether it is an order only.
    pub input: InputRef<'a>,
    /// Where it came from.
    pub source: Source,
    /// How surely that is known.
    pub certainty: Certainty,
}

/// What of a trace tells its edges.
#[derive(Clone, Copy)]
pub struct Edges<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its data flow.
    pub flow: &'a DataFlow,
    /// What went between its devices.
    pub transfers: &'a Transfers,
}

/// All that the maker of an input made.
#[derive(Clone, Copy)]
enum Made<'a> {
    /// By ops of the same device.
    Here(&'a [OpId]),
    /// By ops of another device, of so many that it may have been.
    There(&'a [OpId], u32),
    /// By transfers, whose tensors had so many different keys under the name that is known.
    Brought(&'a [u32], u32),
    Nothing,
}

impl Made<'_> {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Here(a) | Self::There(a, _), Self::Here(b) | Self::There(b, _)) => std::ptr::eq(*a, *b),
            (Self::Brought(a, _), Self::Brought(b, _)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl<'a> Edges<'a> {
    /// The first `most` inputs of `op`, in the order of the graph or the label.
    pub fn inputs(self, op: OpId, most: usize) -> Vec<Edge<'a>> {
        let user = self.flow.user(self.trace, op);
        let inputs = self.flow.inputs(self.trace, op, user.node, most.min(MAX_INPUTS));
        inputs.into_iter().map(|(input, maker)| self.edge(&user, input, maker)).collect()
    }

    /// The op that stands for `source`: what made it; of a transfer the op that recorded it, or else its producer.
    pub fn maker(self, source: Source) -> Option<OpId> {
        match source {
            Source::Op(maker) => Some(maker),
            Source::Transfer(id) => {
                let transfer = self.transfers.get(id);
                transfer.op.or(transfer.producer.ok())
            }
            Source::NotTaken | Source::NotRecorded => None,
        }
    }

    fn edge(self, user: &User<'a>, input: InputRef<'a>, maker: Maker) -> Edge<'a> {
        let certainty = if user.node.is_some() { Certainty::Exact } else { Certainty::Inferred };
        let made = self.made(user, input, maker);
        let pair = self.taken(user, input, made);
        let source = match made {
            Made::Nothing => Source::NotRecorded,
            _ if pair.candidates == 0 => Source::NotTaken,
            Made::Here(ops) | Made::There(ops, _) => Source::Op(ops[pair.run]),
            Made::Brought(rows, _) => Source::Transfer(TransferId::new(rows[pair.run])),
        };
        // No op feeds itself, whatever names say.
        if source == Source::Op(user.op) {
            return Edge { input, source: Source::NotTaken, certainty };
        }
        Edge { input, source, certainty: certainty.among(pair.candidates) }
    }

    /// What the maker of `input` made for the runs of `user`.
    fn made(self, user: &User<'a>, input: InputRef<'a>, maker: Maker) -> Made<'a> {
        let found = match maker {
            Maker::Unknown => None,
            Maker::Node(node) => self.made_by(user.place, node),
            Maker::Label => return self.made_by_name(user, input),
        };
        found.unwrap_or(Made::Nothing)
    }

    fn made_by(self, place: Place, node: GraphNodeId) -> Option<Made<'a>> {
        let Some(End::Recv) = self.trace.graph().meeting(node).map(|meeting| meeting.end) else {
            let runs = self.flow.runs_of_node(self.trace, node, place);
            return (!runs.is_empty()).then_some(Made::Here(runs));
        };
        let rows = self.transfers.brought(place, Brought::By(node));
        if !rows.is_empty() {
            return Some(Made::Brought(rows, 1));
        }
        // Between tasks, and nothing recorded it.
        let (sender, source) = self.transfers.sender(self.trace, self.flow, place.execution, node)?;
        let maker = *self.flow.graph.makers_of(self.trace.graph(), sender).first()?;
        let place = Place { device: self.trace.devices().by_name(source)?, ..place };
        let runs = self.flow.runs_of_node(self.trace, maker?, place);
        (!runs.is_empty()).then_some(Made::There(runs, 1))
    }

    fn made_by_name(self, user: &User<'a>, input: InputRef<'a>) -> Made<'a> {
        let place = user.place;
        let find = |name| self.trace.strings().find(name);
        if let Some(name) = find(input.name) {
            if let Some(node) = self.flow.graph.node(self.trace, &self.flow.executions, name, place) {
                return self.made_by(place, node).unwrap_or(Made::Nothing);
            }
            let runs = self.flow.makers(self.trace, place, input, Maker::Label);
            if !runs.is_empty() {
                return Made::Here(runs);
            }
            if let Some(brought) = self.brought_as(user, input, name) {
                return brought;
            }
        }
        let base = label::without_partition_suffix(input.name).and_then(find);
        let cut =
            base.and_then(|base| self.brought_as(user, input, base).or_else(|| self.made_there(place, base)));
        cut.unwrap_or(Made::Nothing)
    }

    /// What was brought under `name`, if the graphs do not say by which key. The partitioner sends an order as an empty tensor, and
    /// receives it with an `Identity` that the ops wait for.
    fn brought_as(self, user: &User<'a>, input: InputRef<'a>, name: StringId) -> Option<Made<'a>> {
        let nodes = self.trace.nodes();
        let own = self.trace.op_name(user.op);
        let is_order = input.control
            || self.trace.text(nodes.op_type(self.trace.ops().node(user.op))) == "Identity"
                && label::without_partition_suffix(own) == label::without_partition_suffix(input.name);
        let both = [Brought::As(name), Brought::AsOrder(name)];
        let both = if is_order { [both[1], both[0]] } else { both };
        let rows = both.map(|brought| self.transfers.brought(user.place, brought));
        let rows = rows.into_iter().find(|rows| !rows.is_empty())?;
        Some(Made::Brought(rows, self.transfers.rivals(rows)))
    }

    /// What ops called `name` of other devices made, if no transfer of it was recorded.
    fn made_there(self, place: Place, name: StringId) -> Option<Made<'a>> {
        let row = self.flow.runs.row(name)?;
        let lists = self.flow.elsewhere(self.trace, row, place);
        Some(Made::There(lists.first()?, lists.len() as u32))
    }

    /// Which of what was made `user` took.
    fn taken(self, user: &User<'a>, input: InputRef<'a>, made: Made<'a>) -> Pair {
        let start = self.trace.ops().start(user.op);
        let (run, runs) = (user.run, user.runs.len());
        match made {
            Made::Nothing => Pair { run: 0, candidates: 0 },
            Made::Here(ops) => self.flow.pair(self.trace, user, input, ops),
            Made::There(ops, devices) => {
                let pair = by_order(run, runs, ops.len(), || last_ended(self.trace, ops, start));
                Pair { candidates: pair.candidates.max(devices), ..pair }
            }
            Made::Brought(rows, rivals) => {
                let is_ready = |row: &u32| self.transfers.ready(self.trace, *row) <= start;
                let last = || rows.partition_point(is_ready).checked_sub(1);
                match rivals {
                    ..=1 => by_order(run, runs, rows.len(), last),
                    _ => Pair { run: last().unwrap_or(0), candidates: rivals },
                }
            }
        }
    }

    /// The ops that used what `op` made, without those that a transfer brought it to; in order, the first of very many.
    pub fn consumers(self, op: OpId) -> Vec<OpId> {
        let (trace, flow) = (self.trace, self.flow);
        let user = flow.user(trace, op);
        let mut found = Found { made: Made::Here(user.runs), by: user.node, run: user.run, ops: Vec::new() };
        if let Some(node) = user.node {
            for &other in flow.graph.users_of(node).iter().take(MAX_USERS) {
                self.find_users(&mut found, user.place, other);
                let receiver = self.transfers.unrecorded(trace, flow, user.place.execution, other);
                let Some((receiver, device)) = receiver else { continue };
                found.by = Some(receiver);
                for &far in flow.graph.users_of(receiver).iter().take(MAX_USERS) {
                    self.find_users(&mut found, Place { device, ..user.place }, far);
                }
                found.by = user.node;
            }
        }
        let name = trace.nodes().name(trace.ops().node(op));
        for &(_, other) in flow.labels.users(name).iter().take(MAX_USERS) {
            self.find(&mut found, flow.runs.on(trace, &flow.executions, other, user.place));
        }
        for &(_, other) in flow.labels.cut_users(name).iter().take(MAX_USERS) {
            flow.elsewhere(trace, other, user.place).into_iter().for_each(|runs| self.find(&mut found, runs));
        }
        found.ops.retain(|&user| user != op);
        found.sorted()
    }

    /// Who used what the transfers of `rows` brought, which are all of one [input](Transfers::by_input), as (row, op); each user is looked at
    /// once, and no more than `looks` are. Some may come twice.
    pub(crate) fn users_of_all(self, rows: &'a [u32], looks: &mut usize) -> Vec<(u32, OpId)> {
        let mut users = Vec::new();
        let Some((place, brought)) =
            rows.first().and_then(|&row| self.transfers.input_of(TransferId::new(row)))
        else {
            return users;
        };
        let by = if let Brought::By(node) = brought { Some(node) } else { None };
        let found = Found { made: Made::Brought(rows, 1), by, run: 0, ops: Vec::new() };
        for (runs, is_certain) in self.lists(place, brought) {
            let Some(left) = looks.checked_sub(runs.len().max(1)) else { break };
            *looks = left;
            let Some(&first) = runs.first() else { continue };
            // What came once, every run of a node that uses it took.
            if let (true, &[only]) = (is_certain, rows) {
                users.extend(runs.iter().map(|&op| (only, op)));
                continue;
            }
            let any = User { runs, run: 0, ..self.flow.user(self.trace, first) };
            for run in 0..runs.len() {
                let user = any.at(run);
                let pairs = self.pairs(user, &found).into_iter().filter(|pair| pair.candidates > 0);
                users.extend(pairs.map(|pair| (rows[pair.run], user.op)));
            }
        }
        users
    }

    /// The runs of every name that may use what is `brought` to `place`; and whether the graph says that all of them do.
    fn lists(self, place: Place, brought: Brought) -> Vec<(&'a [OpId], bool)> {
        let (trace, flow) = (self.trace, self.flow);
        let named =
            |(_, name): &(StringId, u32)| (flow.runs.on(trace, &flow.executions, *name, place), false);
        let mut lists: Vec<(&[OpId], bool)> = Vec::new();
        match brought {
            Brought::By(node) => {
                let users = flow.graph.users_of(node).iter().take(MAX_USERS);
                lists.extend(users.map(|&user| (flow.runs_of_node(trace, user, place), true)));
                lists.extend(flow.labels.users(trace.graph().name(node)).iter().take(MAX_USERS).map(named));
            }
            Brought::As(name) | Brought::AsOrder(name) => {
                lists.extend(flow.labels.users(name).iter().take(MAX_USERS).map(named));
                lists.extend(flow.labels.cut_users(name).iter().take(MAX_USERS).map(named));
            }
        }
        lists
    }

    /// The ops that used what a transfer brought, in order; the first of very many.
    pub fn consumers_of(self, transfer: TransferId) -> Vec<OpId> {
        let trace = self.trace;
        let Some((place, brought)) = self.transfers.input_of(transfer) else { return Vec::new() };
        let rows = self.transfers.brought(place, brought);
        let own = (self.transfers.ready(trace, transfer.get()), transfer.get());
        let at = rows.partition_point(|&row| (self.transfers.ready(trace, row), row) < own);
        let by = if let Brought::By(node) = brought { Some(node) } else { None };
        let mut found = Found { made: Made::Brought(rows, 1), by, run: at, ops: Vec::new() };
        for (runs, is_certain) in self.lists(place, brought) {
            // What came once, every run of a node that uses it took.
            if is_certain && rows.len() == 1 {
                let room = MAX_CONSUMERS - found.ops.len();
                found.ops.extend(runs.iter().take(room));
            } else {
                self.find(&mut found, runs);
            }
        }
        found.sorted()
    }

    fn find_users(self, found: &mut Found<'a>, place: Place, node: GraphNodeId) {
        self.find(found, self.flow.runs_of_node(self.trace, node, place));
    }

    /// Adds those of `runs`, the runs of one name, that took what is looked for. What runs of a node took never goes back.
    fn find(self, found: &mut Found<'a>, runs: &'a [OpId]) {
        let Some(&first) = runs.first() else { return };
        let any = User { runs, run: 0, ..self.flow.user(self.trace, first) };
        let (mut low, mut high) = (0, runs.len());
        // Ops that only share a name need not use the same.
        let is_ordered = any.node.is_some() || runs.len() > MAX_UNORDERED;
        while is_ordered && low < high {
            let middle = (low + high) / 2;
            let goes_before = |pair: &Pair| pair.run < found.run;
            if self.pairs(any.at(middle), found).iter().any(goes_before) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        for run in low..runs.len() {
            let user = any.at(run);
            let pairs = self.pairs(user, found);
            let is_found = pairs.iter().any(|pair| pair.run == found.run && pair.candidates > 0);
            if is_found {
                found.ops.push(user.op);
            }
            let is_past = is_ordered && pairs.iter().all(|pair| pair.run > found.run);
            if is_past || found.ops.len() >= MAX_CONSUMERS {
                break;
            }
        }
    }

    /// Which of what is looked for `user` took, for each input that it may have taken it by.
    fn pairs(self, user: User<'a>, found: &Found<'a>) -> Vec<Pair> {
        let user = if user.node.is_some() { user } else { self.flow.user(self.trace, user.op) };
        let mut pairs = Vec::new();
        for (input, maker) in self.flow.inputs(self.trace, user.op, user.node, MAX_INPUTS) {
            if matches!((maker, found.by), (Maker::Node(node), Some(by)) if node != by) {
                continue;
            }
            let made = self.made(&user, input, maker);
            if made.is(&found.made) {
                pairs.push(self.taken(&user, input, made));
            }
        }
        pairs
    }
}

/// The users of one of what was made, so far.
struct Found<'a> {
    made: Made<'a>,
    /// The node that made it, if that is known.
    by: Option<GraphNodeId>,
    run: usize,
    ops: Vec<OpId>,
}

impl Found<'_> {
    fn sorted(self) -> Vec<OpId> {
        let mut ops = self.ops;
        if ops.len() < 2 {
            return ops;
        }
        order::by_number(&mut ops, |op| (i64::from(op.get()), 0));
        ops.dedup();
        ops
    }
}
