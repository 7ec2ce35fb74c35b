//! Clocks are corrected by the least that the tensors demand: compared with all corrections there are, on random clusters of few
//! tasks, and held to what follows from it on larger ones.

use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;
use steplens_core::clocks::{Clocks, Search};
use steplens_core::{CategoryRules, View};
use steplens_formats::Opener;
use steplens_tests::least::{Slacks, is_kept, least_sum, margin};
use steplens_tests::writer::{Scenario, op, recv};

/// A cluster: how long its tensors take from task to task, and by how much its clocks are ahead, in us.
#[derive(Clone, Debug)]
struct Tensors {
    skews: Vec<i64>,
    /// By sender and receiver; none went where there is none.
    latencies: Vec<Vec<Option<i64>>>,
}

impl Tensors {
    /// What a trace of it says.
    fn slacks(&self) -> Slacks {
        let mut slacks = Slacks::new();
        for (from, row) in self.latencies.iter().enumerate() {
            for (to, latency) in row.iter().enumerate() {
                if let Some(latency) = latency.filter(|_| from != to) {
                    slacks.insert((from, to), (latency + self.skews[to] - self.skews[from]) * 1_000);
                }
            }
        }
        slacks
    }

    /// The file, `shift` us later.
    fn record(&self, shift: i64) -> Vec<u8> {
        let device = |task: usize| format!("/job:worker/replica:0/task:{task}/device:CPU:0");
        let mut ops: Vec<Vec<_>> = (0..self.skews.len())
            .map(|task| vec![op(&format!("start_{task}"), (1_000 + shift) * 1_000, 1_000)])
            .collect();
        for (place, ((from, to), slack)) in self.slacks().into_iter().enumerate() {
            // The tightest of three.
            for later in 0..3 {
                let made = 1_000_000 + shift + 300 * place as i64 + 70 * later;
                let name = format!("tensor_{from}_{to}_{later}");
                ops[from].push(op(&name, (made - 20) * 1_000, 20_000));
                let received = made + slack / 1_000 + 900 * later;
                ops[to].push(recv(
                    &format!("edge_7_{name}"),
                    &device(from),
                    &device(to),
                    64,
                    received - 1,
                    1,
                ));
            }
        }
        let mut scenario = Scenario::new();
        for (task, ops) in ops.into_iter().enumerate() {
            scenario = scenario.device(&device(task), ops);
        }
        scenario.bytes()
    }
}

fn clocks_of(file: &[u8]) -> Clocks {
    let opened = Opener::open_bytes("random.pb", file, CategoryRules::default());
    View::default().clocks_of(&Arc::new(opened.expect("it was just written").trace))
}

fn offsets(clocks: &Clocks) -> Vec<i64> {
    clocks.tasks.iter().map(|clock| clock.applied.at_middle.0).collect()
}

/// Of so many tasks; half of the clocks are right, and some tensors are far quicker than others.
fn tensors(tasks: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Tensors> {
    let skew = || prop_oneof![3 => Just(0), 2 => -50_000..50_000_i64, 1 => -300..300_i64];
    let latency = || {
        let some = prop_oneof![2 => 0..300_i64, 2 => 0..20_000_i64, 1 => Just(0)];
        proptest::option::weighted(0.6, some)
    };
    tasks.prop_flat_map(move |tasks| {
        (vec(skew(), tasks), vec(vec(latency(), tasks), tasks))
            .prop_map(|(skews, latencies)| Tensors { skews, latencies })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_correction_is_smaller(tensors in tensors(2..=4)) {
        let (clocks, slacks) = (clocks_of(&tensors.record(0)), tensors.slacks());
        let tasks = tensors.skews.len();
        let offsets = offsets(&clocks);
        prop_assert_eq!(clocks.search, Search::Done);
        prop_assert_eq!(clocks.contradicting().len(), 0);
        prop_assert_eq!(clocks.violated_after(), 0);
        if slacks.values().all(|&slack| slack >= 0) {
            prop_assert_eq!(&offsets, &vec![0; tasks]);
        }
        // The margin of each group of tasks is its own; tried is one group.
        if is_one_group(tasks, &slacks) && slacks.values().any(|&slack| slack < 0) {
            prop_assert!(is_kept(&offsets, &slacks, margin(tasks, &slacks)), "{:?}", &offsets);
            let sum: i64 = offsets.iter().map(|offset| offset.abs()).sum();
            prop_assert_eq!(sum, least_sum(tasks, &slacks), "{:?}", &offsets);
        }
    }

    #[test]
    fn larger_clusters_are_set_right(tensors in tensors(5..=14), shift in 0..10_000_000_i64) {
        let clocks = clocks_of(&tensors.record(0));
        let offsets = offsets(&clocks);
        prop_assert_eq!(clocks.violated_after(), 0);
        prop_assert_eq!(clocks.contradicting().len(), 0);
        prop_assert_eq!(offsets.iter().all(|&offset| offset == 0), clocks.violated_before() == 0);
        // It is no more than to set every clock to its truth, which keeps all that is asked where tensors take the margin.
        let slacks = tensors.slacks();
        let truth: i64 = tensors.skews.iter().map(|skew| skew.abs() * 1_000).sum();
        let nanos: Vec<i64> = tensors.skews.iter().map(|skew| skew * 1_000).collect();
        let tasks = offsets.len();
        if tasks <= 7 && is_one_group(tasks, &slacks) && is_kept(&nanos, &slacks, margin(tasks, &slacks)) {
            prop_assert!(offsets.iter().map(|offset| offset.abs()).sum::<i64>() <= truth);
        }
        // When everything happened later, and by clocks that are all ahead by the same, nothing else is said.
        let ahead = Tensors { skews: tensors.skews.iter().map(|skew| skew + 77_000).collect(), ..tensors.clone() };
        prop_assert_eq!(self::offsets(&clocks_of(&ahead.record(shift))), offsets);
    }
}

fn is_one_group(tasks: usize, slacks: &Slacks) -> bool {
    let mut group: Vec<usize> = (0..tasks).collect();
    for _ in 0..tasks {
        for &(from, to) in slacks.keys() {
            let least = group[from].min(group[to]);
            (group[from], group[to]) = (least, least);
        }
    }
    group.iter().all(|&group| group == 0)
}
