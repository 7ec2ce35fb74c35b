//! Opening a part: the ops of some devices and of a window of time, whatever the file looks like, are those of the whole.

use proptest::prelude::*;
use prost::Message;
use std::collections::BTreeMap;
use std::ops::Range;
use steplens_core::{CategoryRules, OpId, Selection, Trace};
use steplens_formats::{Limits, Opened, Opener, ReadError, session};
use steplens_tests::cases::{cases, is_thorough};
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::wire::put_bytes;
use steplens_tests::writer::{BASE_UNIX_NS, PS, Scenario, WORKER, op};

fn open_part(file: &[u8], devices: Option<&str>, window: Option<Range<i64>>) -> Result<Opened, ReadError> {
    let selection = Selection::new(devices, window).expect("an expression");
    let mut opener = Opener::new(CategoryRules::default(), Limits::default()).select(selection);
    opener.begin_file("part.pb");
    // Odd slices, so that messages are cut at odd places.
    file.chunks(97).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish()
}

/// What tells an op from others, wherever its trace starts.
type Known = (String, String, String, i64, i64);

fn known(trace: &Trace, op: OpId) -> Known {
    let node = trace.ops().node(op);
    let interval = trace.ops().interval(op);
    (
        trace.text(trace.devices().get(trace.device_of(op)).name).to_owned(),
        trace.op_name(op).to_owned(),
        trace.text(trace.nodes().label(node)).to_owned(),
        trace.origin_unix_ns() + interval.start.0,
        interval.length().0,
    )
}

fn sorted(trace: &Trace, is_wanted: impl Fn(&Known) -> bool) -> Vec<Known> {
    let mut ops: Vec<Known> =
        trace.ops().ids().map(|op| known(trace, op)).filter(|op| is_wanted(op)).collect();
    ops.sort();
    ops
}

/// The part of `file` that is opened is that of the whole; what is left out is counted, by device and reason.
fn check(file: &[u8], devices: &str, window: Option<Range<i64>>) {
    let Ok(whole) = open_part(file, None, None) else { return };
    let has_device = |name: &str| regex_holds(devices, name);
    let has_times = |start: i64, length: i64| {
        window.as_ref().is_none_or(|window| {
            window.contains(&start) || (start < window.start && start + length > window.start)
        })
    };
    let wanted = sorted(&whole.trace, |op| has_device(&op.0) && has_times(op.3, op.4));
    let by_reason = |is_left_out: &dyn Fn(&Known) -> bool| sorted(&whole.trace, |op| is_left_out(op)).len();
    let problems = whole.files.iter().flat_map(|file| &file.problems);
    let unreadable: u64 = problems.map(|problem| problem.count).sum();
    let left_out = [
        ("left-out-devices", by_reason(&|op| !has_device(&op.0))),
        ("left-out-window", by_reason(&|op| has_device(&op.0) && !has_times(op.3, op.4))),
    ];
    let part = match open_part(file, Some(devices), window.clone()) {
        Ok(part) => part,
        Err(why) => {
            assert_eq!((why.kind.code(), wanted.len()), ("nothing-selected", 0), "{why}");
            return;
        }
    };
    assert_eq!(sorted(&part.trace, |_| true), wanted);
    for (code, count) in left_out {
        let problems =
            part.files.iter().flat_map(|file| &file.problems).filter(|problem| problem.code == code);
        let counted: u64 = problems.map(|problem| problem.count).sum();
        // Ops that are skipped unread may be unreadable.
        let most = if code == "left-out-devices" { count as u64 + unreadable } else { count as u64 };
        assert!((count as u64..=most).contains(&counted), "{code}: {counted} of {count}");
    }
    let mut ops: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for op in sorted(&whole.trace, |_| true) {
        ops.entry(op.0).or_default().0 += 1;
    }
    for op in wanted {
        ops.entry(op.0).or_default().1 += 1;
    }
    for device in &part.found {
        let (in_whole, in_part) = ops.remove(&device.name).unwrap_or_default();
        assert_eq!(device.taken, in_part);
        assert!((in_whole..=in_whole + unreadable).contains(&device.ops));
    }
    assert!(ops.is_empty(), "every device is found");
    // The part is a trace like any other.
    let again = session::write(&part.trace, &part.files);
    let again = open_part(&again, None, None).expect("a session");
    assert_eq!(sorted(&again.trace, |_| true), sorted(&part.trace, |_| true));
}

fn regex_holds(pattern: &str, name: &str) -> bool {
    Selection::new(Some(pattern), None).expect("an expression").has_device(name)
}

/// The same messages with the name of each device after its ops.
fn names_last(metadata: &RunMetadata) -> Vec<u8> {
    let mut file = Vec::new();
    for device in metadata.step_stats.iter().flat_map(|step| &step.dev_stats) {
        let mut message = Vec::new();
        let ops: &[NodeExecStats] = &device.node_stats;
        ops.iter().for_each(|op| put_bytes(&mut message, 2, &op.encode_to_vec()));
        put_bytes(&mut message, 1, device.device.as_bytes());
        let mut step = Vec::new();
        put_bytes(&mut step, 1, &message);
        put_bytes(&mut file, 1, &step);
    }
    file
}

#[test]
fn a_part_of_a_recorded_step() {
    let file = fixture("ps4w").bytes;
    let whole = open_part(&file, None, None).expect("the whole");
    let origin = whole.trace.origin_unix_ns();
    let middle = origin + 100_000_000..origin + 150_000_000;
    let session = session::write(&whole.trace, &whole.files);
    for file in [&file, &session] {
        check(file, "^/job:worker", Some(middle.clone()));
        check(file, "no such device", None);
        check(file, ".", Some(0..1));
        if is_thorough() {
            check(file, "task:[02]/", None);
            check(file, ".", Some(middle.clone()));
        }
    }
}

#[test]
fn ops_before_the_name_of_their_device_are_left_out_too() {
    let scenario = Scenario::new()
        .device(PS, [op("a = Mul(b)", 0, 5), op("b = Mul(a)", 9, 5)])
        .device(WORKER, [op("c = Add(a)", 2, 5)]);
    let file = names_last(&scenario.0);
    check(&file, "worker", None);
    check(&file, "ps", Some(BASE_UNIX_NS + 5..BASE_UNIX_NS + 20));
    let part = open_part(&file, Some("worker"), None).expect("a part");
    assert_eq!((part.trace.ops().len(), part.trace.devices().len()), (1, 1));
    assert_eq!(part.trace.origin_unix_ns(), BASE_UNIX_NS + 2);
}

#[test]
fn counting_alone_tells_every_device_and_its_times() {
    let file =
        Scenario::new().device(PS, [op("a = Mul()", 3, 5)]).device(WORKER, [op("b = Mul()", 1, 2)]).bytes();
    let mut opener = Opener::new(CategoryRules::default(), Limits::default()).count_only();
    opener.begin_file("counted.pb");
    opener.push(&file);
    let found = opener.found();
    let spans: Vec<_> =
        found.iter().map(|device| (device.name.as_str(), device.span_unix_ns.clone())).collect();
    let at = |range: Range<i64>| Some(BASE_UNIX_NS + range.start..BASE_UNIX_NS + range.end);
    assert_eq!(spans, [(PS, at(3..8)), (WORKER, at(1..3))]);
    assert!(found.iter().all(|device| (device.ops, device.taken) == (1, 0)));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_part_of_any_file(
        metadata in crate::strategy::run_metadata(),
        devices in proptest::sample::select(&["ps", "GPU", "task:2|stream", "^$", ".", "unnamed"][..]),
        window in proptest::option::of((-50_000_i64..200_000, 1_i64..200_000)),
        late in any::<bool>(),
    ) {
        let base = 1_700_000_000_000_000_000;
        let window = window.map(|(start, length)| base + start..base + start + length);
        let file = if late { names_last(&metadata) } else { metadata.encode_to_vec() };
        check(&file, devices, window);
    }
}
