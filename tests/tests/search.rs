//! Search against the plain definition: some field of the op holds the text, or the expression matches it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::{LaneId, OpId, Study};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::fixture;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

fn found(study: &Study, query: &str, regex: bool) -> Matches {
    let pattern = Pattern::new(query, regex).unwrap();
    Matches::of(study.trace(), study.lanes(), &pattern).unwrap()
}

/// The texts of `op` by field: of a transfer, name and tensor.
fn texts(study: &Study, op: OpId) -> [(&'static str, String); 5] {
    let trace = study.trace();
    let node = trace.ops().node(op);
    [
        ("name:", trace.op_name(op)),
        ("name:", study.title(op)),
        ("type:", trace.text(trace.nodes().op_type(node))),
        ("device:", trace.text(trace.devices().get(trace.device_of(op)).name)),
        ("label:", trace.text(trace.nodes().label(node))),
    ]
    .map(|(field, text)| (field, text.to_lowercase()))
}

/// What the search says of every op, of every lane and in every list is what `wanted` says.
fn check(study: &Study, matches: &Matches, wanted: impl Fn(OpId) -> bool) {
    let trace = study.trace();
    let is_wanted: Vec<bool> = trace.ops().ids().map(&wanted).collect();
    let mut ops: Vec<OpId> = trace.ops().ids().filter(|&op| is_wanted[op.index()]).collect();
    assert_eq!(matches.len(), ops.len());
    assert!(trace.ops().ids().all(|op| matches.contains(op) == is_wanted[op.index()]));
    for device in trace.devices().ids() {
        let own = ops.iter().filter(|&&op| trace.device_of(op) == device).count();
        assert_eq!(matches.count_on(trace, device), own);
    }
    let mut first = 0;
    for lane in (0..study.lanes().len()).map(LaneId::from_usize) {
        let own = study.lanes().ops(lane);
        let mut wanted = 0;
        for end in 0..=own.len() {
            wanted += usize::from(end > 0 && is_wanted[own[end.max(1) - 1].index()]);
            assert_eq!(matches.count(first..first + end), wanted);
        }
        first += own.len();
    }
    ops.sort_by_key(|&op| (trace.ops().start(op), op));
    assert_eq!(matches.listed(trace), ops);
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_text_is_found_in_every_field_or_in_one(
        query in "[a-cA-C_é1:/ ]{0,3}",
        field in select(&["", "name:", "Type: ", "DEVICE:", "label:"][..]),
        rows in vec(("[a-cA-Cé]{0,4}", "[a-cA-C]{1,3}", 0_i64..20, 0_i64..9), 1..30),
    ) {
        let ops: Vec<_> = rows.iter().map(|(name, op_type, start, length)| op(&format!("{name} = {op_type}(b/1)"), *start, *length)).collect();
        let (some, others) = ops.split_at(ops.len() / 2);
        let transfer = recv("edge_1_a/c:1", PS, WORKER, 8, 0, 1);
        let study = Scenario::new().device(WORKER, some.to_vec()).device(PS, others.to_vec()).device(WORKER, [transfer]).study();
        let matches = found(&study, &format!("{field}{query}"), false);
        let part = if field.is_empty() { query.as_str() } else { query.trim_start() }.to_lowercase();
        let prefix = field.trim().to_lowercase();
        check(&study, &matches, |op| {
            !part.is_empty() && texts(&study, op).iter().any(|(own, text)| (prefix.is_empty() || prefix == *own) && text.contains(&part))
        });
    }
}

#[test]
fn expressions_find_what_they_say_in_a_recorded_step() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let text = |op: OpId, field: usize| texts(&study, op)[field].1.clone();
    check(&study, &found(&study, "type:^recvtensor$", true), |op| text(op, 2) == "recvtensor");
    check(&study, &found(&study, "device:/job:(ps|chief)/", true), |op| text(op, 3).starts_with("/job:ps/"));
    check(&study, &found(&study, "name:grad$", true), |op| {
        (0..2).any(|field| text(op, field).ends_with("grad"))
    });
    check(&study, &found(&study, "", true), |_| false);
    check(&study, &found(&study, ".", true), |_| true);
}
