//! Sessions and shared pages whose structure is broken open as what is left of them, and say what is not; what is shown is what was written.
//!
//! A length that was changed is found again by what follows it. Of a file that ends early everything before is shown that can be shown without the rest.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use std::collections::BTreeMap;
use std::io::Write;
use steplens_core::model::file::FileReport;
use steplens_core::{CategoryRules, Study, Trace};
use steplens_formats::export::{Contents, MARKER, Options, single_file};
use steplens_formats::{Opened, Opener, ReadError, session};
use steplens_tests::cases::{either, places};
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::random::Random;
use steplens_tests::session_proto::Session;
use steplens_tests::writer::{PS, Scenario, op};

/// The magic and the version byte, the checksum and its key.
const HEAD: usize = 9 + 5;

fn open(bytes: &[u8]) -> Result<Opened, ReadError> {
    Opener::open_bytes("own.steplens", bytes, CategoryRules::default())
}

/// The session of a recording in `tests/fixtures`.
fn session_of(file: &str) -> Vec<u8> {
    let opened = open(&bytes_of(file)).unwrap();
    session::write(&opened.trace, &opened.files)
}

/// For each device when its ops started, how long they took, and their names.
fn ops_of(trace: &Trace) -> BTreeMap<String, Vec<(i64, i64, String)>> {
    let ops = trace.ops();
    let said = |op| {
        let name = trace.text(trace.nodes().name(ops.node(op))).to_owned();
        (trace.unix_ns(ops.start(op)), (ops.end(op) - ops.start(op)).0, name)
    };
    let of_device = |device| {
        let name = trace.text(trace.devices().get(device).name).to_owned();
        (name, trace.ops_of(device).map(said).collect())
    };
    trace.devices().ids().map(of_device).collect()
}

fn codes(files: &[FileReport]) -> Vec<&str> {
    files.iter().flat_map(|file| &file.problems).map(|problem| &*problem.code).collect()
}

/// Whether each device of `part` has the first of the ops that it has in `whole`, and how many all of them are.
fn count_first(part: &Trace, whole: &BTreeMap<String, Vec<(i64, i64, String)>>) -> usize {
    let own = ops_of(part);
    own.iter().for_each(|(device, ops)| assert!(whole[device].starts_with(ops), "{device}"));
    own.values().map(Vec::len).sum()
}

/// The top-level fields of a message: number, where it starts, where its content starts, and where it ends.
fn fields(message: &[u8]) -> Vec<(u64, usize, usize, usize)> {
    let number = |at: &mut usize| {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = message[*at];
            *at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    };
    let (mut fields, mut at) = (Vec::new(), 0);
    while at < message.len() {
        let start = at;
        let key = number(&mut at);
        let value = number(&mut at);
        let length = if key & 7 == 2 { value as usize } else { 0 };
        fields.push((key >> 3, start, at, at + length));
        at += length;
    }
    fields
}

const RECORDINGS: [&str; 3] = ["mnist-adam.pb", "collective.pb", "chrome/timeline-hook.json"];

#[test]
fn a_session_that_ends_early_shows_what_is_before() {
    for file in RECORDINGS {
        let written = session_of(file);
        let whole = ops_of(&open(&written).unwrap().trace);
        let all: usize = whole.values().map(Vec::len).sum();
        let tables = fields(&written[HEAD..]);
        let end_of = |number| tables.iter().find(|own| own.0 == number).map(|own| HEAD + own.3).unwrap();
        let marks: Vec<usize> = tables.iter().flat_map(|own| [HEAD + own.1, HEAD + own.3]).collect();
        let mut shown = 0;
        for cut in places(written.len() - 1, &marks) {
            match open(&written[..cut]) {
                Err(why) => {
                    assert!(cut < end_of(20), "{file} cut at {cut}: {why}");
                    assert!(cut < HEAD || why.kind.code() == "session-damaged", "{file} cut at {cut}: {why}");
                }
                Ok(opened) => {
                    let codes = codes(&opened.files);
                    let is_said = codes.contains(&"session-incomplete");
                    // The zeros that fill it up are of no interest, but for its checksum.
                    assert!(is_said || codes.contains(&"session-changed"), "{file} cut at {cut}: {codes:?}");
                    let count = count_first(&opened.trace, &whole);
                    assert!(count == all || cut < end_of(20), "{file} cut at {cut}: {count} of {all}");
                    shown += 1;
                    if shown % 16 == 0 {
                        ask_all(&Study::new(opened.trace));
                    }
                }
            }
        }
        assert!(shown > 5, "{file}: {shown}");
    }
}

#[test]
fn a_length_that_was_changed_costs_nothing() {
    for file in RECORDINGS {
        let written = session_of(file);
        let own = open(&written).unwrap();
        let whole = ops_of(&own.trace);
        let tables = fields(&written[HEAD..]);
        for &(number, start, content, end) in tables.iter().filter(|own| own.0 >= 10 && own.3 - own.2 > 8) {
            for bit in 0..7 {
                let mut flipped = written.clone();
                flipped[HEAD + start + usize::from(number > 15) + 1] ^= 1 << bit;
                let opened = open(&flipped).unwrap_or_else(|why| {
                    panic!("{file}: table {number} of {} bytes, bit {bit}: {why}", end - content)
                });
                assert!(ops_of(&opened.trace) == whole, "{file}: table {number}, bit {bit}");
                assert!(
                    session::write(&opened.trace, &[]) == session::write(&own.trace, &[]),
                    "{file}: table {number}, bit {bit}: {:?}",
                    opened.files[0].problems
                );
                assert!(!opened.files[0].problems.is_empty());
            }
        }
    }
}

#[test]
fn a_table_that_makes_no_sense_costs_nothing_but_what_rests_on_it() {
    for file in RECORDINGS {
        let written = session_of(file);
        let whole = ops_of(&open(&written).unwrap().trace);
        for (number, _, content, end) in fields(&written[HEAD..]).into_iter().filter(|own| own.0 >= 13) {
            // Neither names nor times are in what follows, but for the ops themselves.
            if number == 16 || number == 20 || end - content < 20 {
                continue;
            }
            let mut broken = written.clone();
            broken[HEAD + content..HEAD + end].fill(0xff);
            let opened = open(&broken).unwrap_or_else(|why| panic!("{file}: table {number}: {why}"));
            assert!(ops_of(&opened.trace) == whole, "{file}: table {number}");
            assert!(codes(&opened.files).contains(&"session-incomplete"), "{file}: table {number}");
            ask_all(&Study::new(opened.trace));
        }
    }
}

#[test]
fn ops_without_a_time_are_left_out_and_those_without_a_name_are_not() {
    let written = session_of("mnist-adam.pb");
    let whole = ops_of(&open(&written).unwrap().trace);
    let all: usize = whole.values().map(Vec::len).sum();
    let mut message = Session::decode(&written[HEAD..]).unwrap();
    let own = message.ops[0].clone();
    let with = |message: &Session| [&written[..HEAD], &message.encode_to_vec()].concat();
    // A length of ten years in the tenth op from the end.
    let wide = |rows: u64| {
        let mut data = vec![0; rows as usize * 8];
        data[rows as usize * 7 + rows as usize - 10] = 0x7f;
        data
    };
    let length = message.ops[0].length.as_mut().unwrap();
    (length.width, length.data) = (8, wide(own.rows));
    let opened = open(&with(&message)).unwrap();
    let left: usize = ops_of(&opened.trace).values().map(Vec::len).sum();
    assert!(left < all && left + 10 >= all, "{left} of {all}");
    let problem = &opened.files[0].problems[0];
    assert_eq!((&*problem.code, problem.count), ("session-incomplete", (all - left) as u64));
    // The same of a node.
    message.ops = vec![own.clone()];
    let node = message.ops[0].node.as_mut().unwrap();
    (node.encoding, node.width, node.data) = (0, 8, wide(own.rows));
    let opened = open(&with(&message)).unwrap();
    let times = |of: &BTreeMap<String, Vec<(i64, i64, String)>>| -> Vec<(i64, i64)> {
        of.values().flatten().map(|own| (own.0, own.1)).collect()
    };
    let named = ops_of(&opened.trace);
    assert_eq!(times(&named), times(&whole));
    assert_eq!(named.values().flatten().filter(|own| own.2 == "(lost)").count(), 1);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::new(6));
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn a_packed_session_that_ends_early_shows_what_was_unpacked() {
    let written = session_of("mnist-adam.pb");
    let whole = ops_of(&open(&written).unwrap().trace);
    let file = packed(&written);
    let mut shown = 0;
    for cut in places(file.len() - 1, &[]) {
        match open(&file[..cut]) {
            Err(why) => assert!(
                ["gzip-damaged", "empty-file", "not-run-metadata"].contains(&why.kind.code()),
                "{cut}: {why}"
            ),
            Ok(opened) => {
                count_first(&opened.trace, &whole);
                let is_whole = session::write(&opened.trace, &opened.files) == written;
                assert!(is_whole || codes(&opened.files).contains(&"session-incomplete"), "cut at {cut}");
                shown += 1;
            }
        }
    }
    assert!(shown > 10, "{shown}");
}

#[test]
fn a_page_that_ends_early_shows_what_was_unpacked() {
    let written = session_of("mnist-adam.pb");
    let whole = ops_of(&open(&written).unwrap().trace);
    let contents = Contents {
        view: String::new(),
        options: Options::default(),
        name: "own".to_owned(),
        session: written,
    };
    let page = single_file(format!("<!doctype html>{MARKER}</html>").as_bytes(), &contents).unwrap();
    let mut shown = 0;
    for cut in places(page.len() - 1, &[]) {
        if let Ok(opened) = open(&page[..cut]) {
            count_first(&opened.trace, &whole);
            shown += 1;
        }
    }
    assert!(shown > 10, "{shown}");
}

/// Of 60,000 ops those before the cut are shown, but for at most a block.
#[test]
fn a_session_that_ends_among_its_ops_shows_those_before() {
    const OPS: usize = 60_000;
    const BLOCK: usize = 1 << 14;
    let ops = (0..OPS as i64).map(|at| op(&format!("n{}", at * at % 997), at * 10, 1 + at % 7));
    let opened = open(&Scenario::new().device(PS, ops).bytes()).unwrap();
    let written = session::write(&opened.trace, &opened.files);
    assert_eq!(written[8], 4);
    let again = open(&written).unwrap();
    let whole = ops_of(&again.trace);
    assert!(codes(&again.files).is_empty() && whole == ops_of(&opened.trace));
    assert!(session::write(&again.trace, &again.files) == written);
    let blocks: Vec<_> = fields(&written[HEAD..]).into_iter().filter(|own| own.0 == 20).collect();
    assert_eq!(blocks.len(), OPS.div_ceil(BLOCK));
    let (first, end) = (HEAD + blocks[0].1, HEAD + blocks[blocks.len() - 1].3);
    for percent in (5..100).step_by(5) {
        let cut = first + (end - first) * percent / 100;
        let is_before = |own: &&(u64, usize, usize, usize)| HEAD + own.3 <= cut;
        let before = (blocks.iter().filter(is_before).count() * BLOCK).min(OPS);
        let file = &written[..cut];
        // Of a packed one some bytes are still in what the packing has not given out.
        let half = packed(&written);
        let half = &half[..half.len() * percent / 100];
        match open(file) {
            Ok(opened) => {
                assert_eq!(
                    count_first(&opened.trace, &whole).max(before),
                    count_first(&opened.trace, &whole)
                );
                let problem = &opened.files[0].problems[0];
                assert_eq!(
                    (&*problem.code, problem.count),
                    ("session-incomplete", (OPS - opened.trace.ops().len()) as u64)
                );
            }
            Err(why) => assert!(before == 0, "{percent} %: {why}"),
        }
        if let Ok(opened) = open(half) {
            count_first(&opened.trace, &whole);
        }
    }
}

/// Sessions with everything that one may hold, damaged: they open as something that can be asked everything, or do not.
#[test]
fn any_damage_opens_or_is_refused() {
    let files = [
        "multidev.pb",
        "collective.pb",
        "jax/0.4.30.trace.json.gz",
        "counters/viztracer.json.gz",
        "jax/0.5.3.xplane.pb",
    ];
    let sessions = files.map(session_of);
    let mut opened_count = 0;
    for seed in 0..either(400, 4_000) {
        let mut random = Random::new(seed);
        let mut file = sessions[random.below(sessions.len())].clone();
        let other = sessions[random.below(sessions.len())].clone();
        (0..=random.below(3)).for_each(|_| random.damage(&mut file, &other));
        if seed % 5 == 0 {
            file.truncate(random.below(file.len() + 1));
        }
        let Ok(opened) = open(&file) else { continue };
        opened_count += 1;
        let again = open(&session::write(&opened.trace, &opened.files)).unwrap();
        assert_eq!(again.trace.ops().len(), opened.trace.ops().len(), "seed {seed}");
        if opened.trace.ops().len() < 2_000 {
            ask_all(&Study::new(opened.trace));
        }
    }
    assert!(opened_count > either(100, 1_000), "{opened_count} opened");
}
