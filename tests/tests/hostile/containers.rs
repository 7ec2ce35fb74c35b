//! Damage to the other containers of a step: text, and StepStats without a RunMetadata around them.

use crate::{Alike, survive};
use steplens_tests::cases::{either, places};
use steplens_tests::fixtures::bytes_of;
use steplens_tests::random::{Mutant, mutants};

/// How many seeded mutations are tried: what is in these containers is read by the readers that `random.rs` gives all seeds.
fn mutations() -> usize {
    either(400, 2_500)
}

/// [`mutations`] of `file`; returns after how many any op was shown, and after how many at least `whole` were.
fn mutate(file: &[u8], whole: usize) -> (usize, usize) {
    let (mut opened, mut kept) = (0, 0);
    for Mutant { file, .. } in mutants(&[file.to_vec()]).take(mutations()) {
        let (shown, _) = survive(&file);
        opened += usize::from(shown > 0);
        kept += usize::from(shown >= whole);
    }
    (opened, kept)
}

#[test]
fn damaged_text_gives_what_can_be_read() {
    let text = &bytes_of("containers/mnist-adam.pbtxt")[..9_000];
    let (whole, _) = survive(text);
    assert!(whole > 5, "{whole}");
    let (opened, kept) = mutate(text, whole);
    assert!(
        opened > mutations() * 70 / 100 && kept > mutations() / 4,
        "{opened} opened, {kept} with all their ops"
    );
}

#[test]
fn damaged_step_stats_give_what_can_be_read() {
    let file = bytes_of("containers/mnist-adam.step_stats.pb");
    assert_eq!(survive(&file), (79, 0));
    // All of the file is ops: hardly any damage leaves each of them whole, but it is local.
    let (opened, kept) = mutate(&file, 79);
    assert!(
        opened > mutations() * 70 / 100 && kept > mutations() / 10,
        "{opened} opened, {kept} with all their ops"
    );
}

#[test]
fn step_stats_cut_anywhere_keep_what_came_before() {
    let file = bytes_of("containers/mnist-adam.step_stats.pb");
    let (mut most, mut cuts) = (0, Alike::default());
    for cut in places(file.len(), &[]) {
        let (shown, left_out) = cuts.survive(&file[..cut]);
        assert!(shown >= most && left_out == 0, "cut at {cut}: {shown} shown after {most}");
        most = shown;
    }
    assert_eq!(most, 79);
}
