//! That no answer about any recording changes unseen: `tests/golden/answers.txt` has a checksum of each.
//!
//! The texts of fixtures are golden files themselves (`golden.rs`). Recordings of others may not be copied, and are where rules for one profiler or
//! one release come to bear; of them there is this. `STEPLENS_BLESS=1 cargo test --package steplens-tests --test all answers::` takes new checksums. What is
//! new in an answer is seen in texts: with `STEPLENS_ANSWERS=FOLDER` the test writes all of them there; do so before and after a change, and
//! compare both folders.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crc::{CRC_32_ISCSI, Crc};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::{env, fs, thread};
use steplens_core::marks::{Look, MarksQuery};
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::{CategoryRules, LaneId, OpId, Study};
use steplens_formats::{Limits, Opener};
use steplens_report as report;
use steplens_report::answers::{self, NAMES};
use steplens_report::question::Shown;
use steplens_tests::places::root;
use steplens_tests::recordings::{Recording, recordings, recordings_in};

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// Checksums by answer, by recording.
type Known = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn every_answer_about_every_recording_is_the_one_that_was_read() {
    let mut all = [recordings(), recordings_in("../cases"), recordings_in("releases")].concat();
    // They are large to try how time grows, and as good as empty.
    all.retain(|recording| !recording.name.starts_with("cases/hostile"));
    let got = asked(&all);
    let path = root().join("tests/golden/answers.txt");
    let mut known = read(&fs::read_to_string(&path).unwrap_or_default());
    if env::var_os("STEPLENS_BLESS").is_some() {
        known.extend(got);
        fs::write(&path, written(&known)).unwrap();
        return;
    }
    let mut changed = Vec::new();
    for (name, of_recording) in &got {
        let Some(before) = known.get(name) else {
            changed.push(format!("{name}: not known"));
            continue;
        };
        let differs = |answer: &&String| before.get(*answer) != of_recording.get(*answer);
        let mut all: Vec<&String> = before.keys().chain(of_recording.keys()).filter(differs).collect();
        all.sort_unstable();
        all.dedup();
        if !all.is_empty() {
            changed.push(format!("{name}: {}", all.into_iter().cloned().collect::<Vec<_>>().join(", ")));
        }
    }
    assert!(
        changed.is_empty(),
        "answers that are not those of {}:\n{}\nThe head of tests/tests/answers.rs says how to see them, and how to take them",
        path.display(),
        changed.join("\n")
    );
}

/// The checksums of all answers about each of `recordings`.
fn asked(recordings: &[Recording]) -> Known {
    let next = AtomicUsize::new(0);
    let known = Mutex::new(Known::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(recording) = recordings.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let texts = texts(recording);
                    keep(recording, &texts);
                    let sums = texts.into_iter().map(|(answer, text)| (answer, checksum(&text))).collect();
                    known.lock().unwrap().insert(recording.name.clone(), sums);
                }
            });
        }
    });
    known.into_inner().unwrap()
}

/// Every answer that needs no choice, by its name; and what the page alone asks: some ops, what they follow, and what is drawn.
fn texts(recording: &Recording) -> Vec<(String, String)> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.unpack_here();
    opener.begin_file(&recording.name);
    opener.push(&recording.bytes);
    opener.end_file();
    let opened = match opener.finish() {
        Ok(opened) => opened,
        Err(error) => return vec![("error".to_owned(), error.to_string())],
    };
    let whole = Arc::new(opened.trace);
    let study = Study::of_view(&whole, steplens_core::View::default());
    let shown = Shown { study: &study, whole: &whole, files: &opened.files, kept: None };
    let mut texts: Vec<(String, String)> =
        NAMES.iter().map(|&name| (name.to_owned(), answers::json(name, "", &shown).unwrap())).collect();
    texts.push(("op".to_owned(), some_ops(&study)));
    texts.push(("drawn".to_owned(), drawn(&study)));
    texts
}

/// Details of ten ops, as far from each other as they can be, with what is known of their data flow.
fn some_ops(study: &Study) -> String {
    let count = study.trace().ops().len();
    let step = (count / 10).max(1);
    let ids = (0..count).step_by(step).map(OpId::from_usize);
    ids.map(|op| format!("{:?}\n{:?}\n", report::ops::details(study, op), report::ops::flow(study, op, 2)))
        .collect()
}

/// The marks of all lanes in a window of 1,000 pixels over all of the trace.
fn drawn(study: &Study) -> String {
    let span = study.trace().span();
    let lanes: Vec<LaneId> = (0..study.lanes().len()).map(LaneId::from_usize).collect();
    let query = MarksQuery {
        start: span.start,
        end: span.end,
        width_px: 1_000.0,
        lanes: &lanes,
        pitches: &[],
        most: 5_000,
    };
    let none = Matches::of(study.trace(), study.lanes(), &Pattern::new("", false).unwrap()).unwrap();
    let look = Look { colors: study.colors(), matches: &none, lit: &none };
    format!("{:?}", study.marks().marks(study.trace(), study.lanes(), look, &query))
}

fn checksum(text: &str) -> String {
    format!("{:08x}", CHECKSUM.checksum(text.as_bytes()))
}

/// Writes the texts where the developer wants to read them.
fn keep(recording: &Recording, texts: &[(String, String)]) {
    let Some(folder) = env::var_os("STEPLENS_ANSWERS") else { return };
    let folder = PathBuf::from(folder).join(recording.name.replace('/', "_"));
    fs::create_dir_all(&folder).unwrap();
    for (answer, text) in texts {
        // A field on a line of its own: what differs is then seen.
        fs::write(folder.join(answer), text.replace(",\"", ",\n\"")).unwrap();
    }
}

/// A line for each recording: its name, a tab, and `answer=checksum` after `answer=checksum`.
fn written(known: &Known) -> String {
    known.iter().fold(String::new(), |mut text, (name, of_recording)| {
        let sums: Vec<String> = of_recording.iter().map(|(answer, sum)| format!("{answer}={sum}")).collect();
        writeln!(text, "{name}\t{}", sums.join(" ")).unwrap();
        text
    })
}

fn read(text: &str) -> Known {
    let line = |line: &str| {
        let (name, sums) = line.split_once('\t').unwrap();
        let sum = |sum: &str| sum.split_once('=').map(|(answer, sum)| (answer.to_owned(), sum.to_owned()));
        (name.to_owned(), sums.split(' ').filter_map(sum).collect())
    };
    text.lines().map(line).collect()
}
