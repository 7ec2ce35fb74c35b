//! Threads of TensorFlow's pools hand work on: what an idle one begins waited for what another one did last.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_tests::opened::{open, study};

fn named(what: &str, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": 501, "tid": tid, "args": { "name": name } })
}

fn op(name: &str, tid: i64, ts: i64, dur: i64) -> Value {
    json!({ "ph": "X", "name": name, "pid": 501, "tid": tid, "ts": ts, "dur": dur, "args": {} })
}

/// Two threads: one runs a convolution for 10 ms and goes on with `Cast`, the other begins its gradient then, after a rest.
fn handed(pool: &str) -> Study {
    let events = [
        named("process_name", 0, "/host:CPU"),
        named("thread_name", 1, &format!("{pool}/-17")),
        named("thread_name", 2, &format!("{pool}/18")),
        op("model/early:Relu", 2, 1_000, 100),
        op("model/conv:Conv2D", 1, 1_100, 10_000),
        op("model/cast:Cast", 1, 11_100, 3_000),
        op("model/grad:Conv2DBackpropFilter", 2, 11_140, 20_000),
    ];
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    study(open(&[("trace.json", text.as_bytes())]))
}

fn microseconds(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000
}

#[test]
fn an_idle_thread_of_a_pool_waits_for_the_op_that_ended_last_on_another() {
    for pool in ["tf_Compute", "tf_numa_0_Compute", "tf_data_iterator_get_next"] {
        let study = handed(pool);
        assert_eq!(microseconds(&study, SegmentKind::HostBetweenOps), 40, "{pool}");
        assert_eq!(microseconds(&study, SegmentKind::Compute), 30_100, "{pool}");
    }
}

#[test]
fn other_threads_that_go_on_hand_nothing_over() {
    let study = handed("worker");
    assert_eq!(microseconds(&study, SegmentKind::HostBetweenOps), 10_040);
}
