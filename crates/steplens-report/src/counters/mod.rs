//! Counters: for the page those that the files recorded, as lanes, with instants as flags; for all else also what streams did, with all values.

mod flags;
mod series;

pub use flags::{Flags, InstantArgument, InstantDetails, InstantFlag, flags, instant};
pub use series::{CounterList, CounterSeries, Options, json};

use crate::text;
use serde::Serialize;
use steplens_core::model::owner::Owner;
use steplens_core::{Study, Trace};

/// The most counters that the page shows as lanes.
const MOST_LANES: usize = 2_000;

/// The counters of the files, as lanes.
#[derive(Serialize)]
pub struct Counters<'a> {
    schema: &'static str,
    /// How many instants the files recorded.
    pub instants: usize,
    /// How many counters the files recorded.
    pub count: usize,
    /// The first of them: device by device, then those of processes that ran no op.
    pub counters: Vec<CounterRow<'a>>,
}

/// One counter.
#[derive(Serialize)]
pub struct CounterRow<'a> {
    /// The row of the counter.
    pub counter: u32,
    /// The device, or null if its process ran no op.
    pub device: Option<&'a str>,
    /// The row of the device.
    pub device_id: Option<u32>,
    /// The process without ops, or null.
    pub process: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// What the value is of: the key of the value in the file.
    pub series: &'a str,
    /// The number of values.
    pub points: usize,
    /// When the first value was recorded.
    pub first_ns: i64,
    /// When the last value was recorded.
    pub last_ns: i64,
    /// The lowest value.
    pub min: f64,
    /// The mean by time, from the first value to the last one: each holds until the next. Of values at one time it is the last.
    pub mean: f64,
    /// The highest value.
    pub max: f64,
}

/// The first counters as JSON: as many as a picture can hold.
pub fn page(study: &Study) -> String {
    Counters::of(study, MOST_LANES).to_text()
}

impl<'a> Counters<'a> {
    /// The first `most` counters.
    pub fn of(study: &'a Study, most: usize) -> Self {
        let trace = study.trace();
        let counters = trace.counters();
        let rows = counters.ids().take(most).filter_map(|id| {
            let own = counters.get(id);
            let summary = counters.summary(id)?;
            let (first, last) = (counters.points(id).next()?, counters.point(own.points().end - 1));
            let (device, device_id, process) = names_of(trace, own.owner);
            Some(CounterRow {
                counter: id.get(),
                device,
                device_id,
                process,
                name: trace.text(own.name),
                series: trace.text(own.series),
                points: summary.points,
                first_ns: first.0.0,
                last_ns: last.0.0,
                min: summary.extent.min.get(),
                mean: summary.mean,
                max: summary.extent.max.get(),
            })
        });
        let (instants, count) = (trace.instants().len(), counters.len());
        Self { schema: "steplens.counter-lanes/1", instants, count, counters: rows.collect() }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

/// The device's name and row, or the name of the process.
fn names_of(trace: &Trace, owner: Owner) -> (Option<&str>, Option<u32>, Option<&str>) {
    match owner {
        Owner::Device(device) => {
            (Some(trace.text(trace.devices().get(device).name)), Some(device.get()), None)
        }
        Owner::Process(name) => (None, None, Some(trace.text(name))),
    }
}
