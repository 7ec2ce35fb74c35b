//! A trace as tables: the columns of each table, and its rows. The caller decides how they are written.

mod rows;
pub mod stream;

use crate::progress::Progress;
use std::io;
use steplens_core::Study;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::study::step_of_op::StepOfOp;

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number with a sign.
    Integer,
    /// A whole number, or nothing if it is not known.
    OptionalInteger,
    /// Text, or nothing if it is not known.
    OptionalText,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name of the column. If the values have a unit, it ends in it: `_ns`, `_bytes`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
}

impl Column {
    /// The unit of the values, taken from the end of the name.
    pub fn unit(&self) -> Option<&'static str> {
        match self.name {
            name if name.ends_with("_ns") => Some("ns"),
            name if name == "bytes" || name.ends_with("_bytes") => Some("bytes"),
            _ => None,
        }
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Text.
    Text(&'a str),
    /// A number.
    Integer(i64),
    /// The value is not known.
    Nothing,
}

/// The tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Every op.
    Ops,
    /// Every transfer.
    Transfers,
    /// Every input of every op.
    Edges,
    /// The transfers between each pair of devices.
    Links,
    /// Every stretch of memory that was alive, from the first reading that the trace has.
    Allocations,
    /// Every step.
    Steps,
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text }
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: Kind::Integer }
}

const fn maybe(name: &'static str) -> Column {
    Column { name, kind: Kind::OptionalInteger }
}

const fn maybe_text(name: &'static str) -> Column {
    Column { name, kind: Kind::OptionalText }
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 6] =
        [Self::Ops, Self::Transfers, Self::Edges, Self::Links, Self::Allocations, Self::Steps];

    /// The name of the table, which its file has too.
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

    /// The columns of the table.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Ops => {
                const {
                    &[
                        integer("op"),
                        integer("step"),
                        text("device"),
                        maybe_text("task"),
                        integer("lane"),
                        integer("thread"),
                        text("name"),
                        text("op_type"),
                        text("category"),
                        text("reason"),
                        integer("start_ns"),
                        integer("end_ns"),
                        integer("self_ns"),
                        maybe("scheduled_ns"),
                        integer("op_start_ns"),
                        integer("op_end_ns"),
                        integer("output_bytes"),
                        text("label"),
                    ]
                }
            }
            Self::Transfers => {
                const {
                    &[
                        integer("transfer"),
                        text("tensor"),
                        text("source"),
                        text("destination"),
                        maybe("bytes"),
                        maybe("op"),
                        maybe("producer"),
                        maybe("first_consumer"),
                        maybe("producer_end_ns"),
                        maybe("sent_ns"),
                        maybe("received_ns"),
                        maybe("queued_ns"),
                        maybe("wire_ns"),
                        maybe("unused_ns"),
                        maybe("delayed_ns"),
                    ]
                }
            }
            Self::Edges => {
                const {
                    &[
                        integer("op"),
                        integer("input"),
                        text("name"),
                        integer("output"),
                        integer("is_control"),
                        text("source"),
                        maybe("source_op"),
                        maybe("transfer"),
                        text("certainty"),
                        maybe("candidates"),
                    ]
                }
            }
            Self::Links => {
                const {
                    &[
                        text("source"),
                        text("destination"),
                        integer("transfers"),
                        integer("bytes"),
                        integer("timed_transfers"),
                        integer("timed_bytes"),
                        integer("busy_ns"),
                    ]
                }
            }
            Self::Allocations => {
                const {
                    &[
                        text("reading"),
                        maybe_text("device"),
                        text("allocator"),
                        integer("op"),
                        maybe("output"),
                        integer("bytes"),
                        maybe("allocated_ns"),
                        maybe("freed_ns"),
                    ]
                }
            }
            Self::Steps => {
                const { &[integer("step"), integer("start_ns"), integer("end_ns"), integer("ops")] }
            }
        }
    }

    /// Passes every row of the table to `take`, with a value for each column.
    pub fn rows(self, study: &Study, take: Take<'_>) -> io::Result<()> {
        at_once(async |pace: &Pace| self.rows_paced(study, take, &mut progress(study, pace)).await)
    }

    /// Like [`rows`](Self::rows), but in pieces, so that the caller can do other work in between.
    pub(crate) async fn rows_paced(
        self,
        study: &Study,
        take: Take<'_>,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        match self {
            Self::Ops => rows::ops(study, &StepOfOp::of(study), take, progress).await,
            Self::Transfers => rows::transfers(study, take, progress).await,
            Self::Edges => rows::edges(study, take, progress).await,
            Self::Links => rows::links(study, take),
            Self::Allocations => rows::allocations(study, take, progress).await,
            Self::Steps => rows::steps(study, &StepOfOp::of(study), take),
        }
    }
}

/// A function that takes a row.
type Take<'t> = &'t mut dyn FnMut(&[Value<'_>]) -> io::Result<()>;

/// The progress over all tables: ops, their inputs, and transfers. The number of other rows is not known beforehand.
pub(crate) fn progress<'p>(study: &Study, pace: &'p Pace) -> Progress<'p> {
    Progress::new(pace, 0, 2 * study.trace().ops().len() + study.transfers().rows().len())
}
