//! Links and their traffic over generated clusters, against plain slow sums; and on recorded files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use steplens_core::transfers::Transfer;
use steplens_core::transfers::copies::{HOST, copies};
use steplens_core::transfers::links::{Between, Load, Matrix, Moved, Route, place};
use steplens_core::transfers::traffic::{PEAK_WINDOW, Traffic};
use steplens_core::{Interval, Nanos, Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::fixture;
use steplens_tests::samples::sample;
use steplens_tests::writer::{Scenario, open, recv};

/// Source, destination, bytes, start and length of a transfer, in microseconds.
type Row = (usize, usize, i64, i64, i64);

/// Tasks of two devices each; one device of the last task records nothing.
fn device(number: usize) -> String {
    format!("/job:worker/replica:0/task:{}/device:CPU:{}", number / 2, number % 2)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    // Lengths of 1 us are clamped: they have a receipt and no time on the wire.
    let length = prop_oneof![1 => Just(1_i64), 5 => 2_i64..40, 1 => 200_i64..900];
    vec((0_usize..8, 0_usize..7, 0_i64..5_000, 0_i64..1_000, length), 1..120)
}

fn study(rows: &[Row]) -> Study {
    let mut scenario = Scenario::new();
    for destination in 0..7 {
        let own = rows.iter().filter(|row| row.1 == destination && row.0 != row.1);
        let ops = own.map(|&(source, _, bytes, start, length)| {
            recv("edge_1_w", &device(source), &device(destination), bytes, start, length)
        });
        scenario = scenario.device(&device(destination), ops);
    }
    scenario.study()
}

/// What a transfer is, read apart from the code under test.
fn all(study: &Study, between: Between) -> Vec<(&str, &str, Moved)> {
    let row = |transfer: Transfer| (transfer, Moved::with(study.trace(), &transfer));
    let ends = |id| match between {
        Between::Devices => study.trace().text(id),
        Between::Tasks => study.trace().text(id).split("/device:").next().unwrap(),
    };
    study
        .transfers()
        .rows()
        .iter()
        .map(row)
        .map(|(transfer, moved)| (ends(transfer.source), ends(transfer.destination), moved))
        .collect()
}

/// What `of` come to, by brute force.
fn sum<'a>(of: impl Iterator<Item = &'a Moved>) -> Load {
    let moved: Vec<&Moved> = of.collect();
    let mut lengths: Vec<i64> = moved.iter().filter_map(|one| one.wire).map(|wire| wire.length().0).collect();
    lengths.sort_unstable();
    let rank = |percent: usize| {
        lengths.get((lengths.len() * percent).div_ceil(100).wrapping_sub(1)).map(|&ns| Nanos(ns))
    };
    let timed = || moved.iter().filter(|one| one.wire.is_some());
    // Every time here is a whole microsecond.
    let is_busy = |us: i64| {
        timed().filter_map(|one| one.wire).any(|wire| wire.start.0 <= us * 1_000 && us * 1_000 < wire.end.0)
    };
    Load {
        count: moved.len() as u64,
        bytes: moved.iter().map(|one| one.bytes).sum(),
        timed: lengths.len() as u64,
        timed_bytes: timed().map(|one| one.bytes).sum(),
        busy: Nanos((0..2_000).filter(|&us| is_busy(us)).count() as i64 * 1_000),
        p50: rank(50),
        p99: rank(99),
        largest: None,
        first: timed().filter_map(|one| one.wire).map(|wire| wire.start).min(),
        last: moved.iter().filter_map(|one| one.received).max(),
    }
}

fn plain(load: &Load) -> Load {
    Load { largest: None, ..*load }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_matrix_adds_up_to_its_transfers(rows in rows()) {
        let study = study(&rows);
        for between in [Between::Devices, Between::Tasks] {
            let matrix = Matrix::summed(study.trace(), study.transfers(), between);
            let all = all(&study, between);
            prop_assert!(matrix.places.windows(2).all(|pair| pair[0] != pair[1]));
            for link in &matrix.links {
                let ends = (matrix.places[link.source as usize], matrix.places[link.destination as usize]);
                let own = all.iter().filter(|row| (row.0, row.1) == ends).map(|row| &row.2);
                prop_assert_eq!(plain(&link.load), sum(own));
            }
            for (name, (sent, received)) in matrix.places.iter().zip(matrix.sent.iter().zip(&matrix.received)) {
                prop_assert_eq!(plain(sent), sum(all.iter().filter(|row| row.0 == *name).map(|row| &row.2)));
                prop_assert_eq!(plain(received), sum(all.iter().filter(|row| row.1 == *name).map(|row| &row.2)));
            }
            prop_assert_eq!(plain(&matrix.all), sum(all.iter().map(|row| &row.2)));
            let total = |of: &dyn Fn(&Load) -> u64| -> Vec<u64> {
                let loads: [Vec<&Load>; 4] = [
                    matrix.links.iter().map(|link| &link.load).collect(),
                    matrix.sent.iter().collect(),
                    matrix.received.iter().collect(),
                    vec![&matrix.all],
                ];
                loads.iter().map(|loads| loads.iter().map(|load| of(load)).sum()).collect()
            };
            for totals in [total(&|load| load.bytes.0), total(&|load| load.count), total(&|load| load.timed)] {
                prop_assert!(totals.iter().all(|&one| one == totals[3]), "{totals:?}");
            }
            let largest = matrix.all.largest.map(|row| study.transfers().rows().get(row as usize).unwrap().bytes);
            prop_assert_eq!(largest, all.iter().map(|row| row.2.bytes).max());
        }
    }

    #[test]
    fn traffic_is_what_each_slice_of_each_transfer_says(
        rows in rows(),
        start in -100_000_i64..1_200_000,
        width in 1_i64..3_000_000,
        count in 1_usize..40,
        source in proptest::option::of(0_usize..4),
        destination in proptest::option::of(0_usize..4),
    ) {
        let study = study(&rows);
        let task = |number: usize| device(2 * number).split("/device:").next().unwrap().to_owned();
        let route = Route { between: Between::Tasks, source: source.map(task), destination: destination.map(task) };
        let is_at = |name: &str, end: &Option<String>| end.as_ref().is_none_or(|end| end == name);
        let all = all(&study, Between::Tasks);
        let own: Vec<&Moved> = all
            .iter()
            .filter(|row| is_at(row.0, &route.source) && is_at(row.1, &route.destination))
            .map(|row| &row.2)
            .collect();
        let traffic = Traffic::followed(study.trace(), study.transfers(), &route);
        let slice = width as f64 / count as f64;
        let rates = traffic.rates((study.trace(), study.transfers()), Timestamp(start), slice, count);
        for (at, rates) in rates.iter().enumerate() {
            let (from, to) = (start as f64 + at as f64 * slice, start as f64 + (at + 1) as f64 * slice);
            let (mut bytes, mut flown) = (0.0, 0.0);
            for moved in &own {
                match (moved.wire, moved.received) {
                    (Some(wire), _) => {
                        let inside = (to.min(wire.end.0 as f64) - from.max(wire.start.0 as f64)).max(0.0);
                        bytes += moved.bytes.0 as f64 * inside / wire.length().0 as f64;
                        flown += inside;
                    }
                    (None, Some(received)) if from <= received.0 as f64 && (received.0 as f64) < to => {
                        bytes += moved.bytes.0 as f64;
                    }
                    _ => {}
                }
            }
            let got = rates.bytes_per_second * slice / 1e9;
            // A point is kept in whole bytes.
            prop_assert!((got - bytes).abs() <= 2.0, "{got} bytes, not {bytes}");
            prop_assert!((rates.in_flight * slice - flown).abs() <= 1e-6 * flown.max(1.0), "{flown} ns");
        }
        let at_start = |now: Interval| {
            let runs = |other: &Interval| other.start <= now.start && now.start < other.end;
            (own.iter().filter_map(|one| one.wire).filter(runs).count(), std::cmp::Reverse(now.start))
        };
        // Of several moments with as many the first.
        let most = own.iter().filter_map(|one| one.wire).map(at_start).max();
        let (most, std::cmp::Reverse(at)) = most.unwrap_or_default();
        prop_assert_eq!((traffic.most_in_flight as usize, traffic.most_in_flight_at), (most, at));

        // The peak is over 1 ms, of the windows that begin or end with a change: no other holds more.
        let held = |from: i64, with_start: bool| -> f64 {
            let to = from + PEAK_WINDOW.0;
            let part = |moved: &&Moved| match (moved.wire, moved.received) {
                (Some(wire), _) => {
                    let inside = (to.min(wire.end.0) - from.max(wire.start.0)).max(0);
                    moved.bytes.0 as f64 * inside as f64 / wire.length().0 as f64
                }
                (None, Some(at)) if at.0 > from && at.0 < to => moved.bytes.0 as f64,
                (None, Some(at)) if at.0 == from && with_start || at.0 == to && !with_start => moved.bytes.0 as f64,
                _ => 0.0,
            };
            own.iter().map(part).sum()
        };
        let changes = own.iter().flat_map(|one| match one.wire {
            Some(wire) => vec![wire.start.0, wire.end.0],
            None => one.received.map(|at| at.0).into_iter().collect(),
        });
        let most = changes
            .map(|at| held(at, true).max(held(at - PEAK_WINDOW.0, false)))
            .fold(0.0, f64::max);
        prop_assert!((traffic.peak.bytes - most).abs() <= 2.0, "{} and not {most}", traffic.peak.bytes);
        let of_peak = held(traffic.peak.start.0, true).max(held(traffic.peak.start.0, false));
        prop_assert!((of_peak - most).abs() <= 2.0, "{most} from {:?}", traffic.peak);
        prop_assert!(held(start, true) <= most + 1e-6 * most);

        // Of a window, the links together carry what the route does.
        let window = Interval::new(Timestamp(start), Timestamp(start + width));
        let matrix = Matrix::within(study.trace(), study.transfers(), &route, Some(window));
        let whole = traffic.rates((study.trace(), study.transfers()), window.start, width as f64, 1)[0].bytes_per_second * width as f64 / 1e9;
        let sum: u64 = matrix.links.iter().map(|link| link.load.bytes.0).sum();
        prop_assert!((sum as f64 - whole).abs() <= own.len() as f64 + 1.0, "{sum}, not {whole}");
        let is_on = |place: u32, end: &Option<String>| is_at(matrix.places[place as usize], end);
        for link in &matrix.links {
            let is_own = is_on(link.source, &route.source) && is_on(link.destination, &route.destination);
            prop_assert!(is_own);
        }
    }
}

#[test]
fn over_the_whole_step_all_bytes_arrive() {
    for name in ["ps4w", "ps4w-skewed"] {
        let study = Study::new(open(&fixture(name).bytes).trace);
        let bytes: u64 = study.transfers().rows().iter().map(|transfer| transfer.bytes.0).sum();
        // One more nanosecond, so that what arrives with the last end is in it.
        let length = study.trace().span().length().0 + 1;
        for count in [1, 7, 1_600] {
            let slice = length as f64 / count as f64;
            let sum: f64 = study
                .traffic()
                .rates((study.trace(), study.transfers()), Timestamp(0), slice, count)
                .iter()
                .map(|rates| rates.bytes_per_second * slice / 1e9)
                .sum();
            assert!((sum - bytes as f64).abs() < 1.0, "{name}: {sum}, not {bytes}");
        }
    }
}

#[test]
fn of_a_window_the_links_with_most_bytes_are_listed() {
    // Each worker sends more than the one before it; the destination comes first by name.
    let rows: Vec<Row> = (1..8).map(|source| (source, 0, source as i64 * 100, 10, 50)).collect();
    let study = study(&rows);
    let route = Route { between: Between::Devices, source: None, destination: None };
    let said = steplens_report::network::traffic_links(&study, &route, study.trace().span());
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let bytes: Vec<u64> =
        said["links"].as_array().unwrap().iter().map(|own| own["bytes"].as_u64().unwrap()).collect();
    assert_eq!((bytes, said["more"].as_u64()), (vec![700, 600, 500, 400], Some(3)));
}

#[test]
fn the_links_of_the_main_example() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let matrix = Matrix::summed(study.trace(), study.transfers(), Between::Tasks);
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for transfer in study.transfers().rows() {
        let [source, destination] =
            [transfer.source, transfer.destination].map(|id| place(study.trace(), id, Between::Tasks));
        *counts.entry((source, destination)).or_default() += 1;
    }
    let links: BTreeMap<(&str, &str), u64> = matrix
        .links
        .iter()
        .map(|link| {
            let ends = [link.source, link.destination].map(|place| matrix.places[place as usize]);
            (ends.into(), link.load.count)
        })
        .collect();
    assert_eq!(links, counts);
    assert_eq!((matrix.places.len(), matrix.links.len(), matrix.all.count), (5, 11, 991));
    assert_eq!(matrix.all.timed, 991, "no transfer is clamped where clocks agree");
    // With clocks that disagree many are, and have no time.
    let skewed = Study::new(open(&fixture("ps4w-skewed").bytes).trace);
    let skewed = Matrix::summed(skewed.trace(), skewed.transfers(), Between::Tasks);
    assert_eq!((skewed.all.count, skewed.all.bytes), (991, matrix.all.bytes));
    assert!(skewed.all.timed < 991 && skewed.all.timed_bytes < skewed.all.bytes);
}

#[test]
fn copies_of_a_gpu_have_a_direction() {
    let Some(file) = sample("gpu/gpu-mnist.pb") else { return };
    let study = Study::new(open(&file).trace);
    let copies = copies(study.trace());
    let count = |source: &str, destination: &str| {
        let at = |place: u32| copies.places[place as usize];
        let link =
            copies.links.iter().find(|link| (at(link.source), at(link.destination)) == (source, destination));
        link.map(|link| (link.load.count, link.load.bytes.0))
    };
    const GPU: &str = "/device:GPU:0";
    // What `memcpy` holds, each once; this old TensorFlow recorded no sizes.
    assert_eq!(count(HOST, GPU), Some((2, 0)));
    assert_eq!(count(GPU, HOST), Some((1, 0)));
    assert_eq!(count(GPU, GPU), Some((8, 0)));
    assert_eq!(copies.all.count, 11);
}
