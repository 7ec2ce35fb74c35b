//! The corpus of the fuzz targets, and with it every finding: the laws hold for each of these inputs.

use std::fs;
use steplens_core::Study;
use steplens_tests::laws;
use steplens_tests::places::root;

#[test]
fn the_laws_hold_for_the_corpus() {
    let corpus = root().join("fuzz/corpus");
    let mut opened = 0;
    for target in fs::read_dir(corpus).unwrap().flatten() {
        for input in fs::read_dir(target.path()).unwrap().flatten() {
            let bytes = fs::read(input.path()).unwrap();
            let shown = laws::opened(&laws::files(&bytes));
            opened += usize::from(shown.is_some());
            match shown {
                Some(shown) if target.file_name() == "open" => laws::views_hold(shown.trace),
                Some(shown) => laws::study_holds(&Study::new(shown.trace)),
                None => {}
            }
        }
    }
    assert!(opened > 200, "{opened} inputs opened");
}
