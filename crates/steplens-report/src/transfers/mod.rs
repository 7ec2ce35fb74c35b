//! `steplens.transfers/1`: every transfer with its ends and times, and the transfers over each link.

mod table;

pub use table::{TransferList, TransferPages, TransferQuery};

use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::rate::rate;
use crate::tables::{Table, Transfer};
use crate::text;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::network::waited::Waited;
use steplens_core::transfers::links::{Between, Link, Matrix};

/// Every transfer, and what went over each link.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "transfers";
    type Answer<'a> = Transfers<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(answer(shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.study, out)?)
    }
}

#[expect(missing_docs, reason = "the schema has no sentence about the whole")]
#[derive(Serialize)]
pub struct Transfers<'a> {
    schema: &'static str,
    clocks: Clocks,
    transfers: Vec<Transfer<'a>>,
    links: Vec<Links>,
}

/// Whose clock each figure of a transfer rests on, as the columns say.
struct Clocks;

impl Serialize for Clocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = Table::Transfers.columns().iter().zip(Table::Transfers.facts());
        let known = || columns.clone().filter_map(|(column, facts)| Some((column.name, facts.clock?)));
        let mut clocks = serializer.serialize_struct("Clocks", known().count())?;
        for (name, clock) in known() {
            clocks.serialize_field(name, clock.word())?;
        }
        clocks.end()
    }
}

/// What went from one device to another.
#[derive(Clone, Debug, Serialize)]
pub struct Links {
    source: String,
    destination: String,
    count: u64,
    bytes: u64,
    busy_ns: Option<i64>,
    bytes_per_second: Option<u64>,
}

/// Writes the transfers of `steplens.transfers/1`, one in a row; consumers stand there by name, apart by a space.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    Table::Transfers.write_csv(study, out)
}

/// `steplens.transfers/1`.
pub fn json(study: &Study) -> String {
    text(&answer(study))
}

/// The object as a value.
pub fn answer(study: &Study) -> Transfers<'_> {
    let waited = Waited::summed(study);
    let rows = study.transfers().all().map(|(id, _)| Transfer::of(study, id, Some(&waited)));
    Transfers {
        schema: "steplens.transfers/1",
        clocks: Clocks,
        transfers: rows.collect(),
        links: link_rows(study),
    }
}

/// The links of `study`.
fn link_rows(study: &Study) -> Vec<Links> {
    let matrix = Matrix::summed(study.trace(), study.transfers(), Between::Devices);
    let name = |place: u32| matrix.places[place as usize].to_owned();
    let row = |&Link { source, destination, load }: &Link| Links {
        source: name(source),
        destination: name(destination),
        count: load.count,
        bytes: load.bytes.0,
        busy_ns: (load.timed > 0).then_some(load.busy.0),
        bytes_per_second: rate(load.timed_bytes.0, Some(load.busy.0)),
    };
    matrix.links.iter().map(row).collect()
}
