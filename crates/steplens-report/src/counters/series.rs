//! `steplens.counters/1`: what was counted over time, by the files and from the work of streams, each with all its values.

use super::names_of;
use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::scheduling::levels::{Level, LevelKind, levels};
use steplens_core::{CounterId, Study, Timestamp};

/// What was counted over time, with all values: the counters of the files, the queue of each stream and what its copies moved.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "counters";
    type Answer<'a> = CounterList<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(CounterList::of(shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// Everything that was counted.
#[derive(Serialize)]
pub struct CounterList<'a> {
    schema: &'static str,
    /// The counters of the files, device by device, then those of processes that ran no op; then the streams of GPUs.
    pub counters: Vec<CounterSeries<'a>>,
}

/// One counter, with all its values: each holds until the next.
#[derive(Serialize)]
pub struct CounterSeries<'a> {
    /// Whether the file counted; else it is found from the work of a stream.
    pub is_recorded: bool,
    /// The device, or null if its process ran no op.
    pub device: Option<&'a str>,
    /// The process without ops, or null.
    pub process: Option<&'a str>,
    /// The number of the stream, if all streams of the GPU are one device; null of what the file counted.
    pub stream: Option<u32>,
    /// Its name: that in the file, `queue` (work that was launched and had not started), or `copies` (what they moved).
    pub name: &'a str,
    /// What the value is of: the key of the value in the file, `launched`, or where copies go: `host-to-device`,
    /// `device-to-host`, `within-device` or `other-device`.
    pub series: &'a str,
    /// `works` or `bytes_per_second`; null of what the file counted, which says no unit.
    pub unit: Option<&'static str>,
    /// The number of values.
    pub points: usize,
    /// When the first value was recorded.
    pub first_ns: i64,
    /// When the last value was recorded.
    pub last_ns: i64,
    /// The lowest value.
    pub min: f64,
    /// The mean by time, from the first value to the last one.
    pub mean: f64,
    /// The highest value.
    pub max: f64,
    /// Of a queue: for how long 1,022 pieces of work or more stood in it, which is about where launches begin to wait.
    pub full_ns: Option<i64>,
    /// Since when each value holds.
    pub at_ns: Vec<i64>,
    /// The values.
    pub values: Vec<f64>,
}

/// What was counted, as JSON.
pub fn json(study: &Study) -> String {
    CounterList::of(study).to_text()
}

impl<'a> CounterList<'a> {
    /// What was counted in what is shown.
    pub fn of(study: &'a Study) -> Self {
        let trace = study.trace();
        let recorded = trace.counters().ids().filter_map(|id| recorded(study, id));
        let of_streams =
            levels(trace, study.transfers()).into_iter().filter_map(|level| of_stream(study, &level));
        Self { schema: "steplens.counters/1", counters: recorded.chain(of_streams).collect() }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn recorded(study: &Study, id: CounterId) -> Option<CounterSeries<'_>> {
    let trace = study.trace();
    let counters = trace.counters();
    let (own, summary) = (counters.get(id), counters.summary(id)?);
    let (device, _, process) = names_of(trace, own.owner);
    let (at_ns, values): (Vec<i64>, Vec<f64>) =
        counters.points(id).map(|(at, value)| (at.0, value.get())).unzip();
    Some(CounterSeries {
        is_recorded: true,
        device,
        process,
        stream: None,
        name: trace.text(own.name),
        series: trace.text(own.series),
        unit: None,
        points: summary.points,
        first_ns: *at_ns.first()?,
        last_ns: *at_ns.last()?,
        min: summary.extent.min.get(),
        mean: summary.mean,
        max: summary.extent.max.get(),
        full_ns: None,
        at_ns,
        values,
    })
}

fn of_stream<'a>(study: &'a Study, level: &Level) -> Option<CounterSeries<'a>> {
    let trace = study.trace();
    let (name, series, unit, full_ns) = match level.kind {
        LevelKind::Queue { full } => ("queue", "launched", "works", Some(full.0)),
        LevelKind::Copies(way) => ("copies", way.word(), "bytes_per_second", None),
    };
    let (at_ns, values): (Vec<i64>, Vec<f64>) =
        level.changes.iter().map(|&(at, value)| (at.0, value)).unzip();
    let [min, max] = [f64::min, f64::max].map(|of| values.iter().copied().reduce(of));
    let (min, max) = (min?, max?);
    Some(CounterSeries {
        is_recorded: false,
        device: Some(trace.text(trace.devices().get(level.device).name)),
        process: None,
        stream: Some(level.thread),
        name,
        series,
        unit: Some(unit),
        points: values.len(),
        first_ns: *at_ns.first()?,
        last_ns: *at_ns.last()?,
        min,
        mean: mean(&level.changes).clamp(min, max),
        max,
        full_ns,
        at_ns,
        values,
    })
}

/// The mean by time, from the first value to the last one.
fn mean(changes: &[(Timestamp, f64)]) -> f64 {
    let [(first, _), .., (last, _)] = changes else { return changes.first().map_or(0.0, |&(_, own)| own) };
    let length = (*last - *first).0 as f64;
    changes.windows(2).map(|pair| pair[0].1 * ((pair[1].0 - pair[0].0).0 as f64 / length)).sum()
}

/// Writes a row for each value.
fn write_csv(counters: &CounterList<'_>, out: &mut impl Write) -> io::Result<()> {
    let rows = counters.counters.iter();
    let rows =
        rows.flat_map(|own| own.at_ns.iter().zip(&own.values).map(move |(&at, &value)| (own, at, value)));
    sheet!(out, (own, at, value) in rows, {
        is_recorded: own.is_recorded,
        device: own.device,
        process: own.process,
        stream: own.stream,
        name: own.name,
        series: own.series,
        unit: own.unit,
        at_ns: at,
        value: value,
    })
}
