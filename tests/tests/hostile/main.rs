//! Damaged and hostile files: no panic, no hang, bounded memory, and nothing lost that is not reported.
//!
//! What a file may cost is stated as multiples of its size and counted, not timed: memory at its peak, and the bytes
//! that are allocated in all, which stand for work.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod chrome;
mod containers;
mod corpus;
mod events;
mod exports;
mod fuzzed;
mod memory;
mod order;
mod paddle;
mod pickles;
mod problems;
mod random;
mod sizes;
mod trace_events;
mod truncation;
mod xspace;
mod zstd;

use flate2::read::MultiGzDecoder;
use std::collections::BTreeSet;
use std::io::Read;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener, ReadError};
use steplens_tests::everything::ask_all;
use steplens_tests::meter::{Cost, Meter, cost};

#[path = "../strategy/mod.rs"]
mod strategy;

#[global_allocator]
static METER: Meter = Meter;

/// How much memory reading may take: so many bytes for each of the file, unpacked, and a constant for the tables' first
/// pages; as much again for what unpacks. `memory.rs` has the shapes that cost most; what a fuzzer may find is bounded in
/// `steplens_tests::laws`.
const PEAK_PER_BYTE: usize = 10;
const PEAK_ALWAYS: usize = 64 << 10;

/// Opens a file as one slice and asks everything about it.
fn open(file: &[u8]) -> Result<Opened, ReadError> {
    open_within(file, Limits::default())
}

fn open_within(file: &[u8], limits: Limits) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), limits);
    opener.begin_file("hostile.pb");
    opener.push(file);
    opener.end_file();
    opener.finish()
}

/// Opens a file that arrives in slices.
fn open_in_slices(file: &[u8], slice: usize) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("hostile.pb");
    file.chunks(slice).for_each(|slice| opener.push(slice));
    opener.finish()
}

/// What reading `file` costs.
fn cost_of_opening(file: &[u8]) -> (Result<Opened, ReadError>, Cost) {
    let (opened, cost) = cost(|| open(file));
    assert!(cost.peak_bytes <= most_bytes(file), "a file of {} bytes took {cost:?}", file.len());
    (opened, cost)
}

/// What opening `file` may take: of a packed one, by what comes out of the packing until that is damaged.
fn most_bytes(file: &[u8]) -> usize {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
    }
    let mut unpacked = Vec::new();
    _ = MultiGzDecoder::new(file).read_to_end(&mut unpacked);
    PEAK_PER_BYTE * unpacked.len().max(file.len()) + 2 * PEAK_ALWAYS
}

/// Opens and asks everything; returns how many ops are shown, and how many were left out and said to be.
fn survive(file: &[u8]) -> (usize, u64) {
    survive_asked(file, |_| true)
}

/// The same, but asks only where `is_asked` says so of the number of ops that are shown.
fn survive_asked(file: &[u8], is_asked: impl FnOnce(usize) -> bool) -> (usize, u64) {
    match cost_of_opening(file).0 {
        Ok(opened) => {
            let (shown, left_out) = (opened.trace.ops().len(), left_out(&opened));
            if is_asked(shown) {
                ask_all(&Study::new(opened.trace));
            }
            (shown, left_out)
        }
        Err(error) => {
            assert!(!error.kind.code().is_empty() && error.to_string().starts_with("hostile.pb"));
            (0, 0)
        }
    }
}

/// Files that differ by little, one after the other: each is opened. Everything is asked where a number of ops is shown that was not shown
/// before, and of every 53rd; what is shown of the others was asked about already.
#[derive(Default)]
struct Alike {
    shown: BTreeSet<usize>,
    files: usize,
}

impl Alike {
    fn survive(&mut self, file: &[u8]) -> (usize, u64) {
        self.files += 1;
        let is_sampled = self.files.is_multiple_of(53);
        survive_asked(file, |shown| self.shown.insert(shown) || is_sampled)
    }
}

/// How many single ops the problems say were left out.
fn left_out(opened: &Opened) -> u64 {
    let problems = opened.files.iter().flat_map(|file| &file.problems);
    problems
        .filter(|problem| matches!(&*problem.code, "damaged-op" | "time-out-of-range"))
        .map(|problem| problem.count)
        .sum()
}
