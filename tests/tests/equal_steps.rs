//! Sixty equal steps look equal far out, at every width, and zooming changes nothing but the scale.

use steplens_core::marks::{Look, MarksQuery};
use steplens_core::search::matches::Matches;
use steplens_core::{LaneId, OpId, Study, Timestamp};
use steplens_tests::writer::{Scenario, WORKER, op};

const STEPS: i64 = 60;
const STEP_NS: i64 = 16_200_000;
/// Start and length of the ops of a step: long ones, short ones in bursts, two lanes, and a pause.
const LONG: [(i64, i64); 4] =
    [(100_000, 3_100_000), (3_400_000, 900_000), (9_000_000, 2_345_678), (9_100_000, 700_000)];

fn ops_of_step() -> Vec<(i64, i64)> {
    let burst = (0..90).map(|number| (5_000_000 + 37_000 * number, 21_000 + 100 * (number % 7)));
    LONG.into_iter().chain(burst).collect()
}

fn sixty_steps() -> Study {
    let ops = (0..STEPS).flat_map(|step| {
        let of_step = ops_of_step().into_iter();
        of_step.map(move |(start, length)| op("a = Mul(b)", step * STEP_NS + start, length))
    });
    Scenario::new().device(WORKER, ops.collect::<Vec<_>>()).study()
}

/// How much of each step is dark, in nanoseconds of one lane.
fn darkness(study: &Study, start: f64, end: f64, width_px: f64, most: usize) -> (Vec<f64>, f64) {
    let lanes: Vec<LaneId> = (0..study.lanes().len()).map(LaneId::from_usize).collect();
    let query = MarksQuery {
        start: Timestamp(start as i64),
        end: Timestamp(end as i64),
        width_px,
        lanes: &lanes,
        pitches: &[],
        most,
    };
    let none = Matches::default();
    let look = Look { colors: study.colors(), matches: &none, lit: &none };
    let picture = study.marks().marks(study.trace(), study.lanes(), look, &query);
    let ns_per_px = (end as i64 - start as i64) as f64 / width_px;
    let mut steps = vec![0.0; STEPS as usize];
    for mark in &picture.marks {
        // As exactly as positions are known: the marks' own are rounded to f32.
        let (from, to) = (f64::from(mark.x0) * ns_per_px + start, f64::from(mark.x1) * ns_per_px + start);
        let share = f64::from(mark.density) / 255.0;
        for (step, dark) in (0..).zip(&mut steps) {
            let (first, last) = ((step * STEP_NS) as f64, ((step + 1) * STEP_NS) as f64);
            *dark += (to.min(last) - from.max(first)).max(0.0) * share;
        }
    }
    (steps, picture.column_ns as f64)
}

#[test]
fn each_step_is_as_dark_as_its_ops_take_at_every_width() {
    let study = sixty_steps();
    let busy: i64 = ops_of_step().into_iter().map(|(_, length)| length).sum();
    let whole = (STEPS * STEP_NS) as f64;
    for width_px in [146.0, 390.0, 617.0, 900.0, 1036.0, 1280.0, 1600.0, 2711.0, 3840.0] {
        for most in [200, 2_000, 12_000] {
            let (steps, column_ns) = darkness(&study, 0.0, whole, width_px, most);
            // A column at either end of a step may lie half in the next one; densities are 255 levels.
            let slack = 2.0 * column_ns + busy as f64 / 100.0;
            for (step, dark) in steps.iter().enumerate() {
                let off = (dark - busy as f64).abs();
                assert!(
                    off <= slack,
                    "step {step} at {width_px} px, {most} marks: {dark} of {busy} ns, {slack} apart"
                );
            }
        }
    }
}

#[test]
fn zooming_by_a_hundredth_changes_how_dark_a_step_is_by_no_more_than_its_columns() {
    let study = sixty_steps();
    let mut length = (STEPS * STEP_NS) as f64;
    let (first, last) = (30, 31);
    let middle = (first * STEP_NS) as f64 + STEP_NS as f64 / 2.0;
    let mut before: Option<(f64, f64)> = None;
    // From sixty steps to less than one, where every op has a mark of its own.
    while length > STEP_NS as f64 * 1.5 {
        let (steps, column_ns) =
            darkness(&study, middle - length / 2.0, middle + length / 2.0, 1600.0, 12_000);
        let dark: f64 = steps[first as usize..last as usize].iter().sum();
        if let Some((dark_before, column_before)) = before {
            let slack = 2.0 * (column_ns + column_before) + dark / 100.0;
            assert!((dark - dark_before).abs() <= slack, "{dark_before} and {dark} ns in {length} ns");
        }
        before = Some((dark, column_ns));
        length /= 1.01;
    }
    let ops: Vec<OpId> = study.trace().ops().ids().collect();
    assert_eq!(ops.len() as i64, STEPS * ops_of_step().len() as i64);
}
