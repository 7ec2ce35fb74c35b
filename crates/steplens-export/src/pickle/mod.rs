//! Python pickles of a [`RunMetadata`], which tfvis and tensorflow-tracer read with `pickle.load`.
//!
//! Both are programs for Python 3, which pickles with protocol 3 here; a step of 4 GiB or more needs protocol 4. The pickle names
//! classes of TensorFlow and tensorflow-tracer, as Python does: a program that reads it must have these packages installed.

mod opcodes;
mod runs;
mod writer;

use crate::run_metadata::RunMetadata;
use std::io::{self, Write};
use steplens_core::Trace;
use steplens_core::base::pace::{Pace, at_once};
use writer::Pickle;

pub use runs::{Run, runs};

/// Writes a pickled `RunMetadata`, as tfvis and `Timeline.to_pickle` of tensorflow-tracer do.
pub fn write_tfvis(step: &RunMetadata<'_>, out: &mut dyn Write) -> io::Result<()> {
    at_once(async |pace: &Pace| tfvis_paced(step, out, pace).await)
}

/// Like [`write_tfvis`], but in pieces, so that the caller can do other work in between.
pub async fn tfvis_paced(step: &RunMetadata<'_>, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
    let bytes = step.bytes();
    let mut pickle = Pickle::new(out, bytes);
    begin_run_metadata(&mut pickle, bytes);
    pickle.flush()?;
    step.write_paced(pickle.sink(), pace).await?;
    end_run_metadata(&mut pickle);
    pickle.finish()
}

/// Writes a session as `save_session` of tensorflow-tracer does, with one trace for each of `runs`. Its dates are in UTC, because a
/// session does not store a time zone.
pub fn write_session(
    trace: &Trace,
    step: &RunMetadata<'_>,
    runs: &[Run],
    out: &mut dyn Write,
) -> io::Result<()> {
    at_once(async |pace: &Pace| session_paced(trace, step, runs, out, pace).await)
}

/// Like [`write_session`], but in pieces, so that the caller can do other work in between.
pub async fn session_paced(
    trace: &Trace,
    step: &RunMetadata<'_>,
    runs: &[Run],
    out: &mut dyn Write,
    pace: &Pace,
) -> io::Result<()> {
    let mut progress = step.progress(pace);
    let longest = runs.iter().map(|run| step.bytes_of(&run.parts)).max().unwrap_or(0);
    let mut pickle = Pickle::new(out, longest);
    pickle.class("tftracer.tracing_server", "TracingSource");
    pickle.new_object();
    pickle.begin_dict();
    pickle.text("_run_profile");
    pickle.class("collections", "OrderedDict");
    pickle.call();
    pickle.mark();
    for (id, run) in (0..).zip(runs) {
        write_profile(&mut pickle, trace, id, run);
        pickle.hand_over()?;
    }
    pickle.end_items();
    pickle.text("_traces");
    pickle.begin_dict();
    for (id, run) in (0..).zip(runs) {
        pickle.integer(id);
        pickle.list();
        let bytes = step.bytes_of(&run.parts);
        begin_run_metadata(&mut pickle, bytes);
        pickle.flush()?;
        step.write_parts(&run.parts, pickle.sink(), &mut progress).await?;
        end_run_metadata(&mut pickle);
        pickle.append();
    }
    pickle.end_items();
    for name in ["global_tracing", "running"] {
        pickle.text(name);
        pickle.no();
    }
    pickle.text("_keep_traces");
    pickle.integer(KEPT_TRACES);
    pickle.end_items();
    pickle.build();
    pickle.finish()
}

/// How many traces of a run tensorflow-tracer keeps by default.
const KEPT_TRACES: i64 = 5;

/// Writes what the session stores about a run, as `TracingSource` keeps it.
fn write_profile(pickle: &mut Pickle<'_>, trace: &Trace, id: i64, run: &Run) {
    let key = format!("{id}: {}", run.name);
    let [start, end] = [run.span.start, run.span.end].map(|at| trace.unix_ns(at));
    pickle.text(&key);
    pickle.begin_dict();
    pickle.text("info");
    pickle.begin_dict();
    for (name, text) in [("fetches", &*run.name), ("feeds", "None"), ("options", "None")] {
        pickle.text(name);
        pickle.text(text);
    }
    pickle.end_items();
    pickle.text("stats");
    pickle.begin_dict();
    for name in ["runs", "traces"] {
        pickle.text(name);
        pickle.integer(1);
    }
    pickle.text("runtimes");
    pickle.duration(end.saturating_sub(start));
    for name in ["first_run", "last_run"] {
        pickle.text(name);
        pickle.date(start);
    }
    pickle.end_items();
    pickle.text("traces");
    pickle.list();
    pickle.begin_dict();
    pickle.text("trace_id");
    pickle.integer(0);
    pickle.text("date");
    // The date of the trace, which tensorflow-tracer records at the end of the run.
    pickle.date(end);
    pickle.end_items();
    pickle.append();
    pickle.text("key");
    pickle.text(&key);
    pickle.text("run_id");
    pickle.integer(id);
    pickle.text("tracing");
    pickle.no();
    pickle.end_items();
}

/// Writes everything of a pickled `RunMetadata` that comes before its bytes: an object made without arguments, whose state is these
/// bytes.
fn begin_run_metadata(pickle: &mut Pickle<'_>, bytes: u64) {
    pickle.class("tensorflow.core.protobuf.config_pb2", "RunMetadata");
    pickle.call();
    pickle.begin_dict();
    pickle.text("serialized");
    pickle.bytes_head(bytes);
}

fn end_run_metadata(pickle: &mut Pickle<'_>) {
    pickle.end_items();
    pickle.build();
}
