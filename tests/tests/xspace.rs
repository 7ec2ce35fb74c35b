//! XSpace: every event of the fixtures against what TensorFlow's own protobuf classes count, line by line.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::{Category, CategoryRules, OpId, Problem, Study, Trace};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::bytes_of;

const FILES: [&str; 3] = ["tf2", "gpu", "tpu"];
fn file(name: &str) -> Vec<u8> {
    bytes_of(&format!("containers/{name}.xplane.pb"))
}

fn open(bytes: &[u8], slice: usize) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("a profile");
    bytes.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish().unwrap()
}

/// The figures of a line: events, first start, last end, summed lengths, events by name.
type Told = (u64, i64, i64, i64, BTreeMap<String, u64>);

/// The lines of a trace: threads of devices.
fn lines(trace: &Trace) -> BTreeMap<(String, String), Told> {
    let mut lines = BTreeMap::new();
    for op in trace.ops().ids() {
        let device = trace.device_of(op);
        let thread = trace.thread_name(device, trace.ops().thread(op)).unwrap();
        let key = (trace.text(trace.devices().get(device).name).to_owned(), thread.to_owned());
        let interval = trace.ops().interval(op);
        let (start, end) = (trace.unix_ns(interval.start), trace.unix_ns(interval.end));
        let line: &mut Told = lines.entry(key).or_insert((0, i64::MAX, i64::MIN, 0, BTreeMap::new()));
        line.0 += 1;
        line.1 = line.1.min(start);
        line.2 = line.2.max(end);
        line.3 += interval.length().0;
        *line.4.entry(trace.op_name(op).to_owned()).or_default() += 1;
    }
    lines
}

/// The lines as they were counted.
fn counted(lines: &Value) -> BTreeMap<(String, String), Told> {
    let mut found_lines = BTreeMap::new();
    for line in lines.as_array().unwrap() {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        let number = |key: &str| line[key].as_i64().unwrap();
        let (device, name) = (text("plane"), text("line"));
        let mut names = BTreeMap::new();
        for (name, count) in line["names"].as_object().unwrap() {
            // An op of TensorFlow on a host is `NAME:TYPE`; the type is not part of its name here.
            let of_host = device.starts_with("/host:") && !name.contains("::") && !name.contains(": ");
            let name = if of_host { name.split(':').next().unwrap() } else { name };
            *names.entry(name.to_owned()).or_default() += count.as_u64().unwrap();
        }
        let figures = (
            number("events") as u64,
            number("first_start_unix_ns"),
            number("last_end_unix_ns"),
            number("summed_ns"),
            names,
        );
        found_lines.insert((device, name), figures);
    }
    found_lines
}

#[test]
fn every_event_is_there_once() {
    let figures: Value = serde_json::from_slice(&bytes_of("containers/xplane.json")).unwrap();
    for name in FILES {
        let expected = counted(&figures[name]);
        let opened = open(&file(name), usize::MAX);
        let report = &opened.files[0];
        assert_eq!(report.format, "xspace");
        let found_lines = lines(&opened.trace);
        let differ = |key: &&(String, String)| found_lines.get(*key) != expected.get(*key);
        let other: Vec<_> = found_lines
            .keys()
            .chain(expected.keys())
            .filter(differ)
            .map(|key| (key, found_lines.get(key), expected.get(key)))
            .collect();
        assert!(other.is_empty(), "{name}: {other:?}");
        let is_known = |problem: &Problem| problem.is_note() || problem.code == "profiler-said";
        assert!(report.problems.iter().all(is_known), "{name}: {:?}", report.problems);
    }
    let ops: Vec<_> = FILES.iter().map(|name| open(&file(name), usize::MAX).trace.ops().len()).collect();
    assert_eq!(ops, [140, 66, 56]);
}

#[test]
fn slices_of_any_size_give_the_same() {
    for name in FILES {
        let whole = open(&file(name), usize::MAX);
        let whole_said = everything(&Study::new(whole.trace));
        for slice in [1, 7, 1_000] {
            let opened = open(&file(name), slice);
            assert_eq!(opened.files[0].problems, whole.files[0].problems);
            assert_eq!(
                everything(&Study::new(opened.trace)),
                whole_said,
                "{name} in slices of {slice} bytes"
            );
        }
    }
}

fn op_named<'a>(trace: &'a Trace, device: &'a str, name: &'a str) -> impl Iterator<Item = OpId> + 'a {
    trace.ops().ids().filter(move |&op| {
        trace.op_name(op).starts_with(name)
            && trace.text(trace.devices().get(trace.device_of(op)).name) == device
    })
}

#[test]
fn kernels_know_their_op_their_launch_and_their_category() {
    let trace = open(&file("gpu"), usize::MAX).trace;
    let found_lines = |device: &str, name: &str| {
        let op = op_named(&trace, device, name).next().unwrap();
        let node = trace.ops().node(op);
        let label = trace.text(trace.nodes().label(node)).to_owned();
        (
            trace.text(trace.nodes().op_type(node)).to_owned(),
            trace.category(op),
            label,
            trace.ops().queued(op),
        )
    };
    let (op_type, category, label, queued) = found_lines("/device:GPU:0", "sgemm");
    assert_eq!((&*op_type, category), ("MatMul", Category::Compute));
    assert!(label.starts_with("regs:32 ") && label.ends_with("@@net/MatMul:MatMul#"), "{label}");
    // The call that launched it began 5 us into its op, the kernel itself 40.25 us into it.
    assert_eq!(queued.unwrap().0, 35_250);
    let (op_type, category, ..) = found_lines("/device:GPU:0", "MemcpyH2D");
    assert_eq!((&*op_type, category), ("MemcpyH2D", Category::Copy));
    assert_eq!(found_lines("/device:GPU:0", "MemcpyD2H").1, Category::Copy);
    assert_eq!(found_lines("/device:GPU:0", "nccl").1, Category::Communication);
    assert_eq!(found_lines("/host:CPU", "net/MatMul").0, "MatMul");
    let trace = open(&file("tpu"), usize::MAX).trace;
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let collectives = op_named(&trace, "/device:TPU:1", "all-reduce-start").filter(is_work);
    assert!(collectives.map(|op| trace.category(op)).eq([Category::Communication; 4]));
}

#[test]
fn steps_are_parts() {
    let steps = |name: &str| {
        let trace = open(&file(name), usize::MAX).trace;
        let part = |part: &steplens_core::model::part::Part| (part.step, part.ops, part.is_run);
        trace.parts().iter().map(part).collect::<Vec<_>>()
    };
    // Steps 0 to 4 of 28 events each, as many as one run of the function made.
    assert_eq!(steps("tf2"), [0, 1, 2, 3, 4].map(|step| (Some(step), 28, true)));
    // The NCCL kernel of a step runs when the next one has begun: it belongs to the step that launched it.
    assert_eq!(steps("gpu"), [7, 8, 9].map(|step| (Some(step), 22, true)));
    assert_eq!(steps("tpu"), [0, 1, 2, 3].map(|step| (Some(step), 14, true)));
    let trace = open(&file("gpu"), usize::MAX).trace;
    let part = &trace.parts()[0];
    let facts: Vec<_> =
        part.facts.iter().map(|&(what, value)| (trace.text(what), trace.text(value))).collect();
    assert_eq!(facts, [("host", "worker-0")]);
    assert_eq!(part.recorded_unix_ns, Some(1_795_197_927_061_627_715));
}

#[test]
fn what_the_profiler_says_is_told() {
    let opened = open(&file("gpu"), usize::MAX);
    let said = opened.files[0].problems.iter().find(|problem| problem.code == "profiler-said").unwrap();
    assert_eq!(said.count, 1);
    assert!(said.detail.ends_with("2 events were dropped"), "{}", said.detail);
}

/// The profile of another machine that ran the same steps.
fn of_another_host(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = file.windows(8).position(|window| window == b"worker-0").unwrap();
    file[at + 7] = b'1';
    file
}

#[test]
fn profiles_of_several_hosts_are_one_trace() {
    let files = [file("gpu"), of_another_host(&file("gpu"))];
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (place, file) in files.iter().enumerate() {
        opener.begin_file(&format!("{place}.xplane.pb"));
        opener.push(file);
    }
    let study = Study::new(opener.finish().unwrap().trace);
    let trace = study.trace();
    let devices: Vec<_> = trace.devices().ids().map(|id| trace.text(trace.devices().get(id).name)).collect();
    assert_eq!(devices.len(), 4);
    for task in ["/job:worker/replica:0/task:0", "/job:worker/replica:0/task:1"] {
        assert!(devices.contains(&&*format!("{task}/host:CPU")), "{devices:?}");
        assert!(devices.contains(&&*format!("{task}/device:GPU:0")), "{devices:?}");
    }
    // Both say the same three steps at the same time.
    assert_eq!(study.steps(), 3);
    // Twice on one machine, nothing needs to be separated.
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for place in 0..2 {
        opener.begin_file(&format!("{place}.xplane.pb"));
        opener.push(&files[0]);
    }
    assert_eq!(opener.finish().unwrap().trace.devices().len(), 2);
}

#[test]
fn what_is_around_ops_adds_no_time() {
    let study = Study::new(open(&file("tf2"), usize::MAX).trace);
    let trace = study.trace();
    let is_inner = |op: OpId| trace.nodes().is_range(trace.ops().node(op));
    let ops: Vec<_> = trace.ops().ids().filter(|&op| !is_inner(op)).map(|op| trace.op_name(op)).collect();
    assert_eq!(ops.len(), 15);
    assert!(ops.iter().all(|name| ["MatMul", "Relu", "Sum"].contains(name)), "{ops:?}");
    // The sum of these, which run one after the other.
    let figures: Value = serde_json::from_slice(&bytes_of("containers/xplane.json")).unwrap();
    let busy = study.split(None, trace.span()).compute.0;
    assert_eq!(busy, figures["tf2_ops_summed_ns"].as_i64().unwrap());
}

#[test]
fn stats_of_a_plane_beyond_the_limit_are_counted() {
    // A plane with 70 stats (field 6 of XPlane), each a metadata id and a number, after those of the recording.
    let stats: Vec<u8> = [0x32, 4, 0x08, 1, 0x18, 1].repeat(70);
    let plane = [&[0x12, 1, b'p'][..], &stats].concat();
    let mut bytes = file("tpu");
    bytes.extend([0x0a, (plane.len() & 0x7f) as u8 | 0x80, (plane.len() >> 7) as u8]);
    bytes.extend(&plane);
    let opened = open(&bytes, 1_000);
    let found =
        opened.files[0].problems.iter().find(|problem| problem.code == "plane-stats-left-out").unwrap();
    assert_eq!(found.count, 70 - 64);
    assert!(found.detail.contains("64 stats are read, and there are 6 more"), "{}", found.detail);
    assert!(
        open(&file("tpu"), 1_000).files[0]
            .problems
            .iter()
            .all(|problem| problem.code != "plane-stats-left-out")
    );
}
