//! What matters most, against the answers that say the same in full.

use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::{Category, Study};
use steplens_report::highlights::Highlights;
use steplens_report::network::Network;
use steplens_tests::fixtures::{chrome_traces, fixtures_and_samples, gpu_chrome_traces};
use steplens_tests::writer::open;

#[test]
fn highlights_are_the_largest_of_what_other_answers_say() {
    let (mut stragglers, mut waits, mut idle) = (0, 0, 0);
    for fixture in fixtures_and_samples().into_iter().chain(chrome_traces()).chain(gpu_chrome_traces()) {
        let study = Study::new(open(&fixture.bytes).trace);
        let found: Value = serde_json::from_str(&Highlights::of(&study).to_text()).unwrap();
        let network: Value = serde_json::from_str(&Network::of(&study).to_text()).unwrap();
        let (name, span) = (&fixture.name, found["span_ns"].as_i64().unwrap());
        let ns = |row: &Value, key: &str| row[key].as_i64().unwrap();

        let all = network["stragglers"]["rows"].as_array().unwrap();
        let worst = all.iter().map(|row| ns(row, "after_next_ns")).max();
        match worst.filter(|&after| after > 0 && after * 100 >= span) {
            None => assert_eq!(found["straggler"], Value::Null, "{name}"),
            Some(after) => {
                assert_eq!(ns(&found["straggler"], "after_next_ns"), after, "{name}");
                assert!(all.contains(&found["straggler"]), "{name}");
                stragglers += 1;
            }
        }
        let longest = network["waits_by_tensor"]["rows"].as_array().unwrap().first();
        match longest.filter(|row| ns(row, "waited_ns") > 0 && ns(row, "waited_ns") * 100 >= span) {
            None => assert_eq!(found["wait"], Value::Null, "{name}"),
            Some(row) => {
                assert_eq!(ns(&found["wait"], "waited_ns"), ns(row, "waited_ns"), "{name}");
                waits += 1;
            }
        }
        // Of what computes, the type with the largest sum: of all ops, where there is no accelerator and nothing nests.
        let trace = study.trace();
        if accelerators(trace).is_empty() && trace.devices().ids().all(|id| !trace.devices().get(id).nests) {
            let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
            for op in trace.ops().ids().filter(|&op| trace.category(op) == Category::Compute) {
                let op_type = trace.text(trace.nodes().op_type(trace.ops().node(op)));
                *sums.entry(op_type).or_default() += trace.ops().interval(op).length().0;
            }
            let most = sums.values().copied().max().filter(|&most| most > 0);
            assert_eq!(found["op_type"]["self_ns"].as_i64(), most, "{name}");
            let own = found["op_type"]["op_type"].as_str().map(|name| sums[name]);
            assert_eq!(own, most, "{name}");
            let all: i64 = sums.values().sum();
            let share = most.map(|most| (i128::from(most) * 1_000_000 / i128::from(all)) as i64);
            assert_eq!(found["op_type"]["share_ppm"].as_i64(), share, "{name}");
        }
        // Idle is what is left of the span where nothing of the accelerator ran: counted from its ops, one by one.
        let idle_of = |devices: &[steplens_core::DeviceId]| {
            let is_work = |op: &steplens_core::OpId| !trace.nodes().is_range(trace.ops().node(*op));
            let mut ops: Vec<_> = devices
                .iter()
                .flat_map(|&device| trace.ops_of(device))
                .filter(is_work)
                .map(|op| trace.ops().interval(op))
                .collect();
            ops.sort_by_key(|own| own.start);
            let (mut free_from, mut idle) = (trace.span().start, 0);
            for own in ops {
                idle += (own.start.0.min(trace.span().end.0) - free_from.0).max(0);
                free_from = free_from.max(own.end);
            }
            idle + (trace.span().end.0 - free_from.0).max(0)
        };
        let most = accelerators(trace).iter().map(|own| idle_of(&own.devices)).max();
        match most.filter(|&length| length > 0 && length * 10 >= span) {
            None => assert_eq!(found["idle"], Value::Null, "{name}"),
            Some(length) => {
                assert_eq!(ns(&found["idle"], "idle_ns"), length, "{name}");
                idle += 1;
            }
        }
    }
    assert!(stragglers > 0 && waits > 0 && idle > 0, "{stragglers} stragglers, {waits} waits, {idle} idle");
}
