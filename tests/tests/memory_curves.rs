//! Which bytes were alive when: each reading against an independent one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use steplens_core::makers::Source;
use steplens_core::memory::why::Holders;
use steplens_core::memory::{Account, By, Reading, alive, boxes, timeline_py};
use steplens_core::{Bytes, Interval, OpId, Study, Timestamp};
use steplens_tests::fixtures::fixtures_and_samples;
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::samples::sample;
use steplens_tests::writer::{Scenario, WORKER, op, open};

fn studies() -> impl Iterator<Item = (String, Vec<u8>, Study)> {
    fixtures_and_samples().into_iter().map(|fixture| {
        let study = Study::new(open(&fixture.bytes).trace);
        (fixture.name, fixture.bytes, study)
    })
}

#[test]
fn maximums_are_those_of_timeline_py() {
    let Some(metrics) = sample("reference/metrics.json") else { return };
    let metrics: Value = serde_json::from_slice(&metrics).unwrap();
    let mut compared = 0;
    for (name, _, study) in studies() {
        let Some(expected) = metrics.get(&name).map(|own| &own["allocator_maximums"]) else {
            assert_eq!(name, "ps4w-skewed", "the reference lacks a file");
            continue;
        };
        let trace = study.trace();
        let found: serde_json::Map<String, Value> = timeline_py::maximums(trace)
            .into_iter()
            .map(|own| {
                let figures = serde_json::json!({
                    "num_bytes": own.num_bytes, "tensors": own.tensors, "timestamp_us": own.timestamp_us,
                });
                (trace.text(own.allocator).to_owned(), figures)
            })
            .collect();
        assert_eq!(Value::Object(found), *expected, "{name}");
        for account in &study.memory(Reading::TimelinePy).accounts {
            let own = &expected[trace.text(account.allocator)];
            let (bytes, at) = account.peak();
            assert_eq!(bytes.0, own["num_bytes"].as_u64().unwrap(), "{name}");
            if bytes.0 > 0 {
                assert_eq!(trace.unix_ns(at) / 1_000, own["timestamp_us"].as_i64().unwrap(), "{name}");
            }
        }
        compared += 1;
    }
    assert!(compared >= 7, "{compared}");
}

#[test]
fn counters_are_those_of_timeline_py() {
    for (name, _, study) in studies() {
        if name == "ps4w-skewed" {
            continue;
        }
        let Some(file) = sample(&format!("reference/{name}.memory.ctf.json.gz")) else { continue };
        let mut text = String::new();
        GzDecoder::new(file.as_slice()).read_to_string(&mut text).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let mut expected: BTreeMap<String, Vec<(i64, u64)>> = BTreeMap::new();
        for event in json["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "C") {
            let allocator = event["name"].as_str().unwrap();
            let bytes = event["args"][allocator].as_u64().unwrap();
            expected.entry(allocator.to_owned()).or_default().push((event["ts"].as_i64().unwrap(), bytes));
        }
        let text = |allocator| study.trace().text(allocator).to_owned();
        let found: BTreeMap<_, _> =
            timeline_py::counters(study.trace()).into_iter().map(|(own, steps)| (text(own), steps)).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{name}");
        for (allocator, steps) in &found {
            assert!(*steps == expected[allocator], "{name} {allocator}");
        }
    }
}

#[test]
fn records_add_up_at_every_event() {
    let mut events = 0;
    for (name, bytes, study) in studies() {
        let metadata = RunMetadata::decode(bytes.as_slice()).unwrap();
        // (device, allocator) to (time, bytes), as prost reads them.
        let mut expected: BTreeMap<(String, String), Vec<(i64, i64)>> = BTreeMap::new();
        for device in metadata.step_stats.iter().flat_map(|stats| &stats.dev_stats) {
            for used in device.node_stats.iter().flat_map(|op| &op.memory) {
                let own = expected.entry((device.device.clone(), used.allocator_name.clone())).or_default();
                own.extend(
                    used.allocation_records.iter().map(|own| (own.alloc_micros * 1_000, own.alloc_bytes)),
                );
            }
        }
        expected.retain(|_, records| !records.is_empty());
        let (trace, memory) = (study.trace(), study.memory(Reading::Records));
        let device =
            |account: &Account| trace.text(trace.devices().get(account.device.unwrap()).name).to_owned();
        let found: BTreeMap<_, _> = memory
            .accounts
            .iter()
            .map(|account| ((device(account), trace.text(account.allocator).to_owned()), account))
            .collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{name}");
        for (key, records) in &expected {
            let account = found[key];
            let sum =
                |until: i64| records.iter().filter(|(at, _)| *at <= until).map(|own| own.1).sum::<i64>();
            let mut peak = 0;
            for &(at, _) in records {
                let level = sum(at) + account.before.0 as i64;
                let own = account.curve.at(Timestamp(at - trace.origin_unix_ns()));
                assert_eq!(own.0 as i64, level, "{name} {key:?}");
                peak = peak.max(level);
            }
            assert_eq!(account.peak().0.0 as i64, peak, "{name} {key:?}");
            events += records.len();
        }
    }
    assert!(events > 5_000, "{events}");
}

/// The output whose bytes output `row` of `op` is, one step at a time.
fn plain_root(study: &Study, mut op: OpId, mut row: u32) -> (OpId, u32) {
    const HANDS_ON: [&str; 19] = [
        "Identity",
        "RefIdentity",
        "Reshape",
        "ExpandDims",
        "Squeeze",
        "StopGradient",
        "PreventGradient",
        "Enter",
        "RefEnter",
        "Exit",
        "RefExit",
        "Merge",
        "RefMerge",
        "Switch",
        "RefSwitch",
        "NextIteration",
        "RefNextIteration",
        "Bitcast",
        "PlaceholderWithDefault",
    ];
    let (trace, nodes) = (study.trace(), study.trace().nodes());
    for _ in 0..10_000 {
        let output = trace.outputs().of(op).nth(row as usize).unwrap();
        let op_type = trace.text(nodes.op_type(trace.ops().node(op)));
        let holds = ["Const", "HostConst", "Variable", "VariableV2", "AutoReloadVariable", "VarHandleOp"];
        if !(HANDS_ON.contains(&op_type) || output.dtype > 100)
            || holds.contains(&op_type)
            || op_type == "ReadVariableOp"
        {
            break;
        }
        let Some(&(maker, place)) = plain_inputs(study, op).first() else { break };
        let input = trace.outputs().of(maker).nth(place as usize).unwrap();
        if (input.requested, input.allocator) != (output.requested, output.allocator)
            || output.requested == Bytes(0)
        {
            break;
        }
        (op, row) = (maker, place);
    }
    (op, row)
}

/// What `op` reads, by its edges alone: (maker, which of its outputs).
fn plain_inputs(study: &Study, op: OpId) -> Vec<(OpId, u32)> {
    let (edges, trace) = (study.edges(), study.trace());
    let place = |maker: OpId, slot: u32| {
        let row = trace.outputs().of(maker).position(|own| own.slot as u32 == slot)?;
        Some((maker, row as u32))
    };
    if let Some(transfer) = study.transfers().of_op(op) {
        let slot = transfer.output(trace).slot;
        return transfer.producer.ok().and_then(|maker| place(maker, slot)).into_iter().collect();
    }
    let mut inputs = Vec::new();
    for edge in edges.inputs(op, usize::MAX).into_iter().filter(|edge| !edge.input.control) {
        inputs.extend(match edge.source {
            Source::Op(maker) => place(maker, edge.input.slot),
            Source::Transfer(id) => {
                let transfer = study.transfers().get(id);
                match (transfer.op, transfer.producer) {
                    (Some(op), _) => place(op, 0),
                    (None, Ok(maker)) => place(maker, transfer.output(trace).slot),
                    _ => None,
                }
            }
            Source::NotTaken | Source::NotRecorded => None,
        });
    }
    inputs
}

#[test]
fn tensors_live_from_their_maker_to_their_last_reader() {
    for (name, _, study) in studies() {
        let (trace, ops) = (study.trace(), study.trace().ops());
        let mut ends: HashMap<(OpId, u32), Timestamp> = HashMap::new();
        for op in ops.ids() {
            let own = (0..trace.outputs().of(op).count() as u32).map(|row| (op, row));
            for (maker, row) in own.chain(plain_inputs(&study, op)) {
                let end = ends.entry(plain_root(&study, maker, row)).or_insert(ops.end(op));
                *end = (*end).max(ops.end(op));
            }
        }
        let mut lives = 0;
        for account in &study.memory(Reading::Tensors).accounts {
            for life in account.lives.iter() {
                let key = (life.op, life.output.unwrap());
                let output = trace.outputs().of(life.op).nth(key.1 as usize).unwrap();
                assert_eq!((output.requested, output.allocator), (life.bytes, account.allocator), "{name}");
                if let Some(start) = life.allocated {
                    assert_eq!(start, ops.start(life.op), "{name}");
                    assert_eq!(life.freed, ends.get(&key).copied(), "{name} {}", trace.op_name(life.op));
                }
                lives += 1;
            }
        }
        // All of them: each output with bytes of its own once, but for what is there before, once by name.
        let own = |(op, row): &&(OpId, u32)| {
            trace.outputs().of(*op).nth(*row as usize).unwrap().requested > Bytes(0)
        };
        assert!(lives <= ends.keys().filter(own).count(), "{name}");
    }
}

#[test]
fn what_is_alive_adds_up_to_the_curve() {
    for (name, _, study) in studies() {
        for reading in Reading::ALL {
            for account in &study.memory(reading).accounts {
                let (peak, at) = account.peak();
                for at in [at, Timestamp(0), study.trace().span().end, Timestamp(i64::MIN)] {
                    for by in By::ALL {
                        let groups = alive::alive(study.edges(), account, at, by).rows;
                        let sum: Bytes = groups.iter().map(|group| group.bytes).sum();
                        assert_eq!(sum, account.curve.at(at), "{name} {reading:?} {by:?}");
                    }
                    check_groups(&study, account, at);
                }
                let highest = account
                    .lives
                    .iter()
                    .filter_map(|life| life.allocated)
                    .map(|at| account.curve.at(at))
                    .max();
                assert_eq!(highest.unwrap_or(Bytes(0)).max(account.before), peak, "{name} {reading:?}");
            }
        }
    }
}

/// A group begins with the first of its lives, and ends with the last; where one begins or ends is not recorded, nor is it of the group.
fn check_groups(study: &Study, account: &Account, at: Timestamp) {
    let trace = study.trace();
    for group in alive::alive(study.edges(), account, at, By::OpType).rows {
        let alive::Key::OpType(wanted) = group.key else { panic!("by op type") };
        let op_type = |op: OpId| trace.text(trace.nodes().op_type(trace.ops().node(op)));
        let lives = account.lives.iter().filter(|life| life.is_alive(at) && op_type(life.op) == wanted);
        let ends: Vec<_> = lives.map(|life| (life.allocated, life.freed)).collect();
        let last = ends.iter().map(|own| own.1.map_or(i64::MAX, |at| at.0)).max().unwrap();
        let first = ends.iter().map(|own| own.0).min().unwrap();
        let of_group = (group.allocated, group.freed.map_or(i64::MAX, |at| at.0));
        assert_eq!((group.count, of_group), (ends.len() as u64, (first, last)), "{wanted}");
    }
}

#[test]
fn boxes_lie_on_one_another_and_below_the_curve() {
    for (name, _, study) in studies() {
        for account in &study.memory(Reading::Tensors).accounts {
            let span = study.trace().span();
            let window = Interval { start: Timestamp(span.end.0 / 5), end: Timestamp(span.end.0 / 5 * 4) };
            let pieces = boxes::boxes(account, window, 40);
            for piece in &pieces {
                let at = piece.interval.start;
                let own: Vec<_> =
                    pieces.iter().filter(|own| own.interval.start <= at && at < own.interval.end).collect();
                let below: Bytes =
                    own.iter().filter(|own| own.above < piece.above).map(|own| own.bytes).sum();
                assert_eq!(below, piece.above, "{name}");
                let all: Bytes = own.iter().map(|own| own.bytes).sum();
                assert!(all <= account.curve.at(at), "{name}");
                assert!(account.lives.get(piece.life).is_alive(at), "{name}");
            }
            // They are the largest, and of equal ones the first.
            let within = |row: usize| {
                let life = account.lives.get(row);
                let start = life.allocated.map_or(window.start, |at| at.max(window.start));
                (start, life.freed.map_or(window.end, |at| at.min(window.end)))
            };
            let meets = |&row: &usize| {
                let life = account.lives.get(row);
                life.allocated.is_none_or(|at| at < window.end)
                    && life.freed.is_none_or(|at| at > window.start)
            };
            let mut largest: Vec<usize> = (0..account.lives.len()).filter(meets).collect();
            largest.sort_by_key(|&row| (Reverse(account.lives.get(row).bytes), row));
            largest.truncate(40);
            largest.retain(|&row| within(row).0 < within(row).1);
            let shown: BTreeSet<usize> = pieces.iter().map(|piece| piece.life).collect();
            assert_eq!(shown, largest.into_iter().collect(), "{name}");
        }
    }
}

/// Which tensors are alive for `op` alone, the plain way: without it, nobody who is running leads to who reads them.
#[test]
fn what_an_op_keeps_is_what_no_way_around_it_leads_to() {
    for (name, _, study) in studies().filter(|(name, ..)| name != "ps4w-skewed") {
        let (trace, reads, ops) = (study.trace(), study.reads(), study.trace().ops());
        let Some(account) = study.memory(Reading::Tensors).accounts.iter().max_by_key(|own| own.peak().0)
        else {
            continue;
        };
        let at = account.peak().1;
        let holders = Holders::found(trace, reads, account, at);
        let pending = |op: OpId| ops.end(op) > at;
        let makers = |op: OpId| {
            let own = reads.of_op(op).iter().map(|&output| reads.made_by(output).0);
            own.filter(move |&maker| pending(maker) && (ops.start(maker), maker) < (ops.start(op), op))
        };
        for holder in holders.largest(5) {
            // Ops that something leads to without `holder`, in order of start.
            let mut order: Vec<OpId> = ops.ids().filter(|&op| pending(op)).collect();
            order.sort_by_key(|&op| (ops.start(op), op));
            let mut is_reached: HashMap<OpId, bool> = HashMap::new();
            for &op in &order {
                let all: Vec<OpId> = makers(op).collect();
                let reached =
                    op != holder.op && (all.is_empty() || all.iter().any(|maker| is_reached[maker]));
                is_reached.insert(op, reached);
            }
            let mut kept = (Bytes(0), 0);
            let freed = |row: &usize| account.lives.get(*row).freed.is_some();
            for row in account.lives.alive_at(at).filter(freed) {
                let life = account.lives.get(row);
                let root = reads.number(life.op, life.output.unwrap()).map(|own| reads.root(own)).unwrap();
                let waiting: Vec<OpId> = reads.readers(root).into_iter().filter(|&op| pending(op)).collect();
                if !waiting.is_empty() && waiting.iter().all(|reader| !is_reached[reader]) {
                    kept = (Bytes(kept.0.0 + life.bytes.0), kept.1 + 1);
                }
            }
            assert_eq!((holder.bytes, holder.tensors), kept, "{name} {}", trace.op_name(holder.op));
        }
    }
}

/// An op with one output of `bytes`, and allocation records of its own.
fn allocating(label: &str, start_ns: i64, bytes: i64, records: &[(i64, i64)]) -> NodeExecStats {
    op(label, start_ns, 1_000).output(0, 1, &[1], bytes).memory("cpu", records)
}

#[test]
fn sizes_and_times_beyond_all_bounds_are_counted_and_never_panic() {
    let records: [&[(i64, i64)]; 5] = [
        &[(1_000, i64::MAX), (2_000, i64::MAX), (3_000, -i64::MAX)],
        &[(5_000, -64), (6_000, 64)],
        &[(-1 << 62, i64::MIN), (1 << 62, -1), (0, 0)],
        &[(9_000, 8), (9_000, -8), (7_000, -8)],
        &[(1_000, -1); 100],
    ];
    let ops = records.iter().zip(0..).map(|(records, i)| {
        allocating(&format!("op{i} = Op()"), i * 10_000, [i64::MAX, -5, i64::MIN, 0, 7][i as usize], records)
    });
    let opened = Scenario::new().device(WORKER, ops).open();
    let negative: u64 =
        opened.files[0].problems.iter().filter(|own| own.code == "negative-size").map(|own| own.count).sum();
    assert_eq!(negative, 2);
    let study = Study::new(opened.trace);
    let memory = study.memory(Reading::Records);
    assert_eq!(memory.faults.frees_alone, 1 + 2 + 1 + 100);
    assert!(memory.faults.too_large > 0);
    for reading in Reading::ALL {
        for account in &study.memory(reading).accounts {
            let all = Interval { start: Timestamp(i64::MIN), end: Timestamp(i64::MAX) };
            assert_eq!(account.curve.maxima(all, 100).len(), 100);
            boxes::boxes(account, all, 3);
            for at in [i64::MIN, -1, 0, 4_000, 1 << 40, i64::MAX].map(Timestamp) {
                let holders = Holders::found(study.trace(), study.reads(), account, at);
                for row in 0..account.lives.len() {
                    holders.why(study.trace(), study.reads(), account, row);
                }
            }
        }
    }
}

#[test]
fn a_last_reader_that_waits_keeps_what_it_alone_will_read() {
    // `big` is read by `sum`, which waits for `slow` although `big` was there long before.
    let ops = [
        op("big = Make()", 0, 1_000).output(0, 1, &[1], 1_000),
        op("first = Make()", 0, 2_000).output(0, 1, &[1], 10),
        op("slow = Work(first)", 2_000, 50_000).output(0, 1, &[1], 30),
        op("kept = Identity(slow)", 52_000, 1_000).output(0, 1, &[1], 30),
        op("sum = Add(big, kept)", 60_000, 1_000).output(0, 1, &[1], 500),
        op("end = Use(sum)", 70_000, 1_000),
    ];
    let study = Scenario::new().device(WORKER, ops).study();
    let (trace, reads) = (study.trace(), study.reads());
    let [account] = &study.memory(Reading::Tensors).accounts[..] else { panic!("one account") };
    let at = Timestamp(20_000);
    assert_eq!(account.curve.at(at), Bytes(1_000 + 10 + 30));
    let holders = Holders::found(trace, reads, account, at);
    let named = |op: OpId| trace.op_name(op);
    let kept: Vec<_> =
        holders.largest(9).iter().map(|own| (named(own.op), own.bytes.0, own.tensors)).collect();
    // `slow` reads `first`, and `sum` comes after it by `kept`, which hands its bytes on.
    assert_eq!(kept, [("slow", 1_040, 3), ("kept", 1_030, 2), ("sum", 1_000, 1)]);
    let row = account.lives.alive_at(at).find(|&row| named(account.lives.get(row).op) == "big").unwrap();
    let why = holders.why(trace, reads, account, row);
    let last = why.last.unwrap();
    assert_eq!((named(last.op), last.waited_for.map(named)), ("sum", Some("kept")));
    assert_eq!((last.ready, last.late.0), (Timestamp(53_000), 7_000));
    assert_eq!((last.would_free, last.would_need), (Bytes(0), Bytes(0)));
    assert_eq!(why.holders.iter().map(|own| named(own.op)).collect::<Vec<_>>(), ["sum", "kept", "slow"]);
    // At its end, `slow` has ended.
    let holders = Holders::found(trace, reads, account, Timestamp(52_000));
    let kept: Vec<_> =
        holders.largest(9).iter().map(|own| (named(own.op), own.bytes.0, own.tensors)).collect();
    assert_eq!(kept, [("kept", 1_030, 2), ("sum", 1_000, 1)]);
    // Later, all its inputs are there, and `sum` could have ended.
    let holders = Holders::found(trace, reads, account, Timestamp(58_000));
    let last = holders.why(trace, reads, account, row).last.unwrap();
    assert_eq!((last.would_free, last.would_need), (Bytes(1_030), Bytes(500)));
}
