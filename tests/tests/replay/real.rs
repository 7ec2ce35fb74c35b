//! Pairs of recordings that differ in one thing (`tests/fixtures/README.md`): what the replay of one predicts, next to the other.

use super::laws::opened;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_tests::fixtures::bytes_of;

/// From, what changes, to, and how far the prediction is off, in thousandths of what was recorded: these figures are in
/// `docs/what-if.md`.
const PAIRS: [(&str, &str, &str, i64); 12] = [
    ("local-inner128-threads1", "op=type:MatMul=4", "local-inner512-threads1", 7),
    ("local-inner512-threads1", "op=type:MatMul=0.25", "local-inner128-threads1", 35),
    ("local-inner128-threads2", "op=type:MatMul=4", "local-inner512-threads2", -3),
    ("local-inner512-threads2", "op=type:MatMul=0.25", "local-inner128-threads2", -20),
    ("local-inner128-threads1", "threads=2", "local-inner128-threads2", 13),
    ("local-inner128-threads2", "threads=1", "local-inner128-threads1", 23),
    ("batch-4", "device=CPU:0=4", "batch-16", -14),
    ("batch-16", "device=CPU:0=0.25", "batch-4", 4),
    ("server-rate50-columns1024", "network=0.5", "server-rate100-columns1024", 39),
    ("server-rate100-columns1024", "network=2", "server-rate50-columns1024", 19),
    ("server-rate50-columns1024", "half=.,op=type:MatMul=0.5", "server-rate50-columns512", 138),
    ("server-rate50-columns512", "network=2,op=type:MatMul=2", "server-rate50-columns1024", -34),
];

#[test]
fn pairs_are_predicted_as_well_as_the_documents_say() {
    let mut found = Vec::new();
    for (from, change, to, _) in PAIRS {
        let [from_study, to_study] =
            [from, to].map(|name| opened(name, &bytes_of(&format!("pairs/{name}.pb.gz"))).unwrap());
        let replay = Replay::of(&from_study);
        let changes: Vec<Change> = change.split(',').map(|change| Change::parse(change).unwrap()).collect();
        let scenario = replay.scenario(&from_study, &changes).unwrap();
        let (got, want) = (replay.run(&scenario).length().0, to_study.trace().span().length().0);
        found.push((from, change, to, (got - want) * 1_000 / want));
    }
    assert_eq!(found, PAIRS, "in thousandths");
}
