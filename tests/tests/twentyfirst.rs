//! What was left of the readings of traces next to their data: recordings of files and ranges alone, ops that a library carries out under another
//! type, numbers of instructions, launches that take their time, a mark around everything. Each case is made here, its figures follow from its numbers.

use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::Study;
use steplens_core::compare::Comparison;
use steplens_report::compare::{Compare, Shown};
use steplens_report::kernels::json as kernels;
use steplens_report::verdict;
use steplens_tests::opened::{TorchEvent, event, found, on_host, open, study, text, torch, torch_study};

fn said(study: &Study) -> String {
    verdict::of(study, true).sentence
}

/// Events of one thread of process 1, each a category, a name, a start and a length in µs.
fn of_thread(events: &[(&str, &str, f64, f64)]) -> Study {
    let made =
        |&(cat, name, ts, dur): &(&str, &str, f64, f64)| event(cat, name, (1, 1), (ts, dur), &json!({}));
    let all: Vec<Value> = events.iter().map(made).collect();
    study(open(&[("trace.json", Value::from(all).to_string().as_bytes())]))
}

#[test]
fn a_thread_that_reads_a_file_computes_nothing() {
    // 900 of 10,000 µs.
    let calls = |cat: &'static str| {
        of_thread(&[
            (cat, "open", 0.0, 400.0),
            (cat, "read", 5_000.0, 300.0),
            ("STDIO", "fclose", 9_800.0, 200.0),
        ])
    };
    let own = calls("POSIX");
    let split = own.step_split(own.trace().span());
    assert_eq!((split.compute.0, split.exposed_waiting.0), (0, 900_000), "{split:?}");
    let sentence = said(&own);
    assert!(sentence.contains("reading and writing files takes 9.0 %"), "{sentence}");
    assert!(!sentence.contains("device") && !sentence.contains("no recorded op"), "{sentence}");
    // Most of the time.
    let own = of_thread(&[("POSIX", "write", 0.0, 8_000.0), ("POSIX", "close", 9_000.0, 1_000.0)]);
    assert!(said(&own).contains("reading and writing files takes 90.0 %"), "{}", said(&own));
    // Next to what waits for something else nobody says so.
    let own = of_thread(&[("POSIX", "write", 0.0, 4_000.0), ("ray.wait", "ray.wait", 4_000.0, 6_000.0)]);
    assert!(!said(&own).contains("files takes"), "{}", said(&own));
    // Another writer's calls of these names may be anything.
    let own = calls("app");
    assert_eq!(own.step_split(own.trace().span()).compute.0, 900_000);
}

#[test]
fn ranges_of_a_program_are_no_compute_of_a_device() {
    let marks = [
        ("batch,train", "event/batch", 0.0, 6_000.0),
        ("train", "event/forward", 500.0, 2_000.0),
        ("train", "callback/log", 3_000.0, 3_000.0),
        ("batch,train", "event/batch", 8_000.0, 2_000.0),
    ];
    let own = of_thread(&marks);
    let sentence = said(&own);
    assert!(sentence.contains("recorded ranges take 80.0 % of the time"), "{sentence}");
    assert!(!sentence.contains("device"), "{sentence}");
    // Ranges behind one another may be rows of a device.
    let flat = said(&of_thread(&[marks[1], marks[2], marks[3]]));
    assert!(flat.contains("compute on the device"), "{flat}");
    // An operator of a framework is known.
    let known = [marks.as_slice(), &[("cpu_op", "aten::mm", 600.0, 100.0)]].concat();
    assert!(!said(&of_thread(&known)).contains("recorded ranges"), "{}", said(&of_thread(&known)));
}

/// A step of an executor on a CPU, as `timeline.py` writes it: ops behind one another, each a name, a type and a length in µs.
fn of_executor(ops: &[(&str, &str, i64)]) -> Study {
    let device = "/job:localhost/replica:0/task:0/device:CPU:0 Compute";
    let mut all = vec![json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": device } })];
    let mut at = 0;
    for &(name, op, dur) in ops {
        let args = json!({ "name": name, "op": op });
        all.push(json!({ "ph": "X", "cat": "Op", "name": op, "pid": 1, "tid": 0, "ts": at, "dur": dur, "args": args }));
        at += dur;
    }
    study(open(&[("timeline.json", json!({ "traceEvents": all }).to_string().as_bytes())]))
}

/// What differs between two such steps: how many ops have another type, how many only A has, and the sentences of the bars.
fn compared(a: &[(&str, &str, i64)], b: &[(&str, &str, i64)]) -> (u64, u64, String) {
    let shown = [a, b].map(|ops| {
        let study = Rc::new(of_executor(ops));
        let whole = Arc::clone(study.trace());
        Shown::of(&study, &whole)
    });
    let found = Comparison::made(shown[0].side(), shown[1].side());
    let answer = Compare::new(&found);
    let bars: Vec<&str> = answer.waterfall.iter().map(|bar| bar.sentence.as_str()).collect();
    (answer.matches.retyped, answer.matches.only_a, bars.join("\n"))
}

#[test]
fn an_op_that_a_library_carries_out_is_the_same_op() {
    let a =
        [("net/Relu", "_FusedConv2D", 900), ("net/pool", "MaxPool", 100), ("net/out", "_FusedMatMul", 50)];
    let b = [
        ("net/Relu", "_MklNativePadWithFusedConv2D", 400),
        ("net/pool", "_MklMaxPool", 100),
        ("net/out", "_MklNativeFusedMatMul", 50),
    ];
    let (retyped, only_a, bars) = compared(&a, &b);
    assert_eq!((retyped, only_a), (3, 0), "{bars}");
    assert!(bars.contains("500 µs"), "{bars}");
    assert!(bars.contains("_FusedConv2D in A, and _MklNativePadWithFusedConv2D in B"), "{bars}");
    assert!(!bars.contains("is gone") && !bars.contains("is new"), "{bars}");
    // The conversion of a layout has no other op, nor has work of another kind a partner, nor what no library rewrote.
    let b = [("net/Relu", "Relu", 400), ("net/pool", "AvgPool", 100), ("net/out/Mkl2Tf", "_MklToTf", 50)];
    let (retyped, only_a, bars) = compared(&a, &b);
    assert_eq!((retyped, only_a), (0, 3), "{bars}");
    let (retyped, ..) = compared(&[("n", "FusedBatchNorm", 9)], &[("n", "FusedBatchNormV3", 9)]);
    assert_eq!(retyped, 0);
}

#[test]
fn instructions_of_one_type_are_one_row_of_kernels() {
    let named = |what: &str, pid: i64, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } });
    let mut all = vec![
        named("process_name", 1, 0, "/device:TPU:0"),
        named("thread_name", 1, 2, "XLA Ops"),
        named("process_name", 7, 0, "/host:CPU"),
    ];
    let names = ["fusion.1", "fusion.23", "fusion", "all-reduce.7", "RPA-bq_32.1", "RPA-bq_64.1"];
    for (at, name) in (0..).zip(names) {
        let args = json!({ "long_name": format!("%{name} = bf16[8]{{0}} fusion(bf16[8] %x)") });
        all.push(
            json!({ "ph": "X", "name": name, "pid": 1, "tid": 2, "ts": 10 * at, "dur": 10, "args": args }),
        );
    }
    let own = study(open(&[("trace.json", json!({ "traceEvents": all }).to_string().as_bytes())]));
    let answer: Value = serde_json::from_str(&kernels(&own)).unwrap_or_default();
    let rows = answer["kernels"].as_array().cloned().unwrap_or_default();
    let of = |name: &str| rows.iter().filter(|row| row["name"] == name).map(|row| row["count"].clone());
    assert_eq!(of("fusion").collect::<Vec<_>>(), [json!(3)], "{answer}");
    assert!(
        rows.iter().all(|row| !row["name"].as_str().unwrap_or_default().starts_with("fusion.")),
        "{answer}"
    );
    assert_eq!(rows.iter().fold(0, |sum, row| sum + row["count"].as_u64().unwrap_or_default()), 6);
}

/// 100 launches of 5 µs, one every 100 µs, whose kernels of 10 µs begin this long after their call.
fn launches(latency: i64) -> Value {
    let of = |id: i64| -> [TorchEvent<'_>; 3] {
        let at = 100 * id;
        [
            ("cpu_op", "aten::mm", 100, at, 90, 0),
            ("cuda_runtime", "cudaLaunchKernel", 100, at, 5, id + 1),
            ("kernel", "gemm", 7, at + 5 + latency, 10, id + 1),
        ]
    };
    let events: Vec<TorchEvent<'_>> = (0..100).flat_map(of).collect();
    found(&torch_study(&events), "host-bound")
}

#[test]
fn the_time_from_a_call_to_its_kernel_is_said_to_be_left_out() {
    // From the end of a kernel to the return of the next call it is 99 × 72 µs; from that to its kernel 100 × 18 µs.
    let own = launches(18);
    assert!(text(&own, "sentence").contains("another 1.80 ms from the return of a call"), "{own}");
    let own = launches(1);
    assert!(own != Value::Null && !text(&own, "sentence").contains("from the return of a call"), "{own}");
}

/// A step that the program marks for 10 ms, in which an operator runs from 2 to 9 ms, and one that begins then.
fn marked(second: f64) -> Study {
    let events = [
        on_host("user_annotation", "ProfilerStep#3", 0.0, 10_000.0),
        on_host("cpu_op", "aten::mm", 2_000.0, 6_000.0),
        on_host("cpu_op", "aten::add", second, 1_000.0),
    ];
    study(open(&[("made.json", &torch(&events, &json!({})))]))
}

#[test]
fn a_step_is_as_long_as_its_mark() {
    let own = marked(8_000.0);
    let sentence = verdict::of(&own, false).sentence;
    assert!(sentence.contains("Step 10.00 ms: compute on the CPU takes 70.0 %"), "{sentence}");
    assert_eq!(own.trace().span().length().0, 10_000_000);
    // What begins after the mark is shown, too.
    let own = marked(12_000.0);
    assert_eq!(own.trace().span().length().0, 11_000_000);
}
