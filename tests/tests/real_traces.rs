//! Real traces of PyTorch, TensorFlow 2, JAX, TPUs, Horovod and rocprof against an independent reading of them.
//!
//! They may not be copied into the project: they are read from `shared/samples/real` next to it. Where that is missing, each test says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use steplens_core::doctor::findings;
use steplens_core::gpu::accelerators::{Accelerator, accelerators};
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::timeline::coverage::Coverage;
use steplens_core::timeline::split::Split;
use steplens_core::{Category, CategoryRules, DeviceId, Interval, OpId, Study, Trace};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::samples::sample_folder;

/// The folder of the traces and the reading of them; `None`, said aloud, where they are not there.
fn samples() -> Option<(PathBuf, Value)> {
    let folder = sample_folder("real")?;
    let text = fs::read_to_string(folder.join("reference.json")).unwrap();
    Some((folder, serde_json::from_str(&text).unwrap()))
}

fn open(folder: &Path, files: &[&str]) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for file in files {
        opener.begin_file(file);
        opener.push(&fs::read(folder.join(file)).unwrap());
        opener.end_file();
    }
    opener.finish().unwrap()
}

fn close(got: i64, wanted: &Value, what: &str) {
    let wanted = wanted.as_i64().unwrap_or_else(|| panic!("{what} is no number"));
    let most = 2_000 + wanted / 1_000;
    assert!((got - wanted).abs() <= most, "{what}: {got} and not {wanted}");
}

fn split_of(study: &Study, accelerator: &Accelerator<'_>) -> Split {
    let parts = accelerator.devices.iter().map(|device| &study.coverage()[device.index()]);
    Coverage::together(parts).split(study.trace().span())
}

/// The accelerator of a process of PyTorch's: `python GPU 3`, `GPU 3`, or the only one.
fn gpu<'a>(trace: &'a Trace, pid: &str) -> Accelerator<'a> {
    let all = accelerators(trace);
    let only = all.len() == 1;
    let is_it = |one: &Accelerator<'_>| only || one.name.ends_with(&format!("GPU {pid}"));
    all.into_iter().find(is_it).unwrap_or_else(|| panic!("no GPU {pid}"))
}

#[test]
fn every_gpu_computes_copies_and_communicates_as_it_was_read() {
    let Some((folder, reference)) = samples() else { return };
    let mut gpus = 0;
    for (file, read) in reference.as_object().unwrap() {
        let Some(read) = read["gpus"].as_object().filter(|read| !read.is_empty()) else { continue };
        let study = Study::new(open(&folder, &[file]).trace);
        for (pid, figures) in read {
            let split = split_of(&study, &gpu(study.trace(), pid));
            let context = |what: &str| format!("{file}, GPU {pid}: {what}");
            close(split.compute.0, &figures["compute_ns"], &context("compute"));
            close(split.exposed_copy.0, &figures["exposed_copy_ns"], &context("exposed copy"));
            close(
                split.exposed_communication.0,
                &figures["exposed_communication_ns"],
                &context("exposed communication"),
            );
            gpus += 1;
        }
    }
    assert!(gpus >= 18, "only {gpus} GPUs were checked");
}

#[test]
fn planes_of_xspaces_and_threads_of_json_do_as_they_were_read() {
    let Some((folder, reference)) = samples() else { return };
    let mut lines = 0;
    for (file, read) in reference.as_object().unwrap() {
        let planes: Vec<(Option<&str>, &Value)> = match (read.get("planes"), read.get("lines")) {
            (Some(planes), _) => {
                planes.as_object().unwrap().iter().map(|(name, own)| (Some(&**name), own)).collect()
            }
            (None, Some(lines)) => vec![(None, lines)],
            _ => continue,
        };
        let study = Study::new(open(&folder, &[file]).trace);
        let trace = study.trace();
        for (plane, own) in planes {
            for (line, figures) in own.as_object().unwrap() {
                if !line.starts_with("Stream #") && line != "XLA Ops" {
                    continue;
                }
                let is_of = |device: &Accelerator<'_>| plane.is_none_or(|plane| device.name == plane);
                for device in accelerators(trace).into_iter().filter(is_of).flat_map(|one| one.devices) {
                    let is_on = |op: &OpId| trace.thread_name(device, trace.ops().thread(*op)) == Some(line);
                    let ops: Vec<OpId> = trace.ops_of(device).filter(is_on).collect();
                    assert_eq!(ops.len() as u64, figures["events"], "{file} {line}");
                    let pieces = ops.iter().map(|&op| (trace.category(op), trace.ops().interval(op)));
                    let busy = Coverage::summed(pieces).split(whole(trace)).busy.0;
                    let context = format!("{file} {plane:?} {line}");
                    close(busy, &figures["union_ns"], &context);
                    lines += 1;
                    if figures.get("compute_ns").is_some() {
                        let split = study.split(Some(device), trace.span());
                        close(split.compute.0, &figures["compute_ns"], &context);
                        close(split.exposed_copy.0, &figures["exposed_copy_ns"], &context);
                        close(split.exposed_communication.0, &figures["exposed_communication_ns"], &context);
                    }
                }
            }
        }
    }
    assert!(lines >= 15, "only {lines} lines were checked");
}

/// From the first start to the last end, ranges among them.
fn whole(trace: &Trace) -> Interval {
    let own = |op| trace.ops().interval(op);
    let start = trace.ops().ids().map(|op| own(op).start).min().unwrap();
    Interval { start, end: trace.ops().ids().map(|op| own(op).end).max().unwrap() }
}

#[test]
fn horovod_waits_for_peers_and_counts_its_phases_once() {
    let Some((folder, reference)) = samples() else { return };
    let file = "horovod/resnet-horovod-timeline.json";
    let study = Study::new(open(&folder, &[file]).trace);
    assert_eq!(study.trace().devices().len(), 1, "a tensor is no device");
    let (split, read) = (study.step_split(study.trace().span()), &reference[file]["horovod"]);
    close(split.communication.0, &read["communication_ns"], "communication");
    close(split.exposed_communication.0, &read["communication_ns"], "exposed communication");
    close(split.exposed_waiting.0, &read["negotiate_alone_ns"], "waiting for peers");
}

#[test]
fn steps_ranks_dates_and_calls_are_found() {
    let Some((folder, reference)) = samples() else { return };
    for (file, read) in reference.as_object().unwrap() {
        if read.get("by_cat").is_none() {
            continue;
        }
        let opened = open(&folder, &[file]);
        let trace = &opened.trace;
        let steps = Steps::divided(trace, StepRule::Content);
        let numbers: BTreeSet<i64> = trace.parts().iter().filter_map(|part| part.step).collect();
        let mut wanted: BTreeSet<i64> = read["profiler_steps"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|name| name.as_str().unwrap().rsplit('#').next().unwrap().parse().unwrap())
            .collect();
        // The mark of 49 µs with which its loop ends: nothing begins after it but the profiler's `hipDeviceSynchronize`.
        if file == "pytorch/mi250-minitoy.json.gz" {
            assert!(wanted.remove(&2));
        }
        assert_eq!(numbers, wanted, "{file}");
        assert!(steps.rows().len() >= wanted.len().max(1), "{file}");
        if let Some(base) = read["base_time_ns"].as_str() {
            // The base is some months before the trace at most; without it, times are of a clock that began in 1970.
            let (base, first): (i64, i64) = (base.parse().unwrap(), trace.origin_unix_ns());
            assert!(first >= base, "{file} is dated {first}");
        }
        if let Some(joined) = read["kernels_with_their_call"].as_u64().filter(|&joined| joined > 0) {
            assert_eq!(trace.calls().len() as u64, joined, "{file}");
            let is_call = |op: OpId| trace.category(op).is_call();
            assert!(trace.calls().iter().all(|&(_, call)| is_call(call)), "{file}");
        }
        let is_timeline_py = opened.files[0].problems.iter().any(|problem| problem.code.starts_with("lost-"));
        assert!(is_timeline_py || opened.files[0].problems.iter().all(|problem| problem.is_note()), "{file}");
    }
}

#[test]
fn two_ranks_of_one_job_are_one_step_of_two_gpus() {
    let Some((folder, _)) = samples() else { return };
    let study =
        Study::new(open(&folder, &["pytorch-ranks/rank-0.json.gz", "pytorch-ranks/rank-1.json.gz"]).trace);
    let trace = study.trace();
    let exposed: BTreeMap<&str, i64> = accelerators(trace)
        .iter()
        .map(|one| (one.name, split_of(&study, one).exposed_communication.0 / 100_000))
        .collect();
    let wanted = [
        ("/job:rank/replica:0/task:0/pyper:trainer:0:0 GPU 0", 3_360),
        ("/job:rank/replica:0/task:1/pyper:trainer:0:1 GPU 1", 2_994),
    ];
    assert_eq!(exposed, wanted.into());
    let mean = study.step_split(trace.span()).exposed_communication.0;
    assert_eq!(mean / 100_000, (336_033_000 + 299_495_000) / 2 / 100_000);
}

/// How often each file launches a kernel, or a copy, that it joins with its call: what has the same `correlation`, or in XSpaces
/// `correlation_id`, as an event on a host; counted apart from this project, as `kernels_with_their_call` is.
#[test]
fn kernels_and_what_launched_them_lead_to_each_other() {
    let Some((folder, reference)) = samples() else { return };
    let mut joined = 0;
    for (file, read) in reference.as_object().unwrap() {
        let Some(calls) = read["kernels_with_their_call"].as_u64().filter(|&calls| calls > 0) else {
            continue;
        };
        let study = Study::new(open(&folder, &[file]).trace);
        let (trace, kernels) = (study.trace(), study.kernels());
        let of_gpus: Vec<OpId> = accelerators(trace)
            .iter()
            .flat_map(|gpu| gpu.devices.iter().flat_map(|&id| trace.ops_of(id)).collect::<Vec<_>>())
            .collect();
        if let Some(gpus) = read["gpus"].as_object() {
            let sum = |what: &str| gpus.values().filter_map(|gpu| gpu[what].as_u64()).sum::<u64>();
            let count = |is_it: fn(Category) -> bool| {
                of_gpus.iter().filter(|&&op| is_it(trace.category(op))).count() as u64
            };
            let is_kernel = |category| matches!(category, Category::Compute | Category::Communication);
            assert_eq!(count(is_kernel), sum("kernels"), "{file}");
            assert_eq!(count(|category| category == Category::Copy), sum("copies"), "{file}");
        }
        let with_call = of_gpus.iter().filter(|&&op| trace.call_of(op).is_some()).count() as u64;
        assert_eq!(with_call, calls, "{file}");
        for &(kernel, call) in trace.calls() {
            let op = kernels.op_of(kernel).unwrap();
            let (call_span, op_span) = (trace.ops().interval(call), trace.ops().interval(op));
            assert!(op_span.start <= call_span.start && call_span.start <= op_span.end, "{file}");
            assert_eq!(trace.device_of(op), trace.device_of(call), "{file}");
            assert!(kernels.of_op(trace, call).contains(&kernel), "{file}: the call");
            assert!(kernels.of_op(trace, op).contains(&kernel), "{file}: the op");
            joined += 1;
        }
    }
    assert!(joined > 40_000, "only {joined} kernels were checked");
}

#[test]
fn an_op_has_the_kernels_of_what_it_contains() {
    let Some((folder, _)) = samples() else { return };
    for file in ["pytorch/gpu-user-annotation.json.gz", "pytorch/h100-bert-small.json.gz"] {
        let study = Study::new(open(&folder, &[file]).trace);
        let (trace, kernels) = (study.trace(), study.kernels());
        // By the definition: all kernels whose call begins within the op, on its thread. Frames of Python have their threads' numbers.
        let place = |op: OpId| {
            let device = trace.text(trace.devices().get(trace.device_of(op)).name);
            (device.strip_suffix(" (Python frames)").unwrap_or(device), trace.ops().thread(op))
        };
        let calls: Vec<_> = trace.calls().iter().map(|&(kernel, call)| (kernel, call, place(call))).collect();
        let nests = |id: &DeviceId| trace.devices().get(*id).nests;
        let mut with_kernels = 0;
        for op in trace.devices().ids().filter(nests).flat_map(|id| trace.ops_of(id)) {
            let (own, place) = (trace.ops().interval(op), place(op));
            let is_within = |call: OpId| {
                let other = trace.ops().interval(call);
                let begins = other.start > own.start && other.start < own.end;
                call == op || begins || other.start == own.start && other.end <= own.end
            };
            let own = calls.iter().filter(|&&(_, call, of_call)| of_call == place && is_within(call));
            let mut wanted: Vec<OpId> = own.map(|&(kernel, ..)| kernel).collect();
            wanted.sort_by_key(|&kernel| (trace.ops().start(kernel), kernel));
            assert_eq!(kernels.of_op(trace, op), wanted, "{}", trace.op_name(op));
            with_kernels += usize::from(!wanted.is_empty());
        }
        assert!(with_kernels > 100, "only {with_kernels} ops of {file} have kernels");
    }
}

/// One collective is an operator, an annotation and a kernel in each of these; the kernels of NCCL and `multimem` were counted in the
/// files themselves.
#[test]
fn one_collective_of_three_events_is_one() {
    let Some((folder, _)) = samples() else { return };
    let of = |files: &[&str]| {
        let study = Study::new(open(&folder, files).trace);
        let trace = study.trace();
        let found = study.collectives();
        let is_on_gpu = |op: OpId| trace.devices().get(trace.device_of(op)).is_accelerator;
        assert!(found.participants.iter().all(|own| is_on_gpu(own.op)), "{files:?}");
        let communicates = |op: &OpId| trace.category(*op) == Category::Communication;
        assert!(trace.ops().ids().filter(communicates).all(is_on_gpu), "{files:?}");
        (found.rows.len(), found.participants.len())
    };
    assert_eq!(of(&["pytorch/ddp-nccl.json.gz"]), (21, 21));
    assert_eq!(of(&["pytorch/diff-control.json.gz"]), (60, 60));
    assert_eq!(of(&["pytorch/b200-eager.json.gz"]), (74, 74));
    assert_eq!(of(&["pytorch-ranks/rank-0.json.gz"]), (10, 10));
    // Six of ten pairs by order do not run at one time: nothing says which ops belong together.
    assert_eq!(of(&["pytorch-ranks/rank-0.json.gz", "pytorch-ranks/rank-1.json.gz"]), (20, 20));
}

#[test]
fn files_recorded_months_apart_are_no_step() {
    let Some((folder, _)) = samples() else { return };
    let files = ["pytorch/h100-bert-small.json.gz", "pytorch/ddp-nccl.json.gz"];
    let trace = open(&folder, &files).trace;
    let steps = Steps::divided(&trace, StepRule::Content);
    let file = |row: usize| -> BTreeSet<u32> {
        steps.rows()[row].parts.iter().map(|part| trace.parts()[part.index()].file).collect()
    };
    assert!((0..steps.rows().len()).all(|row| file(row).len() == 1));
}

#[test]
fn one_run_says_the_same_in_two_formats() {
    let Some((folder, _)) = samples() else { return };
    let files = ["xspace/tf2-gpu-20210617.xplane.pb", "tf2-json/tf2-gpu-20210617.trace.json.gz"];
    let [xspace, json] = files.map(|file| Study::new(open(&folder, &[file]).trace));
    let gpu = |study: &Study| {
        let trace = study.trace();
        let devices: Vec<String> =
            trace.devices().ids().map(|id| trace.text(trace.devices().get(id).name).to_owned()).collect();
        let gpu = accelerators(trace).remove(0);
        let ops = || gpu.devices.iter().flat_map(|&device| trace.ops_of(device));
        let of = |wanted: Category| ops().filter(|&op| trace.category(op) == wanted).count();
        let counts = [Category::Compute, Category::Copy, Category::Communication].map(of);
        (devices, gpu.streams(trace), counts, study.step_split(trace.span()), split_of(study, &gpu))
    };
    assert_eq!(gpu(&xspace), gpu(&json));
    // Every kernel: when it ran, what it is, and by which call and for which op.
    let kernels = |study: &Study| {
        let trace = study.trace();
        let name = |op: Option<OpId>| op.map(|op| (trace.op_name(op).to_owned(), trace.ops().interval(op)));
        let of = |op: OpId| {
            let launchers = [trace.call_of(op), study.kernels().op_of(op)].map(name);
            (trace.ops().interval(op), trace.op_name(op).to_owned(), trace.category(op).word(), launchers)
        };
        let is_work = |op: &OpId| trace.category(*op) != Category::Range;
        let gpu = accelerators(trace).remove(0);
        let mut all: Vec<_> =
            gpu.devices.iter().flat_map(|&id| trace.ops_of(id)).filter(is_work).map(of).collect();
        all.sort_by(|a, b| (a.0.start, a.0.end, &a.1).cmp(&(b.0.start, b.0.end, &b.1)));
        all
    };
    let (of_xspace, of_json) = (kernels(&xspace), kernels(&json));
    assert_eq!(of_xspace.len(), 183);
    assert!(of_xspace.iter().all(|(.., launchers)| launchers.iter().all(Option::is_some)));
    for (xspace, json) in of_xspace.iter().zip(&of_json) {
        assert_eq!(xspace, json);
    }
    // The devices one by one: the host divides the same, too.
    let splits = |study: &Study| {
        study.coverage().iter().map(|own| own.split(whole(study.trace()))).collect::<Vec<_>>()
    };
    assert_eq!(splits(&xspace), splits(&json));
}

/// The samples have no reading of MTIA and rocprof. This one follows the definitions of the others: an event is what its `cat`
/// or process says, exposed copies are copies without compute, and exposed waiting is what neither of them covers.
#[test]
fn mtia_and_rocprof_by_the_definitions() {
    let Some((folder, _)) = samples() else { return };
    let of = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    // On an MTIA `pe_exe`, `remote` and `merge` compute, `dma_request` copies, and the host calls nothing of this category.
    let mtia = |event: &Value| match (&*of(event, "cat"), &*of(event, "name")) {
        ("mtia_ccp_events", "pe_exe" | "remote" | "merge") => Some(0),
        ("mtia_ccp_events", "dma_request") => Some(1),
        ("mtia_ccp_events", _) => Some(2),
        // The runtime's calls that its device shows, too: it waits for the host's command to end.
        ("mtia_runtime", "synchronize") => Some(2),
        _ => None,
    };
    // rocprof has a process for copies, one for the host's calls, and one for each GPU.
    let rocprof = |event: &Value| match &*of(event, "pid") {
        "1" => Some(1),
        "6" | "7" | "8" => Some(0),
        _ => None,
    };
    check("pytorch/mtia-inference.json.gz", &folder, &mtia, [414_085_123, 7_576_701]);
    check("rocprof/hip-trace.json", &folder, &rocprof, [5_000, 685_000]);
}

/// Compares the only accelerator of `file` with unions over the events that `part` says to compute (0), copy (1) or wait (2).
fn check(file: &str, folder: &Path, part: &dyn Fn(&Value) -> Option<usize>, context: [i64; 2]) {
    let packed = fs::read(folder.join(file)).unwrap();
    let mut text = Vec::new();
    match packed.starts_with(b"\x1f\x8b") {
        true => _ = flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).unwrap(),
        false => text = packed,
    }
    let document: Value = serde_json::from_slice(&text).unwrap();
    let mut parts: [Vec<(i64, i64)>; 3] = Default::default();
    for event in document["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X") {
        // Micros to nanoseconds: relative to the first event, a double holds them.
        let ns = |key: &str| {
            let micros = event[key].as_f64().or_else(|| event[key].as_str()?.parse().ok());
            (micros.unwrap() * 1000.0).round() as i64
        };
        if let Some(part) = part(event) {
            parts[part].push((ns("ts"), ns("ts") + ns("dur")));
        }
    }
    let mut covered = Vec::new();
    let [compute, copy, waiting] = parts.map(|part| {
        let before = union_ns(&mut covered);
        covered.extend(part);
        union_ns(&mut covered) - before
    });
    let study = Study::new(open(folder, &[file]).trace);
    let all = accelerators(study.trace());
    assert_eq!(all.len(), 1, "{file}");
    let split = split_of(&study, &all[0]);
    for (got, wanted, what) in [
        (split.compute.0, compute, "compute"),
        (split.exposed_copy.0, copy, "exposed copy"),
        (split.exposed_waiting.0, waiting, "exposed waiting"),
    ] {
        close(got, &wanted.into(), &format!("{file}: {what}"));
    }
    assert_eq!([split.compute.0, split.exposed_copy.0], context, "{file}");
}

fn union_ns(intervals: &mut [(i64, i64)]) -> i64 {
    intervals.sort_unstable();
    let (mut total, mut until) = (0, i64::MIN);
    for &(start, end) in intervals.iter() {
        total += (end - start.max(until)).max(0);
        until = until.max(end);
    }
    total
}

#[test]
fn ranks_tell_processes_of_several_files_apart() {
    let Some((folder, reference)) = samples() else { return };
    let files = reference.as_object().unwrap();
    let mut ranks = 0;
    for (file, read) in files {
        let Some(rank) = read["rank"].as_u64() else { continue };
        let other = if rank == 0 { "pytorch-ranks/rank-1.json.gz" } else { "pytorch-ranks/rank-0.json.gz" };
        let trace = open(&folder, &[file, other]).trace;
        let own = (0..trace.parts().len()).filter(|&part| trace.parts()[part].file == 0);
        let own: BTreeSet<usize> = own.collect();
        let is_own = |op: &OpId| own.contains(&trace.ops().part(*op).index());
        let devices: BTreeSet<&str> = trace
            .ops()
            .ids()
            .filter(is_own)
            .map(|op| trace.text(trace.devices().get(trace.device_of(op)).name))
            .collect();
        let task = format!("/job:rank/replica:0/task:{rank}/");
        assert!(devices.iter().all(|device| device.starts_with(&task)), "{file}: {devices:?}");
        ranks += 1;
    }
    assert!(ranks >= 12, "only {ranks} ranks were checked");
}

/// One machine is not a cluster of which something is missing, and five pids of one process that are one are said to repeat it.
#[test]
fn the_doctor_takes_no_host_for_a_missing_task() {
    let Some((folder, reference)) = samples() else { return };
    let codes = |file: &str| -> BTreeMap<&str, u64> {
        let found = findings(&open(&folder, &[file]).trace);
        found.iter().map(|finding| (finding.kind.code(), finding.count)).collect()
    };
    for file in reference.as_object().unwrap().keys() {
        assert!(!codes(file).contains_key("missing-task"), "{file}: {:?}", codes(file));
    }
    for file in
        ["run-metadata/profiler-testdata.pb", "run-metadata/step99.pbtxt", "run-metadata/tfprof-tools.pb"]
    {
        assert!(!codes(file).contains_key("missing-task"), "{file}: {:?}", codes(file));
    }
    // 65 ops in five pids: 13 of the first, and four times the same.
    assert_eq!(codes("timeline-py/five-pids-of-one-name.json").get("repeated-ops"), Some(&52));
}
