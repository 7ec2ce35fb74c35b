//! Laws of ops in flight, on random traces of some hundred ops, against a count of every nanosecond.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use steplens_core::questions::concurrency::concurrency;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::questions::strips::exposed;
use steplens_core::timeline::colors::{COLORS, FLIGHT_PARTS};
use steplens_core::timeline::in_flight::{InFlight, Slices};
use steplens_core::{Category, DeviceId, Interval, LaneId, Nanos, OpId, Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::steps::LABELS;
use steplens_tests::writer::{PS, Scenario, WORKER, op};

/// Label, start and length of an op: most are short, so that there are many checkpoints, and some run all the time.
type Row = (&'static str, i64, i64);

fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let length = prop_oneof![1 => Just(0_i64), 16 => 1_i64..12, 3 => 12_i64..90, 1 => 500_i64..4_000];
    vec((select(&LABELS[..]), prop_oneof![0_i64..1_500, 1_400_i64..1_410], length), 1..most)
}

fn study(worker: &[Row], ps: &[Row]) -> Study {
    let ops = |rows: &[Row]| {
        rows.iter().map(|&(label, start, length)| op(label, start, length)).collect::<Vec<_>>()
    };
    Scenario::new().device(WORKER, ops(worker)).device(PS, ops(ps)).study()
}

/// By nanosecond of `window` and category, how many of `ops` run.
fn count(study: &Study, window: Interval, ops: &[OpId]) -> Vec<[u32; Category::PARTS]> {
    let mut counts = vec![[0; Category::PARTS]; window.length().0 as usize];
    for &op in ops {
        let interval = study.trace().ops().interval(op).clamp_to(window);
        for now in interval.start.0..interval.end.0 {
            counts[(now - window.start.0) as usize][study.trace().category(op) as usize] += 1;
        }
    }
    counts
}

/// The average over `[start, end)`, in nanoseconds from where the counts start.
fn average(counts: &[[u32; Category::PARTS]], category: usize, start: f64, end: f64) -> f64 {
    let inside = |now: usize| (end.min(now as f64 + 1.0) - start.max(now as f64)).max(0.0);
    (start as usize..(end.ceil() as usize).min(counts.len()))
        .map(|now| inside(now) * f64::from(counts[now][category]))
        .sum::<f64>()
        / (end - start)
}

fn close(got: f32, wanted: f64) -> bool {
    (f64::from(got) - wanted).abs() <= 1e-4 * wanted.max(1.0)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn strips_are_what_each_nanosecond_says(
        rows in rows(700),
        start in -50_i64..1_600,
        width in prop_oneof![0.01..0.9_f64, 1.0..3.0_f64, 3.0..200.0_f64],
        columns in 1_usize..120,
    ) {
        let study = study(&[], &rows);
        let device = DeviceId::new(0);
        let all: Vec<OpId> = study.trace().ops().ids().collect();
        let window = Interval::new(Timestamp(start), Timestamp(start) + Nanos((width * columns as f64).ceil() as i64 + 1));
        let counts = count(&study, window, &all);
        let mut averages = vec![[0.0; FLIGHT_PARTS]; columns];
        study.in_flight(device).add_averages(study.trace(), study.colors(), &Slices::new(Timestamp(start), width), &mut averages);
        for (column, got) in averages.iter().enumerate() {
            for category in 0..Category::PARTS {
                let got = got[category] + got[COLORS + category];
                let wanted = average(&counts, category, column as f64 * width, (column + 1) as f64 * width);
                prop_assert!(close(got, wanted), "column {column} of {width} ns: {got} and not {wanted}");
            }
        }
    }

    #[test]
    fn exposed_is_what_each_nanosecond_says(
        rows in rows(300),
        start in -50_i64..1_600,
        width in 2_i64..90,
        columns in 1_usize..60,
        is_split_first in any::<bool>(),
    ) {
        let study = study(&[], &rows);
        let device = DeviceId::new(0);
        if is_split_first {
            study.split(Some(device), study.trace().span());
        }
        let all: Vec<OpId> = study.trace().ops().ids().collect();
        let window = Interval::new(Timestamp(start), Timestamp(start + width * columns as i64));
        let counts = count(&study, window, &all);
        // Columns are two pixels wide.
        let shares = exposed(&study, &[device], window, columns as f64 * 2.0);
        prop_assert_eq!(shares.len(), columns);
        let communication = Category::Communication as usize;
        for (column, &got) in shares.iter().enumerate() {
            let own = &counts[column * width as usize..(column + 1) * width as usize];
            let all = own.iter().filter(|counts| counts[communication] > 0).count();
            let alone = own.iter().filter(|counts| counts[communication] > 0 && counts[..communication].iter().all(|&ran| ran == 0)).count();
            let wanted = if all > 0 { alone as f64 / all as f64 } else { 0.0 };
            prop_assert!((f64::from(got) - wanted).abs() < 1e-3, "column {column}: {got} and not {wanted}");
        }
    }

    #[test]
    fn concurrency_is_what_each_nanosecond_says(
        worker in rows(200),
        ps in rows(200),
        window in (-50_i64..1_600, 0_i64..3_000),
        slices in 1_usize..60,
        device in proptest::option::of(0_u32..2),
        lanes in proptest::option::of(any::<u64>()),
    ) {
        let study = study(&worker, &ps);
        let window = Interval::new(Timestamp(window.0), Timestamp(window.0 + window.1));
        let is_chosen = |lane: LaneId| lanes.is_none_or(|bits| bits >> (lane.get() % 64) & 1 == 1);
        let all_lanes = (0..study.lanes().len()).map(LaneId::from_usize);
        let query = RangeQuery {
            window,
            device: device.map(DeviceId::new),
            accelerator: false,
            lanes: lanes.is_some().then(|| all_lanes.filter(|&lane| is_chosen(lane)).collect()),
        };
        let of_device = |op| query.device.is_none_or(|device| study.trace().device_of(op) == device);
        let chosen: Vec<OpId> = study.trace().ops().ids().filter(|&op| of_device(op) && is_chosen(study.lanes().lane(op))).collect();
        let counts = count(&study, window, &chosen);
        let got = concurrency(&study, &Range::of(&study, &query), slices);
        prop_assert_eq!(got.averages.len(), slices);
        let width = window.length().0 as f64 / slices as f64;
        for category in Category::parts().map(|category| category as usize) {
            prop_assert_eq!(got.peaks[category], counts.iter().map(|counts| counts[category]).max().unwrap_or(0));
            for (slice, averages) in got.averages.iter().enumerate().filter(|_| width > 0.0) {
                let wanted = average(&counts, category, slice as f64 * width, (slice + 1) as f64 * width);
                prop_assert!(close(averages[category], wanted), "slice {slice}: {} and not {wanted}", averages[category]);
            }
        }
        prop_assert_eq!(got.peak, counts.iter().map(|counts| counts.iter().sum()).max().unwrap_or(0));
    }
}

#[test]
fn the_index_takes_about_a_byte_an_op_whatever_overlaps() {
    let ops = 20_000_i64;
    // One after the other; each together with many; all at once.
    for length in [1, 5_000, 1_000_000] {
        let rows: Vec<Row> = (0..ops).map(|number| (LABELS[0], number * 2, length)).collect();
        let study = study(&[], &rows);
        let bytes = InFlight::counted(study.trace(), DeviceId::new(0), study.colors()).heap_bytes();
        assert!(bytes as i64 <= ops * 5 / 4, "{bytes} bytes for {ops} ops of {length} ns");
    }
}
