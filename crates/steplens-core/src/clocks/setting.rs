//! Aligned clocks: the trace as clocks that agree would have recorded it.
//!
//! Every op is moved by how much the clock of its task is ahead. The end of a `RecvTensor` is by the receiver's clock. Its start is
//! also by the receiver's clock if the op is as short as TensorFlow makes it when the start says nothing. Any other start is no
//! earlier than the send by the sender's clock, because TensorFlow takes the later of the send and the request
//! (`grpc_remote_worker.cc`). So, converted with the sender's clock, the start is either a possible time of the send, or too late
//! and then cut off at the arrival.

use super::hosts::hosts;
use super::{Ahead, Clocks};
use crate::base::ids::StringId;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::build::rebuilt::{Placed, Rebuilt};
use crate::dataflow::DataFlow;
use crate::host_profile::HostProfile;
use crate::model::device::task_of;
use crate::steps::rule::StepRule;
use crate::transfers::{CLAMPED, Transfer, Transfers};
use crate::{Category, OpId, Trace};
use std::sync::Arc;

/// How the clocks of tasks are aligned; as recorded by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockChoice {
    /// Whether the estimate is subtracted. Otherwise tasks stay as recorded.
    pub is_estimated: bool,
    /// Offsets that the user chose for some tasks, used instead of the estimate.
    pub by_hand: Vec<(String, Nanos)>,
}

const ESTIMATED: &str = "estimated";

impl ClockChoice {
    /// The choice of the estimate for every task.
    pub fn estimated() -> Self {
        Self { is_estimated: true, by_hand: Vec::new() }
    }

    /// Reads a choice from words: `estimated`, and `TASK=NS` for an offset chosen by hand.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut choice = Self::default();
        for word in words {
            if word == ESTIMATED {
                choice.is_estimated = true;
                continue;
            }
            let (task, offset) = word.rsplit_once('=')?;
            choice.by_hand.push((task.to_owned(), Nanos(offset.parse().ok()?)));
        }
        Some(choice)
    }

    /// The choice as words; empty if clocks stay as recorded.
    pub fn words(&self) -> Vec<String> {
        let by_hand = self.by_hand.iter().map(|(task, offset)| [task, "=", &offset.0.to_string()].concat());
        self.is_estimated.then(|| ESTIMATED.to_owned()).into_iter().chain(by_hand).collect()
    }

    /// Whether clocks stay as recorded.
    pub fn is_recorded(&self) -> bool {
        !self.is_estimated && self.by_hand.is_empty()
    }
}

/// A choice, with the clocks of everything that was opened, so that a task is moved by the same offset in every step.
#[derive(Clone, Debug)]
pub struct ClockSetting {
    /// The choice.
    pub choice: ClockChoice,
    /// The clocks that it is about.
    pub clocks: Arc<Clocks>,
}

impl ClockSetting {
    /// How much the clock of a task is taken to be ahead. `row` is a row of [`Clocks::tasks`].
    pub fn ahead(&self, trace: &Trace, row: usize) -> Ahead {
        let Some(clock) = self.clocks.tasks.get(row) else { return Ahead::default() };
        let name = trace.text(clock.task);
        let by_hand = self.choice.by_hand.iter().rev().find(|(task, _)| task == name);
        match by_hand {
            Some(&(_, at_middle)) => Ahead { at_middle, drift_ppb: 0 },
            None if self.choice.is_estimated => clock.applied,
            None => Ahead::default(),
        }
    }

    /// Whether no task is moved.
    pub fn moves_nothing(&self, trace: &Trace) -> bool {
        (0..self.clocks.tasks.len()).all(|row| self.ahead(trace, row) == Ahead::default())
    }

    /// `trace` with aligned clocks; `None` if nothing moves.
    pub fn set(&self, trace: &Trace) -> Option<Rebuilt> {
        let mut aheads: Vec<(StringId, Ahead)> = (self.clocks.tasks.iter().enumerate())
            .map(|(row, clock)| (clock.task, self.ahead(trace, row)))
            .filter(|(_, ahead)| *ahead != Ahead::default())
            .collect();
        if aheads.is_empty() {
            return None;
        }
        order::by_number(&mut aheads, |(task, _)| (i64::from(task.get()), 0));
        let flow = DataFlow::indexed(trace, StepRule::default());
        let transfers = Transfers::joined(trace, &flow);
        let moves = Moves { trace, aheads, middle_unix_ns: self.clocks.middle_unix_ns };
        let hosts: Vec<Ahead> = hosts(trace).into_iter().map(|task| moves.of_task(task)).collect();
        let profile = HostProfile::read(trace);
        let processes = profile.processes(trace);
        let place = |place: Placed| {
            // A host event was recorded by the process of the op that it is joined with.
            let own = match profile.event(place.op).map(|event| processes.of(trace, event)) {
                Some(device) => device.map_or(Ahead::default(), |device| hosts[device.index()]),
                None => hosts[place.device.index()],
            };
            let transfer = match trace.category(place.op) {
                Category::Communication => transfers.of_op(place.op),
                _ => None,
            };
            let interval = match transfer {
                Some(transfer) => Some(moves.of_transfer(place.op, &transfer, own, &hosts)),
                None if own.drift_ppb != 0 => Some(moves.interval(place.op, own, own)),
                None => None,
            };
            let shift = Nanos(0) - moves.by(trace.ops().start(place.op), own);
            Placed { shift, interval, ..place }
        };
        Some(trace.rebuilt(&mut trace.places().map(place)))
    }
}

/// How much each op is moved.
struct Moves<'a> {
    trace: &'a Trace,
    /// The offsets of the tasks that are moved, sorted.
    aheads: Vec<(StringId, Ahead)>,
    middle_unix_ns: i64,
}

impl Moves<'_> {
    fn of_task(&self, task: Option<StringId>) -> Ahead {
        let place = task.and_then(|task| self.aheads.binary_search_by_key(&task, |&(task, _)| task).ok());
        place.map_or(Ahead::default(), |place| self.aheads[place].1)
    }

    /// How much the clock is ahead when it shows `time`.
    fn by(&self, time: Timestamp, clock: Ahead) -> Nanos {
        clock.at(Nanos(self.trace.unix_ns(time).saturating_sub(self.middle_unix_ns)))
    }

    fn at(&self, time: Timestamp, clock: Ahead) -> Timestamp {
        time - self.by(time, clock)
    }

    fn interval(&self, op: OpId, start: Ahead, end: Ahead) -> Interval {
        let own = self.trace.ops().interval(op);
        Interval::new(self.at(own.start, start), self.at(own.end, end))
    }

    /// When the transfer that `op` recorded was in transit. `hosts` has the clocks by device.
    fn of_transfer(&self, op: OpId, transfer: &Transfer, receiver: Ahead, hosts: &[Ahead]) -> Interval {
        let trace = self.trace;
        let source = trace.devices().by_name(transfer.source);
        let sender = match source {
            Some(device) => hosts[device.index()],
            None => {
                self.of_task(task_of(trace.text(transfer.source)).and_then(|task| trace.strings().find(task)))
            }
        };
        let own = trace.ops().interval(op);
        if own.length() <= CLAMPED || sender == receiver || !transfer.is_of_transport {
            let Interval { end, .. } = self.interval(op, receiver, receiver);
            return Interval { start: end - own.length(), end };
        }
        let Interval { start, end } = self.interval(op, sender, receiver);
        let made = transfer.producer.ok();
        let made = made.map(|made| self.at(trace.ops().end(made), hosts[trace.device_of(made).index()]));
        let start = start.min(end - CLAMPED);
        Interval { start: made.map_or(start, |made| start.max(made)).min(end), end }
    }
}
