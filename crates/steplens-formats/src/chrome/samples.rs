//! Counters and instants: events that are no ops, and are kept as they are.

use super::arguments::Worth;
use super::document::{Document, Taken};
use super::event::{Event, Field};
use super::lost::Lost;
use steplens_core::build::builder::{InstantRecord, Refused, TraceBuilder};
use steplens_core::model::counters::Value;
use steplens_core::model::instants::Scope;

impl Document {
    /// Takes the values of a counter: each argument is one of its series. Values that are no finite numbers are counted.
    pub(super) fn counter(
        &mut self,
        event: &Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let slot = match self.of_tensors {
            Some(writer) => self.processes.tensor_samples(writer, builder),
            None => self.processes.samples(row, builder),
        };
        let Some(slot) = slot else {
            lost.samples.add(1, at);
            return Taken::Fine;
        };
        let Self { name, .. } = self;
        name.clear();
        name.extend_from_slice(event.get(Field::Name));
        if event.has(Field::Id) {
            [b" (", event.get(Field::Id), b")"].iter().for_each(|part| name.extend_from_slice(part));
        }
        let (mut unreadable, mut left_out, mut is_far) = (0, 0, false);
        let mut values = 0;
        let long = event.arguments.each(event.argument_bytes(), |series, worth, raw| {
            values += 1;
            let text = std::str::from_utf8(raw).ok().filter(|_| worth != Worth::Json);
            let Some(value) = text.and_then(|text| text.parse().ok()).and_then(Value::new) else {
                unreadable += 1;
                return;
            };
            let counter = builder.counter(slot, name, series);
            match builder.point(counter, times.start_unix_ns, value) {
                Ok(()) => {}
                Err(Refused::TimeOutOfRange) => is_far = true,
                Err(Refused::LeftOut | Refused::TooManyOps) => left_out += 1,
            }
        });
        // An event without any value is as good as one that cannot be read.
        unreadable += long + u64::from(values == 0 && long == 0);
        if unreadable > 0 {
            lost.values.add(unreadable, at);
        }
        if left_out > 0 {
            lost.samples.add(left_out, at);
        }
        if is_far { Taken::TimeOutOfRange } else { Taken::Fine }
    }

    /// Takes an instant. One without a scope is of its thread.
    pub(super) fn instant(
        &mut self,
        event: &Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let (slot, thread) = match self.of_tensors {
            // A tensor is a thread.
            Some(writer) => (self.processes.tensor_samples(writer, builder), row as u32),
            None => {
                let thread = self.processes.thread(row, event.get(Field::Thread));
                (self.processes.samples(row, builder), thread)
            }
        };
        let scope = match event.get(Field::Scope) {
            b"g" => Scope::Global,
            b"p" => Scope::Process,
            _ => Scope::Thread(thread),
        };
        self.label.clear();
        let long = event.arguments.write_json(event.argument_bytes(), &mut self.label);
        if long > 0 {
            builder.argument_forms().left_out(long);
        }
        let (name, at_unix_ns) = (event.get(Field::Name), times.start_unix_ns);
        let record = InstantRecord { name, at_unix_ns, scope, arguments: &self.label };
        match slot.map(|slot| builder.instant(slot, &record)) {
            Some(Ok(())) => Taken::Fine,
            Some(Err(Refused::TimeOutOfRange)) => Taken::TimeOutOfRange,
            None | Some(Err(Refused::LeftOut | Refused::TooManyOps)) => {
                lost.samples.add(1, at);
                Taken::Fine
            }
        }
    }
}
