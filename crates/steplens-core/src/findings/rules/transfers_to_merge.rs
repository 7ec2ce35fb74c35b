//! Small transfers in a row: three or more from one task to another, each of at most 1 ms with gaps of at most 1 ms, go as one.
//!
//! The rule and its limits are RATELProf's `coalescable_transfers`. The saving is replayed: what each transfer but one spends on the
//! way without bytes goes.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;

/// The longest transfer and the longest gap in a row.
const MOST: Nanos = Nanos(1_000_000);
/// The shortest row.
const LEAST_ROW: usize = 3;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if context.replay.transfers() == 0 {
        return Ruling::Lacks(Needs::Transfers);
    }
    let rows = context.replay.rows_of_transfers(MOST, LEAST_ROW);
    let Some(longest) = rows.iter().max_by_key(|row| row.len()) else { return Ruling::Nothing };
    let transfer = context.study.transfers().of_op(longest[0]);
    let name = |id| context.trace().text(id).to_owned();
    let facts = Facts {
        name: transfer.map(|own| name(own.source)).unwrap_or_default(),
        other: transfer.map(|own| name(own.destination)).unwrap_or_default(),
        count: rows.iter().map(|row| row.len() as u64).sum(),
        of: rows.len() as u64,
        ..Facts::default()
    };
    let evidence = longest.clone();
    let scenario = || context.replay.with_rows_merged(&rows);
    let with = With { facts, evidence, change: None, scenario: &scenario, most: None };
    context.judge(Rule::TransfersToMerge, Nanos(0), with)
}
