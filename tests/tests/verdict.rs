//! The verdict agrees with the split and the path that stand under it, in every trace there is: both are summed again here, from what
//! `steplens summary` and `steplens critical-path` say.

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::spent::Spent;
use steplens_core::clocks::Why;
use steplens_core::findings::{Rule, Subject, Verdict};
use steplens_core::gpu::unrecorded::is_gpu_unrecorded;
use steplens_core::model::device::DeviceKind;
use steplens_core::model::file::FileReport;
use steplens_core::steps::rule::Apart;
use steplens_core::{Category, CategoryRules, OpId, Study};
use steplens_formats::{Limits, Opener};
use steplens_report as report;
use steplens_report::causality::CriticalPath;
use steplens_tests::fixtures::{chrome_traces, fixtures_and_samples};
use steplens_tests::opened::torch_study;
use steplens_tests::samples::sample_folder;
use steplens_tests::writer::{Scenario, op};

/// The parts of the split, in its order, as fields of a summary.
const SPLIT: [(&str, &str); 8] = [
    ("compute", "compute_ns"),
    ("input", "exposed_input_ns"),
    ("copy", "exposed_copy_ns"),
    ("communication", "exposed_communication_ns"),
    ("launch", "exposed_launch_ns"),
    ("allocation", "exposed_allocation_ns"),
    ("waiting", "exposed_waiting_ns"),
    ("idle", "idle_ns"),
];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn opened(name: &str, bytes: &[u8]) -> Option<(Study, Vec<FileReport>)> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.unpack_here();
    opener.begin_file(name);
    opener.push(bytes);
    opener.end_file();
    opener.finish().ok().map(|opened| (Study::new(opened.trace), opened.files))
}

/// The part of the path that a segment counts for, by its category and by whether its device is an accelerator.
fn path_part(category: &str, on_accelerator: bool, has_accelerators: bool) -> &'static str {
    match category {
        "launching" if has_accelerators => "host",
        "compute" | "allocation" if has_accelerators && !on_accelerator => "host",
        "host-between-ops" | "python-between-ops" if has_accelerators => "host",
        "host-between-ops" | "python-between-ops" => "between",
        "compute" => "compute",
        "copy" => "copy",
        "transit" | "sender-queue" => "network",
        "producer" => "waiting",
        "behind" => "behind",
        "launching" => "launching",
        "allocation" => "allocation",
        "input" => "input",
        "starting" => "starting",
        "gap" => "unknown",
        other => panic!("no part for {other}"),
    }
}

/// For how long between `start` and `end` any kernel of op `row` ran: each end and each start once, in order.
fn kernels_within(study: &Study, row: i64, window: (i64, i64)) -> i64 {
    let trace = study.trace();
    let op = trace.ops().ids().nth(usize::try_from(row).expect("a row")).expect("an op");
    let kernels = study.kernels().of_op(trace, op);
    union(study, kernels.into_iter().filter(|&kernel| trace.category(kernel) == Category::Compute), window)
}

/// For how long between `start` and `end` any op of GPUs of these categories ran.
fn gpus_within(study: &Study, categories: &[Category], window: (i64, i64)) -> i64 {
    let trace = study.trace();
    let is_of_gpu = |op: &OpId| {
        let row = trace.devices().get(trace.device_of(*op));
        row.is_accelerator
            || matches!(row.kind, DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy)
    };
    let ops = trace.ops().ids().filter(is_of_gpu);
    union(study, ops.filter(|&op| categories.contains(&trace.category(op))), window)
}

/// For how long between `start` and `end` any of `ops` ran.
fn union(study: &Study, ops: impl Iterator<Item = OpId>, (start, end): (i64, i64)) -> i64 {
    let mut changes: Vec<(i64, i64)> = Vec::new();
    for op in ops {
        let own = study.trace().ops().interval(op);
        let (from, to) = (own.start.0.max(start), own.end.0.min(end));
        if from < to {
            changes.extend([(from, 1), (to, -1)]);
        }
    }
    changes.sort_unstable();
    let (mut at, mut running, mut sum) = (start, 0, 0);
    for (time, change) in changes {
        sum += if running > 0 { time - at } else { 0 };
        (at, running) = (time, running + change);
    }
    sum
}

/// The verdict begins with what happens once and has more than half of the time if, and only if, the first finding is that.
fn first_finding_agrees(name: &str, study: &Study, found: &Value, verdict: &Verdict) {
    let first = &found["findings"][0];
    let (main, whole) = (found["verdict_main"].as_str().unwrap_or_default(), study.trace().span().length().0);
    let happens_once = Rule::ALL.iter().any(|own| own.happens_once() && first["rule"] == own.word());
    let is_most = first["saving_ns"].as_i64().is_some_and(|time| time * 2 > whole);
    let is_own_clock = verdict.is_own_clock;
    let leads = verdict.once.is_some_and(|own| own.leads);
    assert_eq!(leads, happens_once && is_most && !is_own_clock, "{name}: {main} {first}");
    let says_it = found["verdict"].as_str().is_some_and(|own| own.contains("As a whole: "));
    let is_other = study.apart() == Some(Apart::Far) || main.contains("its times are wrong");
    assert_eq!(says_it, leads && !is_other, "{name}: {main}");
}

/// What the verdict must say, and what it says.
fn check(name: &str, (study, files): &(Study, Vec<FileReport>)) -> bool {
    let found = json(&report::findings::json(study, files, None));
    let sentence = found["verdict"].as_str().expect("a verdict");
    assert!(!sentence.contains("othing was found"), "{name}: {sentence}");
    let said = &found["verdict_figures"];
    let summary = json(&report::summary::with_verdict(study, files).to_text());
    assert_eq!(summary["verdict"], found["verdict"], "{name}");
    if said.is_null() {
        assert_eq!(study.trace().span().length().0, 0, "{name}: {sentence}");
        return false;
    }
    let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{name}: {value} is no number"));
    let verdict = Verdict::of(&Subject::of(study)).expect("a verdict");
    first_finding_agrees(name, study, &found, &verdict);
    let step = &summary["step"];
    let window = number(&step["window_ns"]);
    if study.clock_doubt().is_some_and(|doubt| doubt.why == Why::Accelerator) {
        // What runs on the accelerator is measured by its own clock.
        assert!(number(&said["length_ns"]) <= window && said["path_ns"].is_null(), "{name}: {sentence}");
        return true;
    }
    if let Some(steps) = verdict.in_steps {
        assert_eq!(number(&said["length_ns"]) + steps.outside().0, steps.whole.0, "{name}");
        assert!(steps.whole.0 >= window, "{name}");
        return true;
    }
    assert_eq!(number(&said["length_ns"]), window, "{name}");
    let parts: Vec<(&str, i64)> = SPLIT.iter().map(|&(word, field)| (word, number(&step[field]))).collect();
    let largest = |parts: &[(&'static str, i64)]| parts.iter().map(|&(_, time)| time).max().unwrap_or(0);
    let working = largest(&parts[..7]);
    let decides = i128::from(working) * 2 >= i128::from(window);

    let devices = summary["devices"].as_array().expect("devices");
    let accelerators: HashSet<&str> = devices
        .iter()
        .filter(|device| device.get("accelerator").is_some())
        .filter_map(|device| device["name"].as_str())
        .collect();
    let is_accelerator = |name: &Value| name.as_str().is_some_and(|name| accelerators.contains(name));
    let has_accelerators = !summary["accelerators"].as_array().expect("a list").is_empty();
    let path = json(&report::causality::json(study));
    let dispatched: HashSet<&str> = summary["accelerators"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|gpu| gpu["dispatched_by"].as_array().into_iter().flatten())
        .filter_map(|place| devices.get(place.as_u64()? as usize)?["name"].as_str())
        .collect();
    let mut sums: Vec<(&'static str, i64)> = Vec::new();
    let mut add = |part: &'static str, length: i64| match sums.iter_mut().find(|(own, _)| *own == part) {
        Some((_, sum)) => *sum += length,
        None => sums.push((part, length)),
    };
    let is_unrecorded = is_gpu_unrecorded(study.trace());
    for segment in path["segments"].as_array().expect("segments") {
        let category = segment["category"].as_str().expect("a category");
        let part = match path_part(category, is_accelerator(&segment["device"]), has_accelerators) {
            // What a host starts on a GPU that was not recorded is one with what it runs.
            "launching" if is_unrecorded => "compute",
            part => part,
        };
        let (start, end) = (number(&segment["start_ns"]), number(&segment["end_ns"]));
        let is_launched = || {
            study
                .trace()
                .calls()
                .iter()
                .any(|&(op, _)| segment["op_row"].as_u64() == Some(u64::from(op.get())))
        };
        // No launch takes that long to reach its GPU.
        let is_late = category == "launching" && end - start > 50_000 && is_launched();
        let part = if is_late && has_accelerators { "unknown" } else { part };
        let is_dispatched = segment["device"].as_str().is_some_and(|name| dispatched.contains(name));
        if part == "copy" && is_dispatched {
            let copied = gpus_within(study, &[Category::Copy], (start, end));
            let both = gpus_within(study, &[Category::Copy, Category::Compute], (start, end));
            for (part, length) in [("copy", copied), ("compute", both - copied), ("host", end - start - both)]
            {
                if length > 0 {
                    add(part, length);
                }
            }
            continue;
        }
        let is_blocking = part == "host" && category == "compute" && is_dispatched;
        let ran =
            if is_blocking { kernels_within(study, number(&segment["op_row"]), (start, end)) } else { 0 };
        add(part, end - start - ran);
        if ran > 0 {
            add("compute", ran);
        }
    }
    let compares = study.clock_doubt().is_none();
    if compares && has_accelerators {
        // `steplens critical-path` shows the same parts.
        let spent = CriticalPath::of(study).by_spent;
        let of =
            |what: Spent| spent.iter().filter(|own| own.0 == what).map(|own| own.1.length_ns).sum::<i64>();
        let sum = |part: &str| sums.iter().filter(|own| own.0 == part).map(|own| own.1).sum::<i64>();
        assert_eq!(of(Spent::Kind(SegmentKind::Compute)), sum("compute"), "{name}");
        assert_eq!(of(Spent::Kind(SegmentKind::Copy)), sum("copy"), "{name}");
    }
    // No reason is unknown for longer than the devices are idle.
    let idle = number(&step["idle_ns"]);
    let most = largest(&sums);
    // Nor where the GPU did what was launched before the recording, which the sentence says.
    let is_earlier = sentence.contains("launched before the recording, or the recording was cut");
    let is_unknown = sums.iter().any(|&(part, time)| part == "unknown" && time == most);
    if is_unknown && (most > idle || is_earlier) {
        // The path says nothing then.
        sums.clear();
    }
    let by_split = decides || sums.is_empty() || !compares;
    assert_eq!(said["decided_by"], if by_split { "split" } else { "path" }, "{name}: {sentence}");
    let is_of_work = decides || is_earlier && sums.is_empty() && working > 0;
    let wanted = if is_of_work { working } else { largest(&parts) };
    assert_eq!(number(&said["split_ns"]), wanted, "{name}: {sentence}");
    assert!(parts.contains(&(said["split_part"].as_str().expect("a word"), wanted)), "{name}: {sentence}");
    if !compares {
        assert!(said["path_ns"].is_null(), "{name}");
        return true;
    }
    assert_eq!(said["path_ns"].as_i64(), sums.iter().map(|&(_, time)| time).max(), "{name}: {sentence}");
    if let Some(part) = said["path_part"].as_str() {
        let is_it = |&(own, time): &(&str, i64)| own == part && Some(time) == said["path_ns"].as_i64();
        assert!(sums.iter().any(is_it), "{name}");
    }
    if sentence.contains("its times are wrong") {
        let codes = summary["doctor"].as_array().expect("what the doctor found");
        assert!(codes.iter().any(|own| own["code"] == "far-ops" || own["code"] == "time-bases"), "{name}");
        return true;
    }
    if study.apart() == Some(Apart::Far) {
        // Of steps far apart a figure over all of them would be about the time between them.
        let within: i64 =
            study.trace().parts().iter().filter(|part| part.ops > 0).map(|part| part.span.length().0).sum();
        assert!(within * 2 < window && sentence.contains("far apart"), "{name}: {sentence}");
        return true;
    }
    // The figure that decides is in the sentence, to a tenth of a percent.
    let decisive = match () {
        () if sentence.contains("no tensor was negotiated or reduced") => &said["split_ns"],
        () if !by_split && !said["waits_ns"].is_null() => &said["waits_ns"],
        () if by_split => &said["split_ns"],
        () => &said["path_ns"],
    };
    let share = number(decisive) as f64 / window as f64 * 100.0;
    assert!(
        sentence.contains(&format!("{share:.1}\u{a0}%"))
            || sentence.contains(&format!("{share:.1} %"))
            || share < 0.05,
        "{name}: {share} is not in {sentence}"
    );
    true
}

#[test]
fn the_verdict_is_that_of_the_split_and_the_path_in_every_trace() {
    let mut count = 0;
    for fixture in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        let study = opened("", &fixture.bytes).unwrap_or_else(|| panic!("{} opens", fixture.name));
        count += usize::from(check(&fixture.name, &study));
    }
    for folder in ["real", "gpu", "releases", "../cases"].into_iter().filter_map(sample_folder) {
        for file in files(folder) {
            let name = file.display().to_string();
            // A file that is no trace is refused, which other tests ask for.
            let Some(study) = opened(&name, &fs::read(&file).expect("it is readable")) else { continue };
            count += usize::from(check(&name, &study));
        }
    }
    assert!(count > 15, "{count}");
}

/// All files below `folder`.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("it is readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Twenty steps of 1 ms. In each, the host loads a batch for `loading` µs. Then it launches `kernels` kernels, one each 50 µs; a kernel runs for 10 µs.
fn loads_and_launches(loading: i64, kernels: i64) -> String {
    let mut events = Vec::new();
    for step in 0..20 {
        let from = step * 1_000;
        events.push((
            "user_annotation",
            "enumerate(DataLoader)#_SingleProcess.__next__",
            1,
            from,
            loading,
            0,
        ));
        for place in 0..kernels {
            let (start, id) = (from + loading + place * 50, step * 100 + place + 1);
            events.push(("cpu_op", "aten::mm", 1, start, 48, 0));
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, start + 36, 4, id));
            events.push(("kernel", "gemm", 7, start + 40, 10, id));
        }
    }
    report::verdict::of(&torch_study(&events), true).sentence
}

#[test]
fn the_verdict_names_what_the_gpu_waits_for_where_the_path_only_runs_along_the_host() {
    // The host takes 500 µs to launch 10 kernels, which run for 100 µs: the GPU waits 400 µs for its host, and 450 µs for the batch.
    let said = loads_and_launches(450, 10);
    assert!(said.contains("waits for its next batch for 4"), "{said}");
    let said = loads_and_launches(100, 10);
    assert!(!said.contains("next batch") && said.contains("the host"), "{said}");
}

#[test]
fn between_the_phases_of_horovod_nothing_is_said_of_ops() {
    let phase = |name: &str, ts: i64, dur: i64| {
        format!(
            r#"{{"name":"{name}","ph":"B","ts":{ts},"pid":1}},{{"name":"","ph":"E","ts":{},"pid":1}}"#,
            ts + dur
        )
    };
    let mut events =
        vec![r#"{"name":"process_name","ph":"M","pid":1,"args":{"name":"dense/kernel"}}"#.to_owned()];
    for step in 0..10 {
        events.push(phase("NEGOTIATE_ALLREDUCE", step * 1_000, 100));
        events.push(phase("ALLREDUCE", step * 1_000 + 100, 100));
    }
    let text = format!("[{}]", events.join(","));
    let (study, files) = opened("timeline.json", text.as_bytes()).expect("a timeline of Horovod");
    let said = report::verdict::of(&study, true).sentence;
    assert!(said.contains("no tensor was negotiated or reduced for 78.") && !said.contains("ops"), "{said}");
    let found = json(&report::findings::json(&study, &files, None));
    let first = found["findings"][0]["sentence"].as_str().unwrap_or_default();
    assert!(first.contains("What is computed meanwhile is not in this timeline"), "{found}");
}

/// BytePS before it wrote categories: tensors are processes, and the names of phases say whether one waits for its turn.
#[test]
fn phases_of_byteps_are_communication_and_waiting_for_it() {
    let span = |pid: i64, name: &str, from: i64, to: i64| {
        format!(
            r#"{{"ph":"B","pid":{pid},"ts":{from},"name":"{name}"}},{{"ph":"E","pid":{pid},"ts":{to},"name":"{name}"}}"#
        )
    };
    let events = (0..5).map(|pid| {
        let name =
            format!(r#"{{"ph":"M","args":{{"name":"conv{pid}_weight"}},"pid":{pid},"name":"process_name"}}"#);
        let queue = span(pid, "PUSH_PULLQUEUE", 0, pid * 100 + 100);
        [name, queue, span(pid, "PUSH_PULLCOMMUNICATION", pid * 100 + 100, pid * 100 + 200)].join(",")
    });
    let text = format!("[{}]", events.collect::<Vec<_>>().join(","));
    let (study, files) = opened("timeline.json", text.as_bytes()).expect("a timeline of BytePS");
    let summary = json(&report::summary::with_verdict(&study, &files).to_text());
    // One queue alone from 0 to 100, then one tensor after the other is sent until 600.
    assert_eq!(summary["step"]["exposed_communication_ns"], 500_000, "{summary}");
    assert_eq!(
        (&summary["step"]["compute_ns"], &summary["step"]["exposed_waiting_ns"]),
        (&0.into(), &100_000.into())
    );
    assert_eq!(summary["devices"].as_array().map(Vec::len), Some(1));
}

/// An executor begins and ends on every device: one on which nothing else ran is none of the mean.
#[test]
fn a_device_that_only_begins_and_ends_is_no_device_of_the_mean() {
    let (cpu, gpu) = ("/job:w/replica:0/task:0/device:CPU:0", "/job:w/replica:0/task:0/device:GPU:7");
    let begun = |device: &str| {
        Scenario::new()
            .device(device, [op("_SOURCE = NoOp()", 0, 1_000), op("_SINK = NoOp()", 99_000, 1_000)])
            .device(gpu, [op("m = MatMul(a, b)", 0, 80_000)])
            .study()
    };
    assert_eq!((begun(cpu).bar().len(), begun(gpu).bar().len()), (1, 1));
    assert!(
        report::verdict::of(&begun(cpu), false).sentence.contains("80.0"),
        "{:?}",
        report::verdict::of(&begun(cpu), false)
    );
    let works = Scenario::new()
        .device(cpu, [op("n = Add(a)", 0, 1_000)])
        .device(gpu, [op("m = MatMul(a)", 0, 80_000)]);
    assert_eq!(works.study().bar().len(), 2);
}
