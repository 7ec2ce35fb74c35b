//! A trace as tables: the columns of each table, and its rows. One list has every fact about a column, and everything that writes a
//! table is made from it: `--csv`, exports, Parquet, JSON, the npm package, the page's table. The caller decides how rows are written.

mod allocations;
mod column;
mod edges;
mod links;
mod ops;
mod steps;
mod transfers;

pub use column::{Clock, Column, Facts, InJson, Kind, Measure, Order, Value};
pub(crate) use ops::op_values;
pub use ops::{OpRow, OpTable};
pub use transfers::{Transfer, TransferColumn};

use crate::csv::Sheet;
use column::columns;
pub(crate) use column::values;
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;

/// What the columns are called and mean; the number changes when a column goes or means something else. Columns may be added without that, as fields of JSON.
pub const SCHEMA: &str = "steplens.tables/2";

/// The tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Every op.
    Ops,
    /// Every transfer.
    Transfers,
    /// Every input of every op.
    Edges,
    /// What went between each pair of devices.
    Links,
    /// Every stretch of memory that was alive, by the first reading that the trace has.
    Allocations,
    /// Every step.
    Steps,
}

impl Table {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Ops, Self::Transfers, Self::Edges, Self::Links, Self::Allocations, Self::Steps];

    /// Its name, which its file has.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Transfers => "transfers",
            Self::Edges => "edges",
            Self::Links => "links",
            Self::Allocations => "allocations",
            Self::Steps => "steps",
        }
    }

    /// Its columns.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Ops => ops::COLUMNS,
            Self::Transfers => transfers::COLUMNS,
            Self::Edges => edges::COLUMNS,
            Self::Links => links::COLUMNS,
            Self::Allocations => allocations::COLUMNS,
            Self::Steps => steps::COLUMNS,
        }
    }

    /// What else is said of each column.
    pub fn facts(self) -> &'static [Facts] {
        match self {
            Self::Ops => ops::FACTS,
            Self::Transfers => transfers::FACTS,
            Self::Edges => edges::FACTS,
            Self::Links => links::FACTS,
            Self::Allocations => allocations::FACTS,
            Self::Steps => steps::FACTS,
        }
    }

    /// What each column means, in lines: for schemas and types, which are English.
    pub fn about(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Ops => ops::ABOUT,
            Self::Transfers => transfers::ABOUT,
            Self::Edges => edges::ABOUT,
            Self::Links => links::ABOUT,
            Self::Allocations => allocations::ABOUT,
            Self::Steps => steps::ABOUT,
        }
    }

    /// What a file or stream of it says of itself, as (key, value): the schema, its name, the units of its columns as JSON, and the time
    /// 0, which is `origin_unix_ns`.
    pub fn metadata(self, origin_unix_ns: i64) -> [(&'static str, String); 4] {
        let units = self.columns().iter();
        let units: Vec<_> =
            units.filter_map(|column| Some(format!("\"{}\":\"{}\"", column.name, column.unit()?))).collect();
        [
            ("steplens.schema", SCHEMA.to_owned()),
            ("steplens.table", self.name().to_owned()),
            ("steplens.units", format!("{{{}}}", units.join(","))),
            ("steplens.origin_unix_ns", origin_unix_ns.to_string()),
        ]
    }

    /// Gives every row of it to `take`, with a value for each column.
    pub fn rows(self, study: &Study, take: Take<'_>) -> io::Result<()> {
        at_once(async |pace: &Pace| self.rows_paced(study, take, &mut progress(study, pace)).await)
    }

    /// Like [`rows`](Self::rows), but only the values of the columns that `is_wanted` are looked up, and the others are not known.
    pub fn rows_of(self, study: &Study, is_wanted: &[bool], take: Take<'_>) -> io::Result<()> {
        let mut give = Give { is_wanted: Some(is_wanted), take };
        // Nobody sees how far it is, and to know it would take the transfers.
        at_once(async |pace: &Pace| self.give(study, &mut give, &mut Progress::new(pace, 0, 0)).await)
    }

    /// Like [`rows`](Self::rows), but in pieces.
    pub async fn rows_paced(
        self,
        study: &Study,
        take: Take<'_>,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        self.give(study, &mut Give { is_wanted: None, take }, progress).await
    }

    async fn give(self, study: &Study, give: &mut Give<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
        match self {
            Self::Ops => ops::rows(study, give, progress).await,
            Self::Transfers => transfers::rows(study, give, progress).await,
            Self::Edges => edges::rows(study, give, progress).await,
            Self::Links => links::rows(study, give),
            Self::Allocations => allocations::rows(study, give, progress).await,
            Self::Steps => steps::rows(study, give),
        }
    }

    /// Writes it as one sheet.
    pub(crate) fn write_csv(self, study: &Study, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<_> = self.columns().iter().map(|column| column.name).collect();
        let mut sheet = Sheet::new(out, &names)?;
        self.rows(study, &mut |row| {
            for value in row {
                match value {
                    Value::Text(text) => sheet.text(text)?,
                    Value::Integer(value) => sheet.maybe(Some(value))?,
                    Value::Nothing => sheet.text("")?,
                }
            }
            sheet.end()
        })?;
        sheet.finish()
    }
}

/// Takes a row.
pub type Take<'t> = &'t mut dyn FnMut(&[Value<'_>]) -> io::Result<()>;

/// Takes rows, of which some columns are wanted; without a list, all of them.
struct Give<'t> {
    is_wanted: Option<&'t [bool]>,
    take: Take<'t>,
}

impl Give<'_> {
    /// Looks the wanted values of a row up, and passes them on.
    fn row<'s, Row, const N: usize>(
        &mut self,
        values: &[fn(&Row) -> Value<'s>; N],
        row: &Row,
    ) -> io::Result<()> {
        let Some(is_wanted) = self.is_wanted else { return (self.take)(&values.map(|value| value(row))) };
        let wanted = |place: usize| if is_wanted[place] { values[place](row) } else { Value::Nothing };
        (self.take)(&std::array::from_fn::<_, N, _>(wanted))
    }
}

/// Of all tables: ops, their inputs, and transfers. How many other rows there are is not known before.
pub fn progress<'p>(study: &Study, pace: &'p Pace) -> Progress<'p> {
    Progress::new(pace, 0, 2 * study.trace().ops().len() + study.transfers().rows().len())
}

#[cfg(test)]
mod tests {
    use super::{Measure, Table};

    #[test]
    fn names_end_in_units_and_are_there_once() {
        for table in Table::ALL {
            let columns = table.columns();
            assert_eq!([table.facts().len(), table.about().len()], [columns.len(); 2]);
            for (place, column) in columns.iter().enumerate() {
                let is_of_time = matches!(column.measure, Measure::Moment | Measure::Length);
                assert_eq!(column.name.ends_with("_ns"), is_of_time, "{}", column.name);
                let is_size = column.name == "bytes" || column.name.ends_with("_bytes");
                assert_eq!(is_size, column.measure == Measure::Size, "{}", column.name);
                assert!(columns[..place].iter().all(|other| other.name != column.name), "{}", column.name);
            }
        }
    }
}
