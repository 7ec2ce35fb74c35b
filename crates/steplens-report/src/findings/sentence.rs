//! Findings as sentences.

use crate::causality::category_words;
use crate::figures::{bytes, count, plural, share};
use crate::kernels::kernel_label;
use crate::names::place_label;
use crate::wording::duration;
use steplens_core::findings::{Basis, Facts, Finding, Findings, Needs, Rule};
use steplens_core::replay::Replay;
use steplens_core::{Nanos, Study};
use steplens_messages::{message, say, sentences};

/// How the findings were judged.
pub(super) fn of_list(study: &Study, replay: &Replay, found: &Findings) -> String {
    let error = replay.error();
    let off = share(error.difference().0, error.recorded.0);
    if study.clock_doubt().is_some() {
        return say!("findings-clocks").to_owned();
    }
    let judged = match error.may_predict() {
        true => say!("findings-replayed", error = off),
        false => say!("findings-by-path", error = off),
    };
    let none = found.rows.is_empty().then(|| say!("findings-none").to_owned());
    sentences(none.into_iter().chain([judged]))
}

/// What was found, and what it costs.
pub(super) fn of_finding(own: &Finding, step: Nanos) -> String {
    let what = what(own);
    let cost = match (own.basis, own.saving) {
        (Basis::Replay, Some(saving)) => {
            Some(say!("finding-saves", saving = length(saving), share = share(saving.0, step.0)))
        }
        (Basis::Path, _) => {
            Some(say!("finding-on-path", time = length(own.on_path), share = share(own.on_path.0, step.0)))
        }
        _ => None,
    };
    let after = own.after.map(|(kind, _)| say!("finding-after", what = category_words(kind.word())));
    sentences([Some(what), cost, after].into_iter().flatten())
}

/// What was found.
pub(super) fn what(own: &Finding) -> String {
    let Facts { name, other, count: counted, of, time, usual, bytes: size } = &own.facts;
    let (name, other) = (&short(name), &short(other));
    let (n, of, time, usual) = (count(*counted), *of, length(*time), length(*usual));
    match own.rule {
        Rule::ExposedTransfers => {
            say!("finding-exposed-transfers", count = n, bytes = bytes(size.0))
        }
        Rule::TransfersToMerge => {
            say!(
                "finding-transfers-to-merge",
                count = n,
                rows = count(of),
                source = name,
                destination = other
            )
        }
        Rule::TransferOrder => say!("finding-transfer-order", count = n, of = count(of)),
        Rule::Straggler if other.is_empty() => {
            say!("finding-straggler-alone", task = name, time, count = n, of = count(of))
        }
        Rule::Straggler => {
            say!("finding-straggler", task = name, time, count = n, of = count(of), op = other)
        }
        Rule::CollectiveWait => say!("finding-collective-wait", task = name, time, count = n, of = count(of)),
        Rule::UnevenServers => {
            say!("finding-uneven-servers", task = name, bytes = bytes(size.0), mean = bytes(of), count = n)
        }
        Rule::InputBound if name.is_empty() => say!("finding-input-bound-unnamed").to_owned(),
        Rule::InputBound => say!("finding-input-bound", op = name),
        Rule::LaunchBound => say!("finding-launch-bound", count = n),
        Rule::HostBound => say!("finding-host-bound", time, ops = ops(*counted)),
        Rule::HostOpBetween => say!("finding-host-op-between", ops = ops(*counted), op = name, time),
        Rule::Copies => say!("finding-copies", count = n, time),
        Rule::TinyOps => say!("finding-tiny-ops", count = n, of = count(of), time),
        Rule::SlowerThanPeers => {
            say!("finding-slower-than-peers", ops = ops(*counted), op = name, time, usual)
        }
        Rule::FirstStep => say!("finding-first-step", op = name, time),
        Rule::MemoryPeak => {
            let peak = other.parse().unwrap_or(0);
            say!("finding-memory-peak", op = name, bytes = bytes(size.0), peak = bytes(peak))
        }
        Rule::SkewedClocks => say!("finding-skewed-clocks", time, count = n, of = count(of)),
        Rule::Tracing => say!("finding-tracing", time, count = n, name),
    }
}

/// Names of kernels may be hundreds of letters long.
const LONGEST_NAME: usize = 60;

/// The name of a task in a few words; other names as they are, up to [`LONGEST_NAME`] letters.
fn short(name: &str) -> String {
    let name = &*kernel_label(name);
    match name.starts_with("/job:") {
        true => place_label(name),
        false if name.chars().count() > LONGEST_NAME => {
            name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
        }
        false => name.to_owned(),
    }
}

fn ops(count: u64) -> String {
    plural(count, message!("finding-ops", count))
}

fn length(time: Nanos) -> String {
    duration(time.0.unsigned_abs())
}

/// What a rule lacks, in words.
pub fn needs_words(needs: Needs) -> &'static str {
    match needs {
        Needs::Replay => say!("needs-replay"),
        Needs::Clocks => say!("needs-clocks"),
        Needs::Transfers => say!("needs-transfers"),
        Needs::Peers => say!("needs-peers"),
        Needs::Gpu => say!("needs-gpu"),
        Needs::Scheduling => say!("needs-scheduling"),
        Needs::Memory => say!("needs-memory"),
        Needs::Steps => say!("needs-steps"),
    }
}
