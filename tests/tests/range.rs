//! Laws of ranges on random small traces: every figure against a definition that is slow and plain.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::op_list::{Filter, OpColumn, OpList};
use steplens_core::questions::op_types::{Place, op_types};
use steplens_core::questions::range::{Range, RangeQuery, links};
use steplens_core::questions::strips;
use steplens_core::search::matches::Matches;
use steplens_core::timeline::grouping::Arrangement;
use steplens_core::{Category, DeviceId, Interval, LaneId, Nanos, OpId, Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::steps::{count_nanoseconds, step, window};
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

/// A choice of one device in four, and of lanes by a bit each.
type Choice = (Option<u32>, Option<u64>);

fn choice() -> impl Strategy<Value = Choice> {
    (proptest::option::of(0_u32..3), proptest::option::of(any::<u64>()))
}

fn query(study: &Study, window: Interval, (device, lanes): Choice) -> RangeQuery {
    let count = study.trace().devices().len() as u32;
    let is_chosen = |bits: u64| move |lane: &LaneId| bits >> (lane.get() % 64) & 1 == 1;
    let all = || (0..study.lanes().len()).map(LaneId::from_usize);
    RangeQuery {
        window,
        device: device.map(|device| DeviceId::new(device % count)),
        accelerator: false,
        lanes: lanes.map(|bits| all().filter(is_chosen(bits)).collect()),
    }
}

fn is_chosen(study: &Study, query: &RangeQuery, op: OpId) -> bool {
    query.device.is_none_or(|device| device == study.trace().device_of(op))
        && query.lanes.as_ref().is_none_or(|lanes| lanes.contains(&study.lanes().lane(op)))
}

fn overlaps(interval: Interval, window: Interval) -> bool {
    interval.start < window.end && (interval.end > window.start || interval.start >= window.start)
}

/// Between devices of one task no op records a transfer: it is in the whole step, and no smaller range says that there is none.
#[test]
fn transfers_without_a_time_are_in_the_whole_step() {
    let study = Study::new(open(&bytes_of("multidev.pb")).trace);
    let Interval { start, end } = study.trace().span();
    let devices = study.trace().devices();
    let figures = |window: Interval, device: Option<DeviceId>| {
        let query = RangeQuery { device, ..RangeQuery::of(window) };
        let range = Range::of(&study, &query);
        let links = links(&study, &range);
        let others = study.transfers().rows().iter().filter(|transfer| range.may_hold(transfer)).count();
        (
            links.iter().map(|link| link.count).sum::<u64>(),
            links.iter().map(|link| link.bytes.0).sum::<u64>(),
            others,
        )
    };
    let whole = Interval { start, end: Timestamp(end.0 + 1) };
    assert_eq!(figures(whole, None), (6, 6 * (256 << 10), 0));
    assert_eq!(figures(Interval { start, end: Timestamp(end.0 / 2) }, None), (0, 0, 6));
    // Three go to CPU:0 and one to each other device.
    let each: Vec<_> = devices.ids().map(|device| figures(whole, Some(device)).0).collect();
    assert_eq!(each, [3, 1, 1, 1]);
    let part = figures(Interval { start, end: Timestamp(end.0 / 2) }, devices.ids().next());
    assert_eq!(part, (0, 0, 3));
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_range_holds_the_chosen_ops_that_overlap(
        step in step(),
        window in window(),
        choice in choice(),
        by in select(&[Arrangement::Packed, Arrangement::OpType][..]),
    ) {
        let mut study = step.study();
        study.arrange(by);
        let query = query(&study, window, choice);
        let range = Range::of(&study, &query);
        let trace = study.trace();
        let chosen: Vec<OpId> = trace.ops().ids().filter(|&op| is_chosen(&study, &query, op)).collect();
        for device in trace.devices().ids() {
            let own = |op: &&OpId| trace.device_of(**op) == device;
            let wanted: Vec<OpId> = chosen.iter().filter(own).copied().collect();
            prop_assert_eq!(range.split(device), count_nanoseconds(&study, &wanted, window));
            if range.devices().all(|chosen| chosen != device) {
                prop_assert!(wanted.is_empty());
                continue;
            }
            let wanted: Vec<OpId> = wanted.into_iter().filter(|&op| overlaps(trace.ops().interval(op), window)).collect();
            prop_assert_eq!(range.count(device), wanted.len());
            let mut got: Vec<OpId> = range.ops(device).collect();
            got.sort();
            prop_assert_eq!(got, wanted);
        }
        prop_assert_eq!(range.split_together(), count_nanoseconds(&study, &chosen, window));
    }

    #[test]
    fn a_list_holds_the_ops_in_order_of_its_column(
        step in step(),
        window in window(),
        choice in choice(),
        descending in any::<bool>(),
    ) {
        let study = step.study();
        let query = query(&study, window, choice);
        let trace = study.trace();
        let is_listed = |op: &OpId| is_chosen(&study, &query, *op) && overlaps(trace.ops().interval(*op), window);
        let mut wanted: Vec<OpId> = trace.ops().ids().filter(is_listed).collect();
        wanted.sort_by_key(|&op| trace.ops().start(op));
        let op_type = |op: OpId| trace.text(trace.nodes().op_type(trace.ops().node(op)));
        for column in [
            OpColumn::Name,
            OpColumn::OpType,
            OpColumn::Category,
            OpColumn::Device,
            OpColumn::Length,
            OpColumn::Start,
            OpColumn::Queued,
            OpColumn::Output,
        ] {
            let mut wanted = wanted.clone();
            let compared = |&a: &OpId, &b: &OpId| {
                let length = |op| trace.ops().interval(op).length();
                let ascending = match column {
                    OpColumn::Start => trace.ops().start(a).cmp(&trace.ops().start(b)),
                    OpColumn::Length => length(a).cmp(&length(b)),
                    OpColumn::Name => study.title(a).cmp(study.title(b)),
                    OpColumn::OpType => op_type(a).cmp(op_type(b)),
                    OpColumn::Category => trace.category(a).cmp(&trace.category(b)),
                    OpColumn::Device => trace.device_of(a).cmp(&trace.device_of(b)),
                    OpColumn::Queued => trace.ops().queued(a).cmp(&trace.ops().queued(b)),
                    OpColumn::Output => {
                        trace.outputs().requested_bytes(a).cmp(&trace.outputs().requested_bytes(b))
                    }
                };
                if descending { ascending.reverse() } else { ascending }
            };
            // Equal ones stay in order of start.
            wanted.sort_by(compared);
            let list = OpList::of(&study, query.clone(), (column, descending), Filter::default(), &[]);
            prop_assert!(list.answers(&query, (column, descending), &Filter::default()));
            prop_assert!(!list.answers(&query, (column, !descending), &Filter::default()));
            prop_assert_eq!(list.ops(), &wanted);
            let filter = Filter { lengths: Some((Nanos(2), Nanos(9))), ..Filter::default() };
            let found = Matches::of_ops(trace, study.lanes(), |op| op_type(op) == "Mul");
            let list = OpList::of(&study, query.clone(), (column, descending), filter.clone(), &[&found]);
            let is_left = |op: &OpId| op_type(*op) == "Mul" && (2..9).contains(&trace.ops().interval(*op).length().0);
            prop_assert_eq!(list.ops(), wanted.into_iter().filter(is_left).collect::<Vec<_>>());
            prop_assert!(list.answers(&query, (column, descending), &filter));
        }
    }

    #[test]
    fn op_types_are_what_sorting_says(step in step(), window in window(), choice in choice()) {
        let study = step.study();
        let query = query(&study, window, choice);
        let trace = study.trace();
        let accelerators: Vec<DeviceId> = accelerators(trace).into_iter().flat_map(|own| own.devices).collect();
        let place = |op: OpId| match accelerators.contains(&trace.device_of(op)) {
            true => Place::Accelerator,
            false => Place::Host,
        };
        let mut wanted: BTreeMap<(&str, Category, Place), (Vec<i64>, i64)> = BTreeMap::new();
        for op in trace.ops().ids().filter(|&op| is_chosen(&study, &query, op)) {
            let interval = trace.ops().interval(op);
            if overlaps(interval, window) {
                let row = wanted.entry((trace.text(trace.nodes().op_type(trace.ops().node(op))), trace.category(op), place(op))).or_default();
                row.0.push(interval.length().0);
                row.1 += (interval.end.min(window.end) - interval.start.max(window.start)).0;
            }
        }
        let rows = op_types(&study, &Range::of(&study, &query));
        prop_assert!(rows.is_sorted_by_key(|row| (row.place, Reverse(row.total))));
        prop_assert_eq!(rows.len(), wanted.len());
        for row in rows {
            let (lengths, inside) = wanted.get_mut(&(trace.text(row.op_type), row.category, row.place)).expect("a type of the range");
            lengths.sort_unstable();
            // The smallest length that at least so many of a hundred do not exceed.
            let nearest = |percent: usize| {
                let covers = |&&length: &&i64| lengths.iter().filter(|&&other| other <= length).count() * 100 >= percent * lengths.len();
                *lengths.iter().find(covers).expect("the longest covers all")
            };
            prop_assert_eq!((row.count as usize, row.total.0), (lengths.len(), *inside));
            prop_assert_eq!(row.mean().0, lengths.iter().sum::<i64>() / lengths.len() as i64);
            prop_assert_eq!((row.p50.0, row.p99.0), (nearest(50), nearest(99)));
            prop_assert_eq!(trace.ops().interval(row.longest).length().0, lengths[lengths.len() - 1]);
        }
    }

    #[test]
    fn each_receipt_is_in_one_of_two_windows_that_touch(
        received in vec((0_i64..50, 0_i64..20, 0_i64..100, any::<bool>()), 1..30),
        start in 0_i64..80_000,
        lengths in (0_i64..60_000, 0_i64..60_000),
    ) {
        let row = |&(start, length, bytes, to_worker): &(i64, i64, i64, bool)| {
            let (source, destination) = if to_worker { (PS, WORKER) } else { (WORKER, PS) };
            (destination, recv("edge_1_a", source, destination, bytes, start, length))
        };
        let rows: Vec<_> = received.iter().map(row).collect();
        let to = |device: &str| rows.iter().filter(|row| row.0 == device).map(|row| row.1.clone()).collect::<Vec<_>>();
        let study = Scenario::new().device(PS, to(PS)).device(WORKER, to(WORKER)).study();
        let figures = |start: i64, end: i64| {
            let query = RangeQuery::of(Interval::new(Timestamp(start), Timestamp(end)));
            let range = Range::of(&study, &query);
            let links = links(&study, &range);
            assert!(links.is_sorted_by(|a, b| a.bytes >= b.bytes) && links.len() <= 2);
            let overlapping = range.devices().map(|device| range.count(device)).sum::<usize>();
            let count: u64 = links.iter().map(|link| link.count).sum();
            assert!(count as usize <= overlapping);
            (count, links.iter().map(|link| link.bytes.0).sum::<u64>())
        };
        let (middle, end) = (start + lengths.0, start + lengths.0 + lengths.1);
        let (first, second, both) = (figures(start, middle), figures(middle, end), figures(start, end));
        prop_assert_eq!((first.0 + second.0, first.1 + second.1), both);
        let all = figures(0, study.trace().span().end.0 + 1);
        prop_assert_eq!(all, (received.len() as u64, received.iter().map(|row| row.2 as u64).sum::<u64>()));
    }
}

#[test]
fn a_gpu_of_several_streams_is_one_choice_and_counts_nothing_twice() {
    let ops = |rows: &[(i64, i64)]| {
        rows.iter().map(|&(start, length)| op("a = Mul()", start, length)).collect::<Vec<_>>()
    };
    let study = Scenario::new()
        .device(WORKER, ops(&[(0, 100)]))
        .device("/device:GPU:0/memcpy", ops(&[(30, 10)]))
        .device("/device:GPU:0/stream:7", ops(&[(0, 10), (20, 10)]))
        .device("/device:GPU:0/stream:8", ops(&[(5, 10), (30, 10)]))
        .device("/device:GPU:0/stream:all", ops(&[(0, 10), (5, 10), (20, 10)]))
        .study();
    let trace = study.trace();
    let gpu = accelerators(trace).remove(0);
    assert_eq!(gpu.devices.len(), 4);
    let scale = trace.span().length().0 / 100;
    for &device in &gpu.devices {
        let query = RangeQuery { device: Some(device), accelerator: true, ..RangeQuery::of(trace.span()) };
        let range = Range::of(&study, &query);
        assert_eq!(range.counted_ops().count(), 4);
        let split = range.split_together();
        // What stands on `memcpy`, too, is a copy: the last one.
        assert_eq!(
            (split.compute.0, split.exposed_copy.0, split.busy.0),
            (25 * scale, 10 * scale, 35 * scale)
        );
        assert_eq!(range.step_split(), split);
        // Of all of its devices, as a page asks while everything is chosen.
        let all = Range::of(&study, &RangeQuery::of(trace.span()));
        assert_eq!(all.split_of(&gpu.devices), split);
        // A stream alone is a stream alone.
        let alone = Range::of(&study, &RangeQuery { accelerator: false, ..query });
        assert_eq!(alone.counted_ops().count(), trace.devices().get(device).op_count as usize);
    }
    let strip = strips::strips(&study, &gpu.devices[..1], trace.span(), 2.0);
    let average: f32 = strip[0].iter().sum();
    assert!((average - 0.4).abs() < 1e-5, "{average}: four ops of 10 in 100, each once");
}
