//! The arguments of the event of an op, with their meaning.

use serde::Serialize;
use std::borrow::Cow;
use steplens_core::model::arguments::Noun;
use steplens_core::{OpId, Study};

/// An argument of the event of an op.
#[derive(Serialize)]
pub struct ArgumentRow<'a> {
    /// Its meaning, if it is known: `shapes`, `types`, `strides`, `inputs`, `module`, `stack`, `grid`, `block`, `registers`,
    /// `shared-memory`, `occupancy`, `stream`, `correlation`, `bytes`, `bandwidth` or `flops`.
    pub noun: Option<&'static str>,
    /// The name in the file.
    pub name: &'a str,
    /// The value in the file; texts without quotes.
    pub value: Cow<'a, str>,
}

/// All arguments of `op`: those with a known meaning first.
pub fn arguments(study: &Study, op: OpId) -> Vec<ArgumentRow<'_>> {
    let place = |name: &str| Noun::ALL.iter().position(|(_, names)| names.contains(&name));
    let all = study.trace().arguments().of(op);
    let mut rows: Vec<(usize, ArgumentRow<'_>)> = all
        .map(|own| {
            let place = place(own.name);
            let noun = place.and_then(|place| Noun::ALL[place].0.word());
            (place.unwrap_or(usize::MAX), ArgumentRow { noun, name: own.name, value: own.value.shown() })
        })
        .collect();
    // The sort is stable: arguments with the same meaning stay in the order of the file.
    rows.sort_by_key(|&(place, _)| place);
    rows.into_iter().map(|(_, row)| row).collect()
}
