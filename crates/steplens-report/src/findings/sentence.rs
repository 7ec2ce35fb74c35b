//! Findings as sentences.

use super::first_step::first_step;
use super::ranks::{collective_wait, exposed_communication, straggler};
use super::record;
use super::words::{length, named, part_words, parts, parts_in, short, shorts};
use crate::causality::spent_words;
use crate::figures::{self, bytes, count, plural, share};
use crate::names::kernel_labels;
use crate::verdict::{Said, Shown, cut_unlike, first_of_steps, stood_still};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::spent::{Spending, Spent};
use steplens_core::causality::sums::by_given_key;
use steplens_core::clocks::Why;
use steplens_core::findings::framework::Framework;
use steplens_core::findings::{
    Alone, Basis, CopiedBy, CopiesOf, Direction, FactPart, Facts, Finding, Findings, KernelKind, Needs,
    OpKind, Reached, Rule, Subject, Work, compiling,
};
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::HostPart;
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_core::steps::rule::Apart;
use steplens_core::{Nanos, Study};
use steplens_messages::{Grouped, listed, message, say, sentences};

/// How the findings were judged; where there is none, what the step consists of, and what to record to learn more.
pub(super) fn of_list(
    subject: &Subject<'_>,
    replay: &Replay,
    found: &Findings,
    framework: Framework,
    said: &Said,
) -> String {
    let (study, is_unrecorded) = (subject.study(), said.is_unrecorded);
    let error = replay.error();
    let off = share(error.difference().0, error.recorded.0);
    match study.clock_doubt().map(|doubt| doubt.why) {
        Some(Why::Accelerator) => return say!("findings-accelerator-clock").to_owned(),
        Some(Why::CoarseHost) => return say!("findings-coarse-host").to_owned(),
        Some(_) => return say!("findings-clocks").to_owned(),
        None => {}
    }
    let has = |basis: Basis| found.rows.iter().any(|own| own.basis == basis);
    let judged = match (error.may_predict(), has(Basis::Replay), has(Basis::Measured)) {
        (false, ..) if found.rows.is_empty() => None,
        (false, ..) => Some(say!("findings-by-path", error = off)),
        (_, false, _) if has(Basis::Path) && !replay.may_predict(study) => {
            let frozen = replay.frozen(study);
            let share = share(frozen.0, error.recorded.0);
            Some(say!("findings-frozen", length = length(frozen), share))
        }
        (true, true, true) => Some(say!("findings-replayed-and-measured", error = off)),
        (true, true, false) => Some(say!("findings-replayed", error = off)),
        (true, false, true) => Some(say!("findings-measured").to_owned()),
        (true, false, false) => None,
    };
    // What most of the path of a CPU is, promises nothing.
    let is_of_cpu = |own: &Finding| {
        matches!(own.facts.alone, Some(Alone::OfKind(_)))
            || matches!(own.rule, Rule::Allocator | Rule::Synchronising) && own.facts.of >= 2
            || own.rule == Rule::TinyOps
    };
    let is_figure = |own: &Finding| own.basis == Basis::Figure && own.rule != Rule::HostBound;
    let is_none = |own: &Finding| own.saving.is_none() && (is_figure(own) || is_of_cpu(own));
    let none = found.rows.iter().all(is_none);
    let none = none.then(|| {
        let consists = Some(consists(study, said)).filter(|own| !own.is_empty() && !said.is_silent);
        let is_far = study.view().step.is_none() && study.apart() == Some(Apart::Far);
        let nothing = match found.rows.is_empty() {
            true if is_far => say!("findings-none-far", step = first_of_steps(study)),
            true => say!("findings-none").to_owned(),
            false => say!("findings-none-measured").to_owned(),
        };
        // Nobody compiles for longer to learn more.
        let more = compiling(study).is_none().then(|| record::of(subject.shown(), framework, is_unrecorded));
        let all = [Some(nothing), consists, more.flatten()];
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
fn consists(study: &Study, said: &Said) -> String {
    let observed = &study.causes().observed;
    let length = said.in_steps.map_or(observed.length(), |own| own.span.length());
    let spending = Spending::of(study.trace(), said.is_unrecorded);
    let pieces = spending.on_path(study.trace(), study.kernels(), &observed.segments);
    let parts = by_given_key(pieces.into_iter());
    let words = parts.iter().take(MOST_PARTS).map(|part| {
        let share = share(part.length.0, length.0);
        say!("findings-consists-part", what = spent_words(part.key), share)
    });
    let is_far = study.view().step.is_none() && study.apart() == Some(Apart::Far);
    // Of a call that mostly waits outside of its ops they say little, and of steps far apart nothing.
    match parts.is_empty() || is_far || observed.length().0.saturating_mul(2) < length.0 {
        true => String::new(),
        false if said.in_steps.is_some() => {
            say!("findings-consists-steps", parts = listed(words.collect::<Vec<_>>()))
        }
        false => say!("findings-consists", parts = listed(words.collect::<Vec<_>>())),
    }
}

/// The words for a part of the path. Where a file names a GPU without its ops, an op on the host computed, or only started it.
fn words(spent: Spent, is_unrecorded: bool) -> &'static str {
    match spent {
        Spent::Kind(SegmentKind::Compute) if is_unrecorded => spent_words(Spent::HostOperator),
        _ => spent_words(spent),
    }
}

/// How long what ran before the first step is, where a finding is about the steps alone.
fn before_steps(own: &Finding, said: &Said) -> Option<Nanos> {
    let is_of_steps = own.rule == Rule::ExposedCommunication && own.basis == Basis::Measured;
    Some(said.outside.before).filter(|&own| is_of_steps && own > Nanos(0) && said.in_steps.is_none())
}

/// What the share of a finding is of, where `whole` is the length of what is shown.
pub(super) fn whole_of(own: &Finding, whole: Nanos, said: &Said) -> Nanos {
    whole - before_steps(own, said).unwrap_or_default()
}

/// What was found, and what it costs. `whole` is the length of what is shown.
pub(super) fn of_finding(own: &Finding, whole: Nanos, said: &Said) -> String {
    let shown = match before_steps(own, said) {
        Some(_) => say!("shown-only-steps"),
        None => said.subject_words(),
    };
    let whole_here = whole_of(own, whole, said);
    let at_most = |saving: Nanos| {
        say!("finding-saves-at-most", saving = length(saving), share = share(saving.0, whole_here.0), shown)
    };
    let cost = match (own.basis, own.saving) {
        // Nothing computes in no time: a compiler that fuses tiny ops leaves some of it.
        (Basis::Replay, Some(saving)) if own.rule == Rule::TinyOps => Some(say!(
            "finding-saves-if-none",
            saving = length(saving),
            share = share(saving.0, whole.0),
            shown
        )),
        (Basis::Measured, Some(saving)) if own.denied.is_some() => Some(match saving {
            Nanos(0) => say!("finding-saves-nothing").to_owned(),
            saving => {
                say!(
                    "finding-saves-less",
                    saving = length(saving),
                    share = share(saving.0, whole_here.0),
                    shown
                )
            }
        }),
        (Basis::Measured, Some(saving)) => Some(at_most(saving)),
        (Basis::Replay, Some(saving)) => Some(replayed(own, saving, whole, shown)),
        (Basis::Path, _) => {
            Some(say!("finding-on-path", time = length(own.on_path), share = share(own.on_path.0, whole.0)))
        }
        _ => None,
    };
    let each = match (said.shown, own.saving) {
        (Shown::Steps(steps), Some(saving)) if own.denied.is_none() && is_of_steps(own, whole, said) => {
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

/// A mean for a step is said if what is in no step is less than this part of what is shown, or could be less than this part of the saving, as their
/// divisors.
const MOST_OUTSIDE: i64 = 50;
const MOST_OF_SAVING: i64 = 20;

/// Whether a saving is one of the steps: what runs outside of them is of none, and may have any part of it.
fn is_of_steps(own: &Finding, whole: Nanos, said: &Said) -> bool {
    let outside = said.outside;
    // The rule leaves out what ran before the first step.
    let [all, idle] = match own.rule {
        Rule::ExposedCommunication => [outside.all - outside.before, outside.not_computing_after],
        _ => [outside.all, outside.not_computing],
    };
    // Others save compute, too.
    let saves_idle = matches!(
        own.rule,
        Rule::HostBound
            | Rule::LaunchBound
            | Rule::Synchronising
            | Rule::Allocator
            | Rule::InputBound
            | Rule::Copies
            | Rule::PageableCopies
            | Rule::ExposedCommunication
            | Rule::IdleThoughLaunched
    );
    let saving = own.saving.unwrap_or_default();
    all.0.saturating_mul(MOST_OUTSIDE) < whole.0
        || saves_idle && idle.0.saturating_mul(MOST_OF_SAVING) < saving.0
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
        Rule::ExposedTransfers if of == 1 => {
            say!(
                "finding-exposed-transfers-unnamed",
                count = Grouped(*counted),
                sending = usual,
                transit = time
            )
        }
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
        Rule::LastRank if own.facts.is_cold => {
            let together = length(own.facts.since);
            say!("finding-last-rank-start", rank = name, count = n, of = count(of), time = together)
        }
        Rule::GpuUnused if of == 1 => say!("finding-gpu-unused-pytorch", time),
        Rule::GpuUnused => say!("finding-gpu-unused", time),
        Rule::LastRank => {
            say!("finding-last-rank", rank = name, count = n, of = count(of), time, most = usual)
        }
        Rule::UnevenServers => {
            say!("finding-uneven-servers", task = name, bytes = bytes(size.0), mean = bytes(of), count = n)
        }
        Rule::InputBound if name.is_empty() => say!("finding-input-bound-unnamed").to_owned(),
        Rule::InputBound => say!("finding-input-bound", op = name),
        Rule::LoaderWorkers => loader_workers(&own.facts),
        Rule::LaunchBound => say!("finding-launch-bound", time, count = Grouped(*counted)),
        Rule::HostBound if of == 1 => {
            say!("finding-host-bound-unrecorded", time = usual, count = Grouped(*counted))
        }
        Rule::HostBound if of == 2 => {
            say!("finding-host-bound-event-pairs", time = usual, count = Grouped(*counted))
        }
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
            let single = own.facts.single.filter(|_| longest.is_none());
            let longest = longest.or_else(|| {
                let (time, usual) = single?;
                Some(say!("finding-host-single", op = name, time = length(time), usual = length(usual)))
            });
            let pause = own
                .facts
                .pause
                .as_ref()
                .map(|(next, time)| say!("finding-host-pause", time = length(*time), op = short(next)));
            let pauses = own.facts.pauses.as_ref().map(|(number, time, longest, next)| {
                let (time, longest) = (length(*time), length(*longest));
                say!("finding-host-pauses", count = count(*number), time, longest, op = short(next))
            });
            if let Some(still) = own.facts.still {
                return sentences([what.to_owned(), stood_still(still)]);
            }
            // What comes then waits for no launch.
            let after_last = own.facts.after_last;
            let last = (after_last.0.saturating_mul(4) >= own.facts.time.0 && after_last > Nanos(0))
                .then(|| say!("finding-host-after-last", time = length(after_last)));
            let latency = own.facts.latency;
            let after_calls = (latency.0.saturating_mul(LEAST_LATENCY) >= own.facts.time.0
                && latency > Nanos(0))
            .then(|| say!("finding-host-latency", time = length(latency)));
            let all = [Some(what.to_owned()), last, longest, pause, pauses, after_calls];
            with_frames(own, sentences(all.into_iter().flatten()))
        }
        Rule::Synchronising => {
            let times = plural(*counted, message!("finding-times", count));
            match name == other {
                _ if of == 2 => {
                    say!("finding-synchronising-unrecorded", times, op = name, most = usual, time)
                }
                _ if of == 1 => say!("finding-synchronising-copies", times, op = name, call = other, time),
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
        Rule::Allocator if of == 3 => {
            let calls = plural(*counted, message!("finding-calls", count));
            say!("finding-given-back", calls, op = name, all = usual)
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
                Some(Alone::Unlike) => say!("finding-unlike-op", op, time, of = Grouped(of), usual),
                Some(Alone::OnHost | Alone::Records) => say!("finding-op-on-host", op, time),
                Some(Alone::OfKind(kind)) => of_kind(own, kind),
                Some(Alone::OfKernels { kind, .. }) => of_kernels(own, kind),
                Some(Alone::OfGraph { .. }) => of_graph(own),
            };
            let what = with_speed(own, what);
            sentences([Some(what), own.facts.work.map(work)].into_iter().flatten())
        }
        Rule::FirstStep => first_step(own),
        Rule::IdleThoughLaunched => {
            let words = |part| match part {
                // There is no other stream.
                FactPart::Launched(LaunchedPart::Other) if of > 0 => say!("finding-part-not-recorded"),
                part => part_words(part),
            };
            let parts = parts_in(own, words).unwrap_or_default();
            say!("finding-idle-though-launched", time, idle = usual, parts)
        }
        Rule::TensorCores => say!("finding-tensor-cores", count = Grouped(*counted), name, time),
        Rule::LayoutConversions if of == 1 => say!("finding-layout-weights", count = Grouped(*counted), time),
        Rule::LayoutConversions => say!("finding-layout-conversions", count = Grouped(*counted), time),
        Rule::TrainingMode if *counted == 0 => say!("finding-training-dropout-alone", time = usual),
        Rule::TrainingMode => {
            let norm = say!("finding-training-mode", ops = ops(*counted), time);
            let dropout = own.facts.usual > Nanos(0);
            let dropout = dropout.then(|| say!("finding-training-dropout", time = usual));
            sentences([norm].into_iter().chain(dropout))
        }
        Rule::OptimizerStep => {
            let step = say!("finding-optimizer-step", name, time, count = Grouped(of));
            let waits = own.facts.usual > Nanos(0);
            let waits = waits.then(|| say!("finding-optimizer-step-waits", time = usual));
            sentences([step].into_iter().chain(waits))
        }
        Rule::MemoryPeak => {
            let peak = bytes(own.facts.whole.0);
            say!("finding-memory-peak", op = name, bytes = bytes(size.0), peak)
        }
        Rule::SkewedClocks if own.facts.is_coarse => {
            say!("finding-coarse-host", time, count = n, of = count(of))
        }
        Rule::SkewedClocks if own.facts.is_accelerator => {
            say!("finding-skewed-accelerator", time, count = n, of = count(of))
        }
        Rule::SkewedClocks => say!("finding-skewed-clocks", time, count = n, of = count(of)),
        Rule::Tracing if own.facts.of == 3 => say!("finding-counters", count = Grouped(*counted)),
        Rule::Tracing if own.facts.of == 4 => {
            let before = length(own.facts.since);
            say!("finding-tracing-each", time, count = Grouped(*counted), before, after = usual)
        }
        Rule::Tracing if own.facts.of == 1 => {
            say!("finding-tracing-overhead", time, count = Grouped(*counted), name)
        }
        Rule::Tracing => say!("finding-tracing", time, count = Grouped(*counted), name),
    }
}

/// How long the workers of a `DataLoader` start and stop.
fn loader_workers(facts: &Facts) -> String {
    let starting =
        (facts.usual > Nanos(0)).then(|| say!("finding-workers-start", time = length(facts.usual)));
    let stopping = (facts.since > Nanos(0)).then(|| say!("finding-workers-stop", time = length(facts.since)));
    say!("finding-workers", parts = listed(starting.into_iter().chain(stopping).collect::<Vec<_>>()))
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

fn with_frames(own: &Finding, what: String) -> String {
    let frames = named(own).map(|names| say!("finding-host-frames", names));
    sentences([Some(what), frames].into_iter().flatten())
}

/// Kernels of one kind that have half of the time of a GPU.
fn of_kernels(own: &Finding, kind: KernelKind) -> String {
    let facts = &own.facts;
    let names: Vec<&str> = facts.names.iter().map(|own| own.0.as_str()).collect();
    let labels = kernel_labels(&names);
    let names = (0..).zip(&facts.names).map(|(place, (_, time))| {
        let (name, share) = (cut_unlike(&labels, place), share(time.0, facts.since.0));
        say!("finding-name-share", name, time = length(*time), share)
    });
    let names = listed(names.collect::<Vec<_>>());
    let (time, share) = (length(facts.time), share(facts.time.0, facts.since.0));
    match kind {
        KernelKind::Attention => say!("finding-kernels-attention", time, share, names),
        _ => say!("finding-kernels-products", time, share, names),
    }
}

/// Ops of TensorFlow that are most of a GPU's time.
fn of_graph(own: &Finding) -> String {
    let names = own.facts.names.iter().map(|(name, time)| {
        let share = share(time.0, own.facts.since.0);
        say!("finding-name-share", name, time = length(*time), share)
    });
    say!("finding-graph-ops", names = listed(names.collect::<Vec<_>>()))
}

/// How fast they calculate, and which of them is slow for its work.
fn with_speed(own: &Finding, what: String) -> String {
    let Some(Reached { flops, rate, slow }) = &own.facts.reached else { return what };
    let speed = figures::flop_rate;
    let reached = say!("finding-reached", flops = figures::flops(flops.0 as f64), rate = speed(*rate));
    let slow = slow.as_ref().map(|own| {
        say!("finding-reached-slow", op = short(&own.name), rate = speed(own.rate), usual = speed(own.usual))
    });
    sentences([Some(what), Some(reached), slow].into_iter().flatten())
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
        None if facts.names.first().is_some_and(|own| own.1.0.saturating_mul(2) >= facts.since.0) => {
            say!("finding-kind-most", names)
        }
        None => say!("finding-kind-largest", names),
    }
}

fn work(work: Work) -> String {
    let Work { flops, rate, usual, usual_rate, is_more } = work;
    let [flops, usual] = [flops, usual].map(figures::flops);
    let [rate, usual_rate] = [rate, usual_rate].map(|own| figures::flop_rate(own * 1e9));
    match is_more {
        true => say!("finding-dominant-more-work", flops, rate, usual, usual_rate),
        false => say!("finding-dominant-slow", flops, rate, usual, usual_rate),
    }
}

fn ops(count: u64) -> String {
    plural(count, message!("finding-ops", count))
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

/// The time from calls to their kernels is said from this part of the time for the host on, as its divisor.
const LEAST_LATENCY: i64 = 20;
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
