//! Why a GPU is idle though its host is not the reason, and what of a recording happens once: each planted in events of PyTorch's profiler.

use steplens_core::Study;
use steplens_core::findings::{Basis, FactPart, Finding, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_tests::opened::{TorchEvent, torch_study};

fn found(study: &Study) -> Findings {
    Findings::found(study, &Replay::of(study), None)
}

fn of(found: &Findings, rule: Rule) -> &Finding {
    found.rows.iter().find(|own| own.rule == rule).unwrap_or_else(|| panic!("{rule:?} in {:?}", found.rows))
}

/// `count` launches of `kernel`, of 5 µs each, `period` apart; each kernel runs for 40 µs, from `wait` after its launch has returned on.
fn launches<'a>(call: &'a str, kernel: &'a str, count: i64, period: i64, wait: i64) -> Vec<TorchEvent<'a>> {
    let mut events = Vec::new();
    for place in 0..count {
        let start = place * period;
        events.push(("cpu_op", "aten::mm", 1, start, 9, 0));
        events.push(("cuda_runtime", call, 1, start + 2, 5, place + 1));
        events.push(("kernel", kernel, 7, start + 7 + wait, 40, place + 1));
    }
    events
}

fn parts(own: &Finding) -> Vec<(LaunchedPart, i64)> {
    let part = |&(part, time): &(FactPart, steplens_core::Nanos)| match part {
        FactPart::Launched(part) => (part, time.0 / 1_000),
        other => panic!("{other:?}"),
    };
    own.facts.parts.iter().map(part).collect()
}

#[test]
fn what_every_launch_takes_is_told_from_what_waits_for_another_stream() {
    let study = torch_study(&launches("cudaLaunchKernel", "gemm", 100, 80, 20));
    let found = found(&study);
    let own = of(&found, Rule::IdleThoughLaunched);
    // 20 µs before each kernel; the rest of the 40 µs between two kernels is the host's.
    assert_eq!(parts(own), [(LaunchedPart::Latency, 2_000)]);
    assert_eq!((own.basis, own.saving.map(|own| own.0)), (Basis::Measured, Some(2_000_000)));
    // Each waits for 400 µs after its launch: that is no latency.
    let late = found_of(&launches("cudaLaunchKernel", "gemm", 100, 460, 400));
    let own = of(&late, Rule::IdleThoughLaunched);
    assert_eq!(parts(own), [(LaunchedPart::Other, 40_000)]);
    assert_eq!((own.basis, own.saving), (Basis::Figure, None));
}

fn found_of(events: &[TorchEvent<'_>]) -> Findings {
    found(&torch_study(events))
}

#[test]
fn kernels_of_a_graph_and_kernels_without_a_launch_have_parts_of_their_own() {
    let graphs = found_of(&launches("cudaGraphLaunch", "gemm", 100, 460, 400));
    assert_eq!(parts(of(&graphs, Rule::IdleThoughLaunched)), [(LaunchedPart::Hole, 40_000)]);
    let mut events = launches("cudaLaunchKernel", "gemm", 2, 50, 3);
    // A second later comes work that nothing in the file launched.
    events.push(("kernel", "gemm", 7, 1_000_000, 1_000, 0));
    let unknown = found_of(&events);
    let own = of(&unknown, Rule::IdleThoughLaunched);
    assert_eq!(own.facts.parts[0].0, FactPart::Launched(LaunchedPart::Unrecorded));
    assert!(
        own.saving.is_none() && !unknown.rows.iter().any(|own| own.rule == Rule::HostBound),
        "{unknown:?}"
    );
}

#[test]
fn a_capture_of_a_graph_is_said_and_its_launches_are_not_missed() {
    let mut events = vec![
        ("cuda_runtime", "cudaStreamBeginCapture", 1, 0, 5, 0),
        ("cuda_runtime", "cudaStreamEndCapture", 1, 10_000, 20, 0),
    ];
    events.extend((0..90).flat_map(|place| {
        let start = 10 + place * 100;
        [
            ("cpu_op", "aten::mm", 1, start, 90, 0),
            ("cuda_runtime", "cudaLaunchKernel", 1, start + 5, 5, 1_000 + place),
        ]
    }));
    events.extend([
        ("cuda_runtime", "cudaGraphLaunch", 1, 10_100, 10, 7),
        ("kernel", "gemm", 7, 10_150, 500, 7),
    ]);
    let study = torch_study(&events);
    let found = found(&study);
    let own = &found.rows[0];
    assert_eq!(
        (own.rule, own.facts.of, own.saving.map(|own| own.0)),
        (Rule::FirstStep, 1, Some(10_020_000)),
        "{found:?}"
    );
    assert!(!found.rows.iter().any(|own| own.rule == Rule::HostBound), "{found:?}");
    let text = steplens_report::doctor::json(study.trace(), &study);
    assert!(!text.contains("kernels-not-recorded"), "{text}");
}

#[test]
fn first_launches_of_kernels_are_a_first_step_wherever_they_come() {
    let names = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"];
    let mut events = Vec::new();
    let mut at = 0;
    for (place, name) in (0..).zip(names) {
        for again in 0..20 {
            let (id, length) = (place * 20 + again + 1, if again == 0 { 5_000 } else { 5 });
            events.push(("cpu_op", "aten::mm", 1, at, length + 4, 0));
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 2, length, id));
            events.push(("kernel", name, 7, at + 2 + length + 3, 40, id));
            at += length + 60;
        }
    }
    let found = found_of(&events);
    let own = &found.rows[0];
    assert_eq!((own.rule, own.facts.count, own.facts.time.0), (Rule::FirstStep, 10, 50_000_000), "{found:?}");
}
