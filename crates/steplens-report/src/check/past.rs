//! `steplens.past/1`: what a baseline keeps of all steps, next to the one step whose ops it has.

use crate::compare::Found;
use crate::findings::FindingList;
use crate::text;
use serde::{Deserialize, Serialize};
use steplens_core::Nanos;
use steplens_core::compare::samples::StepSamples;
use steplens_core::compare::step_use::StepUse;

/// Of more steps than this, the time of op types is kept for every second, third, ... only, so that a baseline stays small.
pub const MOST_STEPS: usize = 512;

const SCHEMA: &str = "steplens.past/1";
/// No step takes longer (73 years); differences and sums of two such lengths do not overflow.
const LONGEST_NS: i64 = i64::MAX / 4;

/// What a baseline keeps of all steps.
#[derive(Debug, Serialize, Deserialize)]
pub struct Past {
    schema: String,
    /// How many steps were opened.
    steps: usize,
    /// The length of each step that counts.
    lengths_ns: Vec<i64>,
    /// The time of each op type in steps.
    op_types: Vec<PastOpType>,
    /// What would have helped.
    findings: Vec<PastFinding>,
    /// The rules that could not judge it.
    not_judged: Vec<String>,
    /// What each step used besides time; null in a baseline of Steplens 0.9 and before.
    step_use: Option<PastUse>,
}

/// What each step used besides time.
#[derive(Debug, Serialize, Deserialize)]
struct PastUse {
    exposed_ns: Vec<i64>,
    transferred_bytes: Vec<i64>,
    peak_bytes: Vec<i64>,
}

/// The time of an op type.
#[derive(Debug, Serialize, Deserialize)]
struct PastOpType {
    op_type: String,
    /// The sum of the durations of its ops in each step.
    sums_ns: Vec<i64>,
}

/// A finding of the past.
#[derive(Debug, Serialize, Deserialize)]
struct PastFinding {
    rule: String,
    subject: String,
    what: String,
    saving_ns: Option<i64>,
}

impl Past {
    /// What is to be kept of `steps`, and of the findings of the step whose ops are kept.
    pub fn of(steps: &StepSamples, used: &StepUse, findings: &FindingList<'_>) -> Self {
        let every = steps.lengths.len().div_ceil(MOST_STEPS).max(1);
        let ns = |own: &Nanos| own.0;
        let op_types = steps.op_types.iter().map(|(op_type, sums)| PastOpType {
            op_type: op_type.to_string(),
            sums_ns: sums.iter().step_by(every).map(ns).collect(),
        });
        let not_judged = findings.not_judged.iter().map(|own| own.rule.to_owned());
        let findings = findings.findings.iter().map(|row| PastFinding {
            rule: row.rule.to_owned(),
            subject: row.subject.clone(),
            what: row.what.clone(),
            saving_ns: row.saving_ns,
        });
        Self {
            schema: SCHEMA.to_owned(),
            steps: steps.opened,
            lengths_ns: steps.lengths.iter().map(ns).collect(),
            op_types: op_types.collect(),
            findings: findings.collect(),
            not_judged: not_judged.collect(),
            step_use: Some(PastUse {
                exposed_ns: used.exposed_ns.iter().step_by(every).copied().collect(),
                transferred_bytes: used.transferred_bytes.iter().step_by(every).copied().collect(),
                peak_bytes: used.peak_bytes.clone(),
            }),
        }
    }

    /// Whether a finding of today is none of the past, and could have been one.
    pub fn lacks(&self, now: Found<'_>) -> bool {
        let is_same = |own: &PastFinding| now.is_same(Found { rule: &own.rule, subject: &own.subject });
        !self.findings.iter().any(is_same) && !self.not_judged.iter().any(|rule| rule == now.rule)
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// Reads what [`to_text`](Self::to_text) wrote; `None` if it is anything else.
    pub fn read(text: &str) -> Option<Self> {
        let past: Self = serde_json::from_str(text).ok()?;
        let sums = past.op_types.iter().flat_map(|own| &own.sums_ns);
        let used = past.step_use.iter();
        let used = used.flat_map(|own| [&own.exposed_ns, &own.transferred_bytes, &own.peak_bytes]).flatten();
        let are_lengths =
            past.lengths_ns.iter().chain(sums).chain(used).all(|ns| (0..=LONGEST_NS).contains(ns));
        (past.schema == SCHEMA && are_lengths).then_some(past)
    }

    /// What the steps used besides time, if it is kept.
    pub fn step_use(&self) -> Option<StepUse> {
        let own = self.step_use.as_ref()?;
        Some(StepUse {
            exposed_ns: own.exposed_ns.clone(),
            transferred_bytes: own.transferred_bytes.clone(),
            peak_bytes: own.peak_bytes.clone(),
        })
    }

    /// The figures of the steps.
    pub fn samples(&self) -> StepSamples {
        let nanos = |own: &[i64]| own.iter().map(|&ns| Nanos(ns)).collect::<Vec<_>>();
        let op_types = self.op_types.iter().map(|own| (own.op_type.as_str().into(), nanos(&own.sums_ns)));
        StepSamples { opened: self.steps, lengths: nanos(&self.lengths_ns), op_types: op_types.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lengths_of_steps_are_read() {
        let with = |lengths: &str, sums: &str| {
            format!(
                "{{\"schema\":\"steplens.past/1\",\"steps\":2,\"lengths_ns\":{lengths},\"op_types\":[{{\"op_type\":\"MatMul\",\
                 \"sums_ns\":{sums}}}],\"findings\":[],\"not_judged\":[]}}"
            )
        };
        let past = Past::read(&with("[5,7]", "[1,2]")).map(|past| past.samples().lengths);
        assert_eq!(past, Some(vec![Nanos(5), Nanos(7)]));
        for (lengths, sums) in [
            ("[-1,7]", "[1,2]"),
            ("[5,9223372036854775807]", "[1,2]"),
            ("[5]", "[-9223372036854775808]"),
            ("5", "[]"),
        ] {
            assert!(Past::read(&with(lengths, sums)).is_none(), "{lengths} {sums}");
        }
        assert!(Past::read(&with("[5,7]", "[1,2]").replace("past/1", "past/2")).is_none());
    }

    #[test]
    fn a_finding_is_new_only_where_the_past_could_have_had_it() {
        let past = "{\"schema\":\"steplens.past/1\",\"steps\":2,\"lengths_ns\":[],\"op_types\":[],\"findings\":[{\"rule\":\"straggler\",\
                    \"subject\":\"a\",\"what\":\"\",\"saving_ns\":null}],\"not_judged\":[\"copies\"]}";
        let past = Past::read(past).expect("a past");
        let lacks = ["straggler", "copies", "tiny-ops"].map(|rule| past.lacks(Found { rule, subject: "a" }));
        assert_eq!(lacks, [false, false, true]);
    }
}
