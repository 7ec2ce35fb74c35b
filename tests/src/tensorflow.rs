//! Made recordings of TensorFlow: what its profiler writes, and `timeline.py`; and what is found in them.

pub use crate::opened::{row, text};

use crate::opened::{open, study};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::findings;

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const STREAM: &str = "/device:GPU:0/stream:13";

/// The findings of `study`.
pub fn list(study: &Study) -> Value {
    serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default()
}

/// The name of a process or thread.
pub fn named(what: &str, pid: i64, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

/// What TensorFlow 2's profiler writes: a GPU (pid 1), and threads of a host (pid 7). Events are (thread, name, start, length, correlation, op of
/// the kernel), in µs; thread 13 is a stream.
pub fn profiled(events: &[(i64, &str, i64, i64, i64, &str)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, "/device:GPU:0"),
        named("thread_name", 1, 13, "Stream #13(Compute)"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "tf_Compute/1"),
        named("thread_name", 7, 2, "python3"),
    ];
    all.extend(events.iter().map(|&(tid, name, ts, dur, correlation, ran_for)| {
        let mut args = json!({});
        if correlation > 0 {
            args["correlation_id"] = correlation.to_string().into();
        }
        if name.ends_with(":Mul") {
            args["long_name"] = name.into();
        }
        if !ran_for.is_empty() {
            args["tf_op"] = ran_for.into();
        }
        let pid = if tid == 13 { 1 } else { 7 };
        json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

/// What `timeline.py` writes: (row, op type, name, start, length) in µs; row 0 is the CPU's, 1 the executor's on the GPU, 2 a stream.
pub fn timeline(ops: &[(i64, &str, &str, i64, i64)]) -> Study {
    let rows = [CPU, GPU, STREAM].into_iter().zip(0..).map(
        |(name, pid)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": format!("{name} Compute") } }),
    );
    let ops = ops.iter().map(|&(pid, kind, name, ts, dur)| {
        let args = json!({ "name": name, "op": kind });
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    });
    let text = json!({ "traceEvents": rows.chain(ops).collect::<Vec<Value>>() }).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}
