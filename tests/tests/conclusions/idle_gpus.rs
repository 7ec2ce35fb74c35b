//! A GPU that is idle though its work was launched: what a launch takes, what another stream or the file hides, and what no field explains.

use super::made::{findings_of, launched, launched_as, said_of_recording};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::{Basis, FactPart, Finding, Findings, Rule};
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, TorchEvent, event, found, on_host, rows, text, torch_study, with_gpu};

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
    let found = findings_of(&study);
    let own = of(&found, Rule::IdleThoughLaunched);
    // 20 µs before each kernel; the rest of the 40 µs between two kernels is the host's.
    assert_eq!(parts(own), [(LaunchedPart::Latency, 2_000)]);
    assert_eq!((own.basis, own.saving.map(|own| own.0)), (Basis::Measured, Some(2_000_000)));
    // Each waits for 400 µs after its launch: that is no latency.
    let late = findings_of(&torch_study(&launches("cudaLaunchKernel", "gemm", 100, 460, 400)));
    let own = of(&late, Rule::IdleThoughLaunched);
    assert_eq!(parts(own), [(LaunchedPart::Other, 40_000)]);
    assert_eq!((own.basis, own.saving), (Basis::Figure, None));
}

#[test]
fn kernels_of_a_graph_and_kernels_without_a_launch_have_parts_of_their_own() {
    let graphs = findings_of(&torch_study(&launches("cudaGraphLaunch", "gemm", 100, 460, 400)));
    assert_eq!(parts(of(&graphs, Rule::IdleThoughLaunched)), [(LaunchedPart::Hole, 40_000)]);
    let mut events = launches("cudaLaunchKernel", "gemm", 2, 50, 3);
    // A second later comes work that nothing in the file launched.
    events.push(("kernel", "gemm", 7, 1_000_000, 1_000, 0));
    let unknown = findings_of(&torch_study(&events));
    let own = of(&unknown, Rule::IdleThoughLaunched);
    assert_eq!(own.facts.parts[0].0, FactPart::Launched(LaunchedPart::Unrecorded));
    assert!(
        own.saving.is_none() && !unknown.rows.iter().any(|own| own.rule == Rule::HostBound),
        "{unknown:?}"
    );
}

#[test]
fn a_cut_recording_says_when_the_gpu_began_and_one_stream_waits_for_no_other() {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 3_000.0)];
    for id in 0..10_i64 {
        let start = 50_000.0 + 10_000.0 * id as f64;
        events.extend(launched_as(
            id + 1,
            (100.0 * id as f64 + 10.0, 10.0),
            ("gemm", start, start + 9_990.0),
        ));
    }
    let own = with_gpu(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(
        said.contains("For 49.98 ms before its first work the GPU does nothing that was recorded"),
        "{said}"
    );
    let idle = found(&own, "idle-though-launched");
    assert!(text(&idle, "advice").contains("With one stream and one rank"), "{idle}");
    assert!(!text(&idle, "sentence").contains("another stream"), "{idle}");
}

#[test]
fn only_the_first_kernel_waits_for_what_was_launched_before_the_recording() {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 3_000.0 * id as f64;
        let late = if id % 4 == 2 { 2_300.0 } else { 10.0 };
        events.extend(launched(id + 1, (at, 10.0), (at + 10.0 + late, at + 60.0 + late)));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 20.0, late + 45.0));
    }
    let own = with_gpu(&events);
    let idle = found(&own, "idle-though-launched");
    assert!(!text(&idle, "advice").contains("before the recording begins"), "{idle}");
    assert!(text(&idle, "advice").contains("another process or the desktop"), "{idle}");
    let verdict = said_of_recording(&own);
    assert!(!verdict.contains("calls of the driver 1"), "{verdict}");
}

/// A call at `at` of `length`, and the kernel of a stream that it starts.
fn launched_on(
    stream: i64,
    id: i64,
    (at, length): (f64, f64),
    (name, start, end): (&str, f64, f64),
) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": stream, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, length), &args);
    [call, event("kernel", name, (0, stream), (start, end - start), &args)]
}

/// A kernel of `first` µs on one stream; what another stream was given then begins after 5 ms, and runs for half of the rest, or nearly all of it.
fn of_a_server(first: f64, is_busy: bool) -> Study {
    let mut events = launched_on(2, 1, (0.0, 5.0), ("fill", 10.0, 10.0 + first)).to_vec();
    events.push(on_host("cpu_op", "aten::fill_", 0.0, 6.0));
    for id in 0..50_i64 {
        let (call, start) = (400.0 + 10.0 * id as f64, 5_400.0 + 100.0 * id as f64);
        let end = start + if is_busy { 99.0 } else { 50.0 };
        events.extend(launched_on(3, id + 2, (call, 5.0), ("gemm", start, end)));
    }
    events.push(on_host("cuda_runtime", "cudaStreamSynchronize", 1_000.0, 9_400.0));
    with_gpu(&events)
}

#[test]
fn little_work_of_another_stream_hides_no_queue() {
    let own = of_a_server(3.0, true);
    let verdict = said_of_recording(&own);
    assert!(verdict.contains("For 4.995 ms before the first work of a stream"), "{verdict}");
    assert!(!verdict.contains("says why"), "{verdict}");
    let idle = found(&own, "idle-though-launched");
    assert!(text(&idle, "advice").contains("before the recording begins"), "{idle}");
    assert!(!text(&idle, "advice").contains("other ranks"), "{idle}");
    // It may have waited for what ran, or for what it computes with.
    for own in [of_a_server(300.0, true), of_a_server(3.0, false)] {
        let verdict = said_of_recording(&own);
        assert!(!verdict.contains("first work of a stream"), "{verdict}");
    }
}

#[test]
fn idle_time_without_a_reason_comes_before_a_small_saving() {
    // Kernels begin 3 ms after their launch, though nothing runs before them.
    let of = |delay: f64| {
        let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 900.0)];
        for id in 0..10 {
            let at = 1_000.0 + 3_100.0 * f64::from(id);
            let args = json!({ "correlation": id + 1, "stream": 7, "device": 0 });
            events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 5.0), &args));
            events.push(event("kernel", "k", (0, 7), (at + delay, 20.0), &args));
            events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 10.0, delay + 30.0));
        }
        rows(&with_gpu(&events))
    };
    let all = of(2_900.0);
    assert_eq!(all.first().map(|own| own["rule"].clone()), Some("idle-though-launched".into()), "{all:?}");
    assert!(of(100.0).first().is_none_or(|own| own["rule"] != "idle-though-launched"));
}
