//! The export for Perfetto, parsed by prost from the schema: one epoch of names, lanes in order, slices that pair, arrows that point forwards.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::{CategoryRules, Study};
use steplens_export::{ArrowCounts, perfetto};
use steplens_formats::Opener;
use steplens_tests::fixtures::{fixture, fixtures_and_samples};
use steplens_tests::perfetto::{Trace, TrackDescriptor};
use steplens_tests::writer::{Scenario, WORKER, op};

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("a", bytes, CategoryRules::default()).unwrap().trace)
}

fn written(study: &Study) -> (Trace, ArrowCounts) {
    let mut out = Vec::new();
    let counts = perfetto::write(study, &mut out).unwrap();
    let trace = Trace::decode(out.as_slice()).unwrap();
    // Nothing was written that the schema does not know.
    assert_eq!(trace.encoded_len(), out.len());
    (trace, counts)
}

/// (start, end, name, category) of every slice of a track, in the order of the file.
type Slices = Vec<(u64, u64, String, String)>;

/// What a viewer makes of the packets.
struct Read {
    tracks: BTreeMap<u64, TrackDescriptor>,
    slices: BTreeMap<u64, Slices>,
    counters: BTreeMap<u64, Vec<(u64, i64)>>,
    /// By number: when it leaves, when it arrives.
    arrows: BTreeMap<u64, [Vec<u64>; 2]>,
}

fn read(trace: &Trace) -> Read {
    let mut read = Read {
        tracks: BTreeMap::new(),
        slices: BTreeMap::new(),
        counters: BTreeMap::new(),
        arrows: BTreeMap::new(),
    };
    let (mut names, mut categories) = (BTreeMap::new(), BTreeMap::new());
    let mut open: BTreeMap<u64, (u64, String, String)> = BTreeMap::new();
    for (place, packet) in trace.packet.iter().enumerate() {
        assert_eq!(packet.trusted_packet_sequence_id(), 1, "one sequence");
        assert_eq!(packet.sequence_flags(), if place == 0 { 3 } else { 2 }, "one epoch");
        if let Some(interned) = &packet.interned_data {
            for (known, new) in
                [(&mut names, &interned.event_names), (&mut categories, &interned.event_categories)]
            {
                for name in new {
                    assert!(known.insert(name.iid(), name.name().to_owned()).is_none(), "interned once");
                }
            }
        }
        if let Some(track) = &packet.track_descriptor {
            assert!(track.parent_uuid.is_none_or(|parent| read.tracks.contains_key(&parent)));
            assert!(read.tracks.insert(track.uuid(), track.clone()).is_none(), "a track is described once");
        }
        let Some(event) = &packet.track_event else { continue };
        let (at, track) = (packet.timestamp(), event.track_uuid());
        assert!(read.tracks.contains_key(&track), "a track is described before its events");
        assert_eq!(event.flow_ids, event.flow_ids_old);
        assert_eq!(event.terminating_flow_ids, event.terminating_flow_ids_old);
        for (end, ids) in [&event.flow_ids, &event.terminating_flow_ids].into_iter().enumerate() {
            ids.iter().for_each(|&id| read.arrows.entry(id).or_default()[end].push(at));
        }
        match event.r#type() {
            1 => {
                let (name, category) = (&names[&event.name_iid()], &categories[&event.category_iids[0]]);
                let last = open.insert(track, (at, name.clone(), category.clone()));
                assert_eq!(last, None, "slices of a track never nest");
            }
            2 => {
                let (start, name, category) = open.remove(&track).unwrap();
                let slices = read.slices.entry(track).or_default();
                assert!(slices.last().is_none_or(|last| last.1 <= start), "in order of time");
                slices.push((start, at, name, category));
            }
            4 => read.counters.entry(track).or_default().push((at, event.counter_value())),
            other => panic!("an event of type {other}"),
        }
    }
    assert!(open.is_empty(), "every slice ends");
    read
}

#[test]
fn lanes_slices_and_names_are_those_of_the_study() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let (trace, lanes) = (study.trace(), study.lanes());
        let (written, counts) = written(&study);
        let read = read(&written);
        let process = |name: &str| {
            let is_own = |track: &&TrackDescriptor| {
                track.process.as_ref().is_some_and(|own| own.process_name() == name)
            };
            read.tracks.values().find(is_own).unwrap().uuid()
        };
        let ranks = |tracks: &[&TrackDescriptor]| -> Vec<i32> {
            tracks.iter().map(|track| track.sibling_order_rank()).collect()
        };
        let mut slices = 0;
        let first = trace.ops().ids().map(|op| trace.ops().start(op).0).min().unwrap().min(0);
        for device in trace.devices().ids() {
            let parent = process(trace.text(trace.devices().get(device).name));
            let mut own: Vec<_> = read
                .tracks
                .values()
                .filter(|track| track.parent_uuid == Some(parent) && track.counter.is_none())
                .collect();
            // By rank, as the viewer shows them, and of one rank in the order of the file.
            own.sort_by_key(|track| (track.sibling_order_rank(), track.uuid()));
            assert_eq!(own.len(), lanes.of_device(device).len(), "{}", fixture.name);
            // Processes come in the order of devices. Below one: counters, lanes of ops one by one, lanes of communication in one place.
            let process = &read.tracks[&parent];
            let place = device.get() as i32;
            assert_eq!((process.sibling_order_rank(), process.child_ordering()), (place, 3));
            assert_eq!(process.process.as_ref().unwrap().pid(), place + 1);
            let (of_ops, of_communication) = own.split_at(lanes.op_lanes(device));
            assert!(ranks(of_ops).windows(2).all(|pair| pair[0] < pair[1]), "{}", fixture.name);
            assert!(ranks(of_communication).windows(2).all(|pair| pair[0] == pair[1]), "{}", fixture.name);
            let (last, next) = (ranks(of_ops).last().copied(), ranks(of_communication).first().copied());
            assert!(last.is_none() || next.is_none() || last < next, "{}", fixture.name);
            let first_lane = ranks(&own).first().copied().unwrap_or(i32::MAX);
            let is_counter =
                |track: &&TrackDescriptor| track.parent_uuid == Some(parent) && track.counter.is_some();
            assert!(
                read.tracks.values().filter(is_counter).all(|track| track.sibling_order_rank() < first_lane)
            );
            for (place, (lane, track)) in lanes.of_device(device).zip(own).enumerate() {
                let is_of_ops = place < lanes.op_lanes(device);
                assert_eq!(track.sibling_merge_behavior(), if is_of_ops { 2 } else { 1 });
                assert_eq!(track.name() == "communication", !is_of_ops);
                let expected = lanes.ops(lane).iter().map(|&op| {
                    let own = trace.ops().interval(op);
                    let [start, end] = [own.start, own.end].map(|at| (at.0 - first) as u64);
                    (start, end, study.title(op).to_owned(), trace.category(op).word().to_owned())
                });
                let expected: Slices = expected.collect();
                slices += expected.len();
                assert_eq!(
                    read.slices.get(&track.uuid()).unwrap_or(&Vec::new()),
                    &expected,
                    "{}",
                    fixture.name
                );
            }
        }
        assert_eq!(slices, trace.ops().len());
        assert_eq!(read.slices.values().map(Vec::len).sum::<usize>(), slices);
        assert_eq!(read.arrows.len() as u64, counts.drawn, "{}", fixture.name);
        for (id, [leaves, arrives]) in &read.arrows {
            assert!(matches!((leaves[..].len(), arrives[..].len()), (1, 1)), "{} {id}", fixture.name);
            assert!(leaves[0] < arrives[0], "{}: arrow {id} turns round", fixture.name);
        }
    }
}

/// At every moment the counter is how many ops cover it, counted anew from the ops.
#[test]
fn counters_are_what_is_counted_anew() {
    let study = study(&fixture("ps4w").bytes);
    let (trace, read) = (study.trace(), read(&written(&study).0));
    for device in trace.devices().ids() {
        let name = trace.text(trace.devices().get(device).name);
        let is_own =
            |track: &&TrackDescriptor| track.process.as_ref().is_some_and(|own| own.process_name() == name);
        let parent = read.tracks.values().find(is_own).unwrap().uuid();
        let counter = read
            .tracks
            .values()
            .find(|track| track.parent_uuid == Some(parent) && track.name() == "ops in flight");
        let values = &read.counters[&counter.unwrap().uuid()];
        let moments: BTreeSet<u64> = trace
            .ops_of(device)
            .flat_map(|op| [trace.ops().start(op), trace.ops().end(op)])
            .map(|at| at.0 as u64)
            .collect();
        for at in moments {
            let cover = trace.ops_of(device).filter(|&op| {
                let own = trace.ops().interval(op);
                (own.start.0 as u64) <= at && at < own.end.0 as u64
            });
            let last = values.iter().rev().find(|value| value.0 <= at);
            assert_eq!(last.map_or(0, |value| value.1), cover.count() as i64, "{name} at {at}");
        }
    }
    let bytes = read.tracks.values().find(|track| track.name() == "bytes in transit").unwrap();
    let values = &read.counters[&bytes.uuid()];
    assert!(values.iter().all(|value| value.1 >= 0));
    assert_eq!(values.last().unwrap().1, 0, "everything arrives");
}

#[test]
fn hostile_names_are_only_text() {
    let name = "\u{0}</x>\n\u{202e} = A(b)";
    let study = Scenario::new().device(WORKER, [op(name, 0, 10)]).study();
    let read = read(&written(&study).0);
    let slice = read.slices.values().next().unwrap()[0].clone();
    assert_eq!(slice.2, study.trace().op_name(study.trace().ops().ids().next().unwrap()));
}
