//! Patterns of the user's, applied to a trace that was read without them, make the trace that is read with them.

use std::sync::Arc;
use steplens_core::{Category, CategoryRules, Study, Trace};
use steplens_formats::Opener;
use steplens_report as report;
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{Fixture, chrome_traces, fixture, fixtures};

const PATTERNS: [&[&str]; 3] = [&["MatMul", "^Relu", "aten::mul"], &["."], &["no op is called so"]];

fn rules(patterns: &[&str]) -> CategoryRules {
    CategoryRules::new(&patterns.iter().map(|&pattern| pattern.to_owned()).collect::<Vec<_>>())
        .expect("these are patterns")
}

fn read(file: &Fixture, patterns: &[&str]) -> Arc<Trace> {
    Arc::new(Opener::open_bytes(&file.file, &file.bytes, rules(patterns)).expect("fixtures open").trace)
}

fn reason(trace: &Trace, op: steplens_core::OpId) -> &str {
    trace.text(trace.nodes().reason(trace.ops().node(op)))
}

/// Everything that is ever said of it, with the findings.
fn said(trace: &Arc<Trace>) -> [String; 2] {
    let study = Study::new(Arc::clone(trace));
    [everything(&study), report::doctor::json(trace, &study)]
}

#[test]
fn patterns_applied_later_are_patterns_applied_while_reading() {
    let mut changed = 0;
    for file in fixtures().into_iter().chain(chrome_traces()) {
        let plain = read(&file, &[]);
        for patterns in PATTERNS {
            let (read_so, later) = (read(&file, patterns), plain.with_patterns(&rules(patterns)));
            assert!(said(&later) == said(&read_so), "{} {patterns:?}", file.name);
            let matched = read_so.ops().ids().filter(|&op| reason(&read_so, op) == "your pattern").count();
            assert_eq!(plain.matched_by(&rules(patterns)), matched, "{} {patterns:?}", file.name);
            changed += usize::from(matched > 0);
        }
    }
    assert!(changed > 20, "{changed}");
}

#[test]
fn what_patterns_do_not_change_is_shared() {
    let plain = read(&fixture("ps4w"), &[]);
    assert!(Arc::ptr_eq(&plain, &plain.with_patterns(&rules(&["no op is called so"]))));
    assert!(Arc::ptr_eq(&plain, &plain.with_patterns(&rules(&[]))));
    let all = plain.with_patterns(&rules(&["."]));
    assert!(std::ptr::eq(plain.ops(), all.ops()) && std::ptr::eq(plain.strings(), all.strings()));
}

#[test]
fn ranges_stay_ranges() {
    let json = br#"{"schemaVersion":1,"traceEvents":[
        {"ph":"X","cat":"user_annotation","name":"Push all","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","cat":"cpu_op","name":"aten::Push","pid":1,"tid":1,"ts":10,"dur":20}]}"#;
    let trace = Opener::open_bytes("a.json", json, rules(&["Push"])).unwrap().trace;
    let categories: Vec<_> = trace.ops().ids().map(|op| (trace.op_name(op), trace.category(op))).collect();
    assert_eq!(categories, [("Push all", Category::Range), ("aten::Push", Category::Communication)]);
}
