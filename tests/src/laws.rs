//! Laws of opening any bytes at all: what the fuzz targets and the tests of hostile files demand.
//!
//! 1. Opening takes no more memory than a multiple of the file.
//! 2. The result does not depend on the slices that the bytes arrive in.
//! 3. What a session keeps of a trace opens again as the same trace.
//! 4. Ops of a lane never overlap, and every op is on one.
//! 5. The parts of a split add up to its window.
//! 6. Every op is in one step by every rule, and a step alone has the ops that it says.
//!
//! They hold for every file, damaged or not; that nothing panics is the least of them. The memory is counted by
//! [`Meter`](crate::meter::Meter), which has to be the allocator of the program.

use crate::everything::ask_all;
use crate::meter::cost;
use crate::random::Random;
use std::sync::Arc;
use steplens_core::doctor::{Repair, findings, repaired};
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{Category, CategoryRules, Interval, Study, Timestamp, Trace, View};
use steplens_formats::sniff::{self, FileKind};
use steplens_formats::{Limits, Opened, Opener, ReadError, session};

/// How much memory reading may take: so many bytes for each of the file, and a constant for the tables' first pages.
///
/// The smallest op is two bytes and takes some 60 in columns; vectors that double hold up to thrice what they need
/// while they move, and the rows of a finished trace exist together with those in the file's order.
pub const PEAK_PER_BYTE: usize = 100;
/// See [`PEAK_PER_BYTE`].
pub const PEAK_ALWAYS: usize = 256 << 10;

/// What opening is given here. A packed file is small compared with what it holds; it may take five times this.
const LIMITS: Limits = Limits { memory_bytes: 4 << 20 };
/// Up to how many ops everything is asked about a trace.
const FEW: usize = 300;
/// Of how many steps each is shown alone.
const STEPS_ALONE: usize = 6;

/// Opens files as one trace, each in the slices that `cut` makes of it.
fn open<'a>(files: &[&'a [u8]], mut cut: impl FnMut(&'a [u8]) -> Vec<&'a [u8]>) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), LIMITS);
    for file in files {
        opener.begin_file("file");
        cut(file).into_iter().for_each(|slice| opener.push(slice));
        opener.end_file();
    }
    opener.finish()
}

/// What stands between the files where one input holds several.
const NEXT_FILE: &[u8] = b"\n--file--\n";

/// The files that an input holds.
pub fn files(mut input: &[u8]) -> Vec<&[u8]> {
    let mut files = Vec::new();
    while let Some(end) = input.windows(NEXT_FILE.len()).position(|window| window == NEXT_FILE) {
        files.push(&input[..end]);
        input = &input[end + NEXT_FILE.len()..];
    }
    files.push(input);
    files
}

/// How much memory opening `files` may take.
pub fn allowed_bytes(files: &[&[u8]]) -> usize {
    let is_packed =
        |file: &&&[u8]| matches!(sniff::sniff(file), FileKind::Gzip | FileKind::Zstd | FileKind::Markup);
    let packed = files.iter().filter(is_packed).count() * 5 * LIMITS.memory_bytes;
    packed + PEAK_PER_BYTE * files.iter().map(|file| file.len()).sum::<usize>() + PEAK_ALWAYS
}

/// Opens `files` whole and in slices, and gives the trace, if there is one, after laws 1 to 3 were found to hold.
///
/// # Panics
/// If one does not.
pub fn opened(files: &[&[u8]]) -> Option<Opened> {
    let (whole, cost) = cost(|| open(files, |file| vec![file]));
    assert!(cost.peak_bytes <= allowed_bytes(files), "{} files took {cost:?}", files.len());
    let mut random = Random::new(
        files
            .iter()
            .copied()
            .flatten()
            .fold(0, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)),
    );
    let in_slices = open(files, |file| slices(&mut random, file));
    let (whole, in_slices) = match (whole, in_slices) {
        (Ok(whole), Ok(in_slices)) => (whole, in_slices),
        (whole, in_slices) => {
            let [whole, in_slices] = [whole, in_slices].map(|opened| opened.map(|opened| opened.files).err());
            assert_eq!(whole, in_slices, "whole and in slices");
            return None;
        }
    };
    let written = session::write(&whole.trace, &whole.files);
    if written != session::write(&in_slices.trace, &in_slices.files) {
        let outcome = |opened: &Opened| format!("{} ops, {:#?}", opened.trace.ops().len(), opened.files);
        panic!("whole {}\nin slices {}", outcome(&whole), outcome(&in_slices));
    }
    let again = Opener::open_bytes("session", &written, CategoryRules::default());
    let again = again.unwrap_or_else(|error| panic!("a session of {} bytes: {error}", written.len()));
    assert!(session::write(&again.trace, &again.files) == written, "a session of a session is the same");
    Some(whole)
}

/// Cuts `file` into slices, small and large.
fn slices<'a>(random: &mut Random, mut file: &'a [u8]) -> Vec<&'a [u8]> {
    let most = 1 << random.below(12);
    let mut slices = Vec::new();
    while !file.is_empty() {
        let (slice, rest) = file.split_at(random.below(most + 1).min(file.len()));
        slices.push(slice);
        file = rest;
    }
    slices
}

/// Laws 4 and 5.
///
/// # Panics
/// If one does not hold.
pub fn study_holds(study: &Study) {
    let ops = study.trace().ops();
    let mut seen = 0;
    for lane in study.trace().devices().ids().flat_map(|device| study.lanes().of_device(device)) {
        let row = study.lanes().ops(lane);
        seen += row.len();
        for (&before, &after) in row.iter().zip(row.iter().skip(1)) {
            let (one, other) = (ops.interval(before), ops.interval(after));
            assert!(before < after, "ops of a lane are in order");
            assert!(one.start >= other.end || other.start >= one.end, "{one:?} and {other:?} overlap");
        }
    }
    assert_eq!(seen, ops.len(), "every op is on one lane");
    let span = study.trace().span();
    let middle = Timestamp(span.start.0 + span.length().0 / 2);
    for window in [span, Interval::new(span.start, middle), Interval::new(middle, span.end)] {
        for device in study.trace().devices().ids().map(Some).chain([None]) {
            let split = study.split(device, window);
            let of_work = Category::parts().map(|category| split.part(category));
            let parts: Vec<_> = of_work.chain([split.idle]).collect();
            assert!(parts.iter().all(|part| part.0 >= 0), "{split:?}");
            assert_eq!(parts.iter().map(|part| part.0).sum::<i64>(), window.length().0, "{split:?}");
        }
    }
}

/// Law 6, and laws 4 and 5 of what every view shows. Of a trace with few ops, everything is asked.
///
/// # Panics
/// If one does not hold.
pub fn views_hold(trace: Trace) {
    let whole = Arc::new(trace);
    let mut views = vec![View::default()];
    for rule in StepRule::ALL {
        let steps = Steps::divided(&whole, rule);
        let all: u64 = steps.rows().iter().map(|step| step.ops).sum();
        assert_eq!(all, whole.ops().len() as u64, "every op is in one step by {}", rule.word());
        for (row, step) in steps.rows().iter().enumerate().take(STEPS_ALONE) {
            let alone = steps.alone(&whole, row);
            assert_eq!(alone.trace.ops().len() as u64, step.ops, "step {row} by {}", rule.word());
            assert_eq!(alone.old_op.len() as u64, step.ops);
            views.push(View { rule, step: Some(row), ..View::default() });
        }
    }
    let repairs: Vec<Repair> = findings(&whole).iter().filter_map(|finding| finding.kind.repair()).collect();
    for &repair in &repairs {
        assert!(repaired(&whole, &[repair]).is_some(), "{} has something to do", repair.word());
        views.push(View { repairs: vec![repair], ..View::default() });
        views.push(View { repairs: repairs.clone(), step: Some(0), ..View::default() });
    }
    for view in views {
        let study = Study::of_view(&whole, view);
        study_holds(&study);
        if study.trace().ops().len() <= FEW {
            ask_all(&study);
        }
    }
}
