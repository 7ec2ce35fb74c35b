//! Users: which ops used an output of an op or the tensor of a transfer. The reverse of an [edge](super), found through the names
//! that may be users.

use super::{Edges, Made};
use crate::base::ids::{DeviceId, GraphNodeId, NodeId, OpId, TransferId};
use crate::base::order;
use crate::dataflow::Maker;
use crate::dataflow::pairing::{Pair, User};
use crate::dataflow::runs::ExecutionDevice;
use crate::model::label::InputRef;
use crate::transfers::InputKey;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Up to this number of runs of a name are visited one by one, even if their labels agree.
const MAX_UNORDERED: usize = 64;

/// How far the search for users goes when an analysis asks for the users of many ops. Keeps hostile files from costing n².
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many names of possible users are visited. A variable of a large model has some hundreds of readers.
    pub names: usize,
    /// How many users are found; the search may return a few more.
    pub users: usize,
}

impl Bounds {
    /// Finds all users. For one op: takes time linear in the ops that may be users.
    pub const NONE: Self = Self { names: usize::MAX, users: usize::MAX };
    /// For searches of many ops.
    pub const MANY: Self = Self { names: 4096, users: 16_384 };
}

/// The ops that used a tensor, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Users {
    /// The ops.
    pub ops: Vec<OpId>,
    /// Whether there may be more users than the [`Bounds`] allow.
    pub is_cut: bool,
}

impl<'a> Edges<'a> {
    /// The ops that used an output of `op`, except those that received it by a transfer.
    pub fn consumers(self, op: OpId) -> Vec<OpId> {
        self.consumers_within(op, Bounds::NONE).ops
    }

    /// Like `consumers`, but within `bounds`.
    pub fn consumers_within(self, op: OpId, bounds: Bounds) -> Users {
        let (trace, flow) = (self.trace, self.flow);
        let user = flow.user(trace, op);
        let mut found = FoundUsers::none_yet(Made::Here(user.runs), user.node, user.run, bounds);
        if let Some(node) = user.node {
            for &other in found.some_of(flow.graph.users_of(node)) {
                self.find_users(&mut found, user.place, other);
                let receiver = self.transfers.unrecorded(trace, flow, user.place.execution, other);
                let Some((receiver, device)) = receiver else { continue };
                found.by = Some(receiver);
                for &far in found.some_of(flow.graph.users_of(receiver)) {
                    self.find_users(&mut found, ExecutionDevice { device, ..user.place }, far);
                }
                found.by = user.node;
            }
        }
        let name = trace.nodes().name(trace.ops().node(op));
        for &(_, other) in found.some_of(flow.labels.users(name)) {
            self.find(&mut found, flow.runs.on(trace, &flow.executions, other, user.place));
        }
        for &(_, other) in found.some_of(flow.labels.cut_users(name)) {
            for runs in flow.elsewhere(trace, other, user.place) {
                if found.is_full() {
                    break;
                }
                self.find(&mut found, runs);
            }
        }
        found.ops.retain(|&user| user != op);
        found.sorted()
    }

    /// The users of the transfers in `groups`, as (row, op). Each user is visited once; a pair may appear twice. Each group is one
    /// [input](Transfers::by_input). All groups must be known by the same node or name, at different places, in order. `None` if
    /// that needs more than `visits`.
    pub(crate) fn users_of_all(self, groups: &[&'a [u32]], visits: &mut usize) -> Option<Vec<(u32, OpId)>> {
        let mut users = Vec::new();
        let is_done = self.each_list(groups, visits, &mut |rows, runs, is_certain, by| {
            let Some(&first) = runs.first() else { return };
            // If a node has the input from only one tensor, every run of the node used it.
            if let (true, &[only]) = (is_certain, rows) {
                users.extend(runs.iter().map(|&op| (only, op)));
                return;
            }
            let found = FoundUsers::none_yet(Made::Received(rows, 1), by, 0, Bounds::NONE);
            let any = User { runs, run: 0, ..self.flow.user(self.trace, first) };
            let mut ways = Ways::default();
            for (run, &op) in runs.iter().enumerate() {
                let pairs = self.pairs(any.at(run), &found, &mut ways).filter(|pair| pair.candidates > 0);
                users.extend(pairs.map(|pair| (rows[pair.run], op)));
            }
        });
        is_done.then_some(users)
    }

    /// Whether `visits` are enough for [`users_of_all`](Self::users_of_all).
    pub(crate) fn are_few_users(self, groups: &[&'a [u32]], visits: &mut usize) -> bool {
        self.each_list(groups, visits, &mut |_, _, _, _| {})
    }

    /// Calls `visit` with each of `groups`, the runs of each name that may use it, whether the graph says that all of these runs
    /// do, and the node that received the tensor. Returns whether `visits` were enough.
    fn each_list(
        self,
        groups: &[&'a [u32]],
        visits: &mut usize,
        visit: &mut dyn FnMut(&'a [u32], &'a [OpId], bool, Option<GraphNodeId>),
    ) -> bool {
        let flow = self.flow;
        let input = |rows: &&[u32]| self.transfers.input_of(TransferId::new(*rows.first()?));
        let places: Vec<(u32, DeviceId)> =
            groups.iter().filter_map(input).map(|(place, _)| (place.execution, place.device)).collect();
        let Some((_, brought)) = groups.first().and_then(input) else { return true };
        let (nodes, names) = self.user_names(brought);
        let certain = nodes.iter().filter_map(|&user| flow.runs.row(self.trace.graph().name(user)));
        let all = certain.map(|name| (name, true)).chain(names.map(|name| (name, false)));
        for (name, is_certain) in all {
            let mut take = |group: usize, runs: &'a [OpId]| {
                let left = visits.checked_sub(runs.len().max(1));
                *visits = left.unwrap_or(0);
                visit(groups[group], runs, is_certain, brought.node());
                left.is_some()
            };
            let mut rest = flow.runs.of_name(name);
            // Go through the shorter list: places or runs.
            let is_enough = if places.len() <= rest.len() {
                places.iter().enumerate().all(|(group, &(execution, device))| {
                    take(
                        group,
                        flow.runs.on(
                            self.trace,
                            &flow.executions,
                            name,
                            ExecutionDevice { execution, device },
                        ),
                    )
                })
            } else {
                let mut is_enough = true;
                while let Some(&first) = rest.first().filter(|_| is_enough) {
                    let at = flow.place(self.trace, first);
                    let runs_there = flow.runs.on(self.trace, &flow.executions, name, at);
                    rest = &rest[runs_there.len().max(1)..];
                    let group = places.binary_search(&(at.execution, at.device));
                    is_enough = group.is_err() || group.is_ok_and(|group| take(group, runs_there));
                }
                is_enough
            };
            if !is_enough {
                return false;
            }
        }
        true
    }

    /// The nodes and names that may use the tensor `brought`.
    fn user_names(self, brought: InputKey) -> (&'a [GraphNodeId], impl Iterator<Item = u32> + use<'a>) {
        let (trace, flow) = (self.trace, self.flow);
        let (users, name, cut) = match brought {
            InputKey::GraphNode(node) => (flow.graph.users_of(node), trace.graph().name(node), None),
            InputKey::Name(name) | InputKey::ControlName(name) => (&[][..], name, Some(name)),
        };
        let cut = cut.map_or(&[][..], |name| flow.labels.cut_users(name));
        (users, flow.labels.users(name).iter().chain(cut).map(|&(_, user)| user))
    }

    /// The runs of every name that may use the tensor `brought` at `place`; and whether the graph says that all of them do.
    fn lists(self, place: ExecutionDevice, brought: InputKey) -> impl Iterator<Item = (&'a [OpId], bool)> {
        let (trace, flow) = (self.trace, self.flow);
        let (nodes, names) = self.user_names(brought);
        let certain = nodes.iter().map(move |&user| (flow.runs_of_node(trace, user, place), true));
        certain.chain(names.map(move |name| (flow.runs.on(trace, &flow.executions, name, place), false)))
    }

    /// The ops that used the tensor of a transfer, in order.
    pub fn consumers_of(self, transfer: TransferId) -> Vec<OpId> {
        self.consumers_of_within(transfer, Bounds::NONE).ops
    }

    /// Like `consumers_of`, but within `bounds`.
    pub fn consumers_of_within(self, transfer: TransferId, bounds: Bounds) -> Users {
        let trace = self.trace;
        let Some((place, brought)) = self.transfers.input_of(transfer) else { return Users::default() };
        let rows = self.transfers.brought(place, brought);
        let order_of_transfer = (self.transfers.ready(trace, transfer.get()), transfer.get());
        let at = rows.partition_point(|&row| (self.transfers.ready(trace, row), row) < order_of_transfer);
        let mut found = FoundUsers::none_yet(Made::Received(rows, 1), brought.node(), at, bounds);
        for (place, (runs, is_certain)) in self.lists(place, brought).enumerate() {
            if place >= bounds.names || found.is_full() {
                found.is_cut = true;
                break;
            }
            // If only one tensor came, every run of a node that uses it took it.
            if is_certain && rows.len() == 1 {
                found.ops.extend_from_slice(runs);
            } else {
                self.find(&mut found, runs);
            }
        }
        found.sorted()
    }

    fn find_users(self, found: &mut FoundUsers<'a>, place: ExecutionDevice, node: GraphNodeId) {
        self.find(found, self.flow.runs_of_node(self.trace, node, place));
    }

    /// Adds those of `runs` that used the searched tensor. `runs` are the runs of one name. The index of the tensor that a run used
    /// never decreases from run to run.
    fn find(self, found: &mut FoundUsers<'a>, runs: &'a [OpId]) {
        let Some(&first) = runs.first() else { return };
        let any = User { runs, run: 0, ..self.flow.user(self.trace, first) };
        let mut ways = Ways::default();
        let (mut low, mut high) = (0, runs.len());
        // Ops that only share a name may have different inputs.
        let labels_agree = || !self.flow.labels.differ(self.flow.runs.name_of(self.trace, first));
        let is_ordered = any.node.is_some() || (runs.len() > MAX_UNORDERED && labels_agree());
        while is_ordered && low < high {
            let middle = (low + high) / 2;
            if self.pairs(any.at(middle), found, &mut ways).any(|pair| pair.run < found.run) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        for (run, &op) in runs.iter().enumerate().skip(low) {
            if found.is_full() {
                found.is_cut = true;
                break;
            }
            let (mut is_found, mut is_past) = (false, is_ordered);
            for pair in self.pairs(any.at(run), found, &mut ways) {
                is_found |= pair.run == found.run && pair.candidates > 0;
                is_past &= pair.run > found.run;
            }
            if is_found {
                found.ops.push(op);
            }
            if is_past {
                break;
            }
        }
    }

    /// Which of the searched tensors `user` took, for each input by which it may have taken one.
    fn pairs<'w>(
        self,
        user: User<'a>,
        found: &FoundUsers<'a>,
        ways: &'w mut Ways<'a>,
    ) -> impl Iterator<Item = Pair> + use<'a, 'w> {
        let user = if user.node.is_some() { user } else { self.flow.user(self.trace, user.op) };
        let taken_by = match user.node {
            Some(_) => ways.of_node.get_or_insert_with(|| self.ways(&user, found)),
            None => {
                let label = self.trace.ops().node(user.op);
                ways.of_label.entry(label).or_insert_with(|| self.ways(&user, found))
            }
        };
        taken_by.iter().flatten().map(move |&(input, made)| self.taken(&user, input, made))
    }

    /// The inputs by which `user` takes the searched tensors: at most one value and one control input. Other inputs of the same
    /// kind give the same result.
    fn ways(self, user: &User<'a>, found: &FoundUsers<'a>) -> [Option<(InputRef<'a>, Made<'a>)>; 2] {
        let mut ways = [None; 2];
        for (input, maker) in self.flow.inputs(self.trace, user.op, user.node) {
            let way = &mut ways[usize::from(input.control)];
            let is_another =
                matches!((maker, found.by), (Maker::Node(node), Some(by)) if node != by) || way.is_some();
            if is_another {
                continue;
            }
            let made = self.made(user, input, maker);
            if made.is(&found.made) {
                *way = Some((input, made));
            }
        }
        ways
    }
}

/// The inputs by which the runs of one name at one place take the searched tensors: the same for all runs of one node, or of one
/// label.
#[derive(Default)]
struct Ways<'a> {
    of_node: Option<[Option<(InputRef<'a>, Made<'a>)>; 2]>,
    of_label: HashMap<NodeId, [Option<(InputRef<'a>, Made<'a>)>; 2], FixedState>,
}

/// The users found so far of one of the tensors in `made`.
struct FoundUsers<'a> {
    made: Made<'a>,
    /// The node that made the tensor, if it is known.
    by: Option<GraphNodeId>,
    run: usize,
    bounds: Bounds,
    ops: Vec<OpId>,
    is_cut: bool,
}

impl<'a> FoundUsers<'a> {
    fn none_yet(made: Made<'a>, by: Option<GraphNodeId>, run: usize, bounds: Bounds) -> Self {
        Self { made, by, run, bounds, ops: Vec::new(), is_cut: false }
    }

    /// As many of `names` as the bounds allow.
    fn some_of<T>(&mut self, names: &'a [T]) -> &'a [T] {
        let most = if self.is_full() { 0 } else { self.bounds.names };
        self.is_cut |= names.len() > most;
        &names[..names.len().min(most)]
    }

    fn is_full(&self) -> bool {
        self.ops.len() >= self.bounds.users
    }

    fn sorted(self) -> Users {
        let Self { mut ops, is_cut, .. } = self;
        if ops.len() > 1 {
            order::by_number(&mut ops, |op| (i64::from(op.get()), 0));
            ops.dedup();
        }
        Users { ops, is_cut }
    }
}
