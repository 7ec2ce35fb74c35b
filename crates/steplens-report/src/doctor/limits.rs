//! What the analyses left out, in plain sentences.

use crate::wording::plural;
use steplens_core::doctor::Limit;

pub(super) fn title(limit: Limit) -> &'static str {
    match limit {
        Limit::Graphs => "Graphs were not searched to the end",
        Limit::UnrecordedTransfers => "Transfers within tasks were not followed to the end",
        Limit::Inputs => "Inputs were not followed to the end",
        Limit::Consumers => "Consumers of transfers were not sought to the end",
        Limit::Stragglers => "Stragglers were not followed to the end",
        Limit::TransferOrder => "The order of transfers was not analysed everywhere",
        Limit::Clocks => "Clocks were not compared to the end",
    }
}

/// Of what something was left out.
pub(super) fn counted(limit: Limit) -> &'static str {
    match limit {
        Limit::Graphs | Limit::Inputs => "op",
        Limit::UnrecordedTransfers => "tensor",
        Limit::Consumers => "transfer",
        Limit::Stragglers => "straggler",
        Limit::TransferOrder => "device",
        Limit::Clocks => "task",
    }
}

/// What was left out, how many, and what that means for the figures.
pub(super) fn sentence(limit: Limit, count: u64) -> String {
    let many = plural(usize::try_from(count).unwrap_or(usize::MAX), counted(limit));
    match limit {
        Limit::Graphs => format!(
            "too many graphs alternate to find the nodes of {many}: their inputs come from labels alone, and are inferred"
        ),
        Limit::UnrecordedTransfers => format!(
            "too many ops may have made {many} that went between devices of one task: transfers of these are missing from every list \
             and sum"
        ),
        Limit::Inputs => format!(
            "ops have too many inputs: those of {many} were not followed, so that they are among no transfer's consumers, and \
             delays, stragglers and the order of transfers leave them out"
        ),
        Limit::Consumers => format!(
            "too many ops may have used what went between devices of one task: the consumers of {many} are not known, nor what these \
             were unused for"
        ),
        Limit::Stragglers => format!(
            "there are too many tasks, jobs and ops to follow what every task waited for: the causes of {many} rest on a part of it"
        ),
        Limit::TransferOrder => format!(
            "there are too many tasks to find out which tensors are parameters: nothing is said of their order on {many}"
        ),
        Limit::Clocks => format!(
            "there are too many bounds between clocks, and paths over too many tasks, to follow all of them: offsets of {many} may be \
             wider than need be, missing, or taken for contradicting"
        ),
    }
}
