//! Recordings of Horovod, BytePS and Paddle, RunMetadata as JSON, and files that are none of these: figures and sentences, against
//! another reading of the files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener, ReadError};
use steplens_report::{network, summary};
use steplens_tests::places::root;
use steplens_tests::samples::sample;

fn try_open(files: &[(&str, Vec<u8>)], slice: usize) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (name, bytes) in files {
        opener.begin_file(name);
        bytes.chunks(slice).for_each(|slice| opener.push(slice));
        opener.end_file();
    }
    opener.finish()
}

fn case(name: &str) -> Option<(&str, Vec<u8>)> {
    sample(&["../cases/", name].concat()).map(|bytes| (name, bytes))
}

fn study(names: &[&str]) -> Option<Study> {
    let files: Option<Vec<_>> = names.iter().map(|name| case(name)).collect();
    Some(Study::new(try_open(&files?, usize::MAX).unwrap().trace))
}

fn summary_of(study: &Study) -> Value {
    serde_json::to_value(summary::of(study, &[])).unwrap()
}

/// Of each device: its name, and compute, communication and only waiting in µs.
fn devices(study: &Study) -> Vec<Value> {
    let us = |own: &Value, figure: &str| own[figure].as_i64().unwrap() / 1_000;
    let of = |own: &Value| {
        let [compute, communication, waiting] =
            ["compute_ns", "communication_ns", "exposed_waiting_ns"].map(|figure| us(own, figure));
        json!([own["name"], compute, communication, waiting])
    };
    summary_of(study)["devices"].as_array().unwrap().iter().map(of).collect()
}

/// Why a file of these bytes cannot be opened: the code, and the sentence.
fn refused(bytes: &[u8]) -> (&'static str, String) {
    let error = try_open(&[("file", bytes.to_vec())], usize::MAX).err().unwrap();
    (error.kind.code(), error.to_string())
}

#[test]
fn horovod_waits_where_it_waits() {
    // The union of MEMCPY*, NCCL_* is 11,005 µs, that of NEGOTIATE*, WAIT_* and QUEUE 78,020, of which 5 lie within the former.
    for (file, waiting) in [("hvd_ranks.json", 78_015..=78_020), ("hvd_sliced.json", 68_411..=68_416)] {
        let Some(study) = study(&[file]) else { return };
        let [own] = &devices(&study)[..] else { panic!("one device in {file}") };
        assert_eq!((&own[0], &own[1], &own[2]), (&json!("Horovod"), &json!(0), &json!(11_005)), "{file}");
        assert!(waiting.contains(&own[3].as_i64().unwrap()), "{file}: {own}");
    }
}

#[test]
fn twelve_broadcasts_took_26_microseconds_and_had_a_date() {
    let Some(bytes) = sample("real/horovod/twelve-broadcasts.json") else { return };
    let study = Study::new(try_open(&[("hvd", bytes)], usize::MAX).unwrap().trace);
    assert_eq!(devices(&study), [json!(["Horovod", 0, 26, 7])]);
    assert_eq!(
        summary_of(&study)["origin_unix_ns"],
        ((1_652_637_818_821_832_i64 + 1_545_622) * 1_000).to_string()
    );
}

#[test]
fn the_last_rank_of_negotiations_is_known() {
    let Some(study) = study(&["hvd_ranks.json"]) else { return };
    let answer = serde_json::to_value(network::Network::of(&study)).unwrap();
    let ready = &answer["ready"];
    assert_eq!(ready["negotiations"], 10);
    let rank = json!({"rank": 3, "times": 10, "late_ns": 90_000_000, "most_ns": 9_000_000});
    assert_eq!(ready["ranks"], json!([rank]));
    let tensors: Vec<_> = ready["tensors"]["rows"].as_array().unwrap().iter().collect();
    assert_eq!(tensors.len(), 2);
    assert!(
        tensors.iter().all(|own| own["negotiations"] == 5 && own["rank"] == 3 && own["times"] == 5),
        "{tensors:?}"
    );
}

#[test]
fn horovod_lies_at_its_date_beside_other_files() {
    let Some(study) = study(&["job_step.pb", "hvd_of_job.json"]) else { return };
    let trace = study.trace();
    let op = trace.ops().ids().find(|&op| trace.op_name(op) == "NEGOTIATE_ALLREDUCE").unwrap();
    let begins = trace.unix_ns(trace.ops().start(op)) - 1_600_000_000_000_000_000;
    assert_eq!(begins, 20_000_000);
}

#[test]
fn byteps_only_communicates() {
    let Some(study) = study(&["byteps.json"]) else { return };
    let [own] = &devices(&study)[..] else { panic!("one device") };
    // In 28 µs some span of a tensor runs; in 24.2 µs a stage.
    assert_eq!(own, &json!(["BytePS", 0, 24_200, 3_800]));
}

#[test]
fn a_timeline_of_paddle_is_its_profile() {
    let Some(study) = study(&["paddle_timeline.json"]) else { return };
    let summary = summary_of(&study);
    let gpu = &summary["accelerators"][0];
    // Five times: mul 250 µs, a copy of 50, allreduce 90, on two streams.
    let figures = ["compute_ns", "exposed_copy_ns", "exposed_communication_ns"]
        .map(|figure| gpu[figure].as_i64().unwrap());
    assert_eq!(figures, [1_250_000, 250_000, 450_000]);
    let trace = study.trace();
    for name in ["ParallelExecutor::Run/run", "mul/compute", "mul/infer_shape", "cudaLaunchKernel"] {
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap();
        assert_eq!(trace.category(op).word(), "range", "{name}");
    }
}

#[test]
fn run_metadata_as_json_is_run_metadata() {
    for name in ["message_to_json.json", "message_to_json_str.json"] {
        let Some((name, bytes)) = case(name) else { return };
        for slice in [1, 7, usize::MAX] {
            let opened = try_open(&[(name, bytes.clone())], slice).unwrap();
            assert_eq!(opened.files[0].format, "run-metadata-json");
            assert!(opened.files[0].problems.is_empty(), "{:?}", opened.files[0].problems);
            let study = Study::new(opened.trace);
            assert_eq!(devices(&study), [json!(["/job:localhost/replica:0/task:0/device:CPU:0", 505, 0, 0])]);
            let trace = study.trace();
            let types: Vec<&str> =
                trace.ops().ids().map(|op| trace.text(trace.nodes().op_type(trace.ops().node(op)))).collect();
            assert_eq!(types, ["NoOp", "MatMul"]);
        }
    }
}

#[test]
fn json_of_everything_a_run_metadata_has() {
    let json = r#"{"step_stats": {"devStats": [{"device": "/job:w/replica:0/task:0/device:CPU:0",
        "nodeStats": [{"nodeName": "7", "allStartMicros": "10", "allEndRelMicros": 5, "timelineLabel": "7 = \"A\u00e9\"()",
            "output": [{"slot": 0, "tensorDescription": {"dtype": "DT_FLOAT", "shape": {"dim": [{"size": "3"}, {"size": "4"}]}}}]}],
        "threadNames": {"5": "worker"}}]},
        "partitionGraphs": [{"node": [{"name": "7", "op": "A", "input": ["x", "^y"], "device": "/d",
            "attr": {"T": {"type": "DT_FLOAT"}, "tensor_name": {"s": "ZWRnZV8x"}, "l": {"list": {"i": ["1", "2"]}}}}], "versions": {}}]}"#;
    let opened = try_open(&[("json", json.as_bytes().to_vec())], usize::MAX).unwrap();
    assert!(opened.files[0].problems.is_empty(), "{:?}", opened.files[0].problems);
    let trace = opened.trace;
    let op = trace.ops().ids().next().unwrap();
    assert_eq!((trace.op_name(op), trace.graph().len()), ("7", 1));
    let outputs: Vec<Vec<i64>> =
        trace.outputs().of(op).filter_map(|own| own.shape.map(<[i64]>::to_vec)).collect();
    assert_eq!(outputs, [vec![3, 4]]);
}

#[test]
fn what_is_left_of_another_writer_is_no_device() {
    let Some(file) = case("two_writers.json") else { return };
    let opened = try_open(&[file], usize::MAX).unwrap();
    let problems: Vec<(&str, u64)> = opened.files[0]
        .problems
        .iter()
        .map(|own| (&*own.code, own.count))
        .filter(|(code, _)| !code.starts_with("lost"))
        .collect();
    assert_eq!(
        (opened.trace.devices().len(), opened.trace.ops().len(), problems),
        (1, 20, vec![("rest-of-document", 6)])
    );
}

#[test]
fn files_that_are_no_trace_are_called_what_they_are() {
    let nccl = br#"[{"name": "AllReduce", "cat": "COLL", "ph": "b", "id": 0, "pid": 1, "tid": 1, "ts": 1.0},
        {"name": "AllReduce", "cat": "COLL", "ph": "e", "id": 0, "pid": 1, "tid": 1, "ts": 2.0}]"#;
    // A dict with the keys of `torch.cuda.memory._dump_snapshot`.
    let snapshot = b"\x80\x02}(X\x08\x00\x00\x00segments]X\x0d\x00\x00\x00device_traces]u.";
    for (bytes, code, words) in [
        (&b"["[..], "no-ops", "empty timeline, as Horovod"),
        (b"[\n", "no-ops", "empty timeline, as Horovod"),
        (b"0.18010210990905762", "other-format", "a number"),
        (b"-1.5e-3\n", "other-format", "a number"),
        (b"\"any text in quotes, as json.dump writes it\"", "other-format", "a text in quotes"),
        (
            b"start_ns: 1000\nend_ns: 9000\nevents {\n  name: \"mul\"\n}\n",
            "other-format",
            "a Paddle profile as text",
        ),
        (nccl, "no-ops", "2 asynchronous events"),
        (snapshot, "pickle-without-run-metadata", "memory snapshot of PyTorch"),
        (b"{\"a\": 1}", "other-json", "not a Chrome trace"),
        (b"[]", "other-json", "not a Chrome trace"),
    ] {
        let (found, sentence) = refused(bytes);
        assert_eq!(found, code, "{sentence}");
        assert!(sentence.contains(words), "{sentence}");
    }
}

#[test]
fn names_keep_their_backslashes_and_what_is_no_json_is_said() {
    let json = br#"[{"ph": "X", "name": "C:\Users\me\train.py", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]"#;
    let opened = try_open(&[("json", json.to_vec())], usize::MAX).unwrap();
    let op = opened.trace.ops().ids().next().unwrap();
    assert_eq!(opened.trace.op_name(op), "C:\\Users\\me\train.py");
    assert_eq!((&*opened.files[0].problems[0].code, opened.files[0].problems[0].count), ("odd-escape", 1));
}

/// The case of Paddle as its script writes it: nanoseconds since the start of a machine, as if they were microseconds.
#[test]
fn a_timeline_of_paddle_in_nanoseconds_has_the_same_figures() {
    let Some((name, bytes)) = case("paddle_timeline.json") else { return };
    let mut document: Value = serde_json::from_slice(&bytes).unwrap();
    // Three hours, and five days.
    for started_ns in [10_800_000_000_000_i64, 432_000_000_000_000] {
        for event in document["traceEvents"].as_array_mut().unwrap() {
            if event["ph"] != "X" {
                continue;
            }
            let us = |own: &Value| (own.as_f64().unwrap() * 1_000.0) as i64;
            let (ts, dur) = (us(&event["ts"]) % 1_000_000_000, us(&event["dur"]));
            event["ts"] = json!(started_ns + ts);
            event["dur"] = json!(dur as f64);
        }
        let text = serde_json::to_vec(&document).unwrap();
        let of = |bytes: Vec<u8>| {
            let study = Study::new(try_open(&[(name, bytes)], usize::MAX).unwrap().trace);
            let summary = summary_of(&study);
            (summary["accelerators"].clone(), summary["span_ns"].clone())
        };
        assert_eq!(of(text), of(bytes.clone()), "{started_ns}");
        document = serde_json::from_slice(&bytes).unwrap();
    }
}

#[test]
fn damage_in_run_metadata_as_json_costs_what_it_is_in() {
    let node = |name: &str, start: i64| {
        format!(
            r#"{{"nodeName": "{name}", "allStartMicros": "{start}", "opEndRelMicros": "9", "allEndRelMicros": "9"}}"#
        )
    };
    let nodes = [node("a", 100), node("b", 200), node("c", 300)];
    let whole = format!(
        r#"{{"stepStats": {{"devStats": [{{"device": "/job:w/replica:0/task:0/device:CPU:0", "nodeStats": [{}]}}]}}}}"#,
        nodes.join(", ")
    );
    let opened = |text: &str| try_open(&[("json", text.as_bytes().to_vec())], 5);
    assert_eq!(opened(&whole).unwrap().trace.ops().len(), 3);
    // Cut anywhere, it has the ops before, or it says why it has none.
    for cut in 1..whole.len() {
        match opened(&whole[..cut]) {
            Ok(opened) => {
                let file = &opened.files[0];
                assert!(file.problems.iter().any(|problem| !problem.is_note()), "{cut}");
                assert!(opened.trace.ops().len() <= 3, "{cut}");
            }
            Err(error) => assert!(!error.kind.code().is_empty(), "{cut}"),
        }
    }
    // A number that is none.
    let odd = whole.replace("\"200\"", "\"soon\"");
    let opened = opened(&odd).unwrap();
    assert!(opened.trace.ops().len() >= 2, "{}", opened.trace.ops().len());
    assert!(
        opened.files[0].problems.iter().any(|problem| !problem.is_note()),
        "{:?}",
        opened.files[0].problems
    );
}

#[test]
fn a_binary_file_that_was_saved_as_text_is_said_to_be_that() {
    for file in ["containers/gpu.xplane.pb", "ps4w-later.pb"] {
        let bytes = std::fs::read(root().join("tests/fixtures").join(file)).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned().into_bytes();
        assert!(text.len() > bytes.len());
        let said = match try_open(&[("file", text)], 1 << 14) {
            Ok(opened) => opened.files[0].problems.iter().any(|problem| problem.code == "saved-as-text"),
            Err(error) => error.to_string().contains("as text"),
        };
        assert!(said);
        // The file itself is not.
        let opened = try_open(&[("file", bytes)], 1 << 14).unwrap();
        assert!(opened.files[0].problems.iter().all(|problem| problem.code != "saved-as-text"));
    }
}

#[test]
fn a_timeline_that_has_allocators_alone_leads_to_full_traces() {
    let text =
        r#"{"traceEvents": [{"args": {"name": "Allocators"}, "name": "process_name", "ph": "M", "pid": 0}]}"#;
    let (code, sentence) = refused(text.as_bytes());
    assert_eq!(code, "no-ops");
    assert!(sentence.contains("FULL_TRACE"), "{sentence}");
}

#[test]
fn byteps_without_categories_only_communicates_too() {
    let event = |name: &str, tid: &str, ts: i64, dur: i64| {
        json!({ "ph": "X", "args": { "name": "Comm.byteps.gradient_0" }, "pid": "Comm.byteps.gradient_0", "name": name,
            "ts": ts, "dur": dur, "tid": tid })
    };
    let events = [
        event("Comm.byteps.gradient_0", "total", 0, 40),
        event("Comm.byteps.gradient_0.PUSH", "26148864", 5, 10),
        event("Comm.byteps.gradient_0.PULL", "26148864", 15, 20),
    ];
    let text = json!({ "traceEvents": events }).to_string();
    let opened = Opener::open_bytes("comm.json", text.as_bytes(), CategoryRules::default());
    let study = Study::new(opened.expect("a trace").trace);
    let step = study.step_split(study.trace().span());
    // What no stage of it has is waiting.
    assert_eq!((step.compute.0, step.exposed_communication.0, study.bar().len()), (0, 30_000, 1));
    assert_eq!(step.exposed_waiting.0, 10_000);
}
