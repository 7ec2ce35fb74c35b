//! Every single bit of a small session, of a packed one and of a shared page is flipped: what opens says the same, or says that something is wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_core::{CategoryRules, Study};
use steplens_formats::export::{Contents, MARKER, Options, single_file};
use steplens_formats::session::{self, Shown};
use steplens_formats::{Opened, Opener};
use steplens_report as report;
use steplens_tests::writer::{PS, Scenario, op};

fn open(bytes: &[u8]) -> Option<Opened> {
    Opener::open_bytes("own", bytes, CategoryRules::default()).ok()
}

/// Three ops, as a trace.
fn small() -> Opened {
    let ops = [op("a = MatMul(b, c)", 0, 5), op("b = Const()", 7, 11), op("c = Const()", 12, 4_000)];
    open(&Scenario::new().device(PS, ops).bytes()).unwrap()
}

fn view() -> Shown {
    let communication = vec!["MatMul".to_owned()];
    Shown { view: "k=1.2&fix=zero-starts&n=0,1,slow".to_owned(), communication, ..Shown::default() }
}

/// What is answered, and what is said to be wrong.
fn said(opened: Opened) -> (String, Vec<String>) {
    let codes = said_codes(&opened);
    let written = session::write_shown(&opened.trace, &[], &opened.shown);
    let study = Study::new(opened.trace);
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    (format!("{} {written:?}", String::from_utf8_lossy(&ops)), codes)
}

/// Flips each bit of `file`. How many flips still give the whole, how many are said, and how many files do not open.
fn flip_all(file: &[u8]) -> [usize; 3] {
    let (whole, problems) = said(open(file).unwrap());
    assert_eq!(problems, [""; 0]);
    let mut counts = [0; 3];
    for bit in 0..file.len() * 8 {
        let mut flipped = file.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let Some(opened) = open(&flipped) else {
            counts[2] += 1;
            continue;
        };
        let (answers, problems) = said(opened);
        assert!(!problems.is_empty() || answers == whole, "bit {} of byte {}", bit % 8, bit / 8);
        counts[usize::from(!problems.is_empty())] += 1;
    }
    counts
}

#[test]
fn a_flipped_bit_of_a_session_is_said() {
    let opened = small();
    let file = session::write_shown(&opened.trace, &opened.files, &view());
    let [whole, said, closed] = flip_all(&file);
    // Nothing but the checksum's key may change without a word; times and names are said and shown.
    assert!(whole <= 8 && said > 3_000 && closed < 600, "{whole} {said} {closed}");
    // The first flip of a time that shows another time.
    let changed = (0..file.len()).filter_map(|at| {
        let mut flipped = file.clone();
        flipped[at] ^= 1;
        open(&flipped)
    });
    let codes: Vec<_> = changed.map(|opened| said_codes(&opened)).collect();
    assert!(codes.iter().filter(|codes| codes.iter().any(|code| code == "session-changed")).count() > 100);
}

fn said_codes(opened: &Opened) -> Vec<String> {
    opened.files.iter().flat_map(|file| &file.problems).map(|own| own.code.to_string()).collect()
}

#[test]
fn a_flipped_bit_of_a_packed_session_is_said() {
    let opened = small();
    let mut packed = GzEncoder::new(Vec::new(), Compression::new(6));
    packed.write_all(&session::write_shown(&opened.trace, &opened.files, &view())).unwrap();
    let [_, _, closed] = flip_all(&packed.finish().unwrap());
    assert!(closed > 1_000, "{closed}");
}

#[test]
fn a_flipped_bit_of_a_shared_page_is_said() {
    let opened = small();
    let Shown { view, communication, .. } = view();
    let options = Options { communication, ..Options::default() };
    let session = session::write(&opened.trace, &opened.files);
    let contents = Contents { view, options, name: "own".to_owned(), session };
    let page = single_file(format!("<!doctype html>{MARKER}</html>").as_bytes(), &contents).unwrap();
    let [_, said, closed] = flip_all(&page);
    // The note is said, the trace does not open.
    assert!(said > 500 && closed > 1_000, "{said} {closed}");
}
