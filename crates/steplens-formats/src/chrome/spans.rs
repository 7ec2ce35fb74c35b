//! Ops that are two events: a beginning, and the next end on the same thread.

use super::document::{Document, Span, Taken};
use super::event::{Event, Field};
use super::horovod::{self, Place};
use super::lost::Lost;
use steplens_core::build::builder::TraceBuilder;

impl Document {
    /// Takes the beginning of an op.
    pub(super) fn begin(&mut self, event: &Event, builder: &TraceBuilder) -> Taken {
        let times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let thread = self.processes.thread(row, event.get(Field::Thread));
        // When the memory is full, names do not matter.
        let name = if builder.is_full() { b"" } else { event.get(Field::Name) };
        let arguments = event.arguments.save(event.argument_bytes()).filter(|_| !builder.is_full());
        let name = self.names.intern(name);
        let span = Span { name, start_unix_ns: times.start_unix_ns, has_moves: false, arguments };
        self.open_on(row, thread).push(span);
        self.open_spans += 1;
        Taken::Fine
    }

    /// Takes the end of the op that began last on its thread, and adds that op.
    pub(super) fn end_span(
        &mut self,
        event: &mut Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let mut times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        times.thread = self.processes.thread(row, event.get(Field::Thread));
        let Some(span) = self.open_on(row, times.thread).pop() else {
            lost.unfinished.add(1, at);
            return Taken::Fine;
        };
        self.open_spans -= 1;
        times.length_ns = times.start_unix_ns.saturating_sub(span.start_unix_ns);
        times.kernel_end_ns = times.length_ns.max(0);
        times.start_unix_ns = span.start_unix_ns;
        // The table of names does not change while an op is added.
        let names = std::mem::take(&mut self.names);
        let name = names.get(span.name).as_bytes();
        let has_moves = span.has_moves;
        let place = match self.open_on(row, times.thread).last_mut() {
            None => Place::Outermost { has_moves },
            Some(around) => {
                around.has_moves |= has_moves || horovod::moves(name);
                Place::Within
            }
        };
        let kind = match self.has_phases() {
            true => self.phases.kind(name, place, builder),
            false => match self.kinds.of_category(event, builder) {
                Some(kind) => kind,
                None => self.kind_of_thread(row, times.thread, event, builder),
            },
        };
        let before = builder.last_row();
        let taken = self.op((row, kind), (name, b""), times, builder);
        self.names = names;
        if builder.last_row() != before {
            if let Some(saved) = span.arguments {
                event.put_arguments_before(*saved);
            }
            event.arguments.give(event.argument_bytes(), &mut self.kept, builder);
        }
        taken
    }

    /// The open ops on a thread of the process in `row`.
    fn open_on(&mut self, row: usize, thread: u32) -> &mut Vec<Span> {
        let [row, thread] = [row as u32, thread].map(|number| number.to_string());
        let id = self.span_threads.intern([row, thread].join(" ").as_bytes()).index();
        if id == self.spans.len() {
            self.spans.push(Vec::new());
        }
        &mut self.spans[id]
    }
}
