//! Each problem and each error has a file that shows it, and its words say what and where.

use crate::{Limits, open, open_within, survive};
use steplens_formats::Opened;
use steplens_tests::fixtures::fixture;
use steplens_tests::wire::put_bytes;
use steplens_tests::writer::{BASE_UNIX_NS, Scenario, WORKER, op};

/// A field with its length before it.
fn field(number: u32, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(&mut out, number, value);
    out
}

/// A file with one device that has a good op, and then `more`.
fn device_with(more: &[u8]) -> Vec<u8> {
    let good = field(2, &field(1, b"good"));
    let name = field(1, WORKER.as_bytes());
    field(1, &field(1, &[name, good, more.to_vec()].concat()))
}

/// The problems of a file with one good op, as (code, count).
fn problems(file: &[u8]) -> Vec<(String, u64)> {
    let opened = open(file).unwrap();
    let names: Vec<_> = opened.trace.ops().ids().map(|op| opened.trace.op_name(op).to_owned()).collect();
    assert!(names.contains(&"good".to_owned()));
    survive(file);
    codes(&opened)
}

fn codes(opened: &Opened) -> Vec<(String, u64)> {
    let problems = &opened.files[0].problems;
    for problem in problems {
        assert!(problem.detail.len() > 20 && !problem.detail.ends_with('.'), "{}", problem.detail);
        assert!(problem.offset <= opened.files[0].bytes);
    }
    problems.iter().map(|problem| (problem.code.to_string(), problem.count)).collect()
}

#[track_caller]
fn check(file: &[u8], wanted: &[(&str, u64)]) {
    let wanted: Vec<_> = wanted.iter().map(|&(code, count)| (code.to_owned(), count)).collect();
    assert_eq!(problems(file), wanted);
}

#[test]
fn damaged_parts_are_left_out_and_counted() {
    check(&device_with(&[]), &[]);
    // An op whose name is longer than the op.
    let damaged_op = field(2, &[0x0a, 9, b'x']);
    check(&device_with(&[damaged_op.clone(), damaged_op].concat()), &[("damaged-op", 2)]);
    // A thread name that breaks off.
    check(&device_with(&field(3, &[0x12, 9])), &[("damaged-thread-name", 1)]);
    // An op with an output and an allocator report that break off: the op itself is fine.
    let output = field(7, &[0x1a, 9]);
    let memory = field(6, &[0x0a, 9]);
    check(&device_with(&field(2, &[output, memory].concat())), &[("damaged-tensor", 2)]);
    // A graph with a node that breaks off.
    let node = field(3, &field(1, &[0x0a, 9]));
    check(&[device_with(&[]), node].concat(), &[("damaged-graph-node", 1)]);
    // A field of dev_stats that no schema has.
    check(&device_with(&field(77, b"x")), &[("unknown-field", 1)]);
    // A field of wire type 6 in dev_stats: the rest of it cannot be read, what follows it can.
    let broken = device_with(&[0x0e, 1, 2, 3]);
    check(&[broken, device_with(&[])].concat(), &[("damaged-message", 1)]);
    // At the top nobody knows where to go on.
    check(&[device_with(&[]), vec![0x0e, 1, 2], device_with(&[])].concat(), &[("unreadable-tail", 1)]);
    // A bare StepStats is the part that RunMetadata holds, whose damage has one code wherever it stands.
    let bare = |file: Vec<u8>| file[2..].to_vec();
    let good = bare(device_with(&[]));
    let whole = device_with(&[]);
    assert_eq!((whole[0], usize::from(whole[1])), (0x0a, good.len()), "one byte for the length");
    let damaged = [good.clone(), vec![0x0e, 1, 2], good].concat();
    check(&damaged, &[("damaged-message", 1)]);
    let opened = open(&damaged).unwrap();
    let said = &opened.files[0].problems[0].detail;
    assert!(
        said.starts_with("step_stats holds ") && said.ends_with("the rest of the file is left out"),
        "{said}"
    );
    // Cut short within a tag, a length, a message.
    let file = device_with(&field(2, &field(1, b"last")));
    check(&file[..file.len() - 1], &[("truncated", 1)]);
    check(&[device_with(&[]), vec![0x80]].concat(), &[("truncated", 1)]);
    check(&[device_with(&[]), vec![0x0a]].concat(), &[("truncated", 1)]);
}

#[test]
fn odd_values_are_counted() {
    let good = || op("good", 0, 10);
    let mut backwards = op("backwards", 5, 0);
    backwards.all_end_rel_nanos = -3;
    let mut far = op("far", 0, 10);
    far.all_start_nanos = i64::MAX - 5;
    let mut unfit = op("unfit", 0, 10);
    (unfit.all_start_nanos, unfit.all_start_micros) = (0, i64::MAX);
    let file = Scenario::new().device(WORKER, [good(), backwards, far, unfit]).bytes();
    check(&file, &[("negative-duration", 1), ("time-out-of-range", 2)]);
    assert_eq!(survive(&file), (2, 2));
    let unnamed = Scenario::new().device("", [good()]).bytes();
    check(&unnamed, &[("unnamed-device", 1)]);
}

#[test]
fn a_message_too_large_is_left_out() {
    let large = field(2, &field(1, &vec![b'n'; (64 << 20) + 1]));
    check(&device_with(&large), &[("oversized-message", 1)]);
}

#[test]
fn what_does_not_fit_the_memory_is_left_out() {
    let file = Scenario::new().device(WORKER, (0..50_000).map(|at| op("good", at, 1))).bytes();
    let opened = open_within(&file, Limits { memory_bytes: 1 << 20 }).unwrap();
    let ops = opened.trace.ops().len();
    assert!((4_000..49_000).contains(&ops));
    assert_eq!(codes(&opened), [("memory-limit".to_owned(), 50_000 - ops as u64)]);
    let [found] = opened.found.as_slice() else { panic!("one device") };
    assert_eq!((found.name.as_str(), found.ops, found.taken), (WORKER, 50_000, ops as u64));
    let span = BASE_UNIX_NS..BASE_UNIX_NS + 50_000;
    assert_eq!(found.span_unix_ns, Some(span), "what does not fit is counted all the same");
}

#[test]
fn devices_past_any_count_are_not_counted_in_full_memory() {
    let devices = (0..530_000).flat_map(|_| field(1, &field(1, &field(2, &field(1, b"op")))));
    let file: Vec<u8> = device_with(&[]).into_iter().chain(devices).collect();
    let opened = open_within(&file, Limits { memory_bytes: 1 << 10 }).unwrap();
    let codes: Vec<_> = codes(&opened).into_iter().map(|(code, _)| code).collect();
    assert!(codes.contains(&"too-many-devices".to_owned()) && codes.contains(&"memory-limit".to_owned()));
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    let check = |file: &[u8], code: &str| {
        let Err(error) = open(file) else { panic!("want {code}") };
        assert_eq!(error.kind.code(), code, "{error}");
        let text = error.to_string();
        assert!(text.starts_with("hostile.pb is ") && text.contains(". ") && text.ends_with('.'), "{text}");
    };
    check(b"", "empty-file");
    check(b"{\"traceEvents\": []}", "no-ops");
    check(b"\x80\x04\x95", "no-ops-readable");
    check(b"step_stats {\n", "no-ops-readable");
    check(b"dev_stats { device: \"a\" }", "no-ops");
    check(b"PK\x03\x04", "other-format");
    check(b"some text that is no protobuf", "other-format");
    check(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "other-format");
    check(b"\xff\x03 no protobuf", "not-run-metadata");
    check(&field(1, b""), "no-ops");
    let whole = fixture("mnist-adam").bytes;
    let first = steplens_tests::wire::fields(&whole, 0..whole.len());
    let step = first.iter().find(|field| field.number == 1).unwrap();
    check(&[&whole[..step.start], &whole[step.value.end..]].concat(), "no-ops");
    check(&whole[..60], "no-ops-readable");
    check(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff], "gzip-damaged");
}

#[test]
fn names_are_text_whatever_they_hold() {
    let script = "</script><img src=x onerror=alert(1)>";
    let label = format!("{script} = Mul({script}, \u{0}\u{1b}[31m\u{202e})");
    let file = Scenario::new().device(script, [op(&label, 0, 10).memory(script, &[(0, 8)])]).bytes();
    let opened = open(&file).unwrap();
    let op = opened.trace.ops().ids().next().unwrap();
    assert_eq!(opened.trace.op_name(op), script);
    assert_eq!(opened.trace.text(opened.trace.nodes().label(opened.trace.ops().node(op))), label);
    assert_eq!(survive(&file), (1, 0));

    // What is not UTF-8 is shown with a sign for it, and no op is lost.
    let broken = |name: &[u8]| field(2, &[field(1, name), field(8, b"\xff\xfe = M\xc3(\xe2\x82)")].concat());
    let file = device_with(&[broken(b"a\xff"), broken(b"a\xfe"), broken(b"\xed\xa0\x80")].concat());
    let opened = open(&file).unwrap();
    let names: Vec<_> = opened.trace.ops().ids().map(|op| opened.trace.op_name(op)).collect();
    assert_eq!(names, ["good", "a\u{fffd}", "a\u{fffd}", "\u{fffd}\u{fffd}\u{fffd}"]);
    assert_eq!(survive(&file), (4, 0));
}
