//! Limits: what analyses left out, because a file asks for more than its size allows.
//!
//! Every analysis takes time in proportion to what was opened, or n log n. If a file could ask for more, the analysis stops at a
//! bound and counts what it left out. No recording of a real system is known to come near; [`reached`] reports any case.

use crate::Study;
use crate::doctor::{Finding, FindingKind, Limit};
use crate::makers::variables;
use crate::makers::{self, Makers};
use crate::network::arrival_order::{NoOrder, arrival_order};
use crate::network::stragglers::{self, stragglers};
use crate::study::step_of_op::StepOfOp;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The limit.
    pub limit: Limit,
    /// The number of ops, transfers, stragglers or devices for which something was left out.
    pub count: u64,
}

/// The limits that the analyses of `study` reached. An analysis that certainly reaches none is not computed for this.
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
    if variables::may_be_too_many(transfers) {
        counts.push((Limit::Variables, study.variables().not_sought));
    }
    if stragglers::may_be_too_many(study) {
        let (steps, makers) = (StepOfOp::indexed(study), Makers::found(study.edges()));
        let cut = stragglers(study, &steps, &makers).iter().filter(|own| own.is_cut).count();
        let not_sought = |worst: &Result<_, NoOrder>| matches!(worst, Err(NoOrder::TooManyTasks));
        let devices = arrival_order(study, &steps, &makers);
        let devices = devices.iter().filter(|own| not_sought(&own.worst)).count();
        counts.extend([(Limit::Stragglers, cut as u64), (Limit::TransferOrder, devices as u64)]);
    }
    let reached = counts.into_iter().filter(|&(_, count)| count > 0);
    reached.map(|(limit, count)| Reached { limit, count }).collect()
}

/// A finding for each limit that the analyses of `study` reached.
pub fn findings(study: &Study) -> Vec<Finding> {
    let finding = |own: Reached| Finding {
        kind: FindingKind::Limit(own.limit),
        count: own.count,
        ops: Vec::new(),
        devices: Vec::new(),
    };
    reached(study).into_iter().map(finding).collect()
}
