//! Rows that are no threads of a program: parts of a GPU as devices.

use super::made::{complete, document, said, us};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_tests::opened::study;
use steplens_tests::tensorflow::named;

/// Warps of a kernel on rows of these names, with gaps of 60 µs.
fn of_rows(names: &[&str]) -> Study {
    let mut events = Vec::new();
    for (name, pid) in names.iter().zip(0..) {
        events.push(named("process_name", pid, 0, name));
        events.push(named("thread_name", pid, 1, "warp 0"));
        for place in 0..10 {
            let what = if place % 2 == 0 { "load" } else { "mma" };
            events.push(complete(what, (pid, 1), (place * 100 + pid, 40)));
        }
    }
    study(document(&events))
}

#[test]
fn parts_of_a_gpu_are_no_host() {
    for names in [["SM 0", "SM 1"], ["gemm Core0 CTA0", "gemm Core3 CTA1"]] {
        let own = of_rows(&names);
        let sentence = said(&own);
        assert!(sentence.contains("Its 2 rows are parts of a GPU"), "{sentence}");
        assert!(sentence.contains("no host and no launch was recorded"), "{sentence}");
        // Ten ops of 40 µs from 0 or 1 to 940 or 941: what the path is not in an op, nothing explains.
        assert_eq!(us(&own, SegmentKind::HostBetweenOps), 0, "{sentence}");
        assert!(us(&own, SegmentKind::Gap) >= 9 * 59, "{sentence}");
        assert!(!sentence.contains("between ops"), "{sentence}");
    }
    // A program next to them is a host, and one row alone may be anything.
    for names in [["SM 0", "python"], ["worker 0", "worker 1"]] {
        let own = of_rows(&names);
        assert!(!said(&own).contains("parts of a GPU"), "{}", said(&own));
        assert!(us(&own, SegmentKind::HostBetweenOps) > 0, "{}", said(&own));
    }
}
