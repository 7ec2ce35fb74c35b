//! Long pauses between ops as sentences.

use super::short;
use crate::figures::{count, duration, share};
use crate::names::place_label;
use steplens_core::Study;
use steplens_core::findings::{Pause, PauseOf, Verdict};
use steplens_messages::{listed, say, sentences};

/// What a long pause between ops is.
pub(super) fn pause_sentence(study: &Study, own: &Verdict, pause: &Pause) -> String {
    let what = pause_itself(study, own, pause);
    // A tenth of a pause does not explain it.
    let compiles = pause.compiling.0.saturating_mul(10) >= pause.interval.length().0;
    let compiling = compiles.then(|| say!("pause-compiling", time = duration(pause.compiling.0)));
    sentences([what].into_iter().chain(compiling))
}

fn pause_itself(study: &Study, own: &Verdict, pause: &Pause) -> String {
    let trace = study.trace();
    let time = pause.interval.length().0;
    let (time, share) = (duration(time), share(time, own.length.0));
    let op = short(trace.op_name(pause.op).trim());
    let place = match pause.is_after {
        true => say!("pause-after", op),
        false => say!("pause-before", op),
    };
    let frame = pause.frame.map(|frame| short(trace.op_name(frame)));
    let repeated = pause_repeated(study, own, pause, place.clone());
    match (pause.of, frame) {
        (PauseOf::Program, None) if pause.count > 1 => repeated,
        (PauseOf::Profiler, Some(frame)) => say!("pause-profiler", time, share, place, frame),
        (PauseOf::WorkersStart, _) => say!("pause-workers-start", time, share),
        (PauseOf::WorkersStop, _) => say!("pause-workers-stop", time, share),
        (PauseOf::End, Some(frame)) => say!("pause-end-in", time, share, place, frame),
        (PauseOf::End, None) => say!("pause-end", time, share, place),
        (_, Some(frame)) => say!("pause-longest-in", time, share, place, frame),
        (_, None) => say!("pause-longest", time, share, place),
    }
}

/// The sentence for several pauses of one length: how many, before which op, in which annotation, and on which rank.
fn pause_repeated(study: &Study, own: &Verdict, pause: &Pause, place: String) -> String {
    let trace = study.trace();
    let one = pause.interval.length().0;
    let (time, share) = (duration(one), share(one.saturating_mul(pause.count as i64), own.length.0));
    let every = match pause.is_in_each_step {
        true => say!("pause-in-each-step", count = count(pause.count)),
        false => say!("pause-several", count = count(pause.count)),
    };
    let within = pause.within.map(|op| say!("pause-within", name = short(trace.op_name(op))));
    let row = trace.devices().get(trace.device_of(pause.op));
    let is_one_of_several = trace.devices().ids().any(|id| trace.devices().get(id).task != row.task);
    let rank = row
        .task
        .filter(|_| is_one_of_several)
        .map(|task| say!("pause-on", task = place_label(trace.text(task))));
    let places = listed([Some(place), within, rank].into_iter().flatten().collect::<Vec<_>>());
    say!("pause-repeated", every, time, share, places)
}
