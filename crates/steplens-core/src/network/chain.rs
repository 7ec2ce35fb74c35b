//! The chain that led to an op: from each op back to the input that was ready last, across devices through transfers, back to the
//! start of the step.
//!
//! The links tile the time from the step's start to the op's end: an op ran, or it waited to run although its inputs were ready, or
//! its last input was in transit or queued at the sender.

use crate::base::units::{Nanos, Timestamp};
use crate::causality::cause::BeforeSending;
use crate::makers::Makers;
use crate::study::step_of_op::StepOfOp;
use crate::{Category, OpId, Study};

/// How many links are followed in all chains together, and how many inputs are visited, each per op of the trace and in addition.
/// Each op is in one chain for each job of its step. Keeps files where thousands of jobs end in one long chain from costing n². See
/// [`Chains::is_cut`].
const LINKS_PER_OP: usize = 8;
const MORE_LINKS: usize = 1 << 20;

/// One op of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The op; it may be the op of a transfer.
    pub op: OpId,
    /// The input that was ready last; `None` at the start of the chain.
    pub input: Option<OpId>,
    /// When that input was ready; at the start of the chain, when the op was scheduled.
    pub ready: Timestamp,
}

/// How the time of a chain divides. The parts add up to the time from the step's start to the end of the chain's last op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainTimes {
    /// From the step's start until the chain's first op was scheduled.
    pub before: Nanos,
    /// While ops ran.
    pub running: Nanos,
    /// While the inputs of an op were ready but it did not run; or while a tensor was made and the time of its send is not known.
    pub waiting: Nanos,
    /// While tensors were made but not sent yet.
    pub queued: Nanos,
    /// While tensors were in transit.
    pub wire: Nanos,
}

/// Follows chains through one trace. Bounds limit everything that it visits.
pub struct Chains<'a> {
    study: &'a Study,
    steps: &'a StepOfOp,
    makers: &'a Makers,
    /// For each op the number of the last chain that contains it.
    newest: Vec<u32>,
    chains: u32,
    links_left: usize,
    inputs_left: usize,
    /// Whether a chain was not followed to its start, or some inputs of an op were not visited.
    is_cut: bool,
}

impl<'a> Chains<'a> {
    /// Chains through `study`. `makers` must be the makers of all ops.
    pub fn new(study: &'a Study, steps: &'a StepOfOp, makers: &'a Makers) -> Self {
        let newest = vec![0; study.trace().ops().len()];
        Self {
            study,
            steps,
            makers,
            newest,
            chains: 0,
            links_left: study.trace().ops().len() * LINKS_PER_OP + MORE_LINKS,
            inputs_left: makers.len() * LINKS_PER_OP + MORE_LINKS,
            is_cut: false,
        }
    }

    /// The chain that led to `op`, starting at `op`.
    pub fn back_from(&mut self, op: OpId) -> Vec<Link> {
        self.chains += 1;
        let step = self.steps.step(self.study, op);
        let mut links = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next {
            if self.links_left == 0 {
                self.is_cut = true;
                break;
            }
            self.newest[op.index()] = self.chains;
            self.links_left -= 1;
            let link = self.link(op, step);
            // If clocks differ, names may lead round in a circle.
            next = link.input.filter(|input| self.newest[input.index()] != self.chains);
            links.push(Link { input: next, ..link });
        }
        links
    }

    /// `op` as a link of a chain within `step`.
    pub fn link(&mut self, op: OpId, step: usize) -> Link {
        let ops = self.study.trace().ops();
        let all = self.makers.of_op(op).iter().copied();
        self.is_cut |= all.len() > self.inputs_left;
        let inputs = all.take(self.inputs_left);
        self.inputs_left -= inputs.len();
        let of_step = inputs.filter(|&input| input != op && self.steps.step(self.study, input) == step);
        let input = of_step.max_by_key(|&input| (ops.end(input), input));
        let ready = input.map_or_else(|| ops.scheduled(op).unwrap_or(ops.start(op)), |input| ops.end(input));
        Link { op, input, ready: ready.min(ops.start(op)) }
    }

    /// Whether something was left out since the last call.
    pub fn is_cut(&mut self) -> bool {
        std::mem::take(&mut self.is_cut)
    }

    /// How the time of a chain divides, from the start of its step.
    pub fn times(&self, links: &[Link]) -> ChainTimes {
        let (trace, ops) = (self.study.trace(), self.study.trace().ops());
        let mut times = ChainTimes::default();
        let Some(last) = links.first() else { return times };
        let began = self.steps.span(self.steps.step(self.study, last.op)).start;
        let mut now = ops.end(last.op);
        // Moves the time back to `until`; never forward, whatever the clocks say.
        let mut back_to = |until: Timestamp| {
            let until = until.clamp(began.min(now), now);
            let passed = now - until;
            now = until;
            passed
        };
        for link in links {
            let interval = ops.interval(link.op);
            let is_communication = trace.category(link.op) == Category::Communication;
            if let Some(transfer) = self.study.transfers().of_op(link.op).filter(|_| is_communication) {
                let why = BeforeSending::of(trace, &transfer, link.op);
                // The op of a receiving node starts when it begins to wait; its tensor is in transit once it is made.
                let made = link.input.map(|input| ops.end(input)).filter(|_| why == BeforeSending::NotBegun);
                let sent = made.map_or(interval.start, |made| made.clamp(interval.start, interval.end));
                times.wire += back_to(sent);
                let sending =
                    back_to(link.input.map_or(sent, |_| made.map_or(link.ready, |made| made.min(sent))));
                let is_at_sender = why == BeforeSending::AtSender;
                *(if is_at_sender { &mut times.queued } else { &mut times.waiting }) += sending;
            } else {
                times.running += back_to(interval.start);
                times.waiting += back_to(link.ready);
            }
        }
        times.before = back_to(began);
        times
    }
}
