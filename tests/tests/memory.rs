//! Memory that a study holds: what it says, against an allocator that counts; and how much that is for each op.

use steplens_core::Study;
use steplens_core::memory::Reading;
use steplens_core::questions::coloring;
use steplens_core::timeline::colors::ColorBy;
use steplens_core::timeline::grouping::Arrangement;
use steplens_report as report;
use steplens_tests::fixtures::{Fixture, chrome_traces, fixture, fixtures_and_samples};
use steplens_tests::meter::{Cost, Meter, cost};
use steplens_tests::scale::scale;
use steplens_tests::writer::open;

#[global_allocator]
static METER: Meter = Meter;

/// Computes every part that a study keeps.
fn ask_everything(study: &Study) {
    study.marks();
    study.together();
    study.bar();
    let devices = study.trace().devices();
    devices.ids().filter(|&device| devices.get(device).nests).for_each(|device| _ = study.pieces(device));
    study.prepare();
    report::network::Network::of(study).to_text();
    study.trace().devices().ids().for_each(|device| _ = study.in_flight(device));
}

/// A study of `file`, of which everything was asked, and what it holds.
fn study_of(file: &[u8]) -> (Study, Cost) {
    cost(|| {
        let study = Study::new(open(file).trace);
        ask_everything(&study);
        study
    })
}

#[test]
fn a_study_says_to_the_byte_what_it_holds() {
    // What the process sets up once is no study's.
    drop(study_of(&fixture("collective").bytes));
    for Fixture { name, bytes, .. } in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        let (mut study, Cost { held_bytes, .. }) = cost(|| {
            let study = study_of(&bytes).0;
            study.causes();
            study
        });
        assert_eq!(study.heap_bytes() as isize, held_bytes, "{name}");
        let ((), asked) = cost(|| {
            study.reads();
            Reading::ALL.into_iter().for_each(|reading| _ = study.memory(reading));
        });
        let mut held = held_bytes + asked.held_bytes;
        assert_eq!(study.heap_bytes() as isize, held, "{name}, with its memory");
        for by in [Arrangement::Thread, Arrangement::Scope, Arrangement::OpType, Arrangement::Packed] {
            let ((), arranged) = cost(|| {
                study.arrange(by);
                study.marks();
            });
            held += arranged.held_bytes;
            assert_eq!(study.heap_bytes() as isize, held, "{name} {by:?}");
        }
        for by in [ColorBy::Slack, ColorBy::Step, ColorBy::OpType, ColorBy::Category] {
            let ((), colored) = cost(|| {
                let colors = coloring::colors(&study, by);
                study.color(colors);
                study.marks();
                study.trace().devices().ids().for_each(|device| _ = study.in_flight(device));
            });
            held += colored.held_bytes;
            assert_eq!(study.heap_bytes() as isize, held, "{name} {by:?}");
        }
    }
}

#[test]
fn an_op_takes_64_bytes_at_most_with_everything_asked() {
    const STEPS: u32 = 60;
    let mut file = Vec::new();
    scale(&fixture("ps4w").bytes, STEPS, &mut file).unwrap();
    let (study, Cost { held_bytes, .. }) = study_of(&file);
    let ops = study.trace().ops().len();
    assert_eq!(ops, 4_175 * STEPS as usize);
    assert_eq!(study.heap_bytes() as isize, held_bytes);
    assert!(study.heap_bytes() <= 64 * ops, "{} bytes an op", study.heap_bytes() as f64 / ops as f64);
}
