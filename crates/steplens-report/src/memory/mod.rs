//! `steplens.memory/1`: which bytes were alive when, by device and allocator, and what was alive at the peak.

mod alive;
mod boxes;
mod sentences;
mod why;

pub use alive::{AliveRow, MemoryAlive, alive, rows_at};
pub use boxes::boxes;
pub use sentences::{lacks, lost_sentence, recorded_by, rests_on};
pub use why::{MemoryHolder, holders_at, why};

use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::memory::{Account, By, Faults, Reading};
use steplens_core::model::file::FileReport;
use steplens_core::{Study, Timestamp};

/// Which bytes were alive when, and what was alive at the peak.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What rows are put together by.
    #[serde(skip)]
    #[cfg_attr(feature = "program", arg(long, value_name = "WHAT", default_value = "tensor", value_parser = By::ALL.map(By::word)))]
    pub by: Option<String>,
    /// What the peak is shown of.
    #[serde(skip)]
    #[cfg_attr(feature = "program", arg(long, value_name = "READING", value_parser = Reading::ALL.map(Reading::word)))]
    pub reading: Option<String>,
}

impl Question for Options {
    const NAME: &'static str = "memory";
    type Answer<'a> = Whole;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(answer(shown.study, shown.files))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.study, self.by(), out)?)
    }
}

/// What is alive at the peak of every account, one row for equal tensors.
fn write_csv(study: &Study, by: By, out: &mut impl Write) -> io::Result<()> {
    let trace = study.trace();
    let accounts = Reading::ALL.into_iter().flat_map(|reading| {
        study.memory(reading).accounts.iter().map(move |account| (reading, account, account.peak()))
    });
    let rows = accounts.flat_map(|(reading, account, (peak, at))| {
        rows_at(study, account, at, by).0.into_iter().map(move |alive| (reading, account, peak, at, alive))
    });
    sheet!(out, (reading, account, peak, at, alive) in rows, {
        reading: reading.word(),
        device: account.device.map(|device| trace.text(trace.devices().get(device).name)),
        allocator: trace.text(account.allocator),
        peak_bytes: peak.0,
        peak_ns: at_or_before(at),
        op: &*alive.op,
        output: alive.output,
        bytes: alive.bytes,
        count: alive.count,
        dtype: alive.dtype.as_deref(),
        shape: alive.shape.as_deref(),
        allocated_ns: alive.allocated_ns,
        freed_ns: alive.freed_ns,
        op_id: alive.op_id,
    })
}

impl Options {
    /// What rows are put together by.
    pub fn by(&self) -> By {
        self.by.as_deref().and_then(By::of_word).unwrap_or(By::Tensor)
    }

    /// What the peak is shown of.
    pub fn reading(&self) -> Option<Reading> {
        self.reading.as_deref().and_then(Reading::of_word)
    }
}

/// The memory that one allocator held, of one device or of all.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryAccount {
    /// The row of the device; null if the reading does not keep devices apart.
    pub device: Option<u32>,
    /// Its name.
    pub device_name: Option<String>,
    /// The allocator's name; empty if the file has none.
    pub allocator: String,
    /// What is known: the `lives` of single allocations, or only `sums` of bytes, because the file has no addresses.
    pub basis: &'static str,
    /// The most bytes alive at once.
    pub peak_bytes: u64,
    /// Since when they were alive; null if before the first op.
    pub peak_ns: Option<i64>,
    /// The bytes that were alive before, as far as the reading counts them.
    pub before_bytes: u64,
    /// What the allocator had in use at the peak in addition to what the reading counts, if that was recorded.
    pub beyond_bytes: Option<u64>,
    /// The number of tensors, or other allocations, in all; 0 if only sums are known.
    pub lives: usize,
    /// The bytes alive after the last op.
    pub end_bytes: u64,
}

/// One way to find out what was alive.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryReading {
    /// Its word.
    pub reading: &'static str,
    /// What it is based on, as a sentence.
    pub rests_on: &'static str,
    /// What is not known about accounts whose basis is `sums`, as a sentence; null without such accounts.
    pub lacks: Option<&'static str>,
    /// The number of tensors that its rules do not count.
    pub lost: u64,
    /// The bytes of these tensors.
    pub lost_bytes: u64,
    /// What could not be counted as it is in the file.
    pub faults: MemoryFaults,
    /// In order of device and allocator.
    pub accounts: Vec<MemoryAccount>,
}

/// What could not be counted as it is in the file.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MemoryFaults {
    /// Frees without an earlier allocation: the memory counts as allocated before the recording.
    pub frees_alone: u64,
    /// Sizes and sums that are too large to store: the curve stops at the largest number.
    pub too_large: u64,
    /// Ops whose inputs were not followed, because the file has too many.
    pub ops_without: u64,
}

/// Everything that is known about the memory of what is shown.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryReport {
    /// The readings with any accounts, the best first.
    pub readings: Vec<MemoryReading>,
    /// Which option records memory, if there are no readings or no allocations were recorded.
    pub recorded_by: Option<String>,
}

/// What is known about the memory of `study`, which was read from `files`.
pub fn report(study: &Study, files: &[FileReport]) -> MemoryReport {
    let readings = Reading::ALL.into_iter().map(|reading| of_reading(study, reading));
    let readings: Vec<MemoryReading> = readings.filter(|reading| !reading.accounts.is_empty()).collect();
    let recorded_by = recorded_by(study, files);
    MemoryReport { readings, recorded_by }
}

/// The report as JSON, for the page.
pub fn page(study: &Study, files: &[FileReport]) -> String {
    text(&report(study, files))
}

fn of_reading(study: &Study, reading: Reading) -> MemoryReading {
    let memory = study.memory(reading);
    let Faults { frees_alone, too_large } = memory.faults;
    let ops_without = if reading == Reading::Tensors { study.reads().ops_without } else { 0 };
    MemoryReading {
        reading: reading.word(),
        rests_on: rests_on(reading),
        lacks: lacks(memory),
        lost: memory.lost.0,
        lost_bytes: memory.lost.1.0,
        faults: MemoryFaults { frees_alone, too_large, ops_without },
        accounts: memory.accounts.iter().map(|account| of_account(study, account)).collect(),
    }
}

fn of_account(study: &Study, account: &Account) -> MemoryAccount {
    let trace = study.trace();
    let (peak, at) = account.peak();
    MemoryAccount {
        device: account.device.map(|device| device.get()),
        device_name: account.device.map(|device| trace.text(trace.devices().get(device).name).to_owned()),
        allocator: trace.text(account.allocator).to_owned(),
        basis: account.basis.word(),
        peak_bytes: peak.0,
        peak_ns: at_or_before(at),
        before_bytes: account.before.0,
        beyond_bytes: account.beyond.map(|bytes| bytes.0),
        lives: account.lives.len(),
        end_bytes: account.curve.at(trace.span().end).0,
    }
}

/// A moment; `None` for the time before all moments.
pub(crate) fn at_or_before(at: Timestamp) -> Option<i64> {
    (at != Timestamp(i64::MIN)).then_some(at.0)
}

#[expect(missing_docs, reason = "the schema has no sentence about the whole")]
#[derive(Serialize)]
pub struct Whole {
    schema: &'static str,
    recorded_by: Option<String>,
    readings: Vec<Summary>,
    accounts: Vec<WithAlive>,
}

#[derive(Serialize)]
struct Summary {
    reading: &'static str,
    rests_on: &'static str,
    lacks: Option<&'static str>,
    lost: u64,
    lost_bytes: u64,
    faults: MemoryFaults,
}

#[derive(Serialize)]
struct WithAlive {
    reading: &'static str,
    device: Option<String>,
    allocator: String,
    basis: &'static str,
    peak_bytes: u64,
    peak_ns: Option<i64>,
    before_bytes: u64,
    beyond_bytes: Option<u64>,
    end_bytes: u64,
    lives: usize,
    live_at_peak: Vec<AliveRow>,
    kept_alive_by: Vec<MemoryHolder>,
}

/// `steplens.memory/1`, with what is alive at the peak of every account.
pub fn json(study: &Study, files: &[FileReport]) -> String {
    text(&answer(study, files))
}

/// The object as a value.
pub fn answer(study: &Study, files: &[FileReport]) -> Whole {
    let MemoryReport { readings, recorded_by } = report(study, files);
    let mut accounts = Vec::new();
    for own in &readings {
        let Some(reading) = Reading::of_word(own.reading) else { continue };
        for (reported, account) in own.accounts.iter().zip(&study.memory(reading).accounts) {
            let at = account.peak().1;
            accounts.push(WithAlive {
                reading: own.reading,
                device: reported.device_name.clone(),
                allocator: reported.allocator.clone(),
                basis: reported.basis,
                peak_bytes: reported.peak_bytes,
                peak_ns: reported.peak_ns,
                before_bytes: reported.before_bytes,
                beyond_bytes: reported.beyond_bytes,
                end_bytes: reported.end_bytes,
                lives: reported.lives,
                live_at_peak: rows_at(study, account, at, By::Tensor).0,
                kept_alive_by: holders_at(study, account, at, MOST_HOLDERS),
            });
        }
    }
    let summary = |own: MemoryReading| Summary {
        reading: own.reading,
        rests_on: own.rests_on,
        lacks: own.lacks,
        lost: own.lost,
        lost_bytes: own.lost_bytes,
        faults: own.faults,
    };
    Whole {
        schema: "steplens.memory/1",
        recorded_by,
        readings: readings.into_iter().map(summary).collect(),
        accounts,
    }
}

/// How many of the ops that keep the most bytes alive are listed.
pub const MOST_HOLDERS: usize = 10;
