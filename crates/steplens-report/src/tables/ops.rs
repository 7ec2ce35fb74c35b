//! Every op, but what a host profiler recorded once more.

use super::{Give, Value, columns};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::io;
use steplens_core::base::progress::Progress;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{DeviceId, NodeId, OpId, Study};

columns! { OpRow {
    /// Its number.
    op: count => |row| row.op.into();
    /// The place of its step, from 1.
    step: count => |row| (row.step + 1).into();
    /// Its device.
    device: text => |row| row.place.device.into();
    /// The process of a cluster that it ran in, if its device names one.
    task: maybe_text => |row| row.place.task.into();
    /// Its lane, from 0 within the device.
    lane: count => |row| row.lane().into();
    /// The number of its thread, as its format has it or a host profiler recorded it.
    thread: count => |row| row.thread().into();
    /// The name of its node.
    name: text => |row| row.study.trace().text(row.study.trace().nodes().name(row.node)).into();
    /// Its type.
    op_type: text => |row| row.study.trace().text(row.study.trace().nodes().op_type(row.node)).into();
    /// What its time is spent on.
    category: text => |row| row.study.trace().nodes().category(row.node).word().into();
    /// Why it is of this category.
    reason: text => |row| row.study.trace().text(row.study.trace().nodes().reason(row.node)).into();
    /// When it started.
    start_ns: moment => |row| row.study.trace().ops().start(row.op).into();
    /// When it ended.
    end_ns: moment => |row| row.study.trace().ops().end(row.op).into();
    /// How long it lasted.
    duration_ns: length => |row| row.study.trace().ops().interval(row.op).length().into();
    /// How long it lasted without what ops nested in it cover.
    self_ns: length => |row| row.study.self_time(row.op).into();
    /// When it was scheduled, if that was recorded.
    scheduled_ns: maybe_moment => |row| row.study.trace().ops().scheduled(row.op).into();
    /// When its kernel started.
    op_start_ns: moment => |row| row.study.trace().ops().kernel(row.op).start.into();
    /// When its kernel ended.
    op_end_ns: moment => |row| row.study.trace().ops().kernel(row.op).end.into();
    /// What its outputs asked for; of a copy, what it moved.
    bytes: size => |row| op_bytes(row.study.trace(), row.op).into();
    /// What the file says of it in words.
    label: text => |row| row.study.trace().text(row.study.trace().nodes().label(row.node)).into();
} }

/// An op as a row of the table. Its values are looked up when they are asked for.
pub struct OpRow<'s> {
    study: &'s Study,
    op: OpId,
    node: NodeId,
    step: usize,
    place: Place<'s>,
}

/// What the ops of a device have in common.
#[derive(Clone, Copy)]
struct Place<'s> {
    device: &'s str,
    task: Option<&'s str>,
    id: DeviceId,
}

/// The ops of a study as rows.
pub struct OpTable<'s> {
    study: &'s Study,
    steps: StepOfOp,
}

impl<'s> OpTable<'s> {
    /// Of what `study` shows.
    pub fn of(study: &'s Study) -> Self {
        Self { study, steps: StepOfOp::indexed(study) }
    }

    /// Every row, in the order of the ops.
    pub fn rows(&self) -> impl Iterator<Item = OpRow<'s>> {
        let (study, devices) = (self.study, self.study.trace().devices());
        let counted = devices.ids().filter(move |&device| !devices.is_host_profiler(device));
        counted.flat_map(move |device| {
            let place = Place::of(study, device);
            study.trace().ops_of(device).map(move |op| OpRow {
                study,
                op,
                node: study.trace().ops().node(op),
                step: self.steps.step(study, op),
                place,
            })
        })
    }
}

impl<'s> Place<'s> {
    fn of(study: &'s Study, device: DeviceId) -> Self {
        let (trace, row) = (study.trace(), study.trace().devices().get(device));
        Self { device: trace.text(row.name), task: row.task.map(|task| trace.text(task)), id: device }
    }
}

impl OpRow<'_> {
    /// Within its device. Lanes are laid out when somebody asks for one.
    fn lane(&self) -> u32 {
        let lanes = self.study.lanes();
        let first = lanes.of_device(self.place.id).next().map_or(0, |lane| lane.get());
        lanes.lane(self.op).get() - first
    }

    fn thread(&self) -> u32 {
        let host = self.study.host_profile();
        let known = host.thread(self.op).and_then(|thread| host.threads().get(thread as usize));
        known.map_or_else(|| self.study.trace().ops().thread(self.op), |thread| thread.number)
    }
}

impl Serialize for OpRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("OpRow", COLUMNS.len())?;
        for (column, value) in COLUMNS.iter().zip(&VALUES) {
            row.serialize_field(column.name, &value(self))?;
        }
        row.end()
    }
}

pub(super) async fn rows(study: &Study, give: &mut Give<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    for row in OpTable::of(study).rows() {
        give.row(&VALUES, &row)?;
        progress.row().await;
    }
    Ok(())
}

/// The values of the column at `place`, op by op: who makes columns makes one after the other.
pub(crate) fn op_values<'t, 's>(
    table: &'t OpTable<'s>,
    place: usize,
) -> impl Iterator<Item = Value<'s>> + use<'t, 's> {
    let value = VALUES[place];
    table.rows().map(move |row| value(&row))
}
