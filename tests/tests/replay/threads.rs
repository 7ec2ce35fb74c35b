//! Executors: a task whose ops run on a few threads, cheap ones on the thread that made them ready.
//!
//! Which op a free thread finds in the deques of others depends on moments that a change moves, and the ops that follow run elsewhere; so
//! single predictions may be far off. The figures here, in thousandths of the step, are those that were measured: `docs/what-if.md` has
//! them.

use super::simulator::{What, Work, World, recorded, simulate};
use steplens_core::replay::change::Change;
use steplens_core::replay::{Replay, Sharing, Spread};
use steplens_tests::random::Random;

/// How long an idle thread takes to wake up: about what TensorFlow's did in recordings.
const WAKE: i64 = 20_000;

/// How many steps are made.
const STEPS: u64 = 60;

fn step(random: &mut Random) -> Vec<Work> {
    let task = "/job:worker/replica:0/task:0".to_owned();
    let mut works: Vec<Work> = Vec::new();
    for own in 0..40 + random.below(40) {
        let mut needs: Vec<usize> = (0..random.below(4))
            .map(|_| own.saturating_sub(1 + random.below(12)))
            .filter(|&need| need < own)
            .collect();
        needs.sort_unstable();
        needs.dedup();
        let op_type = ["MatMul", "Add"][random.below(2)];
        let is_cheap = random.below(3) == 0;
        // What TensorFlow takes for cheap takes some microseconds at most.
        let length = if is_cheap { 500 + random.below(4_000) } else { 3_000 + random.below(90_000) } as i64;
        works.push(Work {
            name: format!("op{own}"),
            what: What::Op { task: task.clone(), op_type, is_cheap },
            needs,
            released: 0,
            length,
        });
    }
    works
}

fn world(threads: usize) -> World {
    World {
        sharing: Sharing::Fair,
        spread: Spread::Link,
        threads,
        wake: WAKE,
        order: None,
        priority: None,
        merged: vec![],
    }
}

/// The distances of predictions from the simulator, in thousandths of the step, sorted.
fn distances(change: impl Fn(&[Work], &World) -> (String, Vec<Work>, World)) -> Vec<i64> {
    let mut found = Vec::new();
    for seed in 0..STEPS {
        let mut random = Random::new(seed);
        let works = step(&mut random);
        let mut own = world(2 + random.below(3));
        let run = simulate(&works, &own);
        let study = recorded(&works, &run);
        let replay = Replay::of(&study);
        own.order = Some(run.order());
        let (text, works, world) = change(&works, &own);
        let want = simulate(&works, &world).length();
        let scenario = replay.scenario(&study, &[Change::parse(&text).unwrap()]).unwrap();
        let got = replay.run(&scenario).length().0;
        found.push((got - want).abs() * 1_000 / want);
    }
    found.sort_unstable();
    found
}

fn assert_near(what: &str, found: &[i64], median: i64, worst: i64) {
    let (middle, last) = (found[found.len() / 2], found[found.len() - 1]);
    assert!(
        middle <= median && last <= worst,
        "{what}: median {middle} and worst {last} thousandths: {found:?}"
    );
}

#[test]
fn steps_are_replayed_on_the_threads_that_they_had() {
    let found = distances(|works, world| ("op=nothing|op1=1".to_owned(), works.to_vec(), world.clone()));
    assert_near("unchanged", &found, 0, 52);
}

#[test]
fn another_number_of_threads_is_predicted() {
    for (threads, median, worst) in [(1, 0, 25), (2, 6, 103), (3, 18, 168), (6, 36, 438)] {
        let found = distances(|works, world| {
            (format!("threads={threads}"), works.to_vec(), World { threads, ..world.clone() })
        });
        assert_near(&format!("{threads} threads"), &found, median, worst);
    }
}

#[test]
fn faster_and_slower_ops_are_predicted() {
    for (factor, median, worst) in [(0.25, 10, 343), (0.5, 10, 198), (2.0, 10, 279)] {
        let found = distances(|works, world| {
            let mut works = works.to_vec();
            for own in &mut works {
                if matches!(own.what, What::Op { op_type: "MatMul", .. }) {
                    own.length = (own.length as f64 * factor).round() as i64;
                }
            }
            (format!("op=type:MatMul={factor}"), works, world.clone())
        });
        assert_near(&format!("factor {factor}"), &found, median, worst);
    }
}
