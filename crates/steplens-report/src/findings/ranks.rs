//! What was found of tasks and ranks, and of what goes between them, in words.

use super::words::{length, named, part_words, parts, short};
use crate::figures::{bytes, count};
use crate::verdict::stood_still;
use steplens_core::Nanos;
use steplens_core::findings::{
    FactPart, Facts, Finding, LateRank, OfRounds, SharedThreads, WhichCollectives,
};
use steplens_core::network::stragglers::CauseKind;
use steplens_messages::{Grouped, listed, say, sentences};

/// A straggler, and the first cause that was recorded.
pub(super) fn straggler(own: &Finding, task: &str, op: &str) -> String {
    let facts = &own.facts;
    let (time, n, of) = (length(facts.time), count(facts.count), count(facts.of));
    let alone = || match facts.of {
        ..=1 => say!("finding-straggler-alone-of-one", task, time = time.clone()),
        _ => say!("finding-straggler-alone", task, time = time.clone(), count = n.clone(), of = of.clone()),
    };
    if let Some(SharedThreads { waited, path, tasks, most, full }) = facts.threads {
        let waits = say!("finding-straggler-threads", waited = length(waited), path = length(path));
        let shared = match full {
            Nanos(0) => say!("finding-shared-threads-alone", tasks = count(tasks), most = count(most)),
            _ => {
                say!("finding-shared-threads", tasks = count(tasks), most = count(most), full = length(full))
            }
        };
        return sentences([alone(), waits, shared]);
    }
    let (since, usual) = (length(facts.since), length(facts.usual));
    if facts.cause == Some(CauseKind::StartedLate) {
        return sentences([alone(), say!("finding-straggler-started-late", own = since, usual)]);
    }
    if op.is_empty() {
        return alone();
    }
    let is_compared = facts.usual > Nanos(0);
    let cause = facts.cause.filter(|_| is_compared).map(|cause| match cause {
        CauseKind::RanLate => say!("finding-straggler-ran-late", own = since, usual),
        CauseKind::TookLong => say!("finding-straggler-took-long", own = since, usual),
        CauseKind::InputLate => say!("finding-straggler-input-late", own = since, usual),
        CauseKind::StartedLate => say!("finding-straggler-started-late", own = since, usual),
    });
    let what = match facts.of {
        ..=1 => say!("finding-straggler-of-one", task, time, op),
        _ => say!("finding-straggler", task, time, count = n, of, op),
    };
    sentences([Some(what), cause].into_iter().flatten())
}

/// The ranks that collectives wait for. What each rank waits is the mean: a sum over all of them is longer than a step.
pub(super) fn collective_wait(own: &Finding) -> String {
    let facts = &own.facts;
    let mean = Nanos(facts.time.0 / (facts.ranks as i64).max(1));
    let (mean, time) = (length(mean), length(facts.time));
    let waits = say!("finding-collective-wait", mean, time, ranks = count(facts.ranks));
    let late = facts.late.iter().map(|LateRank { name, count: times, waiting }| {
        say!("finding-late-rank", task = short(name), count = count(*times), own = length(*waiting))
    });
    let late = say!("finding-late-ranks", ranks = listed(late.collect::<Vec<_>>()), of = count(facts.of));
    let meanwhile = match facts.has_gpus {
        true => parts(own).map(|parts| say!("finding-meanwhile", parts)),
        false => meanwhile_of_hosts(facts).map(|parts| say!("finding-meanwhile-hosts", parts)),
    };
    let begun = (facts.since > Nanos(0)).then(|| say!("finding-began-late", time = length(facts.since)));
    // What a thread ran that stood still, says nothing.
    let still = facts.still.map(stood_still);
    let names = named(own).filter(|_| still.is_none()).map(|names| match begun {
        Some(_) => say!("finding-began-late-hosts", names),
        None => say!("finding-late-hosts", names),
    });
    sentences([Some(waits), Some(late), meanwhile, begun, names, still].into_iter().flatten())
}

/// What late ranks without GPUs did: a thread that runs no recorded op may be busy.
fn meanwhile_of_hosts(facts: &Facts) -> Option<String> {
    let words = |part| match part {
        FactPart::Idle => say!("finding-part-no-op"),
        FactPart::Other => say!("finding-part-other-ops"),
        part => part_words(part),
    };
    let said = facts.parts.iter();
    let said: Vec<String> =
        said.map(|&(part, time)| say!("finding-part", time = length(time), what = words(part))).collect();
    (!said.is_empty()).then(|| listed(said))
}

/// A wait that is this part of all, as its divisor, and this many times the one in the middle, is said.
const LEAST_LONGEST: i64 = 4;
const TIMES_MIDDLE: i64 = 10;

/// The one wait of a step for its tensors that is much of all and unlike the others.
pub(super) fn longest_wait(facts: &Facts, rounds: OfRounds) -> Option<(Nanos, Nanos)> {
    let ([longest, middle], all) = (rounds.waits, facts.time + facts.usual);
    // One that is longer is mostly what only a first step does.
    let is_much = longest <= all && longest.0.saturating_mul(LEAST_LONGEST) >= all.0;
    (is_much && longest.0 >= middle.0.saturating_mul(TIMES_MIDDLE)).then_some((longest, middle))
}

fn of_rounds(facts: &Facts, rounds: OfRounds) -> String {
    let (count, median) = (count(rounds.count), length(rounds.median));
    let (time, waiting) = (length(facts.time), length(facts.usual));
    let what = match facts.usual {
        Nanos(0) => say!("finding-rounds-done", count, median, time),
        _ => say!("finding-rounds", count, median, time, waiting),
    };
    let stages = facts.names.iter().filter(|(_, time)| time.0.saturating_mul(10) >= facts.time.0);
    let stages: Vec<String> =
        stages.map(|(name, time)| say!("finding-rounds-stage", name, time = length(*time))).collect();
    let stages = (stages.len() > 1).then(|| say!("finding-rounds-stages", stages = listed(stages)));
    let longest = longest_wait(facts, rounds).map(|(longest, middle)| {
        say!("finding-rounds-longest", longest = length(longest), middle = length(middle))
    });
    sentences([Some(what), stages, longest].into_iter().flatten())
}

pub(super) fn exposed_communication(own: &Finding, name: &str, group: &str) -> String {
    let facts = &own.facts;
    if let Some(rounds) = facts.rounds {
        return of_rounds(facts, rounds);
    }
    if facts.ranks > 0 {
        let (time, waiting) = (length(facts.time), length(facts.usual));
        return match facts.count {
            _ if facts.usual == Nanos(0) => say!("finding-tensors-reduce", time),
            0 => say!("finding-tensors-communicate", time, waiting),
            _ => say!("finding-tensors-negotiate", time, waiting),
        };
    }
    let op = match group.is_empty() {
        true => name.to_owned(),
        false => say!("finding-of-group", op = name, group),
    };
    let (time, number) = (length(facts.time), Grouped(facts.count));
    let what = match facts.bytes.0 {
        0 => say!("finding-exposed-communication-unsized", time, op),
        size if facts.sized < facts.count => {
            let sized = Grouped(facts.sized);
            say!("finding-exposed-communication-some", time, op, count = number, sized, bytes = bytes(size))
        }
        size => say!("finding-exposed-communication", time, op, count = number, bytes = bytes(size)),
    };
    let of_it = parts(own).map(|parts| say!("finding-of-it-known", parts));
    let guess = facts.guess.map(|(part, time)| match facts.late.is_empty() {
        true if part == FactPart::MoreOrWaiting => say!("finding-of-it-unsized", time = length(time)),
        true => say!("finding-of-it", time = length(time), what = part_words(part)),
        false => {
            let ranks = facts.late.iter().map(|own| {
                say!(
                    "finding-unopened-rank",
                    rank = own.name,
                    count = count(own.count),
                    own = length(own.waiting)
                )
            });
            say!("finding-notified", time = length(time), ranks = listed(ranks.collect::<Vec<_>>()))
        }
    });
    let rate = facts.exchange.map(|own| {
        let (size, rate) = (bytes(own.bytes.0), amount_of_rate(own.rate()));
        match own.count {
            1 => say!("finding-rate-alone", bytes = size, time = length(own.time), rate),
            _ => say!("finding-rate", count = count(own.count), bytes = size, time = length(own.time), rate),
        }
    });
    let which = facts.which.as_ref().map(which_collectives);
    sentences([Some(what), which, of_it, guess, rate].into_iter().flatten())
}

fn which_collectives(which: &WhichCollectives) -> String {
    match which {
        WhichCollectives::One { time, within, bytes: size } => {
            let (time, size) = (length(*time), size.map(|own| bytes(own.0)));
            match (within, size) {
                (Some(range), Some(bytes)) => {
                    say!("finding-one-collective-range-sized", time, range = short(range), bytes)
                }
                (Some(range), None) => say!("finding-one-collective-range", time, range = short(range)),
                (None, Some(bytes)) => say!("finding-one-collective-sized", time, bytes),
                (None, None) => say!("finding-one-collective", time),
            }
        }
        WhichCollectives::Many { count, median } => {
            say!("finding-many-collectives", count = Grouped(*count), median = length(*median))
        }
    }
}

/// Bytes a second, in the unit in which links are sold.
fn amount_of_rate(rate: f64) -> String {
    match rate {
        small if small < 1e8 => format!("{:.1} MB/s", rate / 1e6),
        small if small < 1e10 => format!("{:.1} GB/s", rate / 1e9),
        _ => format!("{:.0} GB/s", rate / 1e9),
    }
}
