//! XLA and JAX: threads of a CPU’s pool, instructions of TPUs and what they calculate, calls that are steps, and advice that knows what is compiled.

use super::made::{of_events, program, said, us};
use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::findings::Rule;
use steplens_core::{Category, Nanos, Study};
use steplens_report::kernels::json as kernels;
use steplens_report::verdict;
use steplens_tests::opened::{found, open, row, study, text};
use steplens_tests::tensorflow::{named, profiled};

/// A program of XLA on a CPU: its threads with names, and their events as (thread, name, start, length) in µs. Those called `dot` are ops.
fn xla(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64)]) -> Study {
    let named = |what: &str, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": 7, "tid": tid, "args": { "name": name } });
    let mut all = vec![named("process_name", 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur)| {
        let args = match name.starts_with("dot") {
            true => json!({ "hlo_op": name, "hlo_module": "jit_f" }),
            false => json!({}),
        };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

const WAIT: &str = "ThunkExecutor::Execute (wait for completion)";

#[test]
fn the_path_of_a_thread_that_waits_for_its_program_goes_on_through_its_pool() {
    let events = [
        (5, "dot.0", 0, 100),
        (5, WAIT, 100, 900),
        (6, "dot.1", 110, 390),
        (8, "dot.2", 505, 445),
        (5, "dot.3", 1_000, 100),
    ];
    let pool = [(5, "tf_XLAPjRtCpuClient/-5"), (6, "tf_XLAEigen/6"), (8, "tf_XLAEigen/8")];
    let own = xla(&pool, &events);
    // 50 µs after the last op; 10 and 5 µs until the next one began.
    assert_eq!(us(&own, SegmentKind::Launching) + us(&own, SegmentKind::Producer), 50);
    assert_eq!(us(&own, SegmentKind::Compute), 100 + 390 + 445 + 100);
    assert_eq!(us(&own, SegmentKind::HostBetweenOps), 15);
    // Nobody knows whether other threads work for the one that waits.
    let others = xla(&[(5, "runner"), (6, "first"), (8, "second")], &events);
    assert_eq!(us(&others, SegmentKind::Producer), 900);
    assert_eq!(bounds(others.trace(), others.causes()).first(), Some(&(Bound::Waiting, Nanos(900_000))));
}

#[test]
fn many_small_ops_are_said_with_what_to_do() {
    let of = |count: i64| {
        let events: Vec<_> = (0..count).map(|place| (6, "dot.1", place * 100, 5)).collect();
        said(&xla(&[(6, "tf_XLAEigen/6")], &events))
    };
    let many = of(400);
    assert!(many.contains("400 ops, which take 5.000 µs each"), "{many}");
    assert!(!of(50).contains("many small calls"));
}

const PART: &str = "ThunkExecutor::Execute";

#[test]
fn parts_of_a_program_compute_and_the_thread_that_called_waits() {
    let threads = [(1, "tf_XLATfrtCpuClient/1"), (2, "tf_XLAEigen/2"), (3, "tf_XLAEigen/3")];
    let own = program(&threads, &[(1, WAIT, 0, 100_000), (2, PART, 0, 99_000), (3, PART, 40_000, 26_000)]);
    let trace = own.trace();
    let of = |name: &str| {
        let mut found = trace.ops().ids().filter(move |&op| trace.op_name(op) == name);
        found.next().map(|op| (trace.category(op), trace.op_type(op)))
    };
    assert_eq!(of(WAIT), Some((Category::Waiting, "ThunkExecutor::Execute wait for completion")));
    assert_eq!(of(PART), Some((Category::Compute, PART)));
    // (99 + 26) ms of work in 100 ms.
    assert!(said(&own).contains("In the mean 1.2 of the 2 threads"), "{}", said(&own));
    // Where nothing says what ran, the wait is all that does.
    let alone = program(&threads, &[(1, WAIT, 0, 100_000), (2, PART, 0, 9_000)]);
    assert!(!said(&alone).contains("In the mean"), "{}", said(&alone));
}

/// A call of JAX, of 1 ms, which prepares its program for 0.6 ms and launches it as a graph by one call; its kernels run for 40 µs.
const ONE_CALL: [(i64, &str, i64, i64, i64, &str); 8] = [
    (2, "$profiler.py:106 start_trace", -20_000, 19_900, 0, ""),
    (2, "PjitFunction(f)", 0, 1_000, 0, ""),
    (2, "PjRtStreamExecutorLoadedExecutable::ExecuteHelper", 20, 900, 0, ""),
    (2, "command_buffer::update", 100, 600, 0, ""),
    (2, "cuGraphLaunch", 710, 150, 1, ""),
    (13, "fusion", 870, 20, 1, "a"),
    (13, "fusion_1", 900, 20, 1, "a"),
    (2, "$profiler.py:218 stop_trace", 1_100, 30_000, 0, ""),
];

#[test]
fn a_step_of_jax_begins_with_its_call() {
    let own = profiled(&ONE_CALL);
    let said = verdict::of(&own, true).sentence;
    assert_eq!(own.trace().span().length().0, 1_000_000);
    assert!(said.contains("compute on the GPU takes 4.0 % of the time"), "{said}");
    // The profiler's own start and stop are no part of the recording.
    assert!(!said.contains("ranges and marks around"), "{said}");
    let found = row(&own, Rule::HostBound).expect("a finding");
    assert_eq!(text(&found, "subject"), "command_buffer::update");
    // ROCm's calls have threads of their own: what a host did before them is not known to be around them.
    let apart = ONE_CALL
        .map(|own| if own.4 == 1 && own.0 == 2 { (1, own.1, own.2, own.3, own.4, own.5) } else { own });
    assert_eq!(profiled(&apart).trace().span().length().0, 210_000);
}

#[test]
fn one_program_that_is_compiled_is_not_told_to_be() {
    let own = profiled(&ONE_CALL);
    // One launch cannot be fewer.
    assert_eq!(row(&own, Rule::LaunchBound), None);
    let advice = row(&own, Rule::HostBound).expect("a finding");
    assert!(!text(&advice, "advice").contains("under one jax.jit"), "{advice}");
    assert!(text(&advice, "advice").contains("xla_gpu_enable_command_buffer"), "{advice}");
    // A second program is what could be one with it.
    let mut two = ONE_CALL.to_vec();
    two.retain(|own| !own.1.starts_with("command_buffer"));
    let advice = row(&profiled(&two), Rule::HostBound).expect("a finding");
    assert!(text(&advice, "advice").contains("one compiled program already"), "{advice}");
    two.extend([
        (2, "PjitFunction(g)", 1_050, 1_000, 0, ""),
        (2, "cuLaunchKernel", 1_800, 100, 2, ""),
        (13, "fusion_2", 1_950, 20, 2, "a"),
    ]);
    let advice = row(&profiled(&two), Rule::HostBound).expect("a finding");
    assert!(text(&advice, "advice").contains("under one jax.jit"), "{advice}");
}

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

fn complete(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
}

/// Instructions on a TPU, one behind the other: name, category, operation, length in µs.
fn on_tpu(instructions: &[(&str, &str, &str, i64)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, "/device:TPU:0"),
        named("thread_name", 1, 2, "XLA Ops"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "main"),
        complete("PjitFunction(f)", (7, 1), (0, 5), &json!({})),
    ];
    let mut at = 5;
    for &(name, category, operation, length) in instructions {
        let text =
            format!("%{name} = (bf16[8,4]{{1,0:T(8,128)(2,1)S(1)}}, u32[]{{:S(2)}}) {name}(bf16[8] %x)");
        let mut args = json!({ "hlo_category": category, "long_name": text });
        if !operation.is_empty() {
            args["tf_op"] = operation.into();
        }
        all.push(complete(name, (1, 2), (at, length), &args));
        at += length;
    }
    of_events(&all)
}

#[test]
fn a_convolution_of_xla_is_what_the_program_asked_for() {
    let of = |operation: &str| {
        on_tpu(&[
            ("convolution_bitcast_fusion.1", "convolution fusion", operation, 320),
            ("fusion.2", "convolution fusion", operation, 290),
            ("multiply_fusion.3", "loop fusion", "jit(f)/mul:", 130),
            ("RPA-bq_32.1", "custom-call", "jit(f)/jit(ragged_paged_attention)/RPA/pallas_call:", 250),
        ])
    };
    // 610 and 250 of 990 µs.
    let products = said(&of("jit(f)/dot_general:"));
    assert!(products.contains("products of matrices 61.6 %, attention 25.3 %"), "{products}");
    assert!(!products.contains("convolutions"), "{products}");
    let convolutions = said(&of("jit(f)/conv_general_dilated:"));
    assert!(convolutions.contains("convolutions 61.6 %"), "{convolutions}");
    // Nothing says which of the two it is.
    let unknown = said(&of("jit(f)/add:"));
    assert!(!unknown.contains("products of matrices") && !unknown.contains("convolutions"), "{unknown}");
}

/// A kernel of Pallas of 1,000 µs on a TPU, and what it names within: name, start and length in µs.
fn of_pallas(named_within: &[(&str, i64, i64)]) -> Study {
    let mut all = vec![
        named("process_name", 1, 0, "/device:TPU:0"),
        named("thread_name", 1, 2, "XLA Ops"),
        named("thread_name", 1, 3, "XLA TraceMe"),
        complete("matmul.1", (1, 2), (0, 1_000), &json!({ "hlo_category": "custom-call" })),
    ];
    all.extend(
        named_within.iter().map(|&(name, at, length)| complete(name, (1, 3), (at, length), &json!({}))),
    );
    of_events(&all)
}

#[test]
fn what_a_kernel_of_pallas_waits_for_is_said() {
    // From 100 to 280 and from 600 to 650, in two rows that overlap; what is calculated or written is no wait for input.
    let much = [
        ("ep_wait_in", 100, 150),
        ("ep_wait_in", 200, 80),
        ("ep_run_kernel", 280, 300),
        ("ep_wait_out", 580, 20),
        ("ep_wait_in", 600, 50),
    ];
    let own = of_pallas(&much);
    let sentence = said(&own);
    assert!(
        sentence.contains("Kernels wait 230.0 µs of it (23.0 %) for their input (ep_wait_in)"),
        "{sentence}"
    );
    // The split stays: these waits are within the kernel.
    assert_eq!(own.step_split(own.trace().span()).compute, Nanos(1_000_000));
    let few = said(&of_pallas(&[("ep_wait_in", 100, 49), ("ep_run_kernel", 200, 700)]));
    assert!(!few.contains("wait"), "{few}");
    let others = said(&of_pallas(&[("my_ep_wait_in", 100, 500)]));
    assert!(!others.contains("wait"), "{others}");
}

#[test]
fn kernels_take_nearly_all_though_some_time_is_copies() {
    let of = |copied: i64| {
        said(&on_tpu(&[
            ("fusion.2", "convolution fusion", "jit(f)/dot_general:", 600),
            ("quantized_matmul.1", "custom-call", "jit(f)/pallas_call:", 250),
            ("copy.7", "copy", "", copied),
        ]))
    };
    // 850 of 950 µs compute, and nothing is idle; with 350 µs of copies it is 70 %.
    assert!(of(100).contains("products of matrices 89"), "{}", of(100));
    assert!(!of(350).contains("products of matrices"), "{}", of(350));
}

#[test]
fn the_type_of_an_instruction_is_no_piece_of_its_layout() {
    let own = on_tpu(&[
        ("copy-start.3", "copy-start", "", 20),
        ("copy-done.3", "copy-done", "", 30),
        ("slice-start.12", "async-start", "", 40),
    ]);
    let trace = own.trace();
    let mut types: Vec<&str> = trace.ops().ids().map(|op| trace.op_type(op)).collect();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types, ["PjitFunction", "copy-done", "copy-start", "slice-start"]);
}

/// The advice for communication of a program with these operations.
fn advice_for(operation: &str) -> String {
    let of_all = [
        ("fusion.2", "convolution fusion", operation, 600),
        ("all-reduce.1", "all-reduce", "jit(f)/psum:", 200),
        ("fusion.3", "convolution fusion", "jit(f)/dot_general:", 200),
    ];
    text(&found(&on_tpu(&of_all), "exposed-communication"), "advice").to_owned()
}

#[test]
fn a_larger_batch_is_no_advice_for_what_exchanges_activations() {
    let infers = advice_for("jit(f)/dot_general:");
    assert!(infers.contains("collective matmul") && !infers.contains("a larger batch for each"), "{infers}");
    let trains = advice_for("jit(f)/transpose(jvp(g))/dot_general:");
    assert!(trains.contains("a larger batch for each"), "{trains}");
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
    let fusions = rows.iter().filter(|row| row["name"] == "fusion").map(|row| row["count"].clone());
    assert_eq!(fusions.collect::<Vec<_>>(), [json!(3)], "{answer}");
    assert!(
        rows.iter().all(|row| !row["name"].as_str().unwrap_or_default().starts_with("fusion.")),
        "{answer}"
    );
    assert_eq!(rows.iter().fold(0, |sum, row| sum + row["count"].as_u64().unwrap_or_default()), 6);
}
