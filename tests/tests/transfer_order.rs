//! Transfer order: against a plain, slow calculation of the same definitions from the files themselves.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use prost::Message;
use steplens_core::makers::Makers;
use steplens_core::network::arrival_order::{Inversion, NoOrder, Parameter, StepOrder, arrival_order};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::RunMetadata;
use steplens_tests::random::Random;
use steplens_tests::scale::scale;
use steplens_tests::slow_order::{Order, SlowOrder};
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

/// The only step of `device`, if anything is said of it.
fn step_of(study: &Study, device: &str) -> Option<Result<StepOrder, NoOrder>> {
    let is_own = |id| study.trace().text(study.trace().devices().get(id).name) == device;
    arrival_order(study, &StepOfOp::indexed(study), &Makers::found(study.edges()))
        .into_iter()
        .find(|own| is_own(own.device))
        .map(|own| own.worst)
}

/// What the product says, in the words of the slow calculation.
fn order_of(study: &Study, step: &StepOrder) -> Order {
    let tensor = |op| study.trace().text(study.transfers().of_op(op).unwrap().tensor).to_owned();
    let unix = study.trace().origin_unix_ns();
    let late = |row: &Inversion| (tensor(row.late), tensor(row.early), row.overtaken_by, row.waited.0);
    Order {
        better: step.tensors.iter().map(|own| (tensor(own.op), own.needed.0, own.better.0 + unix)).collect(),
        inversions: step.inversions,
        pairs: step.pairs,
        lost: step.lost.0,
        replay_error: step.replay_error.0,
        worst: step.worst.iter().map(late).collect(),
    }
}

/// Three layers whose weights come in the order `weights`, at 100, 200 and 300 us.
fn three_layers(weights: [usize; 3]) -> Study {
    let read = |k: usize| op(&format!("w{k}/read = Identity(w{k})"), 0, 10_000);
    let transfers = weights
        .iter()
        .zip([100, 200, 300])
        .map(|(k, end)| recv(&format!("edge_{k}_w{k}/read"), PS, WORKER, 1_000, end - 50, 50));
    let came = |k: usize| 100_000 * (1 + weights.iter().position(|&other| other == k).unwrap() as i64);
    let mut end = 0;
    let mut layers = Vec::new();
    for k in 0..3 {
        let before = if k == 0 { String::new() } else { format!("l{}, ", k - 1) };
        let start = came(k).max(end) + 1_000;
        layers.push(op(&format!("l{k} = MatMul({before}w{k}/read/_{k})"), start, 100_000));
        end = start + 100_000;
    }
    Scenario::new().device(PS, (0..3).map(read)).device(WORKER, transfers.chain(layers)).study()
}

#[test]
fn reversed_weights_lose_what_they_kept_waiting() {
    let study = three_layers([2, 1, 0]);
    let step = step_of(&study, WORKER).unwrap().unwrap();
    // Recorded: 301 to 401 us, then one layer after the other until 603 us. In order: from 101 us, and each weight is there in time.
    assert_eq!((step.inversions, step.pairs, step.lost.0, step.replay_error.0), (3, 3, 200_000, 0));
    let names: Vec<_> = step.tensors.iter().map(|own| study.title(own.op)).collect();
    assert_eq!(names, ["w0/read", "w1/read", "w2/read"]);
    let needed: Vec<_> = step.tensors.iter().map(|own| own.needed.0).collect();
    assert_eq!(needed, [0, 100_000, 200_000]);
    let better: Vec<_> = step.tensors.iter().map(|own| own.better.0).collect();
    assert_eq!(better, [100_000, 200_000, 300_000]);
    let [worst] = step.worst.as_slice() else { panic!("only the first layer waited for a weight alone") };
    assert_eq!((study.title(worst.late), study.title(worst.early)), ("w0/read", "w2/read"));
    assert_eq!((study.title(worst.user), worst.waited.0, worst.overtaken_by), ("l0", 200_000, 2));
}

#[test]
fn weights_in_order_lose_nothing() {
    let step = step_of(&three_layers([0, 1, 2]), WORKER).unwrap().unwrap();
    assert_eq!((step.inversions, step.pairs, step.lost.0), (0, 3, 0));
    assert!(step.worst.is_empty());
    let step = step_of(&three_layers([0, 2, 1]), WORKER).unwrap().unwrap();
    assert_eq!((step.inversions, step.pairs, step.lost.0), (1, 3, 99_000));
}

#[test]
fn where_nothing_can_be_said_it_is_said_why() {
    let w = || op("w = Variable()", 0, 1_000);
    let v = || op("v = Variable()", 0, 1_000);
    let came = || [recv("edge_1_w", PS, WORKER, 64, 2, 8), recv("edge_2_v", PS, WORKER, 64, 3, 9)];
    let uses = || op("y = Mul(w/_1, v/_2)", 16_000, 500);
    let why = |scenario: Scenario, device| step_of(&scenario.study(), device).unwrap().unwrap_err();
    let new = Scenario::new;
    let unused = new().device(PS, [w(), v()]).device(WORKER, came());
    assert_eq!(why(unused, WORKER), NoOrder::NoConsumer);
    let no_server = new().device(WORKER, came()).device(WORKER, [uses()]);
    assert_eq!(why(no_server, WORKER), NoOrder::NoProducer);
    // What comes back to the server was made of what it sent.
    let back = recv("edge_3_y", WORKER, PS, 64, 17, 8);
    let both = new().device(PS, [w(), v(), back]).device(WORKER, came()).device(WORKER, [uses()]);
    assert_eq!(why(both.clone(), PS), NoOrder::FewParameters);
    assert_eq!(step_of(&both.study(), WORKER).unwrap().unwrap().pairs, 0);
    // Nothing was received at all.
    assert!(step_of(&new().device(WORKER, [w()]).study(), WORKER).is_none());
}

#[test]
fn the_main_example_agrees_with_a_slow_calculation() {
    for name in ["ps4w", "ps4w-later"] {
        let file = fixture(name).bytes;
        let study = Study::new(open(&file).trace);
        let slow = SlowOrder::of(&RunMetadata::decode(file.as_slice()).unwrap());
        let mut inverted = 0;
        for device in study.trace().devices().ids() {
            let device = study.trace().text(study.trace().devices().get(device).name);
            let step = step_of(&study, device).and_then(Result::ok);
            assert_eq!(
                step.as_ref().map(|step| order_of(&study, step)),
                slow.order(device),
                "{name} {device}"
            );
            inverted += step.map_or(0, |step| step.inversions);
        }
        assert!(inverted > 1_000, "{name}");
    }
}

/// Receipts are on the receiver's clock, and a sender's clock cancels out.
#[test]
fn clocks_that_disagree_change_nothing() {
    let of = |name: &str| {
        let study = Study::new(open(&fixture(name).bytes).trace);
        let own = arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges()));
        let figures = own.iter().map(|own| (own.tensors, own.inversions, own.pairs, own.lost));
        figures.collect::<Vec<_>>()
    };
    assert_eq!(of("ps4w"), of("ps4w-skewed"));
}

/// What is computed for all ops at once equals what is computed op by op, in loops, in several steps, and with graphs or without.
#[test]
fn makers_are_those_of_the_inputs() {
    let mut scaled = Vec::new();
    scale(&fixture("ps4w").bytes, 3, &mut scaled).unwrap();
    let names =
        ["ps4w", "ps4w-later", "lstm-while", "multidev", "multidev-nograph", "collective", "mnist-adam"];
    for file in names.map(|name| fixture(name).bytes).into_iter().chain([scaled, cluster(1).bytes()]) {
        let study = Study::new(open(&file).trace);
        let makers = Makers::found(study.edges());
        for op in study.trace().ops().ids() {
            let inputs = study.edges().inputs(op, usize::MAX);
            let made = inputs.iter().filter_map(|edge| study.edges().maker(edge.source)).collect::<Vec<_>>();
            let sent =
                study.transfers().of_op(op).map(|transfer| transfer.producer.ok().into_iter().collect());
            assert_eq!(makers.of_op(op), sent.unwrap_or(made), "{}", study.trace().op_name(op));
        }
    }
}

/// A cluster of servers that hold variables and workers that use them, send what they made, and take answers.
fn cluster(seed: u64) -> Scenario {
    let mut random = Random::new(seed);
    let servers = 1 + random.below(2);
    let server = |k: usize| format!("/job:ps/replica:0/task:{k}/device:CPU:0");
    let mut made: Vec<(usize, String, i64)> = Vec::new();
    let mut on_server = vec![Vec::new(); servers];
    for k in 0..4 + random.below(30) {
        let (at, start, length) =
            (random.below(servers), random.below(50_000) as i64, random.below(9_000) as i64);
        on_server[at].push(op(&format!("v{k}/read = Identity(v{k})"), start, length));
        made.push((at, format!("v{k}/read"), start + length));
    }
    let mut scenario = Scenario::new();
    let mut edge = 0;
    for worker in 0..1 + random.below(3) {
        let name = format!("/job:worker/replica:0/task:{worker}/device:CPU:0");
        // What the worker's ops may use: input in a label, when it is there.
        let mut there: Vec<(String, i64)> = Vec::new();
        let mut own = Vec::new();
        let mut receive = |tensor: &str, from: &str, to: &str, made: i64, random: &mut Random| {
            edge += 1;
            let sent_us = made / 1_000 + 1 + random.below(20) as i64;
            let length_us = 2 + random.below(300) as i64;
            let sizes = [0, 4, 64, 1_000, 30_000];
            let bytes = sizes[random.below(sizes.len())];
            let op = recv(&format!("edge_{edge}_{tensor}"), from, to, bytes, sent_us, length_us);
            ((format!("{tensor}/_{edge}"), (sent_us + length_us) * 1_000), op)
        };
        for (at, tensor, ended) in &made {
            if random.below(8) > 0 {
                let (input, op) = receive(tensor, &server(*at), &name, *ended, &mut random);
                there.push(input);
                own.push(op);
            }
        }
        for k in 0..5 + random.below(40) {
            let inputs: Vec<(String, i64)> =
                (0..random.below(4)).filter_map(|_| there.get(random.below(there.len())).cloned()).collect();
            let ready = inputs.iter().map(|input| input.1).max().unwrap_or(0);
            let (start, length) = (ready + random.below(20_000) as i64, random.below(60_000) as i64);
            let names: Vec<_> = inputs.into_iter().map(|input| input.0).collect();
            let label = format!("t{worker}_{k} = Op({})", names.join(", "));
            own.push(op(&label, start, length));
            there.push((format!("t{worker}_{k}"), start + length));
            if random.below(6) == 0 {
                let at = random.below(servers);
                let (input, sent) =
                    receive(&format!("t{worker}_{k}"), &name, &server(at), start + length, &mut random);
                let (start, length) = (input.1 + random.below(5_000) as i64, random.below(9_000) as i64);
                on_server[at].push(sent);
                on_server[at].push(op(&format!("a{worker}_{k} = Apply({})", input.0), start, length));
                if random.below(2) == 0 {
                    let (input, sent) =
                        receive(&format!("a{worker}_{k}"), &server(at), &name, start + length, &mut random);
                    there.push(input);
                    own.push(sent);
                }
            }
        }
        scenario = scenario.device(&name, own);
    }
    for (at, ops) in on_server.into_iter().enumerate() {
        scenario = scenario.device(&server(at), ops);
    }
    scenario
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn clusters_agree_with_a_slow_calculation(seed in any::<u64>()) {
        let scenario = cluster(seed);
        let study = scenario.study();
        let slow = SlowOrder::of(&scenario.0);
        for own in arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges())) {
            let device = study.trace().text(study.trace().devices().get(own.device).name);
            let step = own.worst.as_ref().ok();
            prop_assert_eq!(step.map(|step| order_of(&study, step)), slow.order(device));
            let Some(step) = step else { continue };
            // Ops here start when their inputs are there, so that a replay with the recorded arrivals is exact.
            prop_assert_eq!((step.replay_error.0, step.lost.0 >= 0), (0, true));
            // In the better order nothing comes the wrong way round that could have come in order, and no byte comes sooner.
            let to_here = study.transfers().rows().iter().filter(|own| study.trace().text(own.destination) == device);
            let signals = to_here.filter(|own| own.bytes.0 == 0).count() as u64;
            for own in &step.tensors {
                let is_inverted = |other: &Parameter| {
                    own.needed < other.needed && own.better > other.better && own.released <= other.better
                };
                prop_assert!(!step.tensors.iter().any(is_inverted));
                prop_assert!(own.released <= own.better);
                let bytes = |at: fn(&Parameter) -> Timestamp| {
                    let came = step.tensors.iter().filter(|other| at(other) <= own.better);
                    came.map(|other| other.bytes.0.max(1)).sum::<u64>()
                };
                // A signal counts as a byte.
                prop_assert!(bytes(|other| other.better) <= bytes(|other| other.received) + signals);
            }
        }
    }
}
