//! Colouring: the colour of each op, and how much time each colour has in a window.
//!
//! A name keeps its colour while the view moves: the names with the most time in everything that is shown get colours of their own,
//! independent of the window.

use crate::base::ids::OpId;
use crate::base::units::Nanos;
use crate::model::phase::Phase;
use crate::questions::op_types::own_times;
use crate::questions::phases::{Part, parts};
use crate::questions::range::{Range, RangeQuery};
use crate::storage::strings::StringTable;
use crate::study::step_of_op::StepOfOp;
use crate::timeline::colors::{COLORS, ColorBy, Colors, HUES, REST};
use crate::timeline::grouping::scopes;
use crate::{Study, Trace};
use steplens_messages::say;

/// How many bytes of a name are read.
const MAX_NAME_BYTES: usize = 256;
/// How many steps are listed in the name of a colour.
const NAMED_STEPS: usize = 3;

/// The colours by `by`, for all ops of `study`.
pub fn colors(study: &Study, by: ColorBy) -> Colors {
    let trace = study.trace();
    match by {
        ColorBy::Category => Colors::default(),
        ColorBy::OpType => {
            let name = |node| trace.text(trace.nodes().op_type(node));
            let names: Vec<&str> = trace.nodes().ids().map(|node| cut(name(node))).collect();
            named(study, by, &names, |op| trace.ops().node(op).index())
        }
        ColorBy::Scope => {
            let names = scopes(trace);
            named(study, by, &names, |op| trace.ops().node(op).index())
        }
        ColorBy::Device => {
            let names: Vec<&str> =
                trace.devices().ids().map(|id| cut(trace.text(trace.devices().get(id).name))).collect();
            named(study, by, &names, |op| trace.device_of(op).index())
        }
        ColorBy::Phase => phases(study),
        ColorBy::Step => steps(study),
        ColorBy::Duration => lengths(study, by, |op| Some(trace.ops().interval(op).length())),
        ColorBy::Slack => {
            let causes = study.causes();
            lengths(study, by, |op| causes.floor.slack_of(&causes.graph, op))
        }
    }
}

/// The time of one colour in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColorSum {
    /// The number of ops that overlap the range.
    pub ops: u64,
    /// Their self time in the range, as the table of op types sums it.
    pub own: Nanos,
}

/// The sums of each colour in `range`. The ops that are counted are those of the table of op types.
pub fn color_sums(study: &Study, range: &Range<'_>) -> [ColorSum; COLORS] {
    let mut sums = [ColorSum::default(); COLORS];
    own_times(study, range, |op, own, is_op| {
        let sum = &mut sums[usize::from(study.colors().of(study.trace(), op))];
        sum.ops += u64::from(is_op);
        sum.own += own;
    });
    sums
}

/// Colours by name. `names` are the names by row, and `row` gives the row of an op.
fn named(study: &Study, by: ColorBy, names: &[&str], row: impl Fn(OpId) -> usize) -> Colors {
    let trace = study.trace();
    let mut table = StringTable::default();
    let group: Vec<usize> = names.iter().map(|name| table.intern(name.as_bytes()).index()).collect();
    let mut totals = vec![(0_u64, Nanos(0)); table.len()];
    let all = Range::of(study, &RangeQuery::of(trace.span()));
    own_times(study, &all, |op, own, is_op| {
        let (ops, time) = &mut totals[group[row(op)]];
        *ops += u64::from(is_op);
        *time += own;
    });
    let text = |group: usize| table.get(crate::StringId::from_usize(group));
    let mut ranking: Vec<usize> = (0..totals.len()).filter(|&group| totals[group].0 > 0).collect();
    ranking.sort_by(|&a, &b| totals[b].1.cmp(&totals[a].1).then_with(|| text(a).cmp(text(b))));
    let others = ranking.len().saturating_sub(HUES);
    ranking.truncate(HUES);
    let mut color_of = vec![REST; totals.len()];
    let mut own = vec![String::new(); HUES];
    for group in ranking {
        // The same name has the same colour in other steps and traces, unless a name with more time has taken it.
        let wanted = hash(text(group)) % HUES;
        let Some(color) = (0..HUES).map(|next| (wanted + next) % HUES).find(|&color| own[color].is_empty())
        else {
            break;
        };
        color_of[group] = color as u8;
        text(group).clone_into(&mut own[color]);
        if own[color].is_empty() {
            " ".clone_into(&mut own[color]);
        }
    }
    let color = |op: OpId| if is_range(trace, op) { REST } else { color_of[group[row(op)]] };
    Colors::new(by, of_ops(trace, color), own, others)
}

/// Each phase has a colour of its own, the same in every trace. What nothing says anything of is grey: in a training step that is mostly the forward
/// pass, where no name records that.
fn phases(study: &Study) -> Colors {
    let trace = study.trace();
    let parts = parts(study);
    let color = |part: Part| match part {
        Part::Of(Phase::Forward) => 0,
        Part::Of(Phase::Backward) => 3,
        Part::Of(Phase::Optimizer) => 7,
        Part::Input => 4,
        Part::Communication => 6,
        Part::Unsaid => REST,
    };
    let mut is_there = [false; COLORS];
    let of_op = of_ops(trace, |op| {
        let part = if is_range(trace, op) { Part::Unsaid } else { parts[op.index()] };
        is_there[usize::from(color(part))] |= !is_range(trace, op);
        color(part)
    });
    let has = |part: Part| is_there[usize::from(color(part))];
    let mut names = vec![String::new(); COLORS];
    for (part, name) in [
        (Part::Of(Phase::Forward), say!("phase-forward")),
        (Part::Of(Phase::Backward), say!("phase-backward")),
        (Part::Of(Phase::Optimizer), say!("phase-optimizer")),
        (Part::Input, say!("phase-input")),
        (Part::Communication, say!("phase-communication")),
    ] {
        if has(part) {
            name.clone_into(&mut names[usize::from(color(part))]);
        }
    }
    let is_training = has(Part::Of(Phase::Backward)) || has(Part::Of(Phase::Optimizer));
    let rest = match (is_training, has(Part::Of(Phase::Forward))) {
        (true, false) => say!("phase-forward-and-rest"),
        (_, true) => say!("phase-rest"),
        (false, false) => say!("phase-unsaid"),
    };
    rest.clone_into(&mut names[usize::from(REST)]);
    Colors::new(ColorBy::Phase, of_op, names, 0)
}

/// Colours in turn, so that neighbouring steps differ, however many there are.
fn steps(study: &Study) -> Colors {
    let (trace, steps) = (study.trace(), StepOfOp::indexed(study));
    let mut known = vec![false; steps.end()];
    let of_op = of_ops(trace, |op| {
        let step = steps.step(study, op);
        if let Some(known) = known.get_mut(step) {
            *known = true;
        }
        (step % HUES) as u8
    });
    let mut names = vec![Vec::new(); HUES];
    for step in (0..known.len()).filter(|&step| known[step]) {
        names[step % HUES].extend(study.step_called(step));
    }
    let names = names.into_iter().map(|own| {
        let numbers: Vec<String> = own.iter().take(NAMED_STEPS).map(i64::to_string).collect();
        let more = if own.len() > NAMED_STEPS { ", …" } else { "" };
        format!("{}{more}", numbers.join(", "))
    });
    Colors::new(ColorBy::Step, of_op, names.collect(), 0)
}

/// Colours by the power of ten of `length`; ops without a length are grey.
fn lengths(study: &Study, by: ColorBy, length: impl Fn(OpId) -> Option<Nanos>) -> Colors {
    let bounds = by.bounds().unwrap_or_default();
    let of_op = of_ops(study.trace(), |op| {
        let length = length(op).filter(|_| !is_range(study.trace(), op));
        length.map_or(REST, |length| bounds.partition_point(|&bound| bound <= length) as u8)
    });
    Colors::new(by, of_op, Vec::new(), 0)
}

fn of_ops(trace: &Trace, color: impl FnMut(OpId) -> u8) -> Vec<u8> {
    (0..trace.ops().len()).map(OpId::from_usize).map(color).collect()
}

fn is_range(trace: &Trace, op: OpId) -> bool {
    trace.nodes().is_range(trace.ops().node(op))
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
}

/// FNV-1a: the same in every trace.
fn hash(name: &str) -> usize {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 16) as usize
}
