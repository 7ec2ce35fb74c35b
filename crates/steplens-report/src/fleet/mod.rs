//! What a trace adds to a dataset of many traces: the tables of the export, and small tables that add up what happened in each step.
//!
//! Each row says from which file it is, and is a function of that file and its path alone: no other file changes it. `docs/fleet.md` has
//! what the columns mean.

mod collectives;
mod date;
mod devices;
mod findings;
mod indexed;
mod links;
mod member;
mod memory;
mod op_types;
mod sources;
mod split;
mod stragglers;

pub use indexed::{FaultyFile, IndexAnswer};
pub use member::{Member, PathSays};
pub use sources::{SourceRow, State, sources_row};

use crate::tables::{Column, Table, Take, Value};
use std::io;

/// What the tables of a dataset are called and hold; the number changes when a column goes or means something else.
pub const SCHEMA: &str = "steplens.dataset/1";

/// The tables of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FleetTable {
    /// Every file, and what was read from it.
    Sources,
    /// How each step divides on each task.
    Split,
    /// How each step divides on each accelerator, and on each device that belongs to none.
    Devices,
    /// The time of each op type by task and step.
    OpTypes,
    /// What went over each link in each step.
    Links,
    /// What each device did in each collective.
    Collectives,
    /// The most memory in use at once.
    Memory,
    /// What is worth changing.
    Findings,
    /// The task that ended last in each step, and why.
    Stragglers,
    /// Every step.
    Steps,
    /// Every op.
    Ops,
    /// Every transfer.
    Transfers,
    /// Every input of every op.
    Edges,
    /// Every stretch of memory that was alive.
    Allocations,
}

/// What stands before the columns of a table of the export.
const FILE: Column = Column::text("file");

impl FleetTable {
    /// All of them, the smaller ones first.
    pub const ALL: [Self; 14] = [
        Self::Sources,
        Self::Split,
        Self::Devices,
        Self::OpTypes,
        Self::Links,
        Self::Collectives,
        Self::Memory,
        Self::Findings,
        Self::Stragglers,
        Self::Steps,
        Self::Ops,
        Self::Transfers,
        Self::Edges,
        Self::Allocations,
    ];

    /// Its name, which its folder has.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sources => "sources",
            Self::Split => "split",
            Self::Devices => "devices",
            Self::OpTypes => "op_types",
            Self::Links => "links",
            Self::Collectives => "collectives",
            Self::Memory => "memory",
            Self::Findings => "findings",
            Self::Stragglers => "stragglers",
            Self::Steps | Self::Ops | Self::Transfers | Self::Edges | Self::Allocations => {
                self.exported().map_or("", Table::name)
            }
        }
    }

    /// The table called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// The table of the export that it repeats.
    pub fn exported(self) -> Option<Table> {
        match self {
            Self::Steps => Some(Table::Steps),
            Self::Ops => Some(Table::Ops),
            Self::Transfers => Some(Table::Transfers),
            Self::Edges => Some(Table::Edges),
            Self::Allocations => Some(Table::Allocations),
            _ => None,
        }
    }

    /// Its columns.
    pub fn columns(self) -> Vec<Column> {
        let own = match self {
            Self::Sources => sources::COLUMNS,
            Self::Split => split::COLUMNS,
            Self::Devices => devices::COLUMNS,
            Self::OpTypes => op_types::COLUMNS,
            Self::Links => links::COLUMNS,
            Self::Collectives => collectives::COLUMNS,
            Self::Memory => memory::COLUMNS,
            Self::Findings => findings::COLUMNS,
            Self::Stragglers => stragglers::COLUMNS,
            Self::Steps | Self::Ops | Self::Transfers | Self::Edges | Self::Allocations => {
                let own = self.exported().map_or(&[][..], Table::columns);
                return std::iter::once(FILE).chain(own.iter().copied()).collect();
            }
        };
        own.to_vec()
    }

    /// What each column means.
    pub fn about(self) -> Vec<String> {
        let own = match self {
            Self::Sources => sources::ABOUT,
            Self::Split => split::ABOUT,
            Self::Devices => devices::ABOUT,
            Self::OpTypes => op_types::ABOUT,
            Self::Links => links::ABOUT,
            Self::Collectives => collectives::ABOUT,
            Self::Memory => memory::ABOUT,
            Self::Findings => findings::ABOUT,
            Self::Stragglers => stragglers::ABOUT,
            Self::Steps | Self::Ops | Self::Transfers | Self::Edges | Self::Allocations => {
                self.exported().map_or(&[][..], Table::about)
            }
        };
        let lines = |lines: &[&str]| lines.concat().trim().to_owned();
        let of_file = self.exported().map(|_| lines(split::ABOUT[0]));
        of_file.into_iter().chain(own.iter().map(|own| lines(own))).collect()
    }

    /// Gives every row that `member` has in it to `take`, with a value for each column. [`Sources`](Self::Sources) has one of each
    /// file, also of those that could not be read: [`sources_row`].
    pub fn rows(self, member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
        match self {
            Self::Sources => Ok(()),
            Self::Split => split::rows(member, take),
            Self::Devices => devices::rows(member, take),
            Self::OpTypes => op_types::rows(member, take),
            Self::Links => links::rows(member, take),
            Self::Collectives => collectives::rows(member, take),
            Self::Memory => memory::rows(member, take),
            Self::Findings => findings::rows(member, take),
            Self::Stragglers => stragglers::rows(member, take),
            Self::Steps | Self::Ops | Self::Transfers | Self::Edges | Self::Allocations => {
                self.exported().map_or(Ok(()), |table| exported_rows(table, member, take))
            }
        }
    }
}

/// The rows of a table of the export, with the file before and the steps numbered as in the dataset.
fn exported_rows(table: Table, member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let step = table.columns().iter().position(|column| column.name == "step");
    let task = table.columns().iter().position(|column| column.name == "task");
    let device = table.columns().iter().position(|column| column.name == "device");
    table.rows(member.study, &mut |row| {
        // A row of references: nothing is allocated for an op.
        let mut own: [Value<'_>; MOST_COLUMNS] = [const { Value::Nothing }; MOST_COLUMNS];
        own[0] = Value::text(member.file);
        own[1..=row.len()].clone_from_slice(row);
        if let Some(at) = step
            && let Value::Integer(place) = row[at]
        {
            own[at + 1] = Value::Integer(member.number_of_place(place));
        }
        if let (Some(task), Some(device)) = (task, device)
            && row[task] == Value::Nothing
            && let Value::Text(device) = &row[device]
        {
            own[task + 1] = member.task_of_device(device).into();
        }
        take(&own[..=row.len()])
    })
}

/// More than any table of the export has.
const MOST_COLUMNS: usize = 64;

#[cfg(test)]
mod tests {
    use super::{FleetTable, MOST_COLUMNS};

    #[test]
    fn tables_and_columns_have_one_name_each_and_say_what_they_mean() {
        for table in FleetTable::ALL {
            assert_eq!(FleetTable::by_name(table.name()), Some(table));
            let (columns, about) = (table.columns(), table.about());
            assert_eq!(columns.len(), about.len(), "{}", table.name());
            assert_eq!(columns[0].name, "file");
            assert!(columns.len() <= MOST_COLUMNS);
            assert!(about.iter().all(|about| about.ends_with('.')), "{about:?}");
            for (place, column) in columns.iter().enumerate() {
                assert!(columns[..place].iter().all(|other| other.name != column.name), "{}", column.name);
                // The partition says it.
                assert_ne!(column.name, "run");
            }
        }
    }
}
