//! `steplens.ops/1`: every op, written row by row, so that even millions of them need no memory.

use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::tables::{OpTable, Table};
use serde::{Deserialize, Serialize, Serializer};
use std::io::{self, Write};
use steplens_core::Study;

/// Every op, as an object for each.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "ops";
    type Answer<'a> = Ops<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(answer(shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.study, out)?)
    }
}

#[expect(missing_docs, reason = "its only part is a list of rows, which `tables` documents")]
#[derive(Serialize)]
pub struct Ops<'a> {
    schema: &'static str,
    ops: Rows<'a>,
}

/// Writes `{"schema": "steplens.ops/1", "ops": [...]}`, without the records of a host profiler. Lanes are counted from 0 within
/// each device.
pub fn write_json(study: &Study, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &answer(study))?;
    out.write_all(b"\n")
}

/// Writes the same ops, one in a row of a sheet.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    Table::Ops.write_csv(study, out)
}

/// The object as a value that makes its rows when it is written.
pub fn answer(study: &Study) -> Ops<'_> {
    Ops { schema: "steplens.ops/1", ops: Rows(OpTable::of(study)) }
}

/// Every row.
struct Rows<'a>(OpTable<'a>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows())
    }
}
