//! What the analyses left out, as sentences.

use steplens_core::doctor::Limit;
use steplens_messages::say;

pub(super) fn title(limit: Limit) -> &'static str {
    match limit {
        Limit::Graphs => say!("limit-graphs-not-searched-title"),
        Limit::UnrecordedTransfers => say!("limit-transfers-not-followed-title"),
        Limit::Inputs => say!("limit-inputs-not-followed-title"),
        Limit::Consumers => say!("limit-consumers-not-sought-title"),
        Limit::Stragglers => say!("limit-stragglers-not-followed-title"),
        Limit::TransferOrder => say!("limit-transfer-order-not-sought-title"),
        Limit::Variables => say!("limit-variables-not-sought-title"),
        Limit::Clocks => say!("limit-clocks-not-sought-title"),
    }
}

/// What was left out, how many, and what that means for the figures.
pub(super) fn sentence(limit: Limit, count: u64) -> String {
    match limit {
        Limit::Graphs => say!("limit-graphs-not-searched", many = say!("ops", count)),
        Limit::UnrecordedTransfers => say!("limit-transfers-not-followed", many = say!("tensors", count)),
        Limit::Inputs => say!("limit-inputs-not-followed", many = say!("ops", count)),
        Limit::Consumers => say!("limit-consumers-not-sought", many = say!("transfers", count)),
        Limit::Stragglers => say!("limit-stragglers-not-followed", many = say!("stragglers", count)),
        Limit::TransferOrder => say!("limit-transfer-order-not-sought", many = say!("devices", count)),
        Limit::Variables => say!("limit-variables-not-sought", many = say!("transfers", count)),
        Limit::Clocks => say!("limit-clocks-not-sought", many = say!("tasks", count)),
    }
}
