//! What is alive at a moment: equal rows are merged with a count, and nothing is left out. Rows are by tensor, op type, scope,
//! shape or variable. The search for variables has a bound; what it left is counted.

use crate::base::ids::{OpId, StringId};
use crate::base::units::{Bytes, Timestamp};
use crate::makers::Edges;
use crate::makers::variables::{self as sought, Variable, Visits};
use crate::memory::Account;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What makes rows equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Op, output and size.
    Tensor,
    /// The type of the op that allocated it.
    OpType,
    /// The name scope of that op: its name without the part after the last slash.
    Scope,
    /// The data type and the shape.
    Shape,
    /// The variable whose value or gradient it is.
    Variable,
}

impl By {
    /// All values.
    pub const ALL: [Self; 5] = [Self::Tensor, Self::OpType, Self::Scope, Self::Shape, Self::Variable];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::OpType => "op-type",
            Self::Scope => "scope",
            Self::Shape => "shape",
            Self::Variable => "variable",
        }
    }

    /// The grouping that `word` stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }
}

/// What the rows of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    /// The name of the op, or of the tensor for a transfer; the index of the output; the bytes of each.
    Tensor(&'a str, Option<u32>, Bytes),
    /// An op type.
    OpType(&'a str),
    /// A name scope; empty for ops without a scope.
    Scope(&'a str),
    /// `DataType` and shape; `None` for memory that is no output.
    Shape(Option<(u32, Option<&'a [i64]>)>),
    /// A variable; `None` if the memory is not known to belong to one.
    Variable(Option<Variable>),
}

/// A group of equal rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alive<'a> {
    /// What they have in common.
    pub key: Key<'a>,
    /// The number of rows.
    pub count: u64,
    /// The bytes of all rows, summed.
    pub bytes: Bytes,
    /// The row of the largest life in the account's lives; of equal ones the first.
    pub largest: usize,
    /// When the first of them was allocated; `None` if that was before the recording.
    pub allocated: Option<Timestamp>,
    /// When the last of them was freed; `None` if it never was.
    pub freed: Option<Timestamp>,
}

/// How many ops may be visited for the variables of one moment, beyond the first few of each search: a moment is asked for
/// whenever the pointer moves. See [`AliveRows::not_sought`].
const MORE_VISITS: usize = 1 << 14;

/// Everything that is alive at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliveRows<'a> {
    /// The groups, the most bytes first.
    pub rows: Vec<Alive<'a>>,
    /// For how many lives the search for their variable stopped, because too many ops may lead to it. They are in the group without
    /// a variable.
    pub not_sought: u64,
}

/// What is alive in `account` at `at`.
pub fn alive<'a>(edges: Edges<'a>, account: &Account, at: Timestamp, by: By) -> AliveRows<'a> {
    let mut rows: HashMap<Key<'a>, usize, FixedState> = HashMap::default();
    let mut groups: Vec<Alive<'a>> = Vec::new();
    let mut variables = Variables::default();
    for row in account.lives.alive_at(at) {
        let life = account.lives.get(row);
        let key = key(edges, life.op, life.output, life.bytes, by, &mut variables);
        let next = groups.len();
        let group = *rows.entry(key).or_insert(next);
        let Some(group) = groups.get_mut(group) else {
            let (allocated, freed) = (life.allocated, life.freed);
            groups.push(Alive { key, count: 1, bytes: life.bytes, largest: row, allocated, freed });
            continue;
        };
        group.count += 1;
        group.bytes += life.bytes;
        group.allocated = group.allocated.zip(life.allocated).map(|(a, b)| a.min(b));
        group.freed = group.freed.zip(life.freed).map(|(a, b)| a.max(b));
        if account.lives.get(group.largest).bytes < life.bytes {
            group.largest = row;
        }
    }
    let mut order: Vec<u32> = (0..groups.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&groups[a as usize], &groups[b as usize]);
        b.bytes.cmp(&a.bytes).then(a.largest.cmp(&b.largest))
    });
    let rows = order.iter().map(|&row| groups[row as usize].clone()).collect();
    AliveRows { rows, not_sought: variables.not_sought }
}

/// The title of the op that holds a life: the name of its node, or for a transfer the name of its tensor.
pub fn title<'a>(edges: Edges<'a>, op: OpId) -> &'a str {
    match edges.transfers.of_op(op) {
        Some(transfer) => transfer.output(edges.trace).name,
        None => edges.trace.op_name(op),
    }
}

/// The variable for each node that made a tensor, looked up on demand; and how many ops may still be visited.
struct Variables {
    /// By name and label: the variable, and whether the search for it stopped at the bound.
    known: HashMap<(StringId, StringId), (Option<Variable>, bool), FixedState>,
    visits: Visits,
    not_sought: u64,
}

impl Default for Variables {
    fn default() -> Self {
        Self { known: HashMap::default(), visits: Visits::new(MORE_VISITS), not_sought: 0 }
    }
}

fn key<'a>(
    edges: Edges<'a>,
    op: OpId,
    output: Option<u32>,
    bytes: Bytes,
    by: By,
    variables: &mut Variables,
) -> Key<'a> {
    let (trace, nodes) = (edges.trace, edges.trace.nodes());
    let node = trace.ops().node(op);
    match by {
        By::Tensor => Key::Tensor(title(edges, op), output, bytes),
        By::OpType => Key::OpType(trace.text(nodes.op_type(node))),
        By::Scope => Key::Scope(title(edges, op).rsplit_once('/').map_or("", |(scope, _)| scope)),
        By::Shape => {
            let made = output.and_then(|output| trace.outputs().of(op).nth(output as usize));
            Key::Shape(made.map(|made| (made.dtype, made.shape)))
        }
        By::Variable => {
            let visits = &mut variables.visits;
            let names = (nodes.name(node), nodes.label(node));
            let known = variables.known.entry(names);
            let (variable, is_cut) = *known.or_insert_with(|| sought::of_op(edges, op, visits));
            variables.not_sought += u64::from(is_cut);
            Key::Variable(variable)
        }
    }
}
