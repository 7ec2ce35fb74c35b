//! Threads that only ask the driver, such as NCCL's watchdog: no step waits for them.

use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_tests::opened::{TorchEvent, torch_study};

/// A program that works without a pause for a second, and a thread next to it that looks every 100 ms for ended events.
fn events(asked: &'static str) -> Vec<TorchEvent<'static>> {
    let mut events: Vec<TorchEvent<'static>> = Vec::new();
    for at in 0..100_i64 {
        let start = at * 10_000;
        events.push(("cpu_op", "aten::mm", 1, start, 10_000, 0));
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, start + 100, 20, at + 1));
        events.push(("kernel", "gemm", 7, start + 200, 500, at + 1));
    }
    events.extend((1..10).map(|at| ("cuda_runtime", asked, 2, at * 100_000 + 55, 10, 0)));
    events
}

fn left(asked: &'static str) -> i64 {
    let study = torch_study(&events(asked));
    let replay = Replay::of(&study);
    assert_eq!(replay.error().difference().0, 0);
    let scenario = replay.scenario(&study, &[Change::parse("op=.=0").unwrap()]).unwrap();
    replay.run(&scenario).length().0
}

#[test]
fn what_a_watchdog_sleeps_is_no_part_of_the_step() {
    // Of 900 ms of pauses between its nine calls none is left: 8 ms are between 100 calls that launch and their kernels.
    assert!(left("cudaEventQuery") < 10_000_000, "{}", left("cudaEventQuery"));
    // A thread that launches works for the step, and its pauses are those of a host.
    assert!(left("cudaLaunchKernel") > 700_000_000, "{}", left("cudaLaunchKernel"));
}
