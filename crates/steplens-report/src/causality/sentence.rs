//! Sentences about the two paths.

use crate::wording::duration;
use steplens_core::causality::spent::Spent;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::makers::Source;
use steplens_core::model::device::is_of_executor;
use steplens_core::{DeviceId, Nanos, OpId, Study};
use steplens_messages::{say, sentences};

/// What binds the step, and how much of it.
pub fn sentence(study: &Study) -> String {
    let causes = study.causes();
    let length = causes.observed.length();
    let Some(&(bound, most)) = bounds(study.trace(), causes).first().filter(|_| length > Nanos(0)) else {
        return say!("path-no-time").to_owned();
    };
    let with_share = |part: Nanos| {
        say!("length-and-share", length = duration(part.0.unsigned_abs()), share = share(part, length))
    };
    let (least, whole) = (duration(causes.floor.length.0.unsigned_abs()), duration(length.0.unsigned_abs()));
    let allowed = match knows_dependencies(study) {
        true => say!("path-allowed", least, length = whole),
        false => say!("path-allowed-at-least", least, length = whole),
    };
    let unexplained = causes.observed.unexplained();
    let rest = match bound {
        Bound::Unexplained => None,
        _ if unexplained == Nanos(0) => None,
        _ => Some(say!("path-no-cause", part = with_share(unexplained))),
    };
    let binds = say!("path-binds", what = bind_words(bound), most = with_share(most));
    sentences([Some(allowed), Some(binds), rest].into_iter().flatten())
}

/// Whether all dependencies of executors were recorded: every input that an op names, and, of runs one after another, that they wait for each other,
/// which nothing records.
fn knows_dependencies(study: &Study) -> bool {
    let trace = study.trace();
    if study.view().step.is_none() && study.steps() > 1 {
        return false;
    }
    let is_executor = |id: &DeviceId| is_of_executor(trace.text(trace.devices().get(*id).name));
    let mut ops = trace.devices().ids().filter(is_executor).flat_map(|device| trace.ops_of(device));
    let is_missing =
        |op: OpId| study.edges().inputs(op, usize::MAX).iter().any(|own| own.source == Source::NotRecorded);
    !ops.any(is_missing)
}

/// A bound, in the words of a sentence.
pub fn bind_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Dependencies => say!("bound-dependencies"),
        Bound::Threads => say!("bound-threads"),
        Bound::Network => say!("bound-network"),
        Bound::Waiting => say!("bound-waiting"),
        Bound::Dispatch => say!("bound-dispatch"),
        Bound::Input => say!("bound-input"),
        Bound::Host => say!("bound-host"),
        Bound::Unexplained => say!("bound-unexplained"),
    }
}

/// The words for what time of a path was spent on, for users.
pub fn spent_words(spent: Spent) -> &'static str {
    match spent {
        Spent::Kind(kind) => category_words(kind.word()),
        Spent::HostOperator => say!("path-part-ops"),
        Spent::DriverCall => say!("path-part-calls"),
        Spent::Gpu => say!("path-part-gpu"),
        Spent::Unrecorded => say!("path-part-waiting"),
        Spent::Beginning => say!("path-part-beginning"),
        Spent::Tensor => say!("path-part-tensor"),
        Spent::Files => say!("path-part-files"),
        Spent::Range => say!("path-part-ranges"),
    }
}

/// The words for a category of the observed path, for users.
pub fn category_words(word: &str) -> &'static str {
    match word {
        "compute" => say!("path-compute"),
        "copy" => say!("path-copy"),
        "transit" => say!("path-transit"),
        "sender-queue" => say!("path-sender-queue"),
        "producer" => say!("path-producer"),
        "behind" => say!("path-behind"),
        "launching" => say!("path-launching"),
        "allocation" => say!("path-allocating"),
        "input" => say!("path-input"),
        "starting" => say!("path-starting-on-task"),
        "host-between-ops" => say!("path-host-between-ops"),
        "python-between-ops" => say!("path-python-between-ops"),
        _ => say!("path-gap"),
    }
}

/// The words for a kind of edge, for users.
pub fn edge_words(word: &str) -> &'static str {
    match word {
        "data" => say!("edge-kind-data"),
        "control" => say!("edge-kind-control"),
        "transfer" => say!("edge-kind-transfer"),
        "launch" => say!("edge-kind-launch"),
        "sync" => say!("edge-kind-sync"),
        "event" => say!("edge-kind-event"),
        "other-stream" => say!("edge-kind-other-stream"),
        "handover" => say!("edge-kind-handover"),
        "stream" => say!("edge-kind-stream"),
        "thread" => say!("edge-kind-thread"),
        "link" => say!("edge-kind-link"),
        "room" => say!("edge-kind-room"),
        _ => say!("edge-kind-cut"),
    }
}

/// The share as a percentage: `52.1 %`.
fn share(part: Nanos, whole: Nanos) -> String {
    format!("{:.1} %", part.0 as f64 / whole.0.max(1) as f64 * 100.0)
}
