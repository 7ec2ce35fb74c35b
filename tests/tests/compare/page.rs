//! What the page says of an op and its partner.

use serde_json::Value;
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::compare::joined::Which;
use steplens_core::{Study, View};
use steplens_report::compare::{Shown, for_page, pair};
use steplens_tests::writer::{Scenario, WORKER, op};

#[test]
fn a_partner_with_another_name_is_named_on_both_sides() {
    let shown = |name: &str, length: i64| {
        let ops = [op("load = Read()", 0, 1_000), op(&format!("{name} = Conv2D(load)"), 2_000, length)];
        let whole = Arc::new(Scenario::new().device(WORKER, ops).open().trace);
        let study = Rc::new(Study::of_view(&whole, View::default()));
        (Shown::of(&study, &whole), study)
    };
    let ((a, study_a), (b, study_b)) = (shown("net/conv_1", 4_000), shown("net/conv_2", 6_000));
    let pairs = for_page(a, b).end().pairs;
    let studies = [&*study_a, &*study_b];
    for (side, study) in [(Which::A, &study_a), (Which::B, &study_b)] {
        let trace = study.trace();
        let conv = trace.ops().ids().find(|&op| trace.op_name(op).starts_with("net/")).unwrap();
        let said: Value = serde_json::from_str(&pair(&pairs, studies, side, conv).unwrap()).unwrap();
        let sentence = said["sentence"].as_str().unwrap();
        assert!(sentence.contains("6.000 µs instead of 4.000 µs"), "{sentence}");
        assert!(sentence.ends_with("In B it is called net/conv_2."), "{sentence}");
        assert_eq!((&said["a"]["name"], &said["b"]["name"]), (&"net/conv_1".into(), &"net/conv_2".into()));
    }
}
