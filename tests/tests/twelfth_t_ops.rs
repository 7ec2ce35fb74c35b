//! What a stranger found wrong in the twelfth reading of TensorFlow's, JAX's and Horovod's traces next to their data: what ops are. Each case is made
//! here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::{Category, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::{list, named, profiled, row, text};

/// What JAX's profiler writes of a TPU: instructions with their category and text.
fn of_tpu(instructions: &[(&str, &str, &str, i64)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, "/device:TPU:0"),
        named("thread_name", 1, 1, "XLA Ops"),
        named("process_name", 7, 0, "/host:CPU"),
    ];
    let mut at = 0;
    for &(name, category, long, dur) in instructions {
        let mut args = json!({});
        for (key, value) in [("hlo_category", category), ("long_name", long)] {
            if !value.is_empty() {
                args[key] = value.into();
            }
        }
        all.push(json!({ "ph": "X", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": dur, "args": args }));
        at += dur;
    }
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn collectives_of_xla_are_known_by_their_category_text_or_primitive() {
    let text = "%x.1 = (bf16[8,4]{1,0:T(8,128)}, f32[]) all-reduce(bf16[8,4] %y, f32[] %z)";
    for (name, category, long) in [
        ("psum.1", "all-reduce", ""),
        ("my_sum.1", "all-reduce", ""),
        ("my_sum.1", "", text),
        ("psum.1", "", ""),
        ("all-reduce.1", "all-reduce", text),
    ] {
        let study = of_tpu(&[("fusion.1", "loop fusion", "", 90), (name, category, long, 10)]);
        let split = study.step_split(study.trace().span());
        assert_eq!((split.compute.0, split.exposed_communication.0), (90_000, 10_000), "{name} {category}");
    }
    let study = of_tpu(&[("psum.1", "all-reduce", "", 10)]);
    let types: Vec<&str> = study.trace().ops().ids().map(|op| study.trace().op_type(op)).collect();
    assert_eq!(types, ["all-reduce"]);
    // A fusion that reads the result of one computes.
    let study = of_tpu(&[("fusion.1", "", "%fusion.1 = f32[8] fusion(f32[8] %all-reduce.1)", 10)]);
    assert_eq!(study.step_split(study.trace().span()).compute.0, 10_000);
}

#[test]
fn a_batch_that_is_handed_over_is_not_waited_for() {
    let own = profiled(&[
        (1, "IteratorGetNext:IteratorGetNext", 0, 10, 0, ""),
        (1, "IteratorGetNext/_3:_Send", 20, 500, 0, ""),
    ]);
    let of = |op_type: &str| {
        let trace = own.trace();
        trace.ops().ids().find(|&op| trace.op_type(op) == op_type).map(|op| trace.category(op))
    };
    assert_eq!(of("IteratorGetNext"), Some(Category::Input));
    assert_ne!(of("_Send"), Some(Category::Input));
}

#[test]
fn ops_that_no_tensorflow_knows_are_ops() {
    // An executor's thread: an op of a vendor, between two of TensorFlow.
    let mut all = vec![named("process_name", 7, 0, "/host:CPU"), named("thread_name", 7, 1, "tf_Compute/1")];
    let mut add = |name: &str, ts: i64, dur: i64, args: Value| {
        all.push(json!({ "ph": "X", "name": name, "pid": 7, "tid": 1, "ts": ts, "dur": dur, "args": args }));
    };
    add("ExecutorState::Process", 0, 1_000, json!({}));
    add("MatMul", 0, 100, json!({ "long_name": "a:MatMul" }));
    add("DLS-SN-BiasAdd_2:_DLSSuperNode", 100, 800, json!({ "group_id": "0", "shape": "(float[13])" }));
    add("MatMul", 900, 100, json!({ "long_name": "b:MatMul" }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    let own = study(open(&[("host.trace.json", text.as_bytes())]));
    let split = own.step_split(own.trace().span());
    assert_eq!((split.compute.0, split.idle.0), (1_000_000, 0));
    let types: Vec<&str> = own.trace().ops().ids().map(|op| own.trace().op_type(op)).collect();
    assert!(types.contains(&"_DLSSuperNode"), "{types:?}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("100.0") && said.contains("_DLSSuperNode"), "{said}");
}

#[test]
fn an_op_that_only_passes_a_tensor_on_is_not_to_be_split() {
    let mut events = Vec::new();
    for place in 0..20 {
        events.push((1, "x:ReadVariableOp", place * 10, 2, 0, ""));
    }
    events.push((1, "embedding:ReadVariableOp", 300, 36_000, 0, ""));
    events.push((1, "c:MatMul", 36_400, 5_000, 0, ""));
    let own = profiled(&events);
    let found = row(&own, Rule::DominantWork).unwrap_or_else(|| panic!("{}", list(&own)));
    let said = text(&found, "sentence");
    assert!(said.contains("only passes a tensor on") && said.contains("the 20 others"), "{said}");
    assert!(text(&found, "advice").contains("later step"), "{found}");
}

#[test]
fn weights_that_are_turned_within_convolutions_are_found() {
    let of = |ran_for: &'static str| {
        let mut events = Vec::new();
        for place in 0..20 {
            let at = place * 1_000;
            // The host runs ahead.
            events.push((1, "cuLaunchKernel", place * 20, 5, place * 2 + 1, ""));
            events.push((
                13,
                "void tensorflow::functor::ShuffleInTensor3Simple<float, 2, 1, 0>",
                at + 1_000,
                240,
                place * 2 + 1,
                ran_for,
            ));
            events.push((1, "cuLaunchKernel", place * 20 + 10, 5, place * 2 + 2, ""));
            events.push((13, "gemm", at + 1_260, 740, place * 2 + 2, "net/a:Conv2D"));
        }
        row(&profiled(&events), Rule::LayoutConversions)
    };
    let found = of("net/a:Conv2DBackpropFilter").expect("a finding");
    assert!(text(&found, "sentence").contains("mostly of weights"), "{found}");
    // A program that transposes asked for it.
    assert_eq!(of("net/t:Transpose"), None);
}

#[test]
fn rows_that_repeat_a_gpu_are_no_gpu() {
    let own = profiled(&[(13, "gemm", 0, 100, 0, "a:MatMul")]);
    assert_eq!(accelerators(own.trace()).len(), 1);
}

#[test]
fn where_hardly_anything_is_sent_no_advice_is_to_send_less() {
    let of = |reducing: i64| {
        let mut marks = vec![named("process_name", 1, 0, "dense/kernel")];
        let mut add = |name: &str, from: i64, to: i64| {
            marks.push(json!({ "ph": "B", "name": name, "ts": from, "pid": 1 }));
            marks.push(json!({ "ph": "E", "ts": to, "pid": 1 }));
        };
        for step in 0..10 {
            let at = step * 100_000;
            add("NEGOTIATE_ALLREDUCE", at, at + 90_000);
            add("ALLREDUCE", at + 90_000, at + 90_000 + reducing);
        }
        let text = Value::from(marks).to_string();
        let own = study(open(&[("timeline.json", text.as_bytes())]));
        let found = row(&own, Rule::ExposedCommunication).unwrap_or_else(|| panic!("{}", list(&own)));
        text_of(&found)
    };
    assert!(!of(100).contains("Compression") && of(100).contains("the last one is ready"), "{}", of(100));
    assert!(of(9_000).contains("Compression"), "{}", of(9_000));
}

fn text_of(found: &Value) -> String {
    text(found, "advice").to_owned()
}
