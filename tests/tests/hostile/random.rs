//! Seeded mutations of recorded files, random messages, and single damaged ops.

use crate::{cost_of_opening, open, strategy, survive};
use proptest::prelude::*;
use prost::Message;
use steplens_core::Study;
use steplens_tests::cases::percent_of_seeds;
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::fixture;
use steplens_tests::meter::cost;
use steplens_tests::random::{Mutant, mutants};
use steplens_tests::wire::{OPS, messages};

#[test]
fn seeded_mutations() {
    let files = ["mnist-adam", "multidev", "collective", "multidev-nograph"].map(|name| fixture(name).bytes);
    let (mut opened, mut whole) = (0, 0);
    for Mutant { own, file, .. } in mutants(&files) {
        let (shown, _) = survive(&file);
        opened += usize::from(shown > 0);
        whole += usize::from(shown >= [79, 67, 12, 67][own]);
    }
    // Most damage is local: what can be read is shown.
    assert!(
        opened > percent_of_seeds(70) && whole > percent_of_seeds(20),
        "{opened} opened, {whole} with all their ops"
    );
}

/// Each byte of each op, changed in place: the op is shown, or said to be left out, and no other op is touched.
#[test]
fn a_damaged_op_is_shown_or_counted() {
    for (name, count) in [("collective", 12), ("multidev-nograph", 67)] {
        let file = fixture(name).bytes;
        let mut dropped = 0;
        for op in messages(&file, &OPS) {
            for at in op {
                for flip in [0x07, 0x80] {
                    let mut damaged = file.clone();
                    damaged[at] ^= flip;
                    let (shown, left_out) = match open(&damaged) {
                        Ok(opened) => (opened.trace.ops().len(), crate::left_out(&opened)),
                        Err(error) => panic!("{name}, byte {at}: {error}"),
                    };
                    assert_eq!(shown as u64 + left_out, count, "{name}, byte {at} ^ {flip:#x}");
                    dropped += left_out;
                }
            }
        }
        assert!(dropped > 0, "{name}");
    }
}

proptest! {
    #![proptest_config(steplens_tests::cases::cases(800))]

    /// Whole messages with names, times and sizes of every kind: nothing is damaged, everything may be absurd.
    #[test]
    fn absurd_messages(metadata in strategy::run_metadata()) {
        survive(&metadata.encode_to_vec());
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        survive(&bytes);
    }
}

/// Work grows with the file, not faster: twice as many steps allocate no more than a little over twice as much.
#[test]
fn work_is_linear_in_the_file() {
    let source = fixture("mnist-adam").bytes;
    let work = |times| {
        let mut file = Vec::new();
        steplens_tests::scale::scale(&source, times, &mut file).unwrap();
        let (opened, reading) = cost_of_opening(&file);
        let (_, asking) = cost(|| ask_all(&Study::new(opened.unwrap().trace)));
        [reading.total_bytes, reading.allocations, asking.total_bytes, asking.allocations]
    };
    let (once, twice) = (work(40), work(80));
    for (once, twice) in once.into_iter().zip(twice) {
        assert!(twice as f64 <= 2.3 * once as f64 + 1_000.0, "{once}, then {twice}");
    }
    // Ops of nodes that are known allocate nothing; columns that double do, now and then.
    assert!(twice[1] - once[1] < 79 * 40 / 40, "{} allocations for 40 more steps", twice[1] - once[1]);
}
