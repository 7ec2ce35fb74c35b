//! Traces with one fault each, and what is left of it after the repair.

use super::*;
use crate::TraceBuilder;
use crate::build::builder::OpRecord;
use crate::model::graph::GraphNodeRecord;
use crate::model::op::OpTimes;
use crate::model::part::PartRecord;

/// Now, in ns from 1970: absurd times are years away from here.
const NOW: i64 = 1_700_000_000_000_000_000;
const YEAR: i64 = 365 * 86_400 * 1_000_000_000;
const W0: &str = "/job:w/replica:0/task:0/device:CPU:0";

/// Ops of one device: name, start relative to now, length.
type Rows<'a> = (&'a str, Vec<(&'a str, i64, i64)>);

/// Each item of `parts` is a part.
fn trace(parts: &[Vec<Rows<'_>>]) -> Trace {
    let mut builder = TraceBuilder::default();
    for devices in parts {
        builder.begin_part(&PartRecord::default());
        for (device, rows) in devices {
            let slot = builder.begin_device();
            builder.name_device(slot, device.as_bytes());
            for &(name, start, length_ns) in rows {
                let times = OpTimes { start_unix_ns: NOW + start, length_ns, ..OpTimes::default() };
                builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
            }
        }
    }
    builder.finish(&Default::default())
}

fn step(device: &str) -> Rows<'_> {
    (device, (0..40).map(|op| ("op", op * 1_000, 900)).collect())
}

fn codes(trace: &Trace) -> Vec<(&'static str, u64)> {
    findings(trace).iter().map(|finding| (finding.kind.code(), finding.count)).collect()
}

/// Name, start relative to now, and length of every op of `device`.
fn rows(trace: &Trace, device: &str) -> Vec<(String, i64, i64)> {
    let id = trace.devices().by_name(trace.strings().find(device).unwrap()).unwrap();
    let row = |op| {
        let own = trace.ops().interval(op);
        (trace.op_name(op).to_owned(), trace.unix_ns(own.start) - NOW, own.length().0)
    };
    trace.ops_of(id).map(row).collect()
}

#[test]
fn a_sound_trace_has_no_findings() {
    let sound = trace(&[vec![step(W0), step("/job:w/replica:0/task:1/device:CPU:0")]]);
    assert_eq!(codes(&sound), []);
    assert!(repaired(&sound, &Repair::ALL).is_none());
}

#[test]
fn clocks_that_count_from_elsewhere_are_moved_to_the_others() {
    let gpu = ("/device:GPU:0/stream:1", (0..50).map(|op| ("k", 3 * YEAR + op * 500, 400)).collect());
    let two = trace(&[vec![step(W0), gpu]]);
    assert_eq!(codes(&two), [("time-bases", 50)]);
    let Repaired { trace: new, touched, old_op } = repaired(&two, &[Repair::TimeBases]).unwrap();
    assert_eq!(codes(&new), []);
    assert_eq!(rows(&new, "/device:GPU:0/stream:1")[1], ("k".to_owned(), 500, 400));
    assert_eq!(rows(&new, W0), rows(&two, W0), "the host's clock stays");
    let names: Vec<_> = touched.iter().map(|&device| new.text(new.devices().get(device).name)).collect();
    assert_eq!((names, old_op.len()), (vec!["/device:GPU:0/stream:1"], 90));
}

#[test]
fn single_absurd_times_are_left_out() {
    let mut ill = step(W0);
    ill.1.push(("early", -YEAR, 5));
    ill.1.push(("endless", 7_000, YEAR));
    let ill = trace(&[vec![ill]]);
    assert_eq!(codes(&ill), [("far-ops", 2)]);
    let new = repaired(&ill, &[Repair::FarOps, Repair::TimeBases]).unwrap().trace;
    assert_eq!(codes(&new), []);
    assert_eq!(new.ops().len(), 40);
    // A repair that was not asked for is not done.
    assert!(repaired(&ill, &[Repair::SameDevices]).is_none());
}

#[test]
fn a_device_with_two_names_is_one() {
    let old = "/job:w/replica:0/task:0/cpu:0";
    let two = trace(&[vec![step(W0), (old, vec![("more", 100_000, 10)])]]);
    assert_eq!(codes(&two), [("same-devices", 1)]);
    let new = repaired(&two, &[Repair::SameDevices]).unwrap().trace;
    assert_eq!((new.devices().len(), rows(&new, W0).len(), codes(&new)), (1, 41, vec![]));
}

#[test]
fn what_was_opened_twice_counts_once() {
    let mut again = step(W0);
    again.1.push(("only here", 41_000, 5));
    let twice = trace(&[vec![step(W0)], vec![again]]);
    // Of two ops with the same time, the one of the earlier part comes first.
    assert_eq!(codes(&twice), [("repeated-ops", 40)]);
    let new = repaired(&twice, &[Repair::RepeatedOps]).unwrap().trace;
    assert_eq!((new.ops().len(), codes(&new)), (41, vec![]));
    assert_eq!(new.parts().iter().map(|part| part.ops).collect::<Vec<_>>(), [40, 1]);
}

#[test]
fn tasks_that_are_only_spoken_of_are_missing() {
    let mut builder = TraceBuilder::default();
    let slot = builder.begin_device();
    builder.name_device(slot, W0.as_bytes());
    let label = format!("[8B] edge_1_x from /job:ps/replica:0/task:3/device:CPU:0 to {W0}");
    let times = OpTimes { start_unix_ns: NOW, length_ns: 10, ..OpTimes::default() };
    builder.op(slot, &OpRecord { name: b"RecvTensor", label: label.as_bytes(), times }).unwrap();
    let device = &b"/job:w/replica:0/task:7/device:CPU:0"[..];
    builder.graph_node(&GraphNodeRecord { name: b"n", device, ..GraphNodeRecord::default() });
    let trace = builder.finish(&Default::default());
    let found = findings(&trace);
    let found_tasks = found.iter().map(|finding| match &finding.kind {
        FindingKind::MissingTask(task) => (task.as_str(), finding.count),
        _ => ("", 0),
    });
    let found_tasks: Vec<_> = found_tasks.collect();
    assert_eq!(found_tasks, [("/job:ps/replica:0/task:3", 1), ("/job:w/replica:0/task:7", 0)]);
}

#[test]
fn a_gap_in_the_numbers_of_tasks_is_a_missing_one() {
    let devices = [0, 1, 3].map(|task| format!("/job:w/replica:0/task:{task}/device:CPU:0"));
    let three = trace(&[devices.iter().map(|device| step(device)).collect()]);
    let kinds: Vec<FindingKind> = findings(&three).into_iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::MissingTask("/job:w/replica:0/task:2".to_owned())]);
}

#[test]
fn what_is_only_to_be_known_needs_no_repair() {
    let all = ("/device:GPU:0/stream:all", vec![("k", 0, 5)]);
    let one = ("/device:GPU:0/stream:13", vec![("k", 0, 5), ("z", 6, 0)]);
    let gpu = trace(&[vec![all, one]]);
    assert_eq!(codes(&gpu), [("repeated-streams", 1), ("zero-lengths", 1)]);
    assert!(findings(&gpu).iter().all(|finding| finding.kind.is_note()));
}

/// An op whose allocator reports these figures: total, peak, live, and each allocation or free.
fn with_memory(total: i64, peak: i64, live: i64, records: &[i64]) -> Trace {
    let mut builder = TraceBuilder::default();
    let slot = builder.begin_device();
    builder.name_device(slot, W0.as_bytes());
    let times = OpTimes { start_unix_ns: NOW, length_ns: 900, ..OpTimes::default() };
    builder.op(slot, &OpRecord { name: b"op", label: b"", times }).unwrap();
    builder.allocator_use(b"cpu", total, peak, live, None);
    for (place, &bytes) in records.iter().enumerate() {
        builder.allocation(NOW + place as i64, bytes);
    }
    builder.finish(&Default::default())
}

#[test]
fn memory_that_cannot_be_is_found() {
    for (total, peak, live, records) in
        [(10, 10, 10, &[10][..]), (10, 6, 0, &[6, -6, 4, -4]), (10, 0, 0, &[]), (0, 0, 0, &[-5])]
    {
        assert_eq!(codes(&with_memory(total, peak, live, records)), [], "{total} {peak} {live} {records:?}");
    }
    for (total, peak, live, records) in [
        // A peak above the total; more at the end than at the peak; records that add up to more than the total.
        (10, 11, 0, &[][..]),
        (10, 6, 7, &[]),
        (10, 10, 10, &[6, 5]),
        (i64::MAX, i64::MAX, 0, &[i64::MAX, i64::MAX]),
    ] {
        let found = codes(&with_memory(total, peak, live, records));
        assert_eq!(found, [("impossible-memory", 1)], "{total} {peak} {live} {records:?}");
    }
}
