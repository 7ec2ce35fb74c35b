//! Ops of `timeline.py` with their tensors, and of Steplens' own exports.

use super::document::{Document, Taken, outcome};
use super::event::{Event, Field};
use super::lost::Lost;
use super::tensor::Maker;
use steplens_core::Category;
use steplens_core::build::builder::{OpRecord, TraceBuilder};

/// The argument with the arguments from the op's original file, in files by Steplens.
const OWN_ARGUMENTS: &[u8] = b"arguments";

impl Document {
    /// Reads an op that `timeline.py` wrote.
    pub(super) fn timeline_op(
        &mut self,
        event: &mut Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let Some(slot) = self.processes.slot(row, true, builder) else { return Taken::TooManyDevices };
        lost.ops.add(1, at);
        self.timeline_ops.add(1, at);
        event.sort_inputs();
        let (name, op) = (event.get(Field::ArgName), event.get(Field::ArgOp));
        self.name.clear();
        self.label.clear();
        self.name.extend_from_slice(name);
        if self.processes.is_stream(row) {
            self.name.push(b':');
            self.name.extend_from_slice(op);
        } else if name == b"RecvTensor" {
            lost.transfers.add(1, at);
        } else if op != b"unknown" {
            for part in [name, b" = ", op, b"("] {
                self.label.extend_from_slice(part);
            }
            for (place, input) in event.inputs().enumerate() {
                self.label.extend_from_slice(if place > 0 { b", " } else { b"" });
                self.label.extend_from_slice(input);
            }
            self.label.push(b')');
        }
        let added = builder.op(slot, &OpRecord { name: &self.name, label: &self.label, times });
        if let Some(device) = self.processes.device(row) {
            let maker = Maker { device, start_unix_ns: times.start_unix_ns };
            self.tensors.give(
                maker,
                event.get(Field::ArgName),
                &self.names,
                added.is_ok().then_some(builder),
            );
        }
        outcome(added, times)
    }

    /// Reads an op that `steplens export --format chrome` wrote. Its category and the reason for it are fields of the event.
    pub(super) fn own_op(&mut self, event: &mut Event, builder: &mut TraceBuilder) -> Taken {
        let times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let Some(slot) = self.processes.slot(row, false, builder) else { return Taken::TooManyDevices };
        let [name, label, category, reason] =
            [Field::ArgName, Field::Label, Field::OpCategory, Field::Reason].map(|field| event.get(field));
        let node = match Category::ALL.into_iter().find(|known| known.word().as_bytes() == category) {
            Some(category) => builder.known_node(name, label, category, reason),
            None => builder.node(name, label),
        };
        let added = builder.op_of(slot, node, &times);
        if added.is_ok() {
            event.unfold_argument(OWN_ARGUMENTS);
            event.arguments.give(event.argument_bytes(), &mut self.kept, builder);
        }
        outcome(added, times)
    }

    /// Reads a tensor of `timeline.py`: its creation or its description.
    pub(super) fn tensor(&mut self, event: &Event, builder: &TraceBuilder) {
        let row = self.processes.row(event.get(Field::Process));
        let Some(device) = self.processes.device(row).filter(|_| !builder.is_full()) else { return };
        let name = self.names.intern(event.get(Field::Name));
        match (event.get(Field::Phase), event.time) {
            (b"N", Some(Ok(start_unix_ns))) => self.tensors.create(Maker { device, start_unix_ns }, name),
            (b"O", _) if event.has(Field::Tensor) => {
                self.tensors.describe(name, event.get(Field::Tensor), &mut self.names);
            }
            _ => {}
        }
    }
}
