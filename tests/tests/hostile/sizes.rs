//! Files that are small and say they are large: lengths past the end, packed bombs, tables without end.

use crate::{cost_of_opening, open, open_within, survive};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_core::{Study, TransferId};
use steplens_formats::{Limits, ReadError};
use steplens_tests::everything::ask_all;
use steplens_tests::meter::cost;
use steplens_tests::wire::{put_bytes, put_varint};
use steplens_tests::writer::{PS, Scenario, WORKER, node, op, recv};

/// `count` copies of `unit`, packed, inside nested messages with these field numbers.
fn bomb(path: &[u32], unit: &[u8], count: usize) -> Vec<u8> {
    let mut heads = vec![Vec::new()];
    let mut length = unit.len() * count;
    for &number in path.iter().rev() {
        let mut head = Vec::new();
        put_varint(&mut head, u64::from(number) << 3 | 2);
        put_varint(&mut head, length as u64);
        length += head.len();
        heads.push(head);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    heads.iter().rev().for_each(|head| encoder.write_all(head).unwrap());
    let many = unit.repeat(4_096);
    for _ in 0..count / 4_096 {
        encoder.write_all(&many).unwrap();
    }
    encoder.write_all(&unit.repeat(count % 4_096)).unwrap();
    encoder.finish().unwrap()
}

const LIMITS: Limits = Limits { memory_bytes: 16 << 20 };

/// Opens `packed` with 16 MiB allowed, and checks that it did not take much more.
fn defuse(packed: &[u8]) -> Result<Vec<String>, ReadError> {
    let (opened, cost) = cost(|| open_within(packed, LIMITS));
    // The limit is checked every few thousand messages; a column that doubles holds old and new for a moment, and so
    // does the arranging at the end. The buffers of unpacking come on top, and up to 2^19 blocks of devices, which are
    // counted when the memory is full.
    assert!(cost.peak_bytes < 6 * LIMITS.memory_bytes, "{} bytes packed took {cost:?}", packed.len());
    Ok(opened?.files[0].problems.iter().map(|problem| problem.code.to_string()).collect())
}

#[test]
fn bombs_stop_at_the_memory_limit() {
    const MANY: usize = 6_000_000;
    // Ops of no byte; devices of one op each, of a thread name; outputs and reports of one op.
    let op_only: &[u8] = &[0x12, 0];
    assert_eq!(defuse(&bomb(&[1, 1], op_only, MANY)).unwrap()[0], "memory-limit");
    let device_with_op: &[u8] = &[0x0a, 2, 0x12, 0];
    let codes = defuse(&bomb(&[1], device_with_op, MANY / 2)).unwrap();
    assert!(codes[0] == "memory-limit" && codes.contains(&"too-many-devices".to_owned()));
    let error = defuse(&bomb(&[1], &[0x0a, 2, 0x1a, 0], MANY)).unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
    // Devices without anything, and one device again and again, are no more than one.
    for unit in [&[0x0a, 0][..], &[0x0a, 2, 0x0a, 0]] {
        assert_eq!(defuse(&bomb(&[1], unit, MANY)).unwrap_err().kind.code(), "no-ops", "{unit:?}");
    }
    let graph_node: &[u8] = &[0x0a, 0];
    assert!(defuse(&bomb(&[3], graph_node, MANY)).is_err());
    // One op of more than a small message's size is left out whole.
    for part in [&[0x32, 0][..], &[0x3a, 0], &[0x0a, 0]] {
        assert!(defuse(&bomb(&[1, 1, 2], part, 34_000_000)).is_err());
    }
    // What is not needed costs nothing at all.
    assert!(defuse(&bomb(&[2], &[0], 50_000_000)).is_err());
    assert!(defuse(&bomb(&[], &[0], 50_000_000)).is_err());
}

#[test]
fn lengths_past_the_end_take_no_memory() {
    for length in [1, 1 << 20, 1 << 31, 1 << 40, (1 << 63) - 1, u64::MAX] {
        for path in [&[1_u32][..], &[1, 1], &[1, 1, 2], &[1, 1, 1], &[3], &[3, 1], &[2], &[9]] {
            let mut file = Vec::new();
            for (place, &number) in path.iter().enumerate() {
                put_varint(&mut file, u64::from(number) << 3 | 2);
                // Outer messages leave room for inner ones, where there is any.
                put_varint(&mut file, length.saturating_add(20 * (path.len() - 1 - place) as u64));
            }
            let (opened, cost) = cost_of_opening(&file);
            assert!(opened.is_err(), "{path:?}");
            assert!(cost.peak_bytes < 64 << 10, "{path:?} of {length} took {cost:?}");
        }
    }
}

/// Names of many megabytes, and thousands of inputs, are strange but fine.
#[test]
fn large_names_and_many_inputs() {
    let long = "n".repeat(3 << 20);
    let inputs = vec!["a"; 20_000].join(", ");
    let labels = [format!("{long} = Mul(a)"), format!("b = AddN({inputs})"), "a = Const()".to_owned()];
    let file = Scenario::new().device(WORKER, labels.iter().map(|label| op(label, 5, 5))).bytes();
    assert_eq!(survive(&file), (3, 0));
}

/// Sums of sizes and lengths that no counter holds stay within it.
#[test]
fn sums_past_the_largest_number() {
    let huge =
        |name: &str| op(&format!("{name} = Mul(a)"), 0, 10).output(0, 1, &[i64::MAX, i64::MAX], i64::MAX);
    let many: Vec<_> = ["a", "b", "c", "d"]
        .map(|name| huge(name).output(1, 1, &[-1], i64::MAX).output(2, 1, &[], i64::MAX))
        .into();
    let recv = steplens_tests::writer::recv("edge_1_a", WORKER, WORKER, i64::MAX, 0, 5);
    let file = Scenario::new().device(WORKER, many).device(WORKER, vec![recv; 5]).bytes();
    assert_eq!(survive(&file), (9, 0));

    let mut longest = op("a = Mul(b)", 0, 0);
    (longest.all_start_nanos, longest.all_end_rel_nanos) = (-(1 << 62), i64::MAX);
    let file = Scenario::new().device(WORKER, vec![longest; 40]).bytes();
    assert_eq!(survive(&file), (40, 0));
}

/// Many ops of few names, and few ops of many labels: what is asked of each must not cost as much as there are of all.
#[test]
fn repeated_names_cost_no_more_than_others() {
    let study_of = |count: i64| {
        let receives = (0..count)
            .map(|at| steplens_tests::writer::recv(&format!("edge_{at}_a"), WORKER, WORKER, 8, at, 5));
        let uses = (0..count).map(|at| op(&format!("b{at} = Mul(a/_1, a, a)"), at * 1_000, 10));
        let makes = (0..count).map(|at| op(&format!("a = Mul(x{at})"), at * 1_000, 10));
        let scenario = Scenario::new().device(WORKER, receives).device(WORKER, uses).device(WORKER, makes);
        let opened = open(&scenario.bytes()).unwrap();
        cost(|| ask_all(&Study::new(opened.trace))).1.total_bytes
    };
    let (once, twice) = (study_of(300), study_of(600));
    assert!(twice < 5 * once, "{once}, then {twice}");
}

/// Where every transfer has one key, every op one name and every node one input, looking each up in each would take minutes.
#[test]
fn data_flow_between_many_and_many() {
    const MANY: usize = 20_000;
    let worker = WORKER;
    let transfers = (0..MANY as i64).map(|at| recv("edge_1_w", PS, worker, 8, at, 2));
    let users = (0..MANY as i64).map(|at| op(&format!("u{} = Mul(w/_1, m)", at % 300), at * 1_000, 500));
    let merges = (0..MANY as i64).map(|at| op("m = Merge(e, n)", at * 1_000 + 600, 100));
    let rest = (0..MANY as i64)
        .map(|at| op(["e = Enter(s)", "n = NextIteration(s)"][at as usize % 2], at * 1_000, 7));
    let switches = (0..MANY as i64).map(|at| op("s = Switch(m, c)", at * 1_000 + 800, 9));
    let ops = users.chain(merges).chain(rest).chain(switches).chain([op("c = LoopCond()", 5, 1)]);
    let makers = (0..MANY as i64).map(|at| op("w = Variable()", at * 500, 100));
    let named: Vec<String> = (0..300).map(|at| format!("u{at}")).collect();
    let graph = named.iter().map(|name| node(name, "Mul", worker, &["w/_1", "m"])).chain([
        node("w/_1", "_Recv", worker, &[]).meets("edge_1_w", PS, worker),
        node("m", "Merge", worker, &["e", "n"]),
        node("e", "Enter", worker, &["s"]),
        node("n", "NextIteration", worker, &["s"]),
        node("s", "Switch", worker, &["m", "c"]),
        node("w", "Variable", PS, &[]),
        node("w/_0", "_Send", PS, &["w"]).meets("edge_1_w", PS, worker),
    ]);
    let scenario = Scenario::new().device(PS, makers).device(worker, transfers).device(worker, ops);
    for study in [scenario.study(), scenario.clone().graph(graph).study()] {
        let counted: usize =
            study.transfers().all().map(|(id, _)| study.transfer_times().consumers(id).len()).sum();
        assert!(counted > 0);
        let edges: usize = study.trace().ops().ids().map(|op| study.edges().inputs(op, 9).len()).sum();
        assert_eq!(edges, 7 * MANY);
        assert!(study.variable(TransferId::new(0)).is_some());
        let used: usize =
            study.trace().ops().ids().step_by(97).map(|op| study.edges().consumers(op).len()).sum();
        assert!(used > 0);
    }
}

#[test]
fn an_empty_message_where_one_is_due() {
    for path in [&[1_u32][..], &[1, 1], &[3], &[3, 1], &[4], &[4, 1]] {
        let mut file = Vec::new();
        for &number in path.iter().rev() {
            let inner = std::mem::take(&mut file);
            put_bytes(&mut file, number, &inner);
        }
        assert!(open(&file).is_err(), "{path:?}");
    }
}
