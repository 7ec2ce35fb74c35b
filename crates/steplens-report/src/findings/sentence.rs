//! Findings as sentences.

use super::names::{short, shorts};
use super::record;
use crate::causality::spent_words;
use crate::figures::{bytes, count, plural, share};
use crate::verdict::{Said, Shown};
use crate::wording::duration;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::spent::{Spending, Spent};
use steplens_core::clocks::Why;
use steplens_core::findings::framework::Framework;
use steplens_core::findings::{
    Alone, Basis, CopiedBy, CopiesOf, Direction, FactPart, Facts, Finding, Findings, LateRank, Needs, OpKind,
    Rule, SharedThreads, Work,
};
use steplens_core::network::stragglers::CauseKind;
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::HostPart;
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_core::{Nanos, Study};
use steplens_messages::{Grouped, listed, message, say, sentences};

/// How the findings were judged; where there is none, what the step consists of, and what to record to learn more.
pub(super) fn of_list(
    study: &Study,
    replay: &Replay,
    found: &Findings,
    framework: Framework,
    is_unrecorded: bool,
) -> String {
    let error = replay.error();
    let off = share(error.difference().0, error.recorded.0);
    match study.clock_doubt().map(|doubt| doubt.why) {
        Some(Why::Accelerator) => return say!("findings-accelerator-clock").to_owned(),
        Some(_) => return say!("findings-clocks").to_owned(),
        None => {}
    }
    let has = |basis: Basis| found.rows.iter().any(|own| own.basis == basis);
    let judged = match (error.may_predict(), has(Basis::Replay), has(Basis::Measured)) {
        (false, ..) => Some(say!("findings-by-path", error = off)),
        (true, true, true) => Some(say!("findings-replayed-and-measured", error = off)),
        (true, true, false) => Some(say!("findings-replayed", error = off)),
        (true, false, true) => Some(say!("findings-measured").to_owned()),
        (true, false, false) => None,
    };
    // What most of the path of a CPU is, promises nothing.
    let is_of_cpu = |own: &Finding| {
        matches!(own.facts.alone, Some(Alone::OfKind(_))) || own.rule == Rule::Allocator && own.facts.of == 2
    };
    let is_none = |own: &Finding| own.saving.is_none() && (own.basis == Basis::Figure || is_of_cpu(own));
    let none = found.rows.iter().all(is_none);
    let none = none.then(|| {
        let consists = Some(consists(study, is_unrecorded)).filter(|own| !own.is_empty());
        let all = [Some(say!("findings-none").to_owned()), consists, record::of(study, framework)];
        sentences(all.into_iter().flatten())
    });
    let together = found.together.map(|(number, saving)| {
        say!("findings-together", count = count(number as u64), saving = length(saving))
    });
    sentences(none.into_iter().chain(judged).chain(together))
}

/// The most parts of the path that are said.
const MOST_PARTS: usize = 3;

/// What the step consists of: the largest parts of its critical path.
fn consists(study: &Study, is_unrecorded: bool) -> String {
    let observed = &study.causes().observed;
    let segments = observed.segments.iter().map(|own| (own.kind, own.op, own.interval.length()));
    let parts = Spending::of(study.trace(), is_unrecorded).sums(study.trace(), segments);
    let said = parts.iter().take(MOST_PARTS).map(|&(spent, time)| {
        let share = share(time.0, observed.length().0);
        say!("findings-consists-part", what = spent_words(spent), share)
    });
    match parts.is_empty() {
        true => String::new(),
        false => say!("findings-consists", parts = listed(said.collect::<Vec<_>>())),
    }
}

/// The words for a part of the path. Where a file names a GPU without its ops, an op on the host computed, or only started it.
fn words(spent: Spent, is_unrecorded: bool) -> &'static str {
    match spent {
        Spent::Kind(SegmentKind::Compute) if is_unrecorded => spent_words(Spent::HostOperator),
        _ => spent_words(spent),
    }
}

/// What was found, and what it costs. `whole` is the length of what is shown.
pub(super) fn of_finding(own: &Finding, whole: Nanos, said: &Said) -> String {
    let shown = match said.shown {
        Shown::Step => say!("shown-step"),
        Shown::Recording | Shown::Steps(_) => say!("shown-recording"),
    };
    let at_most = |saving: Nanos| {
        say!("finding-saves-at-most", saving = length(saving), share = share(saving.0, whole.0), shown)
    };
    let cost = match (own.basis, own.saving) {
        // Nothing computes in no time: a compiler that fuses tiny ops leaves some of it.
        (Basis::Replay, Some(saving)) if own.rule == Rule::TinyOps => Some(say!(
            "finding-saves-if-none",
            saving = length(saving),
            share = share(saving.0, whole.0),
            shown
        )),
        (Basis::Measured, Some(saving)) => Some(at_most(saving)),
        (Basis::Replay, Some(saving)) => Some(replayed(own, saving, whole, shown)),
        (Basis::Path, _) => {
            Some(say!("finding-on-path", time = length(own.on_path), share = share(own.on_path.0, whole.0)))
        }
        _ => None,
    };
    let each = match (said.shown, own.saving) {
        // What ran before the first step is of none of them.
        (Shown::Steps(steps), Some(saving)) if !said.has_before || own.rule == Rule::ExposedCommunication => {
            Some(say!(
                "finding-saves-each",
                count = count(steps as u64),
                each = length(Nanos(saving.0 / steps.max(1) as i64))
            ))
        }
        _ => None,
    };
    let after = own.after.map(|(spent, _)| say!("finding-after", what = words(spent, said.is_unrecorded)));
    let part = own.is_part.then(|| say!("finding-is-part").to_owned());
    sentences([Some(what(own)), cost, each, part, after].into_iter().flatten())
}

/// What a replay saves; with its least and its most where they differ by more than a tenth.
fn replayed(own: &Finding, saving: Nanos, whole: Nanos, shown: &str) -> String {
    let share = share(saving.0, whole.0);
    match own.range.filter(|(low, high)| (*high - *low).0.saturating_mul(10) > saving.0) {
        Some((low, high)) => say!(
            "finding-saves-between",
            saving = length(saving),
            share,
            shown,
            low = length(low),
            high = length(high)
        ),
        None => say!("finding-saves", saving = length(saving), share, shown),
    }
}

/// What was found.
pub(super) fn what(own: &Finding) -> String {
    let Facts { name, other, count: counted, of, time, usual, bytes: size, .. } = &own.facts;
    let (name, other) = (&short(name), &short(other));
    let (n, of, time, usual) = (count(*counted), *of, length(*time), length(*usual));
    match own.rule {
        Rule::ExposedTransfers => {
            let transfers = plural(*counted, message!("finding-transfers", count));
            match size.0 {
                0 => say!("finding-exposed-transfers-unsized", transfers),
                size => say!("finding-exposed-transfers", transfers, bytes = bytes(size)),
            }
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
        Rule::Straggler => straggler(own, name, other),
        Rule::CollectiveWait => collective_wait(own),
        Rule::ExposedCommunication => exposed_communication(own, name, other),
        Rule::LastRank => {
            say!("finding-last-rank", rank = name, count = n, of = count(of), time, most = usual)
        }
        Rule::UnevenServers => {
            say!("finding-uneven-servers", task = name, bytes = bytes(size.0), mean = bytes(of), count = n)
        }
        Rule::InputBound if name.is_empty() => say!("finding-input-bound-unnamed").to_owned(),
        Rule::InputBound => say!("finding-input-bound", op = name),
        Rule::LaunchBound => say!("finding-launch-bound", time, count = Grouped(*counted)),
        Rule::HostBound => {
            let parts = parts(own).unwrap_or_default();
            let accelerators = own.facts.ranks;
            let what = match other.is_empty() {
                true => say!("finding-host-bound", time, parts),
                false if accelerators > 1 => {
                    say!("finding-host-bound-least", count = count(accelerators), device = other, time, parts)
                }
                false => say!("finding-host-bound-of", device = other, time, parts),
            };
            let longest = computes_on_host(own).then(|| say!("finding-host-op", op = name, time = usual));
            let pause = own
                .facts
                .pause
                .as_ref()
                .map(|(next, time)| say!("finding-host-pause", time = length(*time), op = short(next)));
            with_frames(own, sentences([Some(what.to_owned()), longest, pause].into_iter().flatten()))
        }
        Rule::Synchronising => {
            let times = plural(*counted, message!("finding-times", count));
            match name == other {
                true => say!("finding-synchronising-alone", times, op = name, time),
                false => say!("finding-synchronising", times, op = name, call = other, time),
            }
        }
        Rule::Allocator if of == 1 && own.facts.ranks > 1 => {
            let ranks = count(own.facts.ranks);
            say!("finding-memory-full-ranks", count = Grouped(*counted), op = name, ranks, all = usual, time)
        }
        Rule::Allocator if of == 1 => {
            say!("finding-memory-full", count = Grouped(*counted), op = name, all = usual, time)
        }
        Rule::Allocator if of == 2 => {
            say!("finding-allocator-host", count = Grouped(*counted), op = name, all = usual)
        }
        Rule::Allocator => say!("finding-allocator", count = Grouped(*counted), op = name, all = usual, time),
        Rule::HostOpBetween => {
            let between = say!("finding-host-op-between", ops = ops(*counted), op = name, time);
            let placed = (of > 0).then(|| say!("finding-host-ops-placed", count = count(of)));
            sentences([between].into_iter().chain(placed))
        }
        Rule::Copies => copies(own),
        Rule::PageableCopies if of == 1 && size.0 > 0 => {
            say!("finding-pageable-copy", bytes = bytes(size.0), time, name)
        }
        Rule::PageableCopies if size.0 == 0 => {
            say!("finding-pageable-copies-unsized", count = n, of = count(of), time, name)
        }
        Rule::PageableCopies => {
            say!("finding-pageable-copies", count = n, of = count(of), bytes = bytes(size.0), time, name)
        }
        Rule::FewThreads => say!("finding-few-threads", count = Grouped(*counted), time),
        Rule::TinyOps => {
            let pauses = length(own.facts.since);
            say!("finding-tiny-ops", count = Grouped(*counted), of = count(of), time, running = usual, pauses)
        }
        Rule::SlowerThanPeers => {
            say!("finding-slower-than-peers", ops = ops(*counted), op = name, time, usual)
        }
        Rule::DominantWork if name.is_empty() => {
            say!("finding-dominant-elementwise", count = Grouped(*counted), time)
        }
        Rule::DominantWork if own.facts.is_stall => {
            say!("finding-stall", op = name, time, count = Grouped(of), usual)
        }
        Rule::DominantWork => {
            let op = match name == other {
                true => name.clone(),
                false => say!("finding-op-of-type", op = name, kind = other),
            };
            let what = match own.facts.alone {
                None => say!("finding-dominant-op", op, time, of = Grouped(of), usual),
                Some(Alone::Longest) => say!("finding-longest-op", op),
                Some(Alone::OnHost | Alone::Records) => say!("finding-op-on-host", op, time),
                Some(Alone::OfKind(kind)) => of_kind(own, kind),
            };
            sentences([Some(what), own.facts.work.map(work)].into_iter().flatten())
        }
        Rule::FirstStep => {
            let others = plural(counted.saturating_sub(1), message!("finding-other-calls", count));
            let tried = own.facts.ranks;
            match *counted {
                _ if of == 1 => say!("finding-capture", op = name, time),
                _ if let Some((next, usual)) = &own.facts.pause => {
                    let whole = length(own.facts.time + *usual);
                    say!("finding-first-run", op = short(next), whole, usual = length(*usual))
                }
                1 if !other.is_empty() => {
                    let usual = length(own.facts.since);
                    say!("finding-first-call", op = name, time, usual, kernel = other)
                }
                all if tried > 0 => {
                    let tries = say!("finding-first-step-trials", count = tried, op = name);
                    let takes = match all.saturating_sub(tried) {
                        0 => say!("finding-first-step-take", time),
                        more => {
                            let others = plural(more, message!("finding-other-calls", count));
                            say!("finding-first-step-take-with", others, time)
                        }
                    };
                    sentences([tries, takes])
                }
                0 | 1 => say!("finding-first-step-alone", op = name, time),
                _ => say!("finding-first-step", op = name, longest = usual, others, time),
            }
        }
        Rule::IdleThoughLaunched => {
            let words = |part| match part {
                // There is no other stream.
                FactPart::Launched(LaunchedPart::Other) if of == 1 => say!("finding-part-not-recorded"),
                part => part_words(part),
            };
            let parts = parts_in(own, words).unwrap_or_default();
            say!("finding-idle-though-launched", time, idle = usual, parts)
        }
        Rule::TensorCores => say!("finding-tensor-cores", count = Grouped(*counted), name, time),
        Rule::LayoutConversions => say!("finding-layout-conversions", count = Grouped(*counted), time),
        Rule::MemoryPeak => {
            let peak = bytes(own.facts.whole.0);
            say!("finding-memory-peak", op = name, bytes = bytes(size.0), peak)
        }
        Rule::SkewedClocks if own.facts.is_accelerator => {
            say!("finding-skewed-accelerator", time, count = n, of = count(of))
        }
        Rule::SkewedClocks => say!("finding-skewed-clocks", time, count = n, of = count(of)),
        Rule::Tracing => say!("finding-tracing", time, count = Grouped(*counted), name),
    }
}

/// A straggler, and the first cause that was recorded.
fn straggler(own: &Finding, task: &str, op: &str) -> String {
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
fn collective_wait(own: &Finding) -> String {
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
    let names = named(own).map(|names| say!("finding-late-hosts", names));
    sentences([Some(waits), Some(late), meanwhile, names].into_iter().flatten())
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

/// Copies by where they go, and who asked for them.
fn copies(own: &Finding) -> String {
    let rows = own.facts.copies.iter().map(|&CopiesOf { direction, count: times, time }| {
        let place = direction_words(direction);
        say!("finding-copies-part", count = count(times), place, time = length(time))
    });
    let all = say!("finding-copies", parts = listed(rows.collect::<Vec<_>>()));
    let by = own.facts.copied_by.map(|by| match by {
        CopiedBy::MemoryOptimizer => say!("finding-copied-by-memory-optimizer"),
        CopiedBy::HostMemory => say!("finding-copied-by-host-memory"),
        CopiedBy::Weights => say!("finding-copied-weights"),
    });
    let asking = own.facts.of;
    let asked =
        (asking > 0).then(|| say!("finding-copies-asked", ops = ops(asking), time = length(own.facts.usual)));
    sentences([Some(all), asked, by.map(str::to_owned)].into_iter().flatten())
}

fn direction_words(direction: Direction) -> &'static str {
    match direction {
        Direction::ToDevice => say!("direction-to-device"),
        Direction::FromDevice => say!("direction-from-device"),
        Direction::OnDevice => say!("direction-on-device"),
        Direction::BetweenDevices => say!("direction-between-devices"),
        Direction::Unknown => say!("direction-unknown"),
    }
}

fn exposed_communication(own: &Finding, name: &str, group: &str) -> String {
    let facts = &own.facts;
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
    sentences([Some(what), of_it, guess, rate].into_iter().flatten())
}

/// Bytes a second, in the unit in which links are sold.
fn amount_of_rate(rate: f64) -> String {
    match rate {
        small if small < 1e8 => format!("{:.1} MB/s", rate / 1e6),
        small if small < 1e10 => format!("{:.1} GB/s", rate / 1e9),
        _ => format!("{:.0} GB/s", rate / 1e9),
    }
}

fn with_frames(own: &Finding, what: String) -> String {
    let frames = named(own).map(|names| say!("finding-host-frames", names));
    sentences([Some(what), frames].into_iter().flatten())
}

/// Operators of one kind, each with its share of the path.
fn of_kind(own: &Finding, kind: Option<OpKind>) -> String {
    let facts = &own.facts;
    let names = facts.names.iter().zip(shorts(&facts.names)).map(|((_, time), name)| {
        let share = share(time.0, facts.since.0);
        say!("finding-name-share", name, time = length(*time), share)
    });
    let names = listed(names.collect::<Vec<_>>());
    match kind {
        Some(OpKind::Convolution | OpKind::SlowConvolution) => say!("finding-kind-convolution", names),
        Some(OpKind::Products) => say!("finding-kind-products", names),
        Some(OpKind::Random) => say!("finding-kind-random", names),
        None => say!("finding-kind-largest", names),
    }
}

/// The names of a finding with their times.
fn named(own: &Finding) -> Option<String> {
    let names = own.facts.names.iter().zip(shorts(&own.facts.names));
    let names: Vec<String> =
        names.map(|((_, time), name)| say!("finding-name-time", name, time = length(*time))).collect();
    (!names.is_empty()).then(|| listed(names))
}

fn work(work: Work) -> String {
    let Work { flops, rate, usual, usual_rate, is_more } = work;
    let amounts =
        (amount(flops, ""), amount(rate * 1e9, "/s"), amount(usual, ""), amount(usual_rate * 1e9, "/s"));
    let (flops, rate, usual, usual_rate) = amounts;
    match is_more {
        true => say!("finding-dominant-more-work", flops, rate, usual, usual_rate),
        false => say!("finding-dominant-slow", flops, rate, usual, usual_rate),
    }
}

/// A number of floating-point operations, with a unit of at least one.
fn amount(flops: f64, per: &str) -> String {
    let steps = ["", "k", "M", "G", "T", "P"];
    let step = ((flops.max(1.0).log10() / 3.0) as usize).min(steps.len() - 1);
    format!("{:.3} {}FLOP{per}", flops / 1_000_f64.powi(step as i32), steps[step])
}

/// The parts of the time of a finding, the longest first.
fn parts(own: &Finding) -> Option<String> {
    parts_in(own, part_words)
}

/// The same, in other `words`.
fn parts_in(own: &Finding, words: impl Fn(FactPart) -> &'static str) -> Option<String> {
    let said = own.facts.parts.iter();
    let said: Vec<String> =
        said.map(|&(part, time)| say!("finding-part", time = length(time), what = words(part))).collect();
    (!said.is_empty()).then(|| listed(said))
}

fn part_words(part: FactPart) -> &'static str {
    match part {
        FactPart::Launched(LaunchedPart::Latency) => say!("finding-part-latency"),
        FactPart::Launched(LaunchedPart::Graph) => say!("finding-part-graph"),
        FactPart::Launched(LaunchedPart::Other) => say!("finding-part-other-stream"),
        FactPart::Launched(LaunchedPart::Unrecorded) => say!("finding-part-unrecorded"),
        FactPart::Transfer => say!("finding-part-transfer"),
        FactPart::Waiting => say!("finding-part-waiting"),
        FactPart::WaitingForUnopened => say!("finding-part-waiting-unopened"),
        FactPart::Computing => say!("finding-part-computing"),
        FactPart::Idle => say!("finding-part-idle"),
        FactPart::Other => say!("finding-part-other"),
        FactPart::Host(HostPart::Operators) => say!("finding-part-host-operators"),
        FactPart::Host(HostPart::Asking) => say!("finding-part-host-asking"),
        FactPart::Host(HostPart::Launching) => say!("finding-part-host-launching"),
        FactPart::Host(HostPart::Copying) => say!("finding-part-host-copying"),
        FactPart::Host(HostPart::Allocating) => say!("finding-part-host-allocation"),
        FactPart::Host(HostPart::Waiting) => say!("finding-part-host-waiting"),
        FactPart::Host(HostPart::Input) => say!("finding-part-host-input"),
        FactPart::Host(HostPart::Between) => say!("finding-part-host-between"),
        FactPart::Host(HostPart::Beginning) => say!("finding-part-host-beginning"),
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
        Needs::Participants => say!("needs-participants"),
        Needs::Gpu => say!("needs-gpu"),
        Needs::Launches => say!("needs-launches"),
        Needs::Scheduling => say!("needs-scheduling"),
        Needs::Memory => say!("needs-memory"),
        Needs::Steps => say!("needs-steps"),
    }
}

/// An operator that runs for longer does more than launch kernels.
const LEAST_ON_HOST: Nanos = Nanos(1_000_000);

/// Whether half of the time in which a GPU waits for its host is one operator that computes on the host itself.
pub(super) fn computes_on_host(own: &Finding) -> bool {
    let is_operators =
        own.facts.parts.first().is_some_and(|&(part, _)| part == FactPart::Host(HostPart::Operators));
    own.rule == Rule::HostBound
        && is_operators
        && own.facts.since >= LEAST_ON_HOST
        && own.facts.usual.0.saturating_mul(2) >= own.facts.time.0
}
