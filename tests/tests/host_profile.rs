//! `/host:CPU` of TensorFlow 1.14 to 2.3: joined to the executor's ops, and counted nowhere. Against what `tests/releases/read.py` reads in the
//! same files with nothing but Python's standard library.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;
use steplens_core::causality::threads::Threads;
use steplens_core::doctor::findings;
use steplens_core::host_profile::{EventKind, HostProfile};
use steplens_core::model::device::DeviceKind;
use steplens_core::network::tracer_figures::tracer_figures;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::timeline::grouping::Arrangement;
use steplens_core::{Category, Nanos, OpId, Study, Trace, View};
use steplens_formats::{Limits, Opener};
use steplens_tests::fixtures::bytes_of;
use steplens_tests::proto::NodeExecStats;
use steplens_tests::writer::{BASE_UNIX_NS, Scenario, WORKER, op, open};

const RELEASES: [&str; 7] = [
    "function-apart-2.2.3",
    "queue-1.8.0",
    "queue-1.14.0",
    "concurrent-2.2.3",
    "cluster-processes-1.15.5",
    "cluster-2.2.3",
    "multidevice-2.2.3",
];

fn unpacked(file: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(bytes_of(&format!("releases/{file}.gz")).as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn recorded(release: &str) -> Trace {
    open(&unpacked(&format!("{release}.pb"))).trace
}

/// What Python reads, by file.
fn second_reading() -> BTreeMap<String, Value> {
    let read: Vec<Value> = serde_json::from_slice(&unpacked("read.json")).unwrap();
    let name = |own: &Value| own["file"].as_str().unwrap().trim_end_matches(".pb").to_owned();
    read.into_iter().map(|own| (name(&own), own)).collect()
}

fn device_name(trace: &Trace, op: OpId) -> &str {
    trace.text(trace.devices().get(trace.device_of(op)).name)
}

#[test]
fn figures_are_those_of_a_second_reading() {
    let read = second_reading();
    for release in RELEASES {
        let (study, read) = (Study::new(recorded(release)), &read[release]);
        let trace = study.trace();
        assert_eq!(trace.span().length().0, read["span"].as_i64().unwrap(), "{release}");
        assert_eq!(trace.counted_ops() as u64, read["ops"].as_u64().unwrap(), "{release}");
        let of_executor = |id: &_| !trace.devices().is_host_profiler(*id);
        let devices: Vec<_> = trace.devices().ids().filter(of_executor).collect();
        assert_eq!(devices.len(), read["devices"].as_object().unwrap().len(), "{release}");
        for id in devices {
            let device = trace.devices().get(id);
            let read = &read["devices"][trace.text(device.name)];
            let waits = || trace.ops_of(id).filter_map(|op| trace.ops().queued(op));
            let lengths = trace.ops_of(id).map(|op| trace.ops().interval(op).length().0);
            let own = [
                i64::from(device.op_count),
                lengths.sum(),
                study.split(Some(id), trace.span()).busy.0,
                waits().count() as i64,
                waits().map(|wait| wait.0).sum(),
            ];
            let expected =
                ["ops", "sum", "busy", "scheduled", "queued"].map(|figure| read[figure].as_i64().unwrap());
            assert_eq!(own, expected, "{release} {}", trace.text(device.name));
        }
    }
}

#[test]
fn every_event_of_the_step_is_the_op_and_on_the_thread_of_a_second_reading() {
    let read = second_reading();
    for release in RELEASES {
        let (study, read) = (Study::new(recorded(release)), &read[release]["host"]);
        let (trace, host) = (study.trace(), study.host_profile());
        let counts = host.counts();
        assert_eq!(counts.events as u64, read["events"].as_u64().unwrap(), "{release}");
        assert_eq!(
            (counts.joined as u64, counts.unjoined),
            (read["joined"].as_u64().unwrap(), 0),
            "{release}"
        );
        let threads = &study.causes().graph.threads;
        let own = host.joined().map(|(op, event)| {
            let key = format!("{} {} {}", device_name(trace, op), trace.ops().start(op).0, trace.op_name(op));
            (key, i64::from(host.threads()[event.thread.unwrap() as usize].number))
        });
        let own: BTreeMap<String, i64> = own.collect();
        let expected: BTreeMap<String, i64> = serde_json::from_value(read["threads"].clone()).unwrap();
        assert_eq!(own, expected, "{release}");
        // Two joined ops of devices that share threads are on one thread where they were recorded on one.
        let mut pairs = BTreeSet::new();
        for (op, event) in host.joined().filter(|&(op, _)| trace.category(op) != Category::Communication) {
            assert!(threads.is_recorded(op), "{release}");
            let sharing = threads.pools.sharing_with(trace.device_of(op));
            let group = sharing.first().copied().unwrap_or(trace.device_of(op));
            pairs.insert((group, threads.thread(op), event.thread));
        }
        let inferred: BTreeSet<_> = pairs.iter().map(|&(group, thread, _)| (group, thread)).collect();
        let of_file: BTreeSet<_> = pairs.iter().map(|&(group, _, thread)| (group, thread)).collect();
        assert_eq!((pairs.len(), pairs.len()), (inferred.len(), of_file.len()), "{release}");
    }
}

/// What was recorded of threads, and how often the stamps alone find the op that ran before on the thread, and the thread, if each inferred
/// one is taken for one recorded one, the most frequent first: the figures of docs/what-if.md.
#[test]
fn rules_find_the_op_before_on_the_thread_as_often_as_is_said() {
    let (mut joined, mut right, mut on_thread) = (0, 0, 0);
    for release in RELEASES {
        let study = Study::new(recorded(release));
        let (trace, host) = (study.trace(), study.host_profile());
        // The rules alone: as if nothing had been recorded.
        let rules = Threads::found(trace, study.transfers(), &HostProfile::default());
        let mut pairs: BTreeMap<_, u32> = BTreeMap::new();
        for device in trace.devices().ids() {
            let mut last: [BTreeMap<u32, OpId>; 2] = Default::default();
            for op in trace.ops_of(device) {
                let Some(thread) = host.thread(op) else { continue };
                joined += 1;
                let before = [last[0].insert(rules.thread(op), op), last[1].insert(thread, op)];
                right += u32::from(before[0] == before[1]);
                *pairs.entry((device, rules.thread(op), thread)).or_default() += 1;
            }
        }
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let (mut inferred, mut of_file) = (BTreeSet::new(), BTreeSet::new());
        for ((device, own, thread), count) in pairs {
            if !inferred.contains(&(device, own)) && !of_file.contains(&(device, thread)) {
                inferred.insert((device, own));
                of_file.insert((device, thread));
                on_thread += count;
            }
        }
    }
    assert_eq!((right, on_thread, joined), KNOWN);
}

/// Of so many ops whose thread was recorded, the first and the second number.
const KNOWN: (u32, u32, u32) = (655, 599, 684);

/// The same file without what the host profiler wrote.
fn without_host(bytes: &[u8]) -> Trace {
    let mut message = steplens_tests::proto::RunMetadata::default();
    prost::Message::merge(&mut message, bytes).unwrap();
    let stats = message.step_stats.as_mut().unwrap();
    stats.dev_stats.retain(|device| device.device != "/host:CPU");
    open(&prost::Message::encode_to_vec(&message)).trace
}

/// What is said of ops, transfers, memory and op types; without what the host profiler adds to it.
fn said(study: &Study) -> [Value; 4] {
    let mut ops = serde_json::to_value(steplens_report::ops::answer(study)).unwrap();
    for op in ops["ops"].as_array_mut().unwrap() {
        op["thread"] = Value::Null;
    }
    let mut transfers = serde_json::to_value(steplens_report::transfers::answer(study)).unwrap();
    for transfer in transfers["transfers"].as_array_mut().unwrap() {
        transfer["handed_over_ns"] = Value::Null;
    }
    let mut summary = serde_json::to_value(steplens_report::summary::of(study, &[])).unwrap();
    summary.as_object_mut().unwrap().remove("host_profile");
    summary["devices"].as_array_mut().unwrap().retain(|device| device["kind"] != "host-profiler");
    let types = steplens_core::questions::op_types::op_types(
        study,
        &Range::of(study, &RangeQuery::of(study.trace().span())),
    );
    let name = |id| study.trace().text(id);
    let types =
        types.iter().map(|own| format!("{} {} {:?} {:?}", name(own.op_type), own.count, own.total, own.p99));
    [ops, transfers, summary, types.collect()]
}

#[test]
fn every_figure_is_that_of_the_file_without_it() {
    for release in RELEASES {
        let bytes = unpacked(&format!("{release}.pb"));
        let (with, without) = (Study::new(open(&bytes).trace), Study::new(without_host(&bytes)));
        let span = with.trace().span();
        assert_eq!(span, without.trace().span(), "{release}");
        assert_eq!(with.step_split(span), without.step_split(span), "{release}");
        assert_eq!(with.together().split(span), without.together().split(span), "{release}");
        assert_eq!(with.bar().len(), without.bar().len(), "{release}");
        let [with_it, without_it] = [&with, &without].map(said);
        assert_eq!(with_it, without_it, "{release}");
        let path = |study: &Study| study.causes().floor.length;
        assert_eq!(path(&with), path(&without), "{release}");
        assert_eq!(with.transfers().rows().len(), without.transfers().rows().len(), "{release}");
        let on_path = with.causes().observed.segments.iter();
        assert!(
            on_path
                .clone()
                .all(|own| !with.trace().devices().is_host_profiler(with.trace().device_of(own.op)))
        );
    }
}

#[test]
fn tensors_are_handed_over_between_the_end_of_their_producer_and_their_sending() {
    for (release, known) in
        [("cluster-2.2.3", 45), ("cluster-processes-1.15.5", 57), ("multidevice-2.2.3", 3)]
    {
        let study = Study::new(recorded(release));
        let mut found = 0;
        for (id, transfer) in study.transfers().all() {
            let Some(at) = study.handed_over(id) else { continue };
            found += 1;
            let times = study.times(id);
            // The profiler's microseconds are rounded down.
            assert!(times.producer_end.unwrap() <= at + HostProfile::ROUNDING, "{release}");
            assert!(times.sent.is_none_or(|sent| at <= sent + HostProfile::ROUNDING), "{release}");
            assert!(transfer.producer.is_ok());
        }
        assert_eq!(found, known, "{release}");
    }
}

#[test]
fn lanes_by_thread_are_the_threads_that_were_recorded() {
    let mut study = Study::new(recorded("concurrent-2.2.3"));
    study.arrange(Arrangement::Thread);
    let trace = Arc::clone(study.trace());
    let names = |kind: DeviceKind| -> Vec<String> {
        let device = trace.devices().ids().find(|&id| trace.devices().get(id).kind == kind).unwrap();
        study.lanes().groups(device).into_iter().map(|group| group.name).collect()
    };
    let is_pool = |name: &&String| name.starts_with("tf_Compute (");
    let executor = names(DeviceKind::Cpu);
    assert_eq!(executor.iter().filter(is_pool).count(), 2);
    assert!(executor.contains(&"thread not recorded".to_owned()), "{executor:?}");
    let host = names(DeviceKind::HostProfiler);
    assert_eq!(host.iter().filter(|name| *name == "other runs of sessions").count(), 1, "{host:?}");
}

/// `timeline.py` loses labels and threads of the events: they count nowhere all the same, and no thread is made up.
#[test]
fn a_timeline_of_it_counts_it_nowhere() {
    for release in ["queue-1.14.0", "concurrent-2.2.3"] {
        let mut opener = Opener::new(Default::default(), Limits::default());
        opener.begin_file("timeline.json");
        opener.push(&unpacked(&format!("{release}.ctf.json")));
        opener.end_file();
        let study = Study::new(opener.finish().unwrap().trace);
        let (trace, read) = (study.trace(), &second_reading()[release]);
        assert_eq!(trace.counted_ops() as u64, read["ops"].as_u64().unwrap());
        // In whole microseconds.
        assert!((trace.span().length().0 - read["span"].as_i64().unwrap()).abs() < 200_000);
        assert_eq!(study.bar().len(), 1);
        let host = study.host_profile();
        assert!(host.counts().joined > 0 && host.threads().is_empty());
        assert!(study.causes().graph.threads.rules.iter().all(|rule| rule.recorded == 0));
    }
}

const HOST: &str = "/host:CPU";

/// As the host profiler records: whole microseconds, and no nanoseconds.
fn event(name: &str, label: &str, start_us: i64, length_us: i64, thread_id: u32) -> NodeExecStats {
    NodeExecStats {
        node_name: name.to_owned(),
        timeline_label: label.to_owned(),
        all_start_micros: BASE_UNIX_NS / 1_000 + start_us,
        all_end_rel_micros: length_us,
        thread_id,
        ..NodeExecStats::default()
    }
}

fn codes(study: &Study) -> Vec<&'static str> {
    findings(study.trace()).iter().map(|finding| finding.kind.code()).collect()
}

#[test]
fn events_of_another_run_are_no_ops_of_the_step() {
    let scenario = Scenario::new()
        .device(WORKER, [op("a = Add(x)", 100_000, 10_000), op("a = Add(x)", 120_000, 10_000)])
        .device(
            HOST,
            [
                event("SessionRun", "id=7", 0, 500, 9),
                event("a:Add", "id=42", 101, 5, 1),
                event("a:Add", "id=43", 102, 5, 2),
                event("a:Add", "id=42", 121, 5, 1),
                event("b:Mul", "id=42", 122, 5, 1),
            ],
        );
    let study = scenario.study();
    let (trace, host) = (study.trace(), study.host_profile());
    assert_eq!(trace.span().length(), Nanos(30_000), "what another run did does not stretch the step");
    let kinds: Vec<_> = host.events().iter().map(|own| own.kind.word()).collect();
    assert_eq!(kinds, ["other-run", "joined", "other-run", "joined", "unjoined"]);
    let ops: Vec<_> = trace.ops().ids().take(trace.counted_ops()).collect();
    assert_eq!(
        ops.iter().map(|&op| host.event(host.of_op(op).unwrap().event).unwrap().kind).collect::<Vec<_>>(),
        ops.iter().map(|&op| EventKind::Joined(op)).collect::<Vec<_>>()
    );
    assert_eq!(codes(&study), ["host-profile"], "one event without its op is no finding");
}

#[test]
fn many_events_without_an_op_are_a_finding() {
    let unknown: Vec<_> = (0..5).map(|n| event(&format!("x{n}:Add"), "id=1", 100 + n, 1, 1)).collect();
    let scenario = Scenario::new()
        .device(WORKER, [op("a = Add(x)", 100_000, 10_000)])
        .device(HOST, [vec![event("a:Add", "id=1", 101, 5, 1)], unknown].concat());
    let study = scenario.study();
    assert_eq!(codes(&study), ["host-profile", "host-events-unjoined"]);
}

#[test]
fn threads_of_two_processes_with_one_number_are_two() {
    let other = "/job:worker/replica:0/task:1/device:CPU:0";
    let label = |device: &str| format!("id=1,device={device},async=false");
    let scenario = Scenario::new()
        .device(WORKER, [op("a = Add(x)", 100_000, 50_000)])
        .device(other, [op("a = Add(x)", 110_000, 50_000)])
        .device(
            HOST,
            [event("a:Add", &label(WORKER), 101, 45, 5), event("a:Add", &label(other), 111, 45, 5)],
        );
    let study = scenario.study();
    let host = study.host_profile();
    assert_eq!((host.counts().joined, host.threads().len()), (2, 2));
    assert!(study.causes().graph.threads.pools.sharing().next().is_none());
}

#[test]
fn alone_it_is_all_there_is_of_the_host() {
    let scenario = Scenario::new().device(HOST, [op("a = Add(x)", 100_000, 10_000)]);
    let study = scenario.study();
    assert_eq!((study.trace().counted_ops(), study.host_profile().is_empty()), (1, true));
    assert_eq!(study.step_split(study.trace().span()).compute, Nanos(10_000));
}

#[test]
fn a_step_and_aligned_clocks_keep_what_is_known_of_threads() {
    let whole = Arc::new(recorded("cluster-processes-1.15.5"));
    let choice =
        steplens_core::clocks::ClockChoice::of_words(["/job:worker/replica:0/task:1=5000000"]).unwrap();
    let clocks = Arc::new(View::default().clocks_of(&whole));
    let set =
        View { clocks: Some(steplens_core::clocks::ClockSetting { choice, clocks }), ..View::default() };
    let (before, after) = (Study::of_view(&whole, View::default()), Study::of_view(&whole, set));
    let joined = |study: &Study| study.host_profile().counts().joined;
    assert_eq!(joined(&before), joined(&after));
}

/// What tensorflow-tracer 1.1.0 says of the executor's devices, by its own code; with `/host:CPU` it counts ops twice, and other runs.
#[test]
fn figures_of_tensorflow_tracer_are_those_of_the_executor() {
    let said: Value = serde_json::from_slice(&bytes_of("releases/tracer.json")).unwrap();
    let figure = |of: &Value, name: &str| of[name]["/job:"].as_i64().unwrap();
    let expected = |of: &Value| {
        ["step_time", "communication_time", "communication_elapsed_time", "computation_time"]
            .map(|name| figure(of, name))
    };
    let own = |study: &Study| {
        let figures = tracer_figures(study.trace());
        [figures.step_us, figures.communication_us, figures.communication_elapsed_us, busy_us(study.trace())]
    };
    for release in RELEASES {
        let study = Study::new(recorded(release));
        assert_eq!(own(&study), expected(&said[format!("{release}.pb")]), "{release}");
    }
    let mut opener = Opener::new(Default::default(), Limits::default());
    opener.begin_file("session.pickle.gz");
    opener.push(&bytes_of("releases/tracer-1.15.5.pickle.gz"));
    opener.end_file();
    let whole = Arc::new(opener.finish().unwrap().trace);
    let runs = said["session"].as_array().unwrap();
    let steps = Study::of_view(&whole, View::default()).steps();
    let step = |step| Study::of_view(&whole, View { step: Some(step), ..View::default() });
    let (mut of_steps, mut of_runs): (Vec<_>, Vec<_>) =
        ((0..steps).map(|row| own(&step(row))).collect(), runs.iter().map(expected).collect());
    of_steps.sort_unstable();
    of_runs.sort_unstable();
    assert_eq!(of_steps, of_runs);
}

/// How long at least one op ran, in the microseconds to which TensorFlow cuts starts and ends.
fn busy_us(trace: &Trace) -> i64 {
    let us = |ns: i64| (trace.origin_unix_ns() + ns).div_euclid(1_000);
    let counted = trace.ops().ids().take(trace.counted_ops()).map(|op| trace.ops().interval(op));
    let mut own: Vec<_> = counted.map(|own| (us(own.start.0), us(own.end.0))).collect();
    own.sort_unstable();
    let (mut total, mut until) = (0, i64::MIN);
    for (start, end) in own {
        total += (end - start.max(until)).max(0);
        until = until.max(end);
    }
    total
}

/// They repeat what others ran: only who asks for their device wants them.
#[test]
fn its_events_are_found_by_their_device_alone() {
    let scenario = Scenario::new()
        .device(WORKER, [op("a = Add(x)", 100_000, 50_000)])
        .device(HOST, [event("a:Add", "id=1,async=false", 101, 45, 5)]);
    let study = scenario.study();
    let trace = study.trace();
    let are_of_host = |query: &str| -> Vec<bool> {
        let matches = Matches::of(trace, study.lanes(), &Pattern::new(query, false).unwrap()).unwrap();
        let found = matches.listed(trace);
        found.iter().map(|&op| trace.devices().is_host_profiler(trace.device_of(op))).collect()
    };
    assert_eq!(are_of_host("Add"), [false]);
    assert_eq!(are_of_host(&format!("device:{HOST}")), [true]);
}
