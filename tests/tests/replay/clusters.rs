//! Parameter servers and workers, made by chance: the replay predicts each change as the simulator has it.

use super::simulator::{Run, STAMP, What, Work, World, recorded, simulate};
use steplens_core::Study;
use steplens_core::replay::change::Change;
use steplens_core::replay::{Replay, Sharing, Spread};
use steplens_tests::random::Random;

const SHARINGS: [Sharing; 2] = [Sharing::Fair, Sharing::InOrder];
const SPREADS: [Spread; 3] = [Spread::Link, Spread::Sender, Spread::Receiver];
/// Of each sharing and spread.
const CLUSTERS: u64 = 5;
/// More threads than anything needs. As many ops run at once when the step begins, so that the recording has as many.
const THREADS: usize = 24;
/// The time of a transfer without bytes.
const LATENCY: i64 = 20_000;

fn ps(number: usize) -> String {
    format!("/job:ps/replica:0/task:{number}")
}

fn worker(number: usize) -> String {
    format!("/job:worker/replica:0/task:{number}")
}

/// A time of a byte for each link.
fn rate(from: &str, to: &str) -> i64 {
    let number = |task: &str| i64::from(task.as_bytes()[task.len() - 1] - b'0');
    2 + (number(from) + 2 * number(to)) % 4
}

struct Cluster {
    works: Vec<Work>,
    servers: usize,
    workers: usize,
}

/// Every worker receives parameters of each server in any order, computes with one after the other, and sends a gradient for each.
fn cluster(random: &mut Random) -> Cluster {
    let (servers, workers, parameters) = (2 + random.below(2), 2 + random.below(2), 2 + random.below(4));
    let mut works: Vec<Work> = Vec::new();
    let mut add = |name: String, what: What, needs: Vec<usize>, released: i64, length: i64| {
        works.push(Work { name, what, needs, released, length });
        works.len() - 1
    };
    let run = |task: String, op_type: &'static str| What::Op { task, op_type, is_cheap: true };
    let send = |from: String, to: String, bytes: i64| {
        let length = LATENCY + bytes * rate(&from, &to);
        (What::Transfer { from, to, bytes }, length)
    };
    for task in (0..servers).map(ps).chain((0..workers).map(worker)) {
        for own in 0..THREADS {
            add(format!("begin_{}{own}", &task[5..7]), run(task.clone(), "NoOp"), vec![], 0, 1_000);
        }
    }
    for to in 0..workers {
        let mut before = None;
        for from in 0..servers {
            for own in 0..parameters {
                // Within what an executor takes to start an op: a later one would be taken to wait for something.
                let at = 2_000 + random.below(90_000) as i64;
                let tower = format!("tower_{to}/s{from}_{own}");
                let read = add(format!("{tower}/read"), run(ps(from), "Identity"), vec![], at, 5_000);
                let (what, length) = send(ps(from), worker(to), 1_000 + random.below(60_000) as i64);
                let read = add(format!("{tower}/read"), what, vec![read], 0, length);
                let length = 10_000 + random.below(150_000) as i64;
                let needs = before.into_iter().chain([read]).collect();
                let mul = add(format!("{tower}/mul"), run(worker(to), "MatMul"), needs, 0, length);
                before = Some(mul);
                let (what, length) = send(worker(to), ps(from), 1_000 + random.below(60_000) as i64);
                let grad = add(format!("{tower}/mul"), what, vec![mul], 0, length);
                let length = 10_000 + random.below(30_000) as i64;
                add(format!("{tower}/apply"), run(ps(from), "ApplyAdam"), vec![grad], 0, length);
            }
        }
    }
    Cluster { works, servers, workers }
}

/// Works whose lengths a change multiplies.
fn scaled(works: &[Work], factor: f64, is_it: impl Fn(&Work) -> bool) -> Vec<Work> {
    let mut works = works.to_vec();
    for own in works.iter_mut().filter(|own| is_it(own)) {
        own.length = (own.length as f64 * factor).round() as i64;
    }
    works
}

fn is_transfer(work: &Work) -> bool {
    matches!(work.what, What::Transfer { .. })
}

/// For each transfer how early its tensor is needed: when its first user would start if all tensors were there from the beginning.
fn priority(works: &[Work], run: &Run) -> Vec<usize> {
    let mut start = vec![0; works.len()];
    // Works come after what they need.
    for own in 0..works.len() {
        let end = |need: usize| if is_transfer(&works[need]) { 0 } else { start[need] + works[need].length };
        start[own] = works[own].needs.iter().map(|&need| end(need)).max().unwrap_or(0);
    }
    let needed = |own: usize| {
        let users = (0..works.len()).filter(|&user| works[user].needs.contains(&own));
        users.map(|user| start[user]).min().unwrap_or(i64::MAX)
    };
    let mut sorted: Vec<usize> = (0..works.len()).filter(|&own| is_transfer(&works[own])).collect();
    let order = run.order();
    sorted.sort_by_key(|&own| (needed(own), order[own]));
    let mut place = vec![0; works.len()];
    sorted.into_iter().enumerate().for_each(|(at, own)| place[own] = at);
    place
}

/// Works of `task`, and what it receives, with the median length of the same works of its peers: those whose name differs in the number
/// of the tower only.
fn like_peers(works: &[Work], task: &str) -> Vec<Work> {
    let runs_at = |own: &Work| match &own.what {
        What::Op { task, .. } => task.clone(),
        What::Transfer { to, .. } => to.clone(),
    };
    let role = |own: &Work| own.name.split_once('/').map(|(_, role)| (role.to_owned(), is_transfer(own)));
    let mut changed = works.to_vec();
    for own in changed.iter_mut().filter(|own| runs_at(own) == task && role(own).is_some()) {
        let is_peer = |other: &&Work| {
            let job = |task: &str| task.split("/replica").next().map(str::to_owned);
            let at = runs_at(other);
            at != task && job(&at) == job(task) && role(other) == role(own)
        };
        let mut lengths: Vec<i64> = works.iter().filter(is_peer).map(|own| own.length).collect();
        lengths.sort_unstable();
        // Of two in the middle the shorter one.
        own.length = lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or(own.length);
    }
    changed
}

/// What each change means for the simulator: the change, the works and the world.
fn changes(
    random: &mut Random,
    cluster: &Cluster,
    world: &World,
    run: &Run,
) -> Vec<(String, Vec<Work>, World)> {
    let works = &cluster.works;
    let (from, to) = (random.below(cluster.servers), random.below(cluster.workers));
    let factor = [0.0, 0.25, 0.5, 1.5, 3.0][random.below(5)];
    let name = |work: &Work, part: &str| work.name.contains(part);
    let ends = |work: &Work, task: &str| match &work.what {
        What::Transfer { from, to, .. } => from == task || to == task,
        What::Op { .. } => false,
    };
    let is_on = |work: &Work, on: &str| matches!(&work.what, What::Op { task, .. } if task == on);
    let is_link = |work: &Work| matches!(&work.what, What::Transfer { from: a, to: b, .. } if *a == ps(from) && *b == worker(to));
    let mut found = vec![
        (
            format!("op=type:MatMul={factor}"),
            scaled(works, factor, |own| matches!(own.what, What::Op { op_type: "MatMul", .. })),
            world.clone(),
        ),
        ("hide=communication".to_owned(), scaled(works, 0.0, is_transfer), world.clone()),
        (format!("link=ps:{from}->worker:{to}={factor}"), scaled(works, factor, is_link), world.clone()),
        (format!("network={factor}"), scaled(works, factor, is_transfer), world.clone()),
        (
            format!("network=ps:{from}={factor}"),
            scaled(works, factor, |own| ends(own, &ps(from))),
            world.clone(),
        ),
        (
            format!("device=worker:{to}={factor}"),
            scaled(works, factor, |own| is_on(own, &worker(to))),
            world.clone(),
        ),
        ("threads=64".to_owned(), works.clone(), World { threads: 64, ..world.clone() }),
        (
            "order=better".to_owned(),
            works.clone(),
            World { priority: Some(priority(works, run)), ..world.clone() },
        ),
    ];
    found.push((format!("like-peers={}", worker(to)), like_peers(works, &worker(to)), world.clone()));
    let mut half = works.clone();
    for own in half.iter_mut().filter(|own| is_transfer(own) && name(own, "/read")) {
        own.length = LATENCY + (own.length - LATENCY) / 2;
    }
    found.push(("half=/read".to_owned(), half, world.clone()));
    let mut merged = Vec::new();
    for from in 0..cluster.servers {
        for to in 0..cluster.workers {
            let is_it = |own: &Work| matches!(&own.what, What::Transfer { from: a, to: b, .. } if *a == ps(from) && *b == worker(to));
            let own: Vec<usize> = (0..works.len()).filter(|&own| is_it(&works[own])).collect();
            let length = own.iter().map(|&own| works[own].length - LATENCY).sum::<i64>() + LATENCY;
            merged.push((own, length));
        }
    }
    found.push(("merge=/read".to_owned(), works.clone(), World { merged, ..world.clone() }));
    found
}

/// How far the replay may be off: the times alone of transfers are known to a nanosecond each, and an op that another thread takes after a
/// change is sent some readings of the clock sooner or later.
fn rounding(works: &[Work]) -> i64 {
    4 * works.iter().filter(|own| is_transfer(own)).count() as i64 + 5 * STAMP
}

fn predict(study: &Study, replay: &Replay, change: &str) -> i64 {
    let change = Change::parse(change).unwrap();
    let scenario = replay.scenario(study, &[change]).unwrap();
    replay.run(&scenario).length().0
}

#[test]
fn every_change_is_predicted_as_it_is_simulated() {
    let mut faults = Vec::new();
    let mut tried = 0;
    for sharing in SHARINGS {
        for spread in SPREADS {
            for seed in 0..CLUSTERS {
                let mut random = Random::new(seed);
                let cluster = cluster(&mut random);
                let mut world = World {
                    sharing,
                    spread,
                    threads: THREADS,
                    wake: 0,
                    order: None,
                    priority: None,
                    merged: vec![],
                };
                let run = simulate(&cluster.works, &world);
                let study = recorded(&cluster.works, &run);
                let replay = Replay::of(&study);
                let about = format!("{} {} seed {seed}", sharing.word(), spread.word());
                let found = replay.sharing();
                if found != Some((sharing, spread)) {
                    faults.push(format!("{about}: taken for {found:?}"));
                    continue;
                }
                let most = rounding(&cluster.works);
                let off = (replay.unchanged().length().0 - run.length()).abs();
                if off > most {
                    faults.push(format!("{about}: replayed {off} off"));
                }
                world.order = Some(run.order());
                for (change, works, world) in changes(&mut random, &cluster, &world, &run) {
                    tried += 1;
                    let (want, got) = (simulate(&works, &world).length(), predict(&study, &replay, &change));
                    if (want - got).abs() > most {
                        faults
                            .push(format!("{about} {change}: {got}, simulated {want}, was {}", run.length()));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of {tried}\n{}", faults.len(), faults.join("\n"));
}
