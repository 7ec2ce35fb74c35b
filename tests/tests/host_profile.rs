//! scratch
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use std::collections::BTreeMap;
use steplens_core::causality::threads::Threads;
use steplens_core::host_profile::{EventKind, HostProfile};
use steplens_core::{OpId, Study};
use steplens_tests::writer::open;

#[test]
fn scratch() {
    for file in std::env::var("FILES").unwrap().split_whitespace() {
        let study = Study::of(open(&std::fs::read(file).unwrap()).trace);
        let trace = study.trace();
        let host = study.host_profile();
        println!("{file} {:?} span {:?}", host.counts(trace), trace.span().length());
        if std::env::var("UN").is_ok() {
            for own in host.events().iter().filter(|own| matches!(own.kind, EventKind::Unjoined|EventKind::OtherRun)).take(40) {
                println!("   {:?} {}", own.kind, trace.op_name(own.event));
            }
        }
        let inferred = Threads::of(trace, study.transfers(), &HostProfile::default());
        let known = Threads::of(trace, study.transfers(), host);
        for rule in &known.rules {
            println!("   {} {:?}", trace.text(trace.devices().get(rule.device).name), rule);
        }
        let (mut all, mut same, mut before_same) = (0, 0, 0);
        for device in trace.devices().ids() {
            let ops: Vec<OpId> = trace.ops_of(device).filter(|&op| host.thread(op).is_some()).collect();
            let mut pairs: BTreeMap<(u32, u32), usize> = BTreeMap::new();
            let mut last_i: BTreeMap<u32, OpId> = BTreeMap::new();
            let mut last_k: BTreeMap<u32, OpId> = BTreeMap::new();
            let mut b = 0;
            for &op in &ops {
                let (i, k) = (inferred.thread(op), host.thread(op).unwrap());
                *pairs.entry((i, k)).or_default() += 1;
                if last_i.insert(i, op) == last_k.insert(k, op) { b += 1; }
                assert!(known.is_recorded(op) || trace.category(op) == steplens_core::Category::Communication);
            }
            // greedy matching
            let mut sorted: Vec<_> = pairs.into_iter().collect();
            sorted.sort_by_key(|p| std::cmp::Reverse(p.1));
            let (mut ui, mut uk, mut n) = (vec![], vec![], 0);
            for ((i, k), c) in sorted { if !ui.contains(&i) && !uk.contains(&k) { ui.push(i); uk.push(k); n += c; } }
            all += ops.len(); same += n; before_same += b;
            if !ops.is_empty() { println!("   {} joined {} same thread {} same before {}", trace.text(trace.devices().get(device).name), ops.len(), n, b); }
        }
        println!("  => {all} same {same} before {before_same}");
    }
}
