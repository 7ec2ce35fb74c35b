//! Causes planted in clusters of several servers and workers: the observed path names each, where it is, and how long it is.

use proptest::prelude::*;
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_tests::cases::cases;
use steplens_tests::writer::{Scenario, op, recv};

const US: i64 = 1_000;

/// Which cause is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    SlowOp,
    LateParameter,
    SlowLink,
    LateInput,
}

fn task(job: &str, task: usize) -> String {
    format!("/job:{job}/replica:0/task:{task}/device:CPU:0")
}

/// Servers that each send a variable to every worker, which gets a batch, computes, and sends a gradient back to the first server; for one worker,
/// and of one server, one thing takes `late` longer.
fn large_cluster(
    planted: Planted,
    late_us: i64,
    servers: usize,
    workers: usize,
    who: (usize, usize),
) -> Study {
    let mut scenario = Scenario::new();
    let mut first_server = Vec::new();
    for worker in 0..workers {
        let late = |kind: Planted| if kind == planted && worker == who.1 { late_us } else { 0 };
        let own = task("worker", worker);
        let batch_end = 30 + 3 * worker as i64 + late(Planted::LateInput);
        let mut ops = vec![op("batch = IteratorGetNext()", 5 * US, (batch_end - 5) * US).scheduled(4 * US)];
        let (mut ready, mut inputs) = (batch_end.max(50), vec!["batch".to_owned()]);
        for server in 0..servers {
            let is_it = server == who.0;
            let of = |kind: Planted| if is_it { late(kind) } else { 0 };
            let (sent, name) = (25 + of(Planted::LateParameter), format!("v{server}/read"));
            let received = sent + 20 + of(Planted::SlowLink);
            let key = format!("edge_{server}_{name}");
            ops.push(recv(&key, &task("ps", server), &own, 64, sent, received - sent));
            inputs.push(format!("{name}/_{server}"));
            ready = ready.max(received);
        }
        let length = 40 + late(Planted::SlowOp);
        let label = format!("mul{worker} = Mul({})", inputs.join(", "));
        ops.push(op(&label, (ready + 1) * US, length * US).scheduled(ready * US));
        let made = ready + 1 + length;
        let gradient = format!("edge_9{worker}_mul{worker}");
        first_server.push(recv(&gradient, &own, &task("ps", 0), 64, made + 1, 20));
        let label = format!("apply{worker} = ApplyAdam(mul{worker}/_9{worker})");
        first_server.push(op(&label, (made + 22) * US, 10 * US).scheduled((made + 21) * US));
        scenario = scenario.device(&own, ops);
    }
    for server in 0..servers {
        scenario =
            scenario.device(&task("ps", server), [op(&format!("v{server}/read = Identity(v)"), 0, 20 * US)]);
    }
    scenario.device(&task("ps", 0), first_server).study()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn planted_causes_are_named_among_several_workers_and_servers(
        late_us in 5_000_i64..200_000,
        (servers, workers) in (2_usize..5, 2_usize..9),
        (server, worker) in (0_usize..100, 0_usize..100),
    ) {
        let who = (server % servers, worker % workers);
        let (slow, parameter) = (format!("mul{}", who.1), format!("v{}/read", who.0));
        for (planted, kind, name) in [
            (Planted::SlowOp, SegmentKind::Compute, slow.as_str()),
            (Planted::LateParameter, SegmentKind::SenderQueue, parameter.as_str()),
            (Planted::SlowLink, SegmentKind::Transit, parameter.as_str()),
            (Planted::LateInput, SegmentKind::Input, "batch"),
        ] {
            let study = large_cluster(planted, late_us, servers, workers, who);
            let segments = &study.causes().observed.segments;
            let longest = segments.iter().max_by_key(|own| own.interval.length()).unwrap();
            prop_assert_eq!((longest.kind, study.title(longest.op)), (kind, name), "{:?}", planted);
            let trace = study.trace();
            let device = trace.text(trace.devices().get(trace.device_of(longest.op)).name);
            prop_assert_eq!(device, task("worker", who.1), "{:?}", planted);
            let off = (longest.interval.length().0 - late_us * US).abs();
            prop_assert!(off * 100 <= late_us * US, "{:?}: {} for {}", planted, longest.interval.length().0, late_us * US);
        }
    }
}
