//! What to do about a finding, in the words of the framework.

use steplens_core::findings::Rule;
use steplens_core::findings::framework::Framework;
use steplens_messages::say;

/// The advice for a finding of `rule`.
pub(super) fn of_rule(rule: Rule, framework: Framework) -> &'static str {
    use Framework::{Graphs, Jax, PyTorch, TensorFlow2};
    match (rule, framework) {
        (Rule::ExposedTransfers, Graphs) => say!("advice-exposed-transfers-graphs"),
        (Rule::ExposedTransfers, TensorFlow2) => say!("advice-exposed-transfers-tensorflow2"),
        (Rule::ExposedTransfers, PyTorch) => say!("advice-exposed-transfers-pytorch"),
        (Rule::ExposedTransfers, Jax) => say!("advice-exposed-transfers-jax"),
        (Rule::ExposedTransfers, _) => say!("advice-exposed-transfers"),
        (Rule::TransfersToMerge, PyTorch) => say!("advice-transfers-to-merge-pytorch"),
        (Rule::TransfersToMerge, TensorFlow2) => say!("advice-transfers-to-merge-tensorflow2"),
        (Rule::TransfersToMerge, _) => say!("advice-transfers-to-merge"),
        (Rule::TransferOrder, _) => say!("advice-transfer-order"),
        (Rule::Straggler, _) => say!("advice-straggler"),
        (Rule::CollectiveWait, PyTorch) => say!("advice-collective-wait-pytorch"),
        (Rule::CollectiveWait, _) => say!("advice-collective-wait"),
        (Rule::UnevenServers, _) => say!("advice-uneven-servers"),
        (Rule::InputBound, PyTorch) => say!("advice-input-bound-pytorch"),
        (Rule::InputBound, Jax) => say!("advice-input-bound-jax"),
        (Rule::InputBound, _) => say!("advice-input-bound"),
        (Rule::LaunchBound, PyTorch) => say!("advice-launch-bound-pytorch"),
        (Rule::LaunchBound, Jax) => say!("advice-launch-bound-jax"),
        (Rule::LaunchBound, Graphs) => say!("advice-launch-bound-graphs"),
        (Rule::LaunchBound, _) => say!("advice-launch-bound"),
        (Rule::HostBound, PyTorch) => say!("advice-host-bound-pytorch"),
        (Rule::HostBound, Jax) => say!("advice-host-bound-jax"),
        (Rule::HostBound, _) => say!("advice-host-bound"),
        (Rule::HostOpBetween, _) => say!("advice-host-op-between"),
        (Rule::Copies, PyTorch) => say!("advice-copies-pytorch"),
        (Rule::Copies, _) => say!("advice-copies"),
        (Rule::TinyOps, _) => say!("advice-tiny-ops"),
        (Rule::SlowerThanPeers, _) => say!("advice-slower-than-peers"),
        (Rule::FirstStep, PyTorch) => say!("advice-first-step-pytorch"),
        (Rule::FirstStep, Jax) => say!("advice-first-step-jax"),
        (Rule::FirstStep, _) => say!("advice-first-step"),
        (Rule::MemoryPeak, PyTorch) => say!("advice-memory-peak-pytorch"),
        (Rule::MemoryPeak, Jax) => say!("advice-memory-peak-jax"),
        (Rule::MemoryPeak, _) => say!("advice-memory-peak"),
        (Rule::SkewedClocks, _) => say!("advice-skewed-clocks"),
        (Rule::Tracing, PyTorch) => say!("advice-tracing-pytorch"),
        (Rule::Tracing, _) => say!("advice-tracing"),
    }
}
