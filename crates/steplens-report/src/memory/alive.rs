//! What is alive at a moment, as rows.

use crate::memory::why::{MemoryHolder, holders_at};
use crate::memory::{MOST_HOLDERS, at_or_before};
use crate::text;
use serde::Serialize;
use steplens_core::memory::alive::{self as core_alive, Key};
use steplens_core::memory::{Account, Alive, AliveRows, By};
use steplens_core::model::output::{dtype_name, shape_text};
use steplens_core::{Study, Timestamp};
use steplens_messages::say;

/// Equal allocations that are alive, as one row.
#[derive(Clone, Debug, Serialize)]
pub struct AliveRow {
    /// What they have in common: the name of the op that allocated them, an op type, a scope, a shape or a variable; may be empty.
    pub op: String,
    /// The index of the output of its op; null if it is not known, or if rows of several outputs are merged.
    pub output: Option<u32>,
    /// The bytes of all of them.
    pub bytes: u64,
    /// The number of allocations.
    pub count: u64,
    /// The data type of the largest.
    pub dtype: Option<String>,
    /// The shape of the largest.
    pub shape: Option<String>,
    /// The row of the op that allocated the largest of them.
    pub op_id: u32,
    /// The row of the largest in the account's lives.
    pub life: usize,
    /// When the first of them was allocated; null if that was before the recording.
    pub allocated_ns: Option<i64>,
    /// When the last of them was freed; null if it never was.
    pub freed_ns: Option<i64>,
}

/// What is alive at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryAlive {
    /// The moment; null for before everything.
    pub at_ns: Option<i64>,
    /// The bytes of everything that is alive.
    pub bytes: u64,
    /// The number of allocations.
    pub lives: u64,
    /// The number of all rows.
    pub row_count: usize,
    /// The first rows.
    pub rows: Vec<AliveRow>,
    /// Of how many allocations the variable was not sought to the end, as a sentence; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_sought: Option<String>,
    /// The ops that keep the most bytes alive.
    pub holders: Vec<MemoryHolder>,
}

/// What is alive in `account` at `at`, in all rows; and of how many allocations the variable was not sought to the end, as a
/// sentence.
pub fn rows_at(study: &Study, account: &Account, at: Timestamp, by: By) -> (Vec<AliveRow>, Option<String>) {
    let found = core_alive::alive(study.edges(), account, at, by);
    let rows = found.rows.iter().map(|alive| row(study, account, alive)).collect();
    (rows, not_sought(&found))
}

fn not_sought(found: &AliveRows<'_>) -> Option<String> {
    let count = found.not_sought;
    (count > 0).then(|| say!("limit-variables-not-sought", many = say!("tensors", count)))
}

/// What is alive in `account` at `at`, in the first `most` rows.
pub fn alive(study: &Study, account: &Account, at: Timestamp, by: By, most: usize) -> String {
    let found = core_alive::alive(study.edges(), account, at, by);
    let rows = &found.rows;
    text(&MemoryAlive {
        at_ns: at_or_before(at),
        bytes: account.curve.at(at).0,
        lives: rows.iter().map(|alive| alive.count).sum(),
        row_count: rows.len(),
        rows: rows.iter().take(most).map(|alive| row(study, account, alive)).collect(),
        not_sought: not_sought(&found),
        holders: holders_at(study, account, at, MOST_HOLDERS),
    })
}

fn row(study: &Study, account: &Account, alive: &Alive<'_>) -> AliveRow {
    let (trace, life) = (study.trace(), account.lives.get(alive.largest));
    let output = life.output.and_then(|output| trace.outputs().of(life.op).nth(output as usize));
    let (op, place) = match alive.key {
        Key::Tensor(name, output, _) => (name.to_owned(), output),
        Key::OpType(name) | Key::Scope(name) => (name.to_owned(), None),
        Key::Shape(shape) => (
            shape.map_or_else(String::new, |(dtype, shape)| {
                format!("{} {}", dtype_name(dtype), shape_text(shape))
            }),
            None,
        ),
        Key::Variable(variable) => {
            let name = |own: steplens_core::makers::variables::Variable| match own.is_gradient {
                true => say!("memory-gradient", variable = trace.text(own.name)),
                false => trace.text(own.name).to_owned(),
            };
            (variable.map(name).unwrap_or_default(), None)
        }
    };
    AliveRow {
        op,
        output: place,
        bytes: alive.bytes.0,
        count: alive.count,
        dtype: output.map(|own| dtype_name(own.dtype)),
        shape: output.map(|own| shape_text(own.shape)),
        op_id: life.op.get(),
        life: alive.largest,
        allocated_ns: alive.allocated.map(|at| at.0),
        freed_ns: alive.freed.map(|at| at.0),
    }
}
