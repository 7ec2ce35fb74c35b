//! Limits: what analyses left out, because a file asks for more than its size allows.
//!
//! Every analysis takes time in proportion to what was opened, or n log n. Where a file could ask for more, the analysis stops and counts
//! what it left out. No recording of a real system is known to come near; [`reached`] says so where one does.

use crate::Study;
use crate::analysis::arrival_order::{NoOrder, arrival_order};
use crate::analysis::makers::{self, Makers};
use crate::analysis::step_of_op::StepOfOp;
use crate::analysis::stragglers::{self, stragglers};

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The search for the graph nodes of ops was given up: their inputs are those that labels name.
    Graphs,
    /// Tensors between devices of one task were not followed: some transfers are missing.
    UnrecordedTransfers,
    /// The inputs of ops were not followed: they are nobody's consumers, and what they waited for is not known.
    Inputs,
    /// The consumers of transfers were not sought.
    Consumers,
    /// The chains or peers of stragglers were not followed to the end.
    Stragglers,
    /// The order of the parameters of devices was not looked at.
    TransferOrder,
}

impl Limit {
    /// Its code in every output.
    pub fn code(self) -> &'static str {
        match self {
            Self::Graphs => "graphs-not-searched",
            Self::UnrecordedTransfers => "transfers-not-followed",
            Self::Inputs => "inputs-not-followed",
            Self::Consumers => "consumers-not-sought",
            Self::Stragglers => "stragglers-not-followed",
            Self::TransferOrder => "transfer-order-not-sought",
        }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Which one.
    pub limit: Limit,
    /// Of how many ops, transfers, stragglers or devices something was left out.
    pub count: u64,
}

/// The limits that the analyses of `study` reached. What surely reaches none is not computed for this.
pub fn reached(study: &Study) -> Vec<Reached> {
    let (flow, transfers) = (study.flow(), study.transfers());
    let mut counts = vec![
        (Limit::Graphs, flow.given_up + transfers.given_up),
        (Limit::UnrecordedTransfers, transfers.unfollowed),
    ];
    if makers::may_be_too_many(study.trace(), flow) || study.edges().may_have_too_many_users() {
        let times = study.transfer_times();
        counts.extend([(Limit::Inputs, times.ops_without), (Limit::Consumers, times.unfollowed)]);
    }
    if stragglers::may_be_too_many(study) {
        let (steps, makers) = (StepOfOp::of(study), Makers::of(study.edges()));
        let cut = stragglers(study, &steps, &makers).iter().filter(|own| own.is_cut).count();
        let not_sought = |worst: &Result<_, NoOrder>| matches!(worst, Err(NoOrder::TooManyTasks));
        let devices = arrival_order(study, &steps, &makers);
        let devices = devices.iter().filter(|own| not_sought(&own.worst)).count();
        counts.extend([(Limit::Stragglers, cut as u64), (Limit::TransferOrder, devices as u64)]);
    }
    let reached = counts.into_iter().filter(|&(_, count)| count > 0);
    reached.map(|(limit, count)| Reached { limit, count }).collect()
}
