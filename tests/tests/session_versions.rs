//! Sessions: the message is prost's, what a newer one adds is said, and what was shown is kept.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use prost::Message;
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::doctor::Repair;
use steplens_core::model::file::FileReport;
use steplens_core::{CategoryRules, Study, Trace, View};
use steplens_formats::session::{self, Shown};
use steplens_formats::{Opened, Opener, ReadError};
use steplens_report as report;
use steplens_tests::everything::{everything, everything_of_parts};
use steplens_tests::fixtures::fixture;
use steplens_tests::session_proto::{Column, Session};
use steplens_tests::wire;

/// The magic and the version byte.
const HEAD: usize = 9;
/// The checksum and its key.
const CHECKSUM: usize = 5;

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

fn said(trace: Trace) -> String {
    let study = Study::new(trace);
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    [everything(&study), everything_of_parts(study.trace()), String::from_utf8(ops).unwrap()].join("\n")
}

/// The session of `fixture`, and the message in it.
fn message(name: &str) -> (Vec<u8>, Session) {
    let written = write(&open(&[(name, &fixture(name).bytes)]).unwrap());
    let message = Session::decode(&written[HEAD..]).unwrap();
    // What is made of it is no session that was changed afterwards.
    (written, Session { checksum: None, ..message })
}

fn with_head(message: &[u8]) -> Vec<u8> {
    [&b"STEPLENS\x03"[..], message].concat()
}

#[test]
fn a_newer_version_is_refused_with_what_to_do() {
    let (mut written, _) = message("mnist-adam");
    written[8] = 5;
    let why = open(&[("newer.steplens", &written)]).map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("open it with a newer Steplens"), "{why}");
}

#[test]
fn the_message_is_as_prost_writes_it() {
    for name in ["mnist-adam", "ps4w", "collective", "lstm-while"] {
        let (written, message) = message(name);
        assert!(message.encode_to_vec() == written[HEAD + CHECKSUM..], "{name}");
        let [ops] = <[_; 1]>::try_from(message.ops).unwrap();
        let column = |column: Option<Column>| column.unwrap();
        let node = column(ops.node);
        assert_eq!(node.data.len() as u64, u64::from(node.width) * ops.rows, "{name}");
        assert_eq!(column(message.strings.unwrap().rest).encoding, 3);
        assert_eq!((message.version, message.view.as_str()), (3, ""));
    }
}

/// CRC-32C, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    })
}

#[test]
fn the_checksum_is_that_of_all_bytes_behind_it() {
    let (written, message) = message("collective");
    let sum = crc32c(&written[HEAD + CHECKSUM..]).to_le_bytes();
    assert_eq!(written[HEAD..HEAD + CHECKSUM], [&[0x35], &sum[..]].concat());
    // A session without one opens as it is; where other tools wrote it again, its checksum is in another place and fits no more.
    let codes = |file: &[u8]| -> Vec<String> {
        let opened = open(&[("own", file)]).unwrap();
        opened.files[0].problems.iter().map(|problem| problem.code.to_string()).collect()
    };
    let own = codes(&written);
    assert_eq!(codes(&with_head(&message.encode_to_vec())), own);
    let other = Session { checksum: Some(u32::from_le_bytes(sum)), ..message };
    assert_eq!(codes(&with_head(&other.encode_to_vec())), [own, vec!["session-changed".to_owned()]].concat());
}

#[test]
fn what_a_newer_steplens_adds_is_left_out_and_said() {
    let (written, mut message) = message("mnist-adam");
    let whole = open(&[("a", &written)]).unwrap();
    message.writer = "9.0.0".to_owned();
    // A table and a number of the message, and a column of a table, which merges with the one before.
    let mut newer = message.encode_to_vec();
    let known = newer.len();
    wire::put_bytes(&mut newer, 60, b"a table of tomorrow");
    newer.extend_from_slice(&[0xe8, 0x07, 1]);
    let mut devices = Vec::new();
    wire::put_bytes(&mut devices, 9, b"");
    wire::put_bytes(&mut newer, 12, &devices);
    let opened = open(&[("newer", &with_head(&newer))]).unwrap();
    let problem = opened.files[0].problems.last().unwrap();
    assert_eq!((&*problem.code, problem.count), ("session-newer", 1));
    let unknown = newer.len() - known;
    assert!(problem.detail.contains(&format!(" {unknown} bytes")), "{}", problem.detail);
    assert!(said(opened.trace) == said(whole.trace));
    // How a column is written cannot be left out.
    let mut other = message.clone();
    other.ops[0].node.as_mut().unwrap().encoding = 4;
    let why = open(&[("other", &with_head(&other.encode_to_vec()))]).map(|_| ()).unwrap_err();
    assert_eq!(why.kind.code(), "session-damaged");
}

#[test]
fn a_session_among_other_files_is_as_the_files_it_was_made_from() {
    // Alone its columns become the trace's; among others its ops are added one by one. Both give the same.
    let two = fixture("multidev").bytes;
    // The last two say what allocators had in use, of which a trace keeps samples.
    for name in ["mnist-adam", "collective", "ps4w", "lstm-while"] {
        let one = fixture(name).bytes;
        let written = write(&open(&[("one", &one)]).unwrap());
        for files in [[("one", &*written), ("two", &*two)], [("two", &*two), ("one", &*written)]] {
            let plain = files.map(|(name, bytes)| (name, if name == "one" { &*one } else { bytes }));
            assert!(write(&open(&files).unwrap()) == write(&open(&plain).unwrap()), "{name}");
        }
    }
}

#[test]
fn devices_in_another_order_are_brought_into_theirs() {
    let (written, mut message) = message("multidev");
    let devices = message.devices.as_mut().unwrap();
    // One device with all ops of another: its ops are out of order, and still all there.
    for column in [&mut devices.name, &mut devices.flags] {
        column.as_mut().unwrap().data.reverse();
    }
    let opened = open(&[("turned", &with_head(&message.encode_to_vec()))]).unwrap();
    let names: Vec<_> = opened
        .trace
        .devices()
        .ids()
        .map(|id| opened.trace.text(opened.trace.devices().get(id).name).to_owned())
        .collect();
    let own = open(&[("own", &written)]).unwrap().trace;
    let own: Vec<_> = own.devices().ids().map(|id| own.text(own.devices().get(id).name).to_owned()).collect();
    assert_eq!(names, own);
    let again = open(&[("again", &write(&opened))]).unwrap();
    assert!(said(again.trace) == said(opened.trace));
}

#[test]
fn what_was_shown_is_kept() {
    let opened = open(&[("a.pb", &fixture("mnist-adam").bytes)]).unwrap();
    let view = "k=1.2&w=0,5&n=0,1,slow%20%E2%80%A6&clocks=estimated&fix=zero-starts".to_owned();
    let communication = vec!["Push".to_owned(), "Pull|Bcast".to_owned()];
    let shown = Shown { view, communication, past: "{\"steps\":1}".to_owned() };
    let written = session::write_shown(&opened.trace, &opened.files, &shown);
    let again = open(&[("a.steplens", &written)]).unwrap();
    assert_eq!(again.shown, shown);
    assert!(session::write_shown(&again.trace, &again.files, &again.shown) == written);
    // Patterns are no part of the trace.
    assert!(write(&again) == write(&opened));
    // A second file makes another trace: the stored view does not apply.
    let both = open(&[("a.steplens", &written), ("b.pb", &fixture("collective").bytes)]).unwrap();
    assert_eq!(both.shown, Shown::default());
    let strings = session::strings(&written).unwrap();
    assert!([&shown.view, &shown.past, &shown.communication[1]].iter().all(|own| strings.contains(own)));
}

/// Words of clocks: the estimate, tasks by hand, both, or none.
fn clocks() -> impl Strategy<Value = Vec<String>> {
    let by_hand = (0..3_u32, -5_000_i64..5_000)
        .prop_map(|(task, ns)| format!("/job:worker/replica:0/task:{task}={ns}"));
    proptest::collection::vec(prop_oneof![Just("estimated".to_owned()), by_hand], 0..3)
}

/// What `view` shows of `whole` says the same from a session of the whole as from the whole itself.
fn corrections_survive(opened: Opened, view: &dyn Fn(&Arc<Trace>) -> View) -> Result<(), TestCaseError> {
    let files = opened.files;
    let whole = Arc::new(opened.trace);
    let again = open(&[("again", &session::write(&whole, &files))]).unwrap();
    let again = Arc::new(again.trace);
    let of_view = |trace: &Arc<Trace>| Study::of_view(trace, view(trace));
    let (own, other) = (of_view(&whole), of_view(&again));
    prop_assert!(session::write(own.trace(), &[]) == session::write(other.trace(), &[]));
    prop_assert!(everything(&own) == everything(&other));
    // The corrected trace itself is written, too.
    let counted = report_of(own.trace(), &files);
    let written = session::write(own.trace(), &counted);
    if !own.trace().ops().is_empty() {
        let again = open(&[("corrected", &written)]).unwrap();
        prop_assert!(session::write(&again.trace, &again.files) == written);
    }
    Ok(())
}

/// The first of `files` as if it had brought all ops of `trace`.
fn report_of(trace: &Trace, files: &[FileReport]) -> Vec<FileReport> {
    let mut files = files.to_vec();
    files.iter_mut().for_each(|file| file.ops = 0);
    files.iter_mut().take(1).for_each(|file| file.ops = trace.ops().len());
    files
}

/// The view of some repairs, clocks and a step.
fn view_of(whole: &Arc<Trace>, repairs: &[Repair], words: &[String], step: Option<usize>) -> View {
    let view = View { repairs: repairs.to_vec(), ..View::default() };
    let choice = ClockChoice::of_words(words.iter().map(String::as_str)).unwrap();
    let clocks = Arc::new(view.clocks_of(whole));
    let clocks = (!choice.is_recorded()).then_some(ClockSetting { choice, clocks });
    View { clocks, step, ..view }
}

#[test]
fn corrections_of_recordings_survive() {
    let skewed = fixture("ps4w-skewed").bytes;
    let steps = [&fixture("mnist-adam").bytes[..], &fixture("mnist-adam").bytes[..]].concat();
    let cut = &fixture("multidev").bytes[..9_000];
    for files in [[("a.pb", &*skewed), ("cut.pb", cut)], [("a.pb", &*steps), ("cut.pb", cut)]] {
        for words in [
            vec![],
            vec!["estimated".to_owned()],
            vec!["estimated".to_owned(), "/job:worker/replica:0/task:1=-70000".to_owned()],
        ] {
            let view = |whole: &Arc<Trace>| view_of(whole, &Repair::ALL, &words, None);
            corrections_survive(open(&files).unwrap(), &view).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(steplens_tests::cases::cases(60))]

    #[test]
    fn any_bits_of_a_session_may_flip(seed in any::<u64>(), which in 0..3_usize) {
        let (mut written, _) = message(["mnist-adam", "collective", "multidev"][which]);
        let mut state = seed | 1;
        for _ in 0..1 + seed % 5 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = HEAD + (state >> 20) as usize % (written.len() - HEAD);
            written[at] ^= 1 << (state >> 60 & 7);
        }
        if let Ok(opened) = open(&[("flipped", &written)]) {
            let again = write(&opened);
            prop_assert!(write(&open(&[("again", &again)]).unwrap()) == again);
        }
    }

    #[test]
    fn corrected_traces_survive(
        metadata in crate::strategy::run_metadata(),
        words in clocks(),
        repairs in proptest::sample::subsequence(Repair::ALL.to_vec(), 0..=4),
        twice in any::<bool>(),
        damage in 0..8_usize,
    ) {
        let mut bytes = metadata.encode_to_vec();
        if twice {
            bytes.extend_from_within(..);
        }
        // Some files end too early.
        bytes.truncate(bytes.len().saturating_sub(damage / 4 * damage));
        if let Ok(opened) = open(&[("random.pb", &bytes)]) {
            corrections_survive(opened, &|whole| view_of(whole, &repairs, &words, None))?;
        }
    }
}
