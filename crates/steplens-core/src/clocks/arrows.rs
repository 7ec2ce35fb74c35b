//! The tensors that went from one task to another: when each was made, sent and received, each time by its own clock.

use super::Ahead;
use crate::base::ids::StringId;
use crate::base::units::{Interval, Timestamp};
use crate::dataflow::Certainty;
use crate::model::device::Device;
use crate::transfers::{CLAMPED, Transfer, Transfers};
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What bounds two clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BoundOf {
    /// A tensor.
    #[default]
    Tensor,
    /// A collective, from its start on one rank to its end on another.
    Collective,
    /// The ends of collectives on two ranks, which are at nearly one time. It says where clocks are best set, and nothing is wrong where
    /// it is not kept.
    Ends,
}

/// A tensor from one task to another, or another bound of their clocks. The tasks are rows of the list of tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) source: u32,
    pub(super) destination: u32,
    /// The op that recorded the arrival.
    pub(super) op: OpId,
    /// The end of the producer.
    pub(super) made: Timestamp,
    /// The recorded start; the arrival where the start says nothing.
    pub(super) sent: Timestamp,
    pub(super) received: Timestamp,
    /// What it is.
    pub(super) of: BoundOf,
}

impl Arrow {
    /// The time from making to arrival, by two clocks.
    pub(super) fn slack(&self) -> i64 {
        (self.received - self.made).0
    }

    /// The two tasks as one number, the same for both directions.
    pub(super) fn two_tasks(&self) -> i64 {
        pair(self.source.min(self.destination), self.source.max(self.destination))
    }

    /// Source and destination as one number.
    pub(super) fn way(&self) -> i64 {
        pair(self.source, self.destination)
    }

    /// The same tensor, by clocks from which `sender` and `receiver` are subtracted.
    pub(super) fn set(self, middle: Timestamp, sender: Ahead, receiver: Ahead) -> Self {
        let by = |time: Timestamp, clock: Ahead| time - clock.at(time - middle);
        Self {
            made: by(self.made, sender),
            sent: if self.sent < self.received { by(self.sent, sender) } else { by(self.sent, receiver) },
            received: by(self.received, receiver),
            ..self
        }
    }
}

fn pair(first: u32, second: u32) -> i64 {
    i64::from(first) << 32 | i64::from(second)
}

/// The op that made a tensor, and the op that recorded its arrival; `None` where one of them is not known or not certain.
pub(crate) fn ends(transfer: &Transfer) -> Option<(OpId, OpId)> {
    let is_ambiguous = matches!(transfer.certainty, Certainty::Ambiguous(_));
    transfer.producer.ok().zip(transfer.op).filter(|_| !is_ambiguous)
}

/// The tasks with ops, in the order of the devices, and the tensors that went between them.
pub(super) fn arrows(trace: &Trace, transfers: &Transfers) -> (Vec<StringId>, Vec<Arrow>) {
    let mut tasks: Vec<StringId> = Vec::new();
    let mut row_of: HashMap<StringId, u32, FixedState> = HashMap::default();
    let device = |id: DeviceId| -> &Device { trace.devices().get(id) };
    for id in trace.devices().ids().filter(|&id| device(id).op_count > 0) {
        if let Some(task) = device(id).task {
            row_of.entry(task).or_insert_with(|| {
                tasks.push(task);
                tasks.len() as u32 - 1
            });
        }
    }
    let row = |id: DeviceId| Some(*row_of.get(&device(id).task?)?);
    let arrow = |transfer: Transfer| {
        let (producer, op) = ends(&transfer)?;
        let Interval { start, end: received } = trace.ops().interval(op);
        let arrow = Arrow {
            source: row(trace.device_of(producer))?,
            destination: row(trace.device_of(op))?,
            op,
            made: trace.ops().end(producer),
            sent: if transfer.is_of_transport && received - start > CLAMPED { start } else { received },
            received,
            of: BoundOf::Tensor,
        };
        (arrow.source != arrow.destination).then_some(arrow)
    };
    let arrows = transfers.rows().iter().filter_map(arrow).collect();
    (tasks, arrows)
}
