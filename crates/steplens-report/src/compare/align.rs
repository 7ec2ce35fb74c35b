//! Two steps aligned at an op, as a sentence.

use super::Compare;
use crate::figures::duration;
use crate::names::visible;
use serde::Serialize;
use steplens_core::compare::Comparison;
use steplens_core::compare::align::{Aligned, NotAligned};
use steplens_messages::say;

/// Two steps, aligned at an op.
#[derive(Serialize)]
pub struct AlignedRow {
    /// How much of the difference comes before the op, and how much after it, as a sentence.
    pub sentence: String,
    /// Its name in A; of a transfer its tensor.
    pub op: String,
    /// Its row in `steplens ops --json` of A.
    pub op_row_a: u32,
    /// The row of its partner in B.
    pub op_row_b: u32,
    /// From the start of A's step to the start of the op.
    pub before_a_ns: i64,
    /// The same in B.
    pub before_b_ns: i64,
    /// From the start of the op to the end of A's step.
    pub after_a_ns: i64,
    /// The same in B.
    pub after_b_ns: i64,
}

impl Compare<'_> {
    /// Aligns both steps at the first op of A that is called `name` and has a partner. An error is a sentence for the user.
    pub fn align(&mut self, found: &Comparison<'_>, name: &str) -> Result<(), String> {
        let aligned = found.aligned_at(name).map_err(|why| match why {
            NotAligned::NotFound => say!("compare-align-not-found", name = visible(name)),
            NotAligned::NoPartner => say!("compare-align-no-partner", name = visible(name)),
        })?;
        self.aligned = Some(row(found, &aligned));
        Ok(())
    }
}

fn row(found: &Comparison<'_>, aligned: &Aligned) -> AlignedRow {
    let ([before_a, before_b], [after_a, after_b]) = (aligned.before, aligned.after);
    let op = found.sides[0].study.title(aligned.ops[0]).to_owned();
    let sentence = say!(
        "compare-aligned",
        op = visible(&op),
        before = signed(before_b.0.saturating_sub(before_a.0)),
        after = signed(after_b.0.saturating_sub(after_a.0))
    );
    AlignedRow {
        sentence,
        op,
        op_row_a: aligned.ops[0].get(),
        op_row_b: aligned.ops[1].get(),
        before_a_ns: before_a.0,
        before_b_ns: before_b.0,
        after_a_ns: after_a.0,
        after_b_ns: after_b.0,
    }
}

/// A difference with its sign.
fn signed(difference: i64) -> String {
    format!("{}{}", if difference > 0 { "+" } else { "" }, duration(difference))
}
