//! A comparison for the page: made in pieces, with the devices that are drawn against one another, and single pairs of ops.

use super::{Compare, side_by_side};
use crate::figures::duration;
use crate::findings::FindingList;
use crate::names::visible;
use crate::text;
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::base::pace::Work;
use steplens_core::compare::change::{Change, Counts, Pairs};
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;
use steplens_core::compare::samples::{StepSamples, typical_step};
use steplens_core::compare::{Comparison, Side};
use steplens_core::steps::figures::variation;
use steplens_core::study::Prepared;
use steplens_core::{DeviceId, Nanos, OpId, Study, Trace, View};
use steplens_messages::say;

/// More than a piece of any work: the piece ends where so much is counted.
const PIECE: usize = 1 << 20;

/// `steplens.compare/1` with the devices that are drawn against one another.
#[derive(Serialize)]
struct ComparePage<'a> {
    #[serde(flatten)]
    answer: Compare<'a>,
    /// Every device with its partner: those of A in order, then those that only B has.
    device_pairs: Vec<DevicePair>,
    /// How many pairs, and ops without a partner, differ in each way.
    changes: ChangeCounts,
}

/// How many pairs, and ops without a partner, differ in each way.
#[derive(Serialize)]
struct ChangeCounts {
    /// Pairs that took as long, but for 10 %.
    same: u64,
    /// Pairs that take longer in B.
    slower: u64,
    /// Pairs that take less long in B.
    faster: u64,
    /// Ops of A without a partner.
    only_a: u64,
    /// Ops of B without a partner.
    only_b: u64,
}

/// A device of A and one of B; null where it has no partner.
#[derive(Serialize)]
struct DevicePair {
    a: Option<u32>,
    b: Option<u32>,
}

/// An op and its partner.
#[derive(Serialize)]
struct ComparedPair<'a> {
    /// `same`, `slower` or `faster` in B, or `alone`: it has no partner.
    change: &'static str,
    /// What matched them: `exact`, `retyped`, `renumbered`, `structural` or `edited`; null without a partner.
    pass: Option<&'static str>,
    /// How they differ, as a sentence.
    sentence: String,
    /// The op of A; null if only B has it.
    a: Option<PairedOp<'a>>,
    /// The op of B; null if only A has it.
    b: Option<PairedOp<'a>>,
}

/// One op of a pair.
#[derive(Serialize)]
struct PairedOp<'a> {
    op: u32,
    /// Its name; for a transfer its tensor.
    name: &'a str,
    op_type: &'a str,
    device: u32,
    lane: u32,
    start_ns: i64,
    end_ns: i64,
}

/// What of a trace is compared, kept for as long as that takes.
pub struct Shown {
    study: Rc<Study>,
    samples: StepSamples,
    /// How much the lengths of all steps vary.
    variation: Option<Nanos>,
}

impl Shown {
    /// What `study` shows of `whole`, which is everything that was opened.
    pub fn of(study: &Rc<Study>, whole: &Arc<Trace>) -> Self {
        let (trace, steps) = study.view().steps(whole);
        let (samples, variation) = (StepSamples::of(&trace, &steps, None), variation(&steps));
        Self { study: Rc::clone(study), samples, variation }
    }

    /// The same; of several steps the typical one, where `study` shows all of them.
    pub fn typical(study: &Rc<Study>, whole: &Arc<Trace>) -> Self {
        let shown = Self::of(study, whole);
        if study.view().step.is_some() {
            return shown;
        }
        let (_, steps) = study.view().steps(whole);
        let Some(row) = typical_step(&steps, None) else { return shown };
        let view = View { step: Some(row), ..study.view().clone() };
        Self { study: Rc::new(Study::of_view(whole, view)), ..shown }
    }

    /// As the comparison takes it.
    pub fn side(&self) -> Side<'_> {
        Side { study: &self.study, steps: &self.samples }
    }
}

/// What differs between `a` and `b`, with the findings of both, for `found` of them.
pub fn with_findings<'a>(found: &'a Comparison<'a>, [a, b]: [&Shown; 2]) -> Compare<'a> {
    let mut answer = Compare::new(found);
    let [a, b] = [a, b].map(|own| FindingList::of(&own.study, &[], own.variation));
    answer.findings = Some(side_by_side(&a, &b));
    answer
}

/// The page's answer, and what of the comparison stays.
pub struct ForPage {
    /// `ComparePage`, as JSON.
    pub answer: String,
    /// Which op is which.
    pub pairs: Pairs,
}

/// The page's answer about `a`, the trace before a change, and `b`, the one after it: computed in pieces, so that the page can ask
/// other questions between them.
pub fn for_page(a: Shown, b: Shown) -> Work<ForPage> {
    Work::new(|pace| async move {
        for study in [&a.study, &b.study] {
            for part in [Prepared::Kernels, Prepared::Transfers] {
                while study.prepare_one(part) {
                    pace.worked(PIECE).await;
                }
            }
        }
        pace.worked(PIECE).await;
        let found = Comparison::paced(a.side(), b.side(), &pace).await;
        let (answer, device_pairs) = (Compare::new(&found), device_pairs(&found));
        let pairs = Pairs::of(&found);
        let Counts { same, slower, faster, only_a, only_b } = pairs.counts([&a.study, &b.study]);
        let changes = ChangeCounts { same, slower, faster, only_a, only_b };
        ForPage { answer: text(&ComparePage { answer, device_pairs, changes }), pairs }
    })
}

fn device_pairs(found: &Comparison<'_>) -> Vec<DevicePair> {
    let ids = |side: Which| found.sides[side as usize].study.trace().devices().ids();
    let of_a = ids(Which::A).map(|id| (Some(id), found.devices.of_a(id)));
    let only_b = ids(Which::B).filter(|&id| found.devices.of_b(id).is_none()).map(|id| (None, Some(id)));
    let row = |(a, b): (Option<DeviceId>, Option<DeviceId>)| {
        let [a, b] = [a, b].map(|id| id.map(DeviceId::get));
        DevicePair { a, b }
    };
    of_a.chain(only_b).map(row).collect()
}

/// `ComparedPair` of an op of `side`, as JSON; `None` if that has no such op.
pub fn pair(pairs: &Pairs, studies: [&Study; 2], side: Which, op: OpId) -> Option<String> {
    if op.index() >= studies[side as usize].trace().counted_ops() {
        return None;
    }
    let partner = pairs.partner(side, op);
    let [a, b] = match side {
        Which::A => [Some(op), partner],
        Which::B => [partner, Some(op)],
    };
    let own = |side: Which, op: Option<OpId>| op.map(|op| paired(studies[side as usize], op));
    let (a, b) = (own(Which::A, a), own(Which::B, b));
    let of_a = a.as_ref().map(|own| OpId::new(own.op));
    Some(text(&ComparedPair {
        change: pairs.change(studies, side, op).word(),
        pass: of_a.and_then(|op| pairs.pass(op)).map(pass_word),
        sentence: sentence(a.as_ref(), b.as_ref()),
        a,
        b,
    }))
}

fn paired(study: &Study, op: OpId) -> PairedOp<'_> {
    let trace = study.trace();
    let interval = trace.ops().interval(op);
    PairedOp {
        op: op.get(),
        name: study.title(op),
        op_type: trace.text(trace.nodes().op_type(trace.ops().node(op))),
        device: trace.device_of(op).get(),
        lane: study.lanes().lane(op).get(),
        start_ns: interval.start.0,
        end_ns: interval.end.0,
    }
}

fn pass_word(pass: Pass) -> &'static str {
    match pass {
        Pass::Exact => "exact",
        Pass::Renumbered => "renumbered",
        Pass::Retyped => "retyped",
        Pass::Structural => "structural",
        Pass::Edited => "edited",
    }
}

fn sentence(a: Option<&PairedOp<'_>>, b: Option<&PairedOp<'_>>) -> String {
    let length = |own: &PairedOp<'_>| own.end_ns - own.start_ns;
    match (a, b) {
        (Some(a), Some(b)) => {
            let [of_a, of_b] = [a, b].map(|own| duration(length(own)));
            let change = Change::between(Nanos(length(a)), Nanos(length(b)));
            let said = match (super::ratio(length(a), length(b)), change) {
                (_, Change::Same | Change::Alone) | (None, _) => {
                    say!("compare-pair-same", a = of_a, b = of_b)
                }
                (Some(times), _) => {
                    say!("compare-pair-times", a = of_a, b = of_b, ratio = format!("{times:.2}"))
                }
            };
            match a.name == b.name {
                true => said,
                false => {
                    format!("{said} {}", say!("compare-pair-called", name = visible(b.name).into_owned()))
                }
            }
        }
        (Some(a), None) => say!("compare-pair-only-a", a = duration(length(a))),
        (None, Some(b)) => say!("compare-pair-only-b", b = duration(length(b))),
        (None, None) => String::new(),
    }
}
