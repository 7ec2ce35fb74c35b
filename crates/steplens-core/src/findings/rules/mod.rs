//! The rules. Each file says what it finds, by which formula, and where the threshold comes from.

mod all_copies;
mod allocator;
mod beginnings;
mod collective_wait;
mod copies;
mod directions;
mod dominant_graph_ops;
mod dominant_kernels;
mod dominant_kind;
mod dominant_work;
mod exposed_communication;
mod exposed_transfers;
mod few_threads;
mod first_batch;
mod first_calls;
mod first_function;
mod first_marks;
mod first_operators;
mod first_step;
mod given_back;
mod host_bound;
mod host_op_between;
mod idle_though_launched;
mod input_bound;
mod large_batch;
mod last_rank;
mod late_hosts;
mod launch_bound;
mod layout_conversions;
mod loader_workers;
mod memory_full;
mod memory_peak;
mod optimizer_step;
mod pageable_copies;
mod recurs;
mod shared_threads;
mod skewed_clocks;
mod slower_than_peers;
mod straggler;
mod synchronising;
mod tensor_cores;
mod tiny_ops;
mod tracing;
mod training_mode;
mod transfer_order;
mod transfers_to_merge;
mod trials;
mod uneven_servers;
mod unrecorded_waits;
mod which_collectives;

use super::compiling::only_compiles;
use super::context::Context;
use super::finding::{Rule, Ruling};
pub(super) use first_step::{first_step, once};
pub(super) use tracing::marking;
pub(super) use unrecorded_waits::waited;

/// What `rule` says of a step.
pub(super) fn judge(rule: Rule, context: &Context<'_>) -> Ruling {
    // Of what a profiler counted, times say nothing; a log of compiling is no step.
    if rule != Rule::Tracing && context.is_counted() || only_compiles(context.trace()) {
        return Ruling::Nothing;
    }
    match rule {
        Rule::ExposedTransfers => exposed_transfers::judge(context),
        Rule::TransfersToMerge => transfers_to_merge::judge(context),
        Rule::TransferOrder => transfer_order::judge(context),
        Rule::Straggler => straggler::judge(context),
        Rule::CollectiveWait => collective_wait::judge(context),
        Rule::UnevenServers => uneven_servers::judge(context),
        Rule::IdleThoughLaunched => idle_though_launched::judge(context),
        Rule::InputBound => input_bound::judge(context),
        Rule::LoaderWorkers => loader_workers::judge(context),
        Rule::LaunchBound => launch_bound::judge(context),
        Rule::HostBound => host_bound::judge(context),
        Rule::Synchronising => synchronising::judge(context),
        Rule::Allocator => allocator::judge(context),
        Rule::ExposedCommunication => exposed_communication::judge(context),
        Rule::LastRank => last_rank::judge(context),
        Rule::PageableCopies => pageable_copies::judge(context),
        Rule::DominantWork => dominant_work::judge(context),
        Rule::HostOpBetween => host_op_between::judge(context),
        Rule::Copies => copies::judge(context),
        Rule::TensorCores => tensor_cores::judge(context),
        Rule::LayoutConversions => layout_conversions::judge(context),
        Rule::TrainingMode => training_mode::judge(context),
        Rule::OptimizerStep => optimizer_step::judge(context),
        Rule::FewThreads => few_threads::judge(context),
        Rule::TinyOps => tiny_ops::judge(context),
        Rule::SlowerThanPeers => slower_than_peers::judge(context),
        Rule::FirstStep => first_step::judge(context),
        Rule::MemoryPeak => memory_peak::judge(context),
        Rule::SkewedClocks => skewed_clocks::judge(context),
        Rule::Tracing => tracing::judge(context),
        // Only the file says it.
        Rule::GpuUnused => Ruling::Nothing,
    }
}
