//! Damage to traces of TensorFlow 2.0 and 2.1: each device and each event stands alone.

use crate::{Alike, survive};
use steplens_tests::cases::percent_of_seeds;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::random::{Mutant, mutants};

/// The events of the fixture that have a length; the others are instants.
const EVENTS: usize = 93;

fn file() -> Vec<u8> {
    bytes_of("containers/tf2.1.trace")
}

#[test]
fn seeded_mutations_of_traces() {
    let (mut opened, mut most) = (0, 0);
    for Mutant { file, .. } in mutants(&[file()]) {
        let (shown, _) = survive(&file);
        opened += usize::from(shown > 0);
        most += usize::from(shown + 3 >= EVENTS);
    }
    assert!(
        opened > percent_of_seeds(70) && most > percent_of_seeds(30),
        "{opened} opened, {most} with nearly all their events"
    );
}

#[test]
fn traces_cut_anywhere_keep_what_came_before() {
    let file = file();
    let (mut most, mut cuts) = (0, Alike::default());
    for cut in 0..=file.len() {
        let (shown, _) = cuts.survive(&file[..cut]);
        assert!(shown >= most, "cut at {cut}: {shown} shown after {most}");
        most = shown;
    }
    assert_eq!(most, EVENTS);
}
