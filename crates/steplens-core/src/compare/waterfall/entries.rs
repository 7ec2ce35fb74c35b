//! What differs, op by op: the nodes of the longer step with the lengths and delays that they have in the other one.

use super::{Cause, Context};
use crate::OpId;
use crate::base::pace::{Pace, STRIDE};
use crate::base::units::Nanos;
use crate::causality::observed::{MAX_LAUNCH, SegmentKind};
use crate::causality::pools::MAX_DISPATCH;
use crate::compare::joined::Which;
use crate::gpu::kernels::has_kernels;
use crate::replay::Replay;
use crate::replay::Scenario;

/// An op and its partner, or the delays before both.
pub(super) struct Entry {
    /// The op of the longer step.
    pub(super) own: Option<OpId>,
    /// The op of the other step.
    pub(super) other: Option<OpId>,
    /// How long it takes in the longer step, and in the other one.
    pub(super) lengths: [i64; 2],
    /// Whether it is on the path of the longer step, and on that of the other one.
    pub(super) is_on_path: [bool; 2],
    /// Whether it is about the delays.
    pub(super) is_delay: bool,
}

impl Entry {
    /// How much more it takes in the longer step.
    pub(super) fn growth(&self) -> i64 {
        self.lengths[0].saturating_sub(self.lengths[1])
    }
}

/// One of the two steps.
pub(super) struct Step<'a> {
    pub(super) replay: &'a Replay,
    /// The nodes of op `n` are `nodes[first[n] .. first[n + 1]]`.
    first: Vec<u32>,
    nodes: Vec<u32>,
    /// For each op whether the path of the replay runs or waits there.
    is_on_path: Vec<bool>,
}

impl<'a> Step<'a> {
    pub(super) fn of(context: &Context<'_>, side: Which, replay: &'a Replay) -> Self {
        let study = context.study(side);
        let ops = study.trace().ops().len();
        let count = replay.nodes() as u32;
        let mut first = vec![0_u32; ops + 1];
        (0..count).for_each(|node| first[replay.op_of(node).index() + 1] += 1);
        for op in 0..ops {
            first[op + 1] += first[op];
        }
        let (mut next, mut nodes) = (first.clone(), vec![0; count as usize]);
        for node in 0..count {
            let at = &mut next[replay.op_of(node).index()];
            nodes[*at as usize] = node;
            *at += 1;
        }
        let mut is_on_path = vec![false; ops];
        for segment in replay.unchanged().path(study, replay) {
            is_on_path[segment.op.index()] = true;
        }
        Self { replay, first, nodes, is_on_path }
    }

    /// The nodes of an op, in order.
    fn of_op(&self, op: OpId) -> &[u32] {
        &self.nodes[self.first[op.index()] as usize..self.first[op.index() + 1] as usize]
    }

    /// How long the nodes of an op run, and how long they are delayed.
    fn spent(&self, op: OpId) -> [i64; 2] {
        self.of_op(op).iter().fold([0_i64; 2], |[length, delay], &node| {
            let own = self.replay.spent(node);
            [length.saturating_add(own.0), delay.saturating_add(own.1)]
        })
    }
}

/// Both steps: the longer one, and the other one.
pub(super) struct Steps<'a> {
    pub(super) longer: Which,
    pub(super) own: Step<'a>,
    pub(super) other: Step<'a>,
}

impl Steps<'_> {
    /// Every op of both with what it is counted for: its length, and its delays.
    pub(super) async fn entries(&self, context: &Context<'_>, pace: &Pace) -> Vec<(Cause, Entry)> {
        let mut found = Vec::new();
        let count = |side: Which| context.study(side).trace().counted_ops();
        for row in 0..count(self.longer) {
            let op = OpId::from_usize(row);
            let nodes = self.own.of_op(op);
            if nodes.is_empty() {
                continue;
            }
            match context.matching.partner(self.longer, op) {
                Some(partner) => self.pair(context, op, partner, &mut found),
                None => self.alone(context, self.longer, op, &mut found),
            }
            if row.is_multiple_of(STRIDE) {
                pace.worked(STRIDE).await;
            }
        }
        let side = self.longer.other();
        for op in context.matching.alone(side).filter(|op| !self.other.of_op(*op).is_empty()) {
            self.alone(context, side, op, &mut found);
        }
        found
    }

    fn alone(&self, context: &Context<'_>, side: Which, op: OpId, found: &mut Vec<(Cause, Entry)>) {
        let is_own = side == self.longer;
        let step = if is_own { &self.own } else { &self.other };
        let entry = |spent: i64, is_delay| {
            let is_on_path = step.is_on_path[op.index()];
            Entry {
                own: is_own.then_some(op),
                other: (!is_own).then_some(op),
                lengths: if is_own { [spent, 0] } else { [0, spent] },
                is_on_path: [is_own && is_on_path, !is_own && is_on_path],
                is_delay,
            }
        };
        let [length, delay] = step.spent(op);
        found.push((context.cause(side, op), entry(length, false)));
        if delay != 0
            && let Some(cause) = context.delay(side, op, delay)
        {
            found.push((cause, entry(delay, true)));
        }
    }

    fn pair(&self, context: &Context<'_>, own: OpId, other: OpId, found: &mut Vec<(Cause, Entry)>) {
        let is_on_path = [self.own.is_on_path[own.index()], self.other.is_on_path[other.index()]];
        let [[length, delay], [other_length, other_delay]] = [self.own.spent(own), self.other.spent(other)];
        let entry =
            |lengths, is_delay| Entry { own: Some(own), other: Some(other), lengths, is_on_path, is_delay };
        if length != 0 || other_length != 0 {
            let cause = context.cause(self.longer, own);
            found.push((cause, entry([length, other_length], false)));
        }
        if delay.max(other_delay) != 0
            && let Some(cause) = context.delay(self.longer, own, delay.max(other_delay))
        {
            found.push((cause, entry([delay, other_delay], true)));
        }
    }

    /// Gives the ops of `entries` in `scenarios`, of the longer step and of the other one, what they spend in the other step; ops that
    /// only one has take no time. Returns which of the two scenarios that changes.
    pub(super) fn give(&self, entries: &[Entry], scenarios: &mut [Scenario; 2]) -> [bool; 2] {
        let mut changed = [false; 2];
        let [of_own, of_other] = scenarios;
        for entry in entries.iter().filter(|entry| entry.growth() != 0 || entry.own.is_some()) {
            match (entry.own, entry.other) {
                (Some(own), Some(other)) => changed[0] |= self.give_pair(own, other, entry.is_delay, of_own),
                (Some(own), None) => {
                    without(self.own.of_op(own), entry.is_delay, of_own);
                    changed[0] = true;
                }
                (None, Some(other)) => {
                    without(self.other.of_op(other), entry.is_delay, of_other);
                    changed[1] = true;
                }
                (None, None) => {}
            }
        }
        changed
    }

    /// Gives the nodes of `own` the lengths, or the delays, of the nodes of `other`. Where an op is not in as many pieces, each piece
    /// takes the same part of the whole as before.
    fn give_pair(&self, own: OpId, other: OpId, is_delay: bool, scenario: &mut Scenario) -> bool {
        let (nodes, others) = (self.own.of_op(own), self.other.of_op(other));
        let part = |spent: (i64, i64)| if is_delay { spent.1 } else { spent.0 };
        let of_own = |node: u32| part(self.own.replay.spent(node));
        let of_other = |node: u32| part(self.other.replay.spent(node));
        let mut give = |node: u32, value: i64| match is_delay {
            true => scenario.give_delay(node, value),
            false => scenario.give_length(node, value),
        };
        let mut changed = false;
        if nodes.len() == others.len() {
            for (&node, &other) in nodes.iter().zip(others) {
                let value = of_other(other);
                changed |= value != of_own(node);
                give(node, value);
            }
            return changed;
        }
        let sum = |nodes: &[u32], of: &dyn Fn(u32) -> i64| {
            nodes.iter().fold(0_i128, |sum, &node| sum + i128::from(of(node)))
        };
        let (whole, wanted) = (sum(nodes, &of_own), sum(others, &of_other));
        if whole == wanted {
            return false;
        }
        for (row, &node) in nodes.iter().enumerate() {
            let value = match (whole, row) {
                (0, 0) => wanted,
                (0, _) => 0,
                _ => i128::from(of_own(node)) * wanted / whole,
            };
            give(node, i64::try_from(value).unwrap_or(i64::MAX));
        }
        true
    }
}

fn without(nodes: &[u32], is_delay: bool, scenario: &mut Scenario) {
    for &node in nodes {
        match is_delay {
            true => scenario.give_delay(node, 0),
            false => scenario.give_length(node, 0),
        }
    }
}

impl Context<'_> {
    /// What a delay before an op is counted for. A delay that is longer than it takes to start an op is waiting whose cause is not known:
    /// `None`, because that is no cause.
    fn delay(&self, side: Which, op: OpId, delay: i64) -> Option<Cause> {
        let study = self.study(side);
        let trace = study.trace();
        let device = trace.device_of(op);
        let starts_within = |most: Nanos| (delay <= most.0).then_some(SegmentKind::Launching);
        let kind = if study.transfers().id_of_op(op).is_some() {
            None
        } else if has_kernels(trace, device) {
            starts_within(MAX_LAUNCH)
        } else if trace.devices().get(device).nests {
            Some(SegmentKind::HostBetweenOps)
        } else {
            starts_within(MAX_DISPATCH)
        };
        Some(Cause::Wait { kind: kind?, device: self.device(side, op) })
    }
}
