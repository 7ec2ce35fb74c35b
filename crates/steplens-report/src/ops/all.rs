//! `steplens.ops/1`: every op, written row by row, so that even millions of them need no memory.

use crate::tables::{OpTable, Table};
use serde::{Serialize, Serializer};
use std::io::{self, Write};
use steplens_core::Study;

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
pub fn answer(study: &Study) -> impl Serialize + use<'_> {
    #[derive(Serialize)]
    struct Ops<'a> {
        schema: &'static str,
        ops: Rows<'a>,
    }
    Ops { schema: "steplens.ops/1", ops: Rows(OpTable::of(study)) }
}

/// Every row.
struct Rows<'a>(OpTable<'a>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows())
    }
}
