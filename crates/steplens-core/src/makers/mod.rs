//! Which op or transfer made each input of an op, and which ops used each output. From the data flow and the transfers. For all
//! analyses of causes and waits, and for what is shown of an op.
//!
//! | module | what it has |
//! |---|---|
//! | this one | [`Edges`]: the edges of single ops |
//! | `users` | the reverse: the ops that used an output, or a tensor of a transfer |
//! | `of_all` | [`Makers`]: the makers of all ops, in one pass |
//! | [`variables`] | the variable of the model that a tensor is the value or the gradient of |

mod of_all;
mod users;
pub mod variables;

pub use of_all::Makers;
pub(crate) use of_all::{Nodes, may_be_too_many};
pub use users::{Bounds, Users};

use crate::Trace;
use crate::base::ids::{GraphNodeId, OpId, StringId, TransferId};
use crate::base::units::Bytes;
use crate::dataflow::pairing::{Ended, Pair, User, by_order, last_ended};
use crate::dataflow::runs::ExecutionDevice;
use crate::dataflow::{Certainty, DataFlow, Maker};
use crate::model::graph::End;
use crate::model::label::{self, InputRef};
use crate::transfers::{InputKey, Transfers};

/// Where an input came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An op: of the same device, or of another device where the transfer between them was not recorded.
    Op(OpId),
    /// A transfer brought it.
    Transfer(TransferId),
    /// Nothing came from this input in this run: the other branch was taken, or the other input of a `Merge` came.
    NotTaken,
    /// The maker of the input has no recorded op.
    NotRecorded,
}

/// An input of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<'a> {
    /// The name and output in the graph or the label, and whether it is a control input.
    pub input: InputRef<'a>,
    /// The source of the input.
    pub source: Source,
    /// How sure the source is.
    pub certainty: Certainty,
}

/// The parts of a trace from which edges are derived.
#[derive(Clone, Copy)]
pub struct Edges<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its data flow.
    pub flow: &'a DataFlow,
    /// The transfers between its devices.
    pub transfers: &'a Transfers,
}

/// Everything that the maker of an input made.
#[derive(Clone, Copy)]
enum Made<'a> {
    /// By ops of the same device.
    Here(&'a [OpId]),
    /// By ops of another device. The number is how many devices are possible.
    There(&'a [OpId], u32),
    /// By transfers. The number is how many different keys the tensors of the known name have.
    Received(&'a [u32], u32),
    Nothing,
}

impl Made<'_> {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Here(a) | Self::There(a, _), Self::Here(b) | Self::There(b, _)) => std::ptr::eq(*a, *b),
            (Self::Received(a, _), Self::Received(b, _)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl<'a> Edges<'a> {
    /// The first `most` inputs of `op`, in the order of the graph or of the label.
    pub fn inputs(self, op: OpId, most: usize) -> Vec<Edge<'a>> {
        let user = self.flow.user(self.trace, op);
        let inputs = self.flow.inputs(self.trace, op, user.node).take(most);
        inputs.map(|(input, maker)| self.edge(&user, input, maker)).collect()
    }

    /// The number of inputs of `op`.
    pub fn input_count(self, op: OpId) -> usize {
        self.flow.inputs(self.trace, op, self.flow.node(self.trace, op)).count()
    }

    /// The op that stands for `source`: the op that made it; for a transfer the op that recorded it, otherwise its producer.
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

    /// The size of the tensor that came from there: that of its transfer, or what its maker asked for; `None` where neither was recorded.
    pub fn bytes(self, edge: &Edge<'_>) -> Option<Bytes> {
        if edge.input.control {
            return None;
        }
        match edge.source {
            Source::Transfer(id) => self.transfers.get(id).known_bytes(),
            Source::Op(maker) => {
                let mut outputs = self.trace.outputs().of(maker);
                let made = outputs.find(|output| u32::try_from(output.slot) == Ok(edge.input.slot))?;
                Some(made.requested).filter(|&bytes| bytes > Bytes(0))
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
            Made::Received(rows, _) => Source::Transfer(TransferId::new(rows[pair.run])),
        };
        // No op is its own input, whatever the names say.
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

    fn made_by(self, place: ExecutionDevice, node: GraphNodeId) -> Option<Made<'a>> {
        let Some(End::Recv) = self.trace.graph().meeting(node).map(|meeting| meeting.end) else {
            let runs = self.flow.runs_of_node(self.trace, node, place);
            return (!runs.is_empty()).then_some(Made::Here(runs));
        };
        let rows = self.transfers.brought(place, InputKey::GraphNode(node));
        if !rows.is_empty() {
            return Some(Made::Received(rows, 1));
        }
        // The maker is in another task, and the transfer was not recorded.
        let (sender, source) = self.transfers.sender(self.trace, self.flow, place.execution, node)?;
        let maker = *self.flow.graph.makers_of(self.trace.graph(), sender).first()?;
        let place = ExecutionDevice { device: self.trace.devices().by_name(source)?, ..place };
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

    /// The tensors that were received under `name`, where the graphs do not say under which key. For a control edge between devices
    /// the partitioner sends an empty tensor, and receives it with an `Identity` that the ops wait for.
    fn brought_as(self, user: &User<'a>, input: InputRef<'a>, name: StringId) -> Option<Made<'a>> {
        let nodes = self.trace.nodes();
        let user_name = self.trace.op_name(user.op);
        let is_order = input.control
            || self.trace.text(nodes.op_type(self.trace.ops().node(user.op))) == "Identity"
                && label::without_partition_suffix(user_name) == label::without_partition_suffix(input.name);
        let both = [InputKey::Name(name), InputKey::ControlName(name)];
        let both = if is_order { [both[1], both[0]] } else { both };
        let rows = both.map(|brought| self.transfers.brought(user.place, brought));
        let rows = rows.into_iter().find(|rows| !rows.is_empty())?;
        Some(Made::Received(rows, self.transfers.rivals(rows)))
    }

    /// The outputs of ops called `name` on other devices, if no transfer of them was recorded.
    fn made_there(self, place: ExecutionDevice, name: StringId) -> Option<Made<'a>> {
        let row = self.flow.runs.row(name)?;
        let first = self.flow.elsewhere(self.trace, row, place).next()?;
        Some(Made::There(first, self.flow.devices_elsewhere(self.trace, row, place)))
    }

    /// Which run of `made` the op `user` took.
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
            Made::Received(rows, rivals) => {
                let is_ready = |row: &u32| self.transfers.ready(self.trace, *row) <= start;
                let last = || rows.partition_point(is_ready).checked_sub(1);
                match rivals {
                    ..=1 => by_order(run, runs, rows.len(), || Ended::certainly(last())),
                    _ => Pair { run: last().unwrap_or(0), candidates: rivals },
                }
            }
        }
    }
}
