//! Variables: the variable of the model whose value or gradient the tensor of a transfer is.
//!
//! A value is read from its variable, through ops that pass it on. A gradient goes, through ops that keep its shape, into the op
//! that changes its variable. The search follows both for a few hops; if it ends without a variable, the variable is not known.

use crate::base::ids::{OpId, StringId, TransferId};
use crate::makers::{Bounds, Edges, Source};
use crate::storage::column::{Column, ColumnBuilder};
use crate::transfers::Transfers;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How many hops a variable may be away from its tensor. A value is one or two reads away; a gradient is summed, scaled and clipped
/// on its way.
const MAX_HOPS: usize = 8;
/// How many ops are visited to follow the users of one gradient: `VISITS` for each gradient, and up to `MAX_VISITS` for the first
/// searches that need them, until `MORE_VISITS` are used up. So the time is in proportion to the transfers. Most searches need two;
/// large models have some thousands of variables.
const VISITS: usize = 8;
const MAX_VISITS: usize = 64;
const MORE_VISITS: usize = 1 << 18;
/// How many consumers or inputs of one op are followed.
const MAX_EDGES: usize = 16;

/// The variable that a tensor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The name of the variable's node.
    pub name: StringId,
    /// True if the tensor is a gradient, which goes into a change of the variable; false if it is a value of the variable.
    pub is_gradient: bool,
}

/// The variable of every transfer.
#[derive(Default)]
pub struct Variables {
    /// For each transfer its row of `distinct`.
    rows: Column,
    distinct: Vec<Variable>,
    /// For how many transfers the search for their variable stopped, because [`MORE_VISITS`] were used up.
    pub(crate) not_sought: u64,
}

/// How many ops may still be visited beyond the first few of each search, and whether the search that goes on lacked some.
pub(crate) struct Visits {
    left: usize,
    has_lacked: bool,
}

impl Visits {
    pub(crate) fn new(left: usize) -> Self {
        Self { left, has_lacked: false }
    }

    /// Whether one more op may be visited.
    fn take(&mut self) -> bool {
        let next = self.left.checked_sub(1);
        self.has_lacked |= next.is_none();
        self.left = next.unwrap_or(0);
        next.is_some()
    }
}

/// Whether the transfers of a trace may be too many to look for the variable of each.
pub(crate) fn may_be_too_many(transfers: &Transfers) -> bool {
    transfers.distinct() > MORE_VISITS / (MAX_VISITS - VISITS)
}

impl Variables {
    /// Finds the variables of all transfers. The first of the transfers with the same key and the same name of their consumer
    /// decides for all of them.
    pub fn found(edges: Edges<'_>, first_consumer: impl Fn(TransferId) -> Option<OpId>) -> Self {
        let nodes = |op: Option<OpId>| op.map(|op| edges.trace.ops().node(op));
        let mut known = HashMap::with_hasher(FixedState::default());
        let mut visits = Visits::new(MORE_VISITS);
        let mut not_sought = 0;
        let mut rows = ColumnBuilder::default();
        let mut ids = HashMap::with_hasher(FixedState::default());
        let mut distinct = Vec::new();
        for (id, transfer) in edges.transfers.all() {
            let (maker, user) = (transfer.producer.ok(), first_consumer(id));
            let (row, is_cut) = *known.entry((nodes(maker), nodes(user))).or_insert_with(|| {
                visits.has_lacked = false;
                let value = maker.and_then(|op| read_from(edges, op));
                let found = value.or_else(|| goes_into(edges, user?, maker, &mut visits));
                let row = found.map(|found| {
                    *ids.entry(found).or_insert_with(|| {
                        distinct.push(found);
                        distinct.len() as i64 - 1
                    })
                });
                (row, row.is_none() && visits.has_lacked)
            });
            not_sought += u64::from(is_cut);
            rows.push_option(row);
        }
        distinct.shrink_to_fit();
        Self { rows: rows.in_order(), distinct, not_sought }
    }

    /// The variable of a transfer.
    pub fn get(&self, id: TransferId) -> Option<Variable> {
        let row = self.rows.get_option(id.index())?;
        self.distinct.get(row as usize).copied()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes() + self.distinct.capacity() * size_of::<Variable>()
    }
}

/// The variable whose value or gradient the output of `op` is; for an op that recorded a transfer, the tensor that it received. And
/// whether the search stopped without one, because `more` was used up.
pub(crate) fn of_op(edges: Edges<'_>, op: OpId, more: &mut Visits) -> (Option<Variable>, bool) {
    more.has_lacked = false;
    let transfer = edges.transfers.id_of_op(op);
    let maker = transfer.map_or(Some(op), |id| edges.transfers.get(id).producer.ok());
    let users = || match transfer {
        Some(id) => edges.consumers_of_within(id, Bounds::MANY).ops,
        None => edges.consumers_within(op, Bounds::MANY).ops,
    };
    let value = maker.and_then(|maker| read_from(edges, maker));
    let found = value
        .or_else(|| users().into_iter().take(MAX_EDGES).find_map(|user| goes_into(edges, user, maker, more)));
    (found, found.is_none() && more.has_lacked)
}

/// What an op does with a variable.
#[derive(PartialEq)]
enum Role {
    Variable,
    /// The output is the first input.
    HandsOn,
    /// The output is a gradient that is computed from gradients.
    Combines,
    /// Changes the variable that is its first input.
    Changes,
    Other,
}

fn role(edges: Edges<'_>, op: OpId) -> Role {
    let nodes = edges.trace.nodes();
    let op_type = edges.trace.text(nodes.op_type(edges.trace.ops().node(op)));
    match op_type {
        "Variable" | "VariableV2" | "VarHandleOp" | "AutoReloadVariable" => Role::Variable,
        "Identity" | "IdentityN" | "ReadVariableOp" | "Cast" | "Enter" | "RefEnter" | "Snapshot"
        | "StopGradient" => Role::HandsOn,
        "AddN" | "Add" | "AddV2" | "Mul" | "RealDiv" | "Div" | "Sub" | "Reshape" | "Select"
        | "AccumulateNV2" => Role::Combines,
        _ => {
            let name = op_type.strip_prefix("Resource").unwrap_or(op_type);
            let name = name.strip_prefix("Sparse").unwrap_or(name);
            let changes = ["Apply", "Assign", "Scatter"].iter().any(|start| name.starts_with(start));
            if changes { Role::Changes } else { Role::Other }
        }
    }
}

/// The variable that `op` passes on.
fn read_from(edges: Edges<'_>, mut op: OpId) -> Option<Variable> {
    for _ in 0..MAX_HOPS {
        match role(edges, op) {
            Role::Variable => {
                return Some(Variable {
                    name: edges.trace.nodes().name(edges.trace.ops().node(op)),
                    is_gradient: false,
                });
            }
            Role::HandsOn => op = made_first_input(edges, op)?,
            _ => return None,
        }
    }
    None
}

/// The op that made the first input of `op`, on any device.
fn made_first_input(edges: Edges<'_>, op: OpId) -> Option<OpId> {
    let input = edges.inputs(op, MAX_EDGES).into_iter().find(|edge| !edge.input.control)?;
    match input.source {
        Source::Op(maker) => Some(maker),
        Source::Transfer(id) => edges.transfers.get(id).producer.ok(),
        _ => None,
    }
}

/// The variable that `user` changes with its input, or that a later user of its output changes. `maker` made that input.
fn goes_into(edges: Edges<'_>, user: OpId, maker: Option<OpId>, more: &mut Visits) -> Option<Variable> {
    let (mut front, mut visits) = (vec![user], 0);
    let mut seen = vec![user];
    for _ in 0..MAX_HOPS {
        let mut next = Vec::new();
        for op in front {
            visits += 1;
            match role(edges, op) {
                Role::Changes => {
                    let variable = made_first_input(edges, op)?;
                    let found = read_from(edges, variable)?;
                    let is_alike = maker.is_none_or(|maker| may_be_as_large(edges, maker, variable));
                    return is_alike.then_some(Variable { is_gradient: true, ..found });
                }
                Role::HandsOn | Role::Combines if visits < MAX_VISITS => {
                    if visits > VISITS && !more.take() {
                        continue;
                    }
                    let sent = edges.transfers.sent_from(op).take(MAX_EDGES);
                    let users = |id| edges.consumers_of_within(id, Bounds::MANY).ops;
                    let far = sent.flat_map(|id| users(id).into_iter().take(MAX_EDGES));
                    let near = edges.consumers_within(op, Bounds::MANY).ops.into_iter().take(MAX_EDGES);
                    for user in near.chain(far).collect::<Vec<_>>() {
                        if !seen.contains(&user) {
                            seen.push(user);
                            next.push(user);
                        }
                    }
                }
                _ => {}
            }
        }
        front = next;
    }
    None
}

/// Whether the output of `maker` may be as large as `variable`: a learning rate also goes into a change, but is smaller.
fn may_be_as_large(edges: Edges<'_>, maker: OpId, variable: OpId) -> bool {
    let bytes =
        |op| edges.trace.outputs().of(op).map(|output| output.requested).max().filter(|bytes| bytes.0 > 0);
    match (bytes(maker), bytes(variable)) {
        (Some(made), Some(variable)) => made == variable,
        _ => true,
    }
}
