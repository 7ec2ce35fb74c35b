//! What would help in A and in B, side by side.

use crate::findings::{FindingList, FindingRow};
use crate::text;
use serde::Serialize;
use std::rc::Rc;
use steplens_core::base::pace::Work;
use steplens_core::{Nanos, Study};

/// A finding of A, of B, or of both.
#[derive(Serialize)]
pub struct FindingBoth {
    /// The rule that found it.
    pub rule: &'static str,
    /// `new` if only B has it, `gone` if only A has it, `both`, or `unknown` if the other trace lacks what its rule needs.
    pub change: &'static str,
    /// What was found: in B, or in A where B has it no more.
    pub what: String,
    /// How much shorter A's step would be. Null where A does not have it, or nothing was replayed.
    pub saving_a_ns: Option<i64>,
    /// How much shorter B's step would be.
    pub saving_b_ns: Option<i64>,
}

/// What would help in A and in B, for the page.
#[derive(Serialize)]
struct ComparedFindings {
    /// Those of B as they are ranked there, then those that only A has.
    findings: Vec<FindingBoth>,
}

/// `ComparedFindings` of two studies, each with how much the lengths of its steps vary: in pieces, because both steps are replayed.
pub fn findings_for_page(sides: [(&Rc<Study>, Option<Nanos>); 2]) -> Work<String> {
    let sides = sides.map(|(study, variation)| (Rc::clone(study), variation));
    Work::new(move |pace| async move {
        let mut judged = Vec::with_capacity(sides.len());
        for (study, variation) in &sides {
            judged.push(FindingList::paced(study, &[], *variation, &pace).await);
        }
        let [a, b] = judged.as_slice() else { return String::new() };
        text(&ComparedFindings { findings: side_by_side(a, b) })
    })
}

/// A finding as far as another trace's is compared with it.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The rule that found it.
    pub rule: &'a str,
    /// What it found.
    pub subject: &'a str,
}

impl Found<'_> {
    /// Whether the other one is of the same rule, and about the same task, device or op.
    pub fn is_same(self, other: Self) -> bool {
        self.rule == other.rule && self.subject == other.subject
    }
}

impl FindingRow<'_> {
    /// What another trace's finding is compared with.
    pub fn found(&self) -> Found<'_> {
        Found { rule: self.rule, subject: &self.subject }
    }
}

impl FindingList<'_> {
    /// What it says of `row`, which another trace has, that it is not here: `change`, if the rule could judge this one, too.
    fn change(&self, row: &FindingRow<'_>, change: &'static str) -> &'static str {
        if self.not_judged.iter().any(|own| own.rule == row.rule) { "unknown" } else { change }
    }
}

/// The findings of both: those of B as they are ranked there, then those that are gone.
pub fn side_by_side(a: &FindingList<'_>, b: &FindingList<'_>) -> Vec<FindingBoth> {
    let partner = |own: &FindingRow<'_>, others: &[FindingRow<'_>]| {
        others.iter().position(|other| own.found().is_same(other.found()))
    };
    let of_b = b.findings.iter().map(|row| {
        let of_a = partner(row, &a.findings).map(|at| &a.findings[at]);
        FindingBoth {
            rule: row.rule,
            change: if of_a.is_some() { "both" } else { a.change(row, "new") },
            what: row.what.clone(),
            saving_a_ns: of_a.and_then(|own| own.saving_ns),
            saving_b_ns: row.saving_ns,
        }
    });
    let gone = a.findings.iter().filter(|row| partner(row, &b.findings).is_none()).map(|row| FindingBoth {
        rule: row.rule,
        change: b.change(row, "gone"),
        what: row.what.clone(),
        saving_a_ns: row.saving_ns,
        saving_b_ns: None,
    });
    of_b.chain(gone).collect()
}
