//! Sessions: what is written opens again as the same trace, small. `damaged_sessions` has those that are damaged.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use prost::Message;
use std::io::Write;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Opened, Opener, ReadError, session};
use steplens_report as report;
use steplens_tests::cases::either;
use steplens_tests::everything::{ask_all, everything, everything_of_parts};
use steplens_tests::fixtures::{fixture, fixtures_and_samples};
use steplens_tests::meter::{Meter, cost};
use steplens_tests::writer::{PS, Scenario, op};

mod damaged_sessions;
mod strategy;

#[global_allocator]
static METER: Meter = Meter;

fn open(files: &[(&str, &[u8])]) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), Default::default());
    for (name, file) in files {
        opener.begin_file(name);
        opener.push(file);
        opener.end_file();
    }
    opener.finish()
}

fn write(opened: &Opened) -> Vec<u8> {
    session::write(&opened.trace, &opened.files)
}

fn packed(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// All that is said about a trace, its files and its ids.
fn said(opened: Opened) -> String {
    let files = opened.files;
    let study = Study::new(opened.trace);
    let trace = study.trace();
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    let node_ids: Vec<_> = trace.ops().ids().map(|op| trace.ops().node(op).get()).collect();
    let node_names: Vec<_> = trace.nodes().ids().map(|node| trace.text(trace.nodes().name(node))).collect();
    let threads: Vec<_> =
        trace.threads().iter().map(|&(device, thread, name)| (device, thread, trace.text(name))).collect();
    let offsets: Vec<_> =
        files.iter().flat_map(|file| &file.problems).map(|problem| problem.offset).collect();
    [
        report::summary::of(&study, &files).to_text(),
        String::from_utf8(ops).unwrap(),
        everything(&study),
        everything_of_parts(trace),
        format!("{node_ids:?} {node_names:?} {threads:?} {offsets:?} {}", trace.origin_unix_ns()),
    ]
    .join("\n")
}

/// Writes and opens again; gives the session.
fn round_trip(opened: Opened) -> Vec<u8> {
    let written = write(&opened);
    let again = open(&[("shared.steplens", &written)]).unwrap();
    assert!(write(&again) == written, "a session of a session is the same session");
    assert!(said(again) == said(opened), "a session says the same");
    written
}

#[test]
fn steps_survive() {
    let step = fixture("mnist-adam");
    let twice = [&step.bytes[..], &step.bytes[..]].concat();
    round_trip(open(&[("one.pb", &twice), ("two.pb", &fixture("ps4w").bytes)]).unwrap());
    // Files of which one opens as a session have the same parts.
    let written = write(&open(&[("one.pb", &twice)]).unwrap());
    let read_back = |files: &[(&str, &[u8])]| {
        let trace = open(files).unwrap().trace;
        trace.parts().iter().map(|part| (part.file, part.ops)).collect::<Vec<_>>()
    };
    let two = &fixture("ps4w").bytes[..];
    assert_eq!(read_back(&[("a", &written), ("b", two)]), read_back(&[("a", &twice), ("b", two)]));
}

#[test]
fn every_fixture_survives() {
    for fixture in fixtures_and_samples() {
        let name = format!("{}.pb", fixture.name);
        let written = round_trip(open(&[(&name, &fixture.bytes)]).unwrap());
        assert!(packed(&written, 6).len() < packed(&fixture.bytes, 6).len(), "{name}");
    }
}

#[test]
fn the_four_workers_fit_into_an_export() {
    let written = write(&open(&[("ps4w.pb", &fixture("ps4w").bytes)]).unwrap());
    let size = packed(&written, 6).len();
    assert!(size < 100_000, "{size} bytes");
}

#[test]
fn several_files_keep_their_reports() {
    let (mnist, ps) = (fixture("mnist-adam").bytes, fixture("multidev").bytes);
    let files: [(&str, &[u8]); 4] =
        [("a.pb", &mnist), ("cut.pb", &ps[..ps.len() / 2]), ("empty", b""), ("b.pb.gz", &packed(&ps, 9))];
    let opened = open(&files).unwrap();
    assert_eq!(opened.files.iter().map(|file| file.problems.len()).collect::<Vec<_>>(), [0, 1, 1, 0]);
    round_trip(opened);
}

#[test]
fn a_session_opens_like_any_other_file() {
    let (mnist, other) = (fixture("mnist-adam").bytes, fixture("multidev").bytes);
    let written = write(&open(&[("mnist.pb", &mnist)]).unwrap());
    let both = said(open(&[("mnist.pb", &mnist), ("other.pb", &other)]).unwrap());
    for session in [&written, &packed(&written, 6)] {
        assert!(said(open(&[("shared", session), ("other.pb", &other)]).unwrap()) == both);
    }
    let mut opener = Opener::new(CategoryRules::default(), Default::default());
    opener.begin_file("in slices");
    packed(&written, 1).chunks(1).for_each(|byte| opener.push(byte));
    opener.end_file();
    assert!(said(opener.finish().unwrap()) == said(open(&[("mnist.pb", &mnist)]).unwrap()));
    // Of a damaged one as much is taken as there is, and of one without ops nothing; the others are shown.
    let cut = &written[..written.len() - 1];
    let opened = open(&[("cut", cut), ("other.pb", &other)]).unwrap();
    assert_eq!(opened.trace.ops().len(), opened.files[0].ops + opened.files[1].ops);
    assert!(opened.files[0].ops > 0 && opened.files[0].problems[0].code.starts_with("session-"));
    let opened = open(&[("cut", &written[..500]), ("other.pb", &other)]).unwrap();
    assert_eq!(opened.trace.ops().len(), opened.files[1].ops);
    assert_eq!((opened.files[0].ops, &*opened.files[0].problems[0].code), (0, "session-damaged"));
}

#[test]
fn patterns_of_the_user_apply_anew() {
    let opened = open(&[("a.pb", &Scenario::new().device(PS, [op("a = Push(b)", 0, 5)]).bytes())]).unwrap();
    let rules = CategoryRules::new(&["Push".to_owned()]).unwrap();
    let again = Opener::open_bytes("shared", &write(&opened), rules).unwrap();
    assert_eq!(again.trace.category(again.trace.ops().ids().next().unwrap()).word(), "communication");
}

#[test]
fn text_never_grows_beyond_its_bound() {
    let long = "n".repeat(10_000);
    let ops = (0..2_000).map(|i| op(&format!("{long}{} = Mul({long}1, {long}2)", i % 1_000), i, 1));
    let opened = open(&[("long.pb", &Scenario::new().device(PS, ops).bytes())]).unwrap();
    let written = round_trip(opened);
    assert!(packed(&written, 6).len() < 100_000);
    // Without what fills it up it would be a bomb: no more text is read than a file of its size may hold.
    let zeros = written.iter().rev().take_while(|&&byte| byte == 0).count();
    // Before them stand their tag, two bytes, and their length.
    let fill = written[..written.len() - zeros].windows(2).rposition(|tag| tag == [0xa2, 0x06]).unwrap();
    let bomb = &written[..fill];
    let (opened, cost) = cost(|| open(&[("bomb", bomb)]));
    assert_eq!(opened.unwrap().files[0].problems[0].code, "session-incomplete");
    assert!(cost.peak_bytes < 200 * bomb.len(), "{cost:?} for {} bytes", bomb.len());
}

/// SplitMix64: the same numbers everywhere, from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn damage(&mut self, file: &mut Vec<u8>) {
        let at = self.below(file.len());
        match self.below(6) {
            0 | 1 => file[at] ^= 1 << self.below(8),
            2 => file[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
            3 => _ = file.remove(at),
            4 => file.insert(at, self.below(256) as u8),
            _ => _ = file.splice(at..at + 1, [0xff; 9].into_iter().chain([1])).count(),
        }
    }
}

#[test]
fn thousands_of_mutations_open_or_are_refused() {
    let sessions = ["mnist-adam", "multidev", "collective"]
        .map(|name| write(&open(&[(name, &fixture(name).bytes)]).unwrap()));
    let mut opened_count = 0;
    for seed in 0..either(1_500, 5_000) {
        let mut random = Random(seed);
        let mut file = sessions[random.below(sessions.len())].clone();
        for _ in 0..1 + random.below(3) {
            random.damage(&mut file);
        }
        let (opened, cost) = cost(|| open(&[("mutated", &file)]));
        assert!(cost.peak_bytes < 200 * file.len() + (256 << 10), "{cost:?} for {} bytes", file.len());
        if let Ok(opened) = opened {
            opened_count += 1;
            let again = open(&[("again", &write(&opened))]).unwrap();
            assert_eq!(again.trace.ops().len(), opened.trace.ops().len());
            ask_all(&Study::new(opened.trace));
        }
    }
    assert!(opened_count > 100, "only {opened_count} opened: the mutations test nothing but the framing");
}

proptest! {
    #![proptest_config(steplens_tests::cases::cases(400))]

    #[test]
    fn random_traces_survive(metadata in strategy::run_metadata()) {
        if let Ok(opened) = open(&[("random.pb", &metadata.encode_to_vec())]) {
            round_trip(opened);
        }
    }
}
