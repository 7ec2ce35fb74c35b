//! What to do about a finding, in the words of the framework.

use super::ranks::longest_wait;
use super::recorded::Recorded;
use super::sentence::computes_on_host;
use super::words::{length, short};
use crate::figures::count;
use steplens_core::Nanos;
use steplens_core::findings::framework::Framework;
use steplens_core::findings::{
    Alone, CopiedBy, Direction, FactPart, Finding, KernelKind, OpKind, Rule, WhichCollectives,
};
use steplens_core::model::capability::Capability;
use steplens_core::network::stragglers::CauseKind;
use steplens_core::scheduling::host_idle::HostPart;
use steplens_core::scheduling::launched_idle::LaunchedPart;
use steplens_messages::{say, sentences};

/// From this number of functions of Python in a millisecond on, to record them makes a program slower.
const MANY_FRAMES: u64 = 100;

/// The advice for `own`.
pub(super) fn of_finding(own: &Finding, recorded: Recorded) -> String {
    let advice = of_rule_and_others(own, recorded);
    let advice = match about_cores(own, recorded) {
        Some(said) => sentences([advice, said]),
        None => advice,
    };
    let (frames, each) = recorded.frames;
    let rests_on_host = matches!(own.rule, Rule::FirstStep | Rule::HostBound);
    let can_be_told = matches!(recorded.framework, Framework::TensorFlow2 | Framework::Jax);
    match rests_on_host && can_be_told && each >= MANY_FRAMES {
        true => sentences([advice, say!("advice-frames", count = count(frames), each = count(each))]),
        false => advice,
    }
}

/// What the compute capability of the GPU says where advice asks for fewer bits.
fn about_cores(own: &Finding, recorded: Recorded) -> Option<String> {
    let own_cores = recorded.capability?;
    let capability = own_cores.to_string();
    let asks_graph = matches!(own.facts.alone, Some(Alone::OfGraph { has_dense: true, .. }));
    let names_ampere = !matches!(recorded.framework, Framework::Graphs | Framework::TensorFlow2);
    match own.rule {
        Rule::TensorCores if !own_cores.has_tf32() => Some(say!("advice-before-ampere", capability)),
        Rule::TensorCores if names_ampere && !own.facts.few_bits => {
            Some(say!("advice-from-ampere", capability))
        }
        Rule::DominantWork
            if asks_graph && !own.facts.few_bits && own_cores.has_tensor_cores() == Some(true) =>
        {
            Some(say!("advice-has-tensor-cores", capability))
        }
        _ => None,
    }
}

/// The advice for its rule, and what else was recorded.
fn of_rule_and_others(own: &Finding, recorded: Recorded) -> String {
    let advice = of_rule(own, recorded);
    // What comes again in the recording need not be recorded again.
    let is_of_calls = matches!(recorded.framework, Framework::Jax | Framework::Unknown);
    let is_about_first = own.rule == Rule::FirstStep || own.rule == Rule::HostBound && is_one_pause(own);
    if let Some(later) = own.facts.later.as_ref().filter(|_| is_of_calls && is_about_first) {
        let (first, usual) = (length(later.first), length(later.usual));
        return say!("advice-later", op = short(&later.name), first, count = count(later.count), usual);
    }
    if own.rule == Rule::FirstStep && own.facts.of == 0 && own.facts.longer.is_some() {
        return say!("advice-later-steps").to_owned();
    }
    let has_convolutions = own.rule == Rule::TensorCores && own.facts.usual > Nanos(0);
    if has_convolutions && recorded.framework == Framework::PyTorch && !recorded.keeps_channels_last {
        return sentences([advice, say!("advice-channels-last")]);
    }
    if let Some(Alone::OfKernels { has_eight_bits: true, .. }) = own.facts.alone {
        return sentences([advice, say!("advice-kernels-eight-bits")]);
    }
    if let Some(Alone::OfGraph { is_turned, has_lrn, .. }) = own.facts.alone {
        let lrn = has_lrn.then(|| say!("advice-graph-lrn"));
        let turned = is_turned.then(|| say!("advice-graph-turned"));
        return sentences([Some(advice), lrn, turned].into_iter().flatten());
    }
    if own.rule != Rule::ExposedCommunication || recorded.framework != Framework::PyTorch {
        return advice.to_owned();
    }
    let is_one_rank = own.facts.of == 0 && most_of_communication(own).is_none();
    let others = is_one_rank.then(|| say!("advice-other-ranks"));
    let links = own.facts.exchange.filter(|own| own.is_slow).map(|_| say!("advice-slow-links"));
    sentences(links.into_iter().chain([advice]).chain(others))
}

/// Whether tensors are reduced for less than a twentieth of the time in which ranks negotiate or reduce them.
fn hardly_sends(own: &Finding) -> bool {
    own.facts.count > 0 && own.facts.time.0.saturating_mul(20) < (own.facts.time + own.facts.usual).0
}

/// Whether most of the time is one pause, of which no name is known.
fn is_one_pause(own: &Finding) -> bool {
    own.facts.pause.is_some() && own.facts.names.is_empty()
}

/// Whether the host did that for half of the time or more.
fn is_half(own: &Finding, part: HostPart) -> bool {
    let largest = own.facts.parts.first().filter(|own| own.0 == FactPart::Host(part));
    largest.is_some_and(|&(_, time)| time.0.saturating_mul(2) >= own.facts.time.0)
}

/// What most of the communication probably is: waiting for ranks of which nothing is known, or more data than others.
fn most_of_communication(own: &Finding) -> Option<FactPart> {
    let saving = own.denied.or(own.saving).unwrap_or(own.facts.time);
    let (part, _) = own.facts.guess.filter(|(_, time)| time.0.saturating_mul(2) >= saving.0)?;
    Some(part)
}

/// The advice about copies between a host and a device.
fn copies(recorded: Recorded) -> &'static str {
    match recorded.framework {
        Framework::PyTorch if recorded.copies_on_own_stream => say!("advice-copies-pytorch-stream"),
        Framework::PyTorch => say!("advice-copies-pytorch"),
        Framework::Graphs | Framework::TensorFlow2 => say!("advice-copies-tensorflow"),
        _ => say!("advice-copies"),
    }
}

fn of_rule(own: &Finding, recorded: Recorded) -> &'static str {
    let framework = recorded.framework;
    use Framework::{Graphs, Horovod, Jax, PyTorch, TensorFlow2};
    let between = FactPart::Host(HostPart::Between);
    let is_mostly = |part: FactPart| own.facts.parts.first().is_some_and(|&(own, _)| own == part);
    let is_between = is_mostly(between);
    let lacks_cores = recorded.capability.and_then(Capability::has_tensor_cores) == Some(false);
    let is_on_device = own.facts.copies.first().is_some_and(|own| own.direction == Direction::OnDevice);
    let rule = match is_mostly(FactPart::Host(HostPart::Launching)) {
        true => Rule::LaunchBound,
        false => own.rule,
    };
    match (rule, framework) {
        (Rule::HostBound | Rule::LaunchBound | Rule::CollectiveWait, _) if own.facts.still.is_some() => {
            say!("advice-stood-still")
        }
        (Rule::HostBound | Rule::LaunchBound, PyTorch) if own.facts.is_cold => say!("advice-host-cold"),
        (Rule::HostBound | Rule::LaunchBound, _) if recorded.compiles_online => {
            say!("advice-compiles-online")
        }
        (Rule::LaunchBound, PyTorch) if !recorded.has_gpu => say!("advice-launch-bound"),
        (Rule::HostBound | Rule::LaunchBound, _) if own.facts.single.is_some() && !computes_on_host(own) => {
            say!("advice-host-single")
        }
        (Rule::HostBound, PyTorch) if computes_on_host(own) => say!("advice-host-op-pytorch"),
        (Rule::HostBound, Graphs | TensorFlow2) if computes_on_host(own) => {
            say!("advice-host-op-tensorflow")
        }
        (Rule::HostBound, PyTorch) if is_half(own, HostPart::Allocating) && recorded.gives_back => {
            say!("advice-allocator-pytorch")
        }
        (Rule::HostBound, PyTorch) if is_half(own, HostPart::Allocating) => say!("advice-allocator-host"),
        (Rule::HostBound, _) if is_half(own, HostPart::Allocating) => say!("advice-allocator"),
        // Graphs are on: this is where they come from.
        (Rule::HostBound | Rule::LaunchBound, PyTorch) if recorded.captures => say!("advice-capture"),
        (Rule::HostBound | Rule::LaunchBound, PyTorch) if recorded.is_compiled && recorded.has_graphs => {
            say!("advice-host-bound-graphed-compiled")
        }
        (Rule::HostBound, PyTorch) if recorded.has_graphs && !recorded.has_backward => {
            match recorded.is_mostly_graphs {
                true => say!("advice-host-bound-graphed"),
                false => say!("advice-launch-bound-graphed"),
            }
        }
        (Rule::LaunchBound, PyTorch) if recorded.has_graphs => match recorded.has_backward {
            true => say!("advice-launch-bound-graphed-training"),
            false => say!("advice-launch-bound-graphed"),
        },
        (Rule::HostBound, PyTorch)
            if is_between && !recorded.has_operators && recorded.has_fused && is_one_pause(own) =>
        {
            say!("advice-host-first-compile")
        }
        (Rule::HostBound, PyTorch) if is_between && !recorded.has_operators => {
            say!("advice-host-no-operators")
        }
        (Rule::HostBound, PyTorch) if own.facts.of > 0 => say!("advice-host-bound-pytorch"),
        (Rule::HostBound, PyTorch) if is_one_pause(own) => say!("advice-host-pause-pytorch"),
        (Rule::HostBound, _) if is_one_pause(own) => say!("advice-host-pause"),
        // Larger batches make copies of batches longer.
        (Rule::HostBound, _) if is_mostly(FactPart::Host(HostPart::Copying)) => copies(recorded),
        (Rule::HostBound, _) if own.facts.name == UPDATES_GRAPH => say!("advice-host-bound-graph-updated"),
        (Rule::HostBound | Rule::LaunchBound, _) if recorded.is_one_program => {
            say!("advice-host-bound-one-program")
        }
        (Rule::HostBound | Rule::LaunchBound, Graphs | TensorFlow2) if recorded.runs_clusters => {
            say!("advice-host-bound-clusters")
        }
        (Rule::HostBound, PyTorch) if own.facts.pauses.is_some() && own.facts.names.is_empty() => {
            say!("advice-host-pauses")
        }
        (Rule::HostBound, _) if is_mostly(FactPart::Host(HostPart::Beginning)) => {
            say!("advice-host-beginning")
        }
        (Rule::HostBound, PyTorch) if is_between && recorded.is_compiled => {
            say!("advice-host-between-compiled")
        }
        (Rule::HostBound, _) if is_between && is_own_python(&own.facts.names) => say!("advice-host-python"),
        (Rule::HostBound, _) if !recorded.has_gpu => say!("advice-host-bound"),
        (Rule::HostBound, PyTorch) if is_between && !recorded.has_frames => {
            say!("advice-host-between-pytorch")
        }
        (Rule::ExposedCommunication, PyTorch) if let Some(part) = most_of_communication(own) => match part {
            FactPart::MoreOrWaiting => say!("advice-more-or-waiting"),
            _ => say!("advice-late-rank-unopened"),
        },
        (Rule::ExposedCommunication, Horovod) if let Some(rounds) = own.facts.rounds => {
            match longest_wait(&own.facts, rounds) {
                _ if rounds.is_without_root => say!("advice-rounds-root"),
                Some((longest, _)) if longest.0.saturating_mul(2) >= (own.facts.time + own.facts.usual).0 => {
                    say!("advice-rounds-one")
                }
                _ if rounds.compresses => say!("advice-rounds-compress"),
                _ if own.facts.other.starts_with("BytePS") => say!("advice-rounds-byteps"),
                _ if own.facts.other.starts_with("Bluefog") => say!("advice-rounds-bluefog"),
                _ => say!("advice-rounds"),
            }
        }
        (Rule::ExposedCommunication, Horovod) if hardly_sends(own) => say!("advice-tensors-wait"),
        (Rule::ExposedCommunication, Horovod) if own.facts.count > 0 && recorded.runs_nccl => {
            say!("advice-tensors-negotiate-nccl")
        }
        (Rule::ExposedCommunication, Horovod) if own.facts.count > 0 => say!("advice-tensors-negotiate"),
        (Rule::ExposedCommunication, PyTorch) if is_of_experts(&own.facts.name) => {
            say!("advice-exposed-communication-experts")
        }
        (Rule::ExposedCommunication, PyTorch) if is_all_to_all(&own.facts.name) => {
            match mean_bytes(own).is_some_and(|bytes| bytes < SMALL) {
                true => say!("advice-exposed-communication-small"),
                false => say!("advice-exposed-communication-all-to-all"),
            }
        }
        (Rule::ExposedCommunication, PyTorch)
            if matches!(own.facts.which, Some(WhichCollectives::Many { .. })) =>
        {
            match recorded.has_backward {
                true => say!("advice-many-collectives"),
                false => say!("advice-exposed-communication-small"),
            }
        }
        (Rule::ExposedCommunication, PyTorch) if !recorded.has_backward && is_one_gather(own) => {
            say!("advice-one-gather")
        }
        (Rule::ExposedCommunication, PyTorch) if !recorded.has_backward && is_large(own) => {
            match own.facts.few_bits {
                true => say!("advice-exposed-communication-inference-large-half"),
                false => say!("advice-exposed-communication-inference-large"),
            }
        }
        (Rule::ExposedCommunication, PyTorch) if !recorded.has_backward => {
            say!("advice-exposed-communication-inference")
        }
        (Rule::ExposedCommunication, PyTorch) if own.facts.few_bits => {
            say!("advice-exposed-communication-pytorch-half")
        }
        (Rule::ExposedCommunication, PyTorch) => say!("advice-exposed-communication-pytorch"),
        (Rule::ExposedCommunication, TensorFlow2) if recorded.runs_nccl => {
            say!("advice-exposed-communication-tensorflow2-nccl")
        }
        (Rule::ExposedCommunication, TensorFlow2) => say!("advice-exposed-communication-tensorflow2"),
        (Rule::ExposedCommunication, Jax) if recorded.has_no_gradient => {
            say!("advice-exposed-communication-jax-inference")
        }
        (Rule::ExposedCommunication | Rule::ExposedTransfers, Jax) if !recorded.has_gpu => {
            say!("advice-exposed-communication-jax-tpu")
        }
        (Rule::ExposedCommunication, Jax) => say!("advice-exposed-communication-jax"),
        (Rule::ExposedCommunication, _) => say!("advice-exposed-communication"),
        (Rule::LastRank, _) if own.facts.is_cold => say!("advice-last-rank-start"),
        (Rule::LastRank, _) => say!("advice-last-rank"),
        (Rule::GpuUnused, PyTorch) => say!("advice-gpu-unused-pytorch"),
        (Rule::GpuUnused, _) => say!("advice-gpu-unused"),
        (Rule::Synchronising, _) if own.facts.of == 2 => say!("advice-synchronising-unrecorded"),
        (Rule::Synchronising, PyTorch) if own.facts.of == 1 && recorded.copies_from_pinned => {
            say!("advice-synchronising-copies-pinned")
        }
        (Rule::Synchronising, PyTorch) if own.facts.of == 1 => say!("advice-synchronising-copies-pytorch"),
        (Rule::Synchronising, _) if own.facts.of == 1 => say!("advice-pageable-copies"),
        (Rule::Synchronising, PyTorch) => say!("advice-synchronising-pytorch"),
        (Rule::Synchronising, Jax) => say!("advice-synchronising-jax"),
        (Rule::Synchronising, Graphs) => say!("advice-synchronising-graphs"),
        (Rule::Synchronising, _) => say!("advice-synchronising"),
        (Rule::Allocator, _) if own.facts.of == 1 => say!("advice-memory-full"),
        (Rule::Allocator, _) if own.facts.of == 3 => say!("advice-given-back"),
        (Rule::Allocator, PyTorch) if own.facts.of == 2 => say!("advice-allocator-host"),
        (Rule::Allocator, PyTorch) => say!("advice-allocator-pytorch"),
        (Rule::Allocator, _) => say!("advice-allocator"),
        (Rule::PageableCopies, PyTorch) => say!("advice-pageable-copies-pytorch"),
        (Rule::PageableCopies, _) => say!("advice-pageable-copies"),
        (Rule::DominantWork, _) if let Some(Alone::OfKind(kind)) = own.facts.alone => match kind {
            Some(OpKind::SlowConvolution) => say!("advice-kind-slow-convolution"),
            Some(_) if matches!(framework, Graphs | TensorFlow2) => match recorded.runs_onednn {
                true => say!("advice-kind-dense-onednn"),
                false => say!("advice-kind-dense"),
            },
            Some(OpKind::Convolution) if recorded.is_compiled => say!("advice-kind-convolution-compiled"),
            Some(OpKind::Convolution) => say!("advice-kind-convolution"),
            Some(OpKind::Products) if own.facts.of > 0 => say!("advice-kind-products-many-rows"),
            Some(OpKind::Products) => say!("advice-kind-products"),
            Some(OpKind::Random) => say!("advice-kind-random"),
            None => say!("advice-kind-largest"),
        },
        (Rule::DominantWork, _) if let Some(Alone::OfKernels { kind, .. }) = own.facts.alone => match kind {
            KernelKind::Attention => say!("advice-kernels-attention"),
            _ => say!("advice-kernels-products"),
        },
        (Rule::DominantWork, _)
            if matches!(own.facts.alone, Some(Alone::OfGraph { .. })) && own.facts.few_bits =>
        {
            say!("advice-graph-few-bits")
        }
        (Rule::DominantWork, _) if let Some(Alone::OfGraph { has_dense, .. }) = own.facts.alone => {
            match has_dense {
                true if lacks_cores => say!("advice-graph-dense-without-cores"),
                true => say!("advice-graph-dense"),
                false => say!("advice-graph-norms"),
            }
        }
        (Rule::DominantWork, _) if own.facts.name.is_empty() && recorded.is_compiled => {
            say!("advice-dominant-elementwise-compiled")
        }
        (Rule::DominantWork, _) if own.facts.name.is_empty() => say!("advice-dominant-elementwise"),
        (Rule::DominantWork, _) if own.facts.is_stall => say!("advice-stall"),
        (Rule::DominantWork, _) if own.facts.alone == Some(Alone::Records) => match recorded.is_keras {
            true => say!("advice-records-keras"),
            false => say!("advice-records"),
        },
        (Rule::DominantWork, _) if own.facts.alone == Some(Alone::Unlike) => say!("advice-unlike-op"),
        (Rule::DominantWork, _) if own.facts.has_gpus && own.facts.few_bits => {
            say!("advice-dominant-op-gpu-few-bits")
        }
        (Rule::DominantWork, _) if own.facts.has_gpus && lacks_cores => {
            say!("advice-dominant-op-gpu-without-cores")
        }
        (Rule::DominantWork, _) if own.facts.has_gpus => say!("advice-dominant-op-gpu"),
        (Rule::DominantWork, _) => say!("advice-dominant-op"),
        (Rule::ExposedTransfers, _) if own.facts.of == 1 => say!("advice-exposed-transfers-unnamed"),
        (Rule::ExposedTransfers, TensorFlow2) if recorded.runs_nccl => {
            say!("advice-exposed-transfers-tensorflow2-nccl")
        }
        (Rule::ExposedTransfers, Graphs) if are_small(own) => say!("advice-exposed-transfers-small"),
        (Rule::ExposedTransfers, Graphs) => say!("advice-exposed-transfers-graphs"),
        (Rule::ExposedTransfers, TensorFlow2) => say!("advice-exposed-transfers-tensorflow2"),
        (Rule::ExposedTransfers, PyTorch) => say!("advice-exposed-transfers-pytorch"),
        (Rule::ExposedTransfers, Jax) => say!("advice-exposed-transfers-jax"),
        (Rule::ExposedTransfers, _) => say!("advice-exposed-transfers"),
        (Rule::TransfersToMerge, PyTorch) => say!("advice-transfers-to-merge-pytorch"),
        (Rule::TransfersToMerge, TensorFlow2) => say!("advice-transfers-to-merge-tensorflow2"),
        (Rule::TransfersToMerge, _) => say!("advice-transfers-to-merge"),
        (Rule::TransferOrder, _) => say!("advice-transfer-order"),
        (Rule::Straggler, _) if own.facts.threads.is_some() => say!("advice-shared-threads"),
        (Rule::Straggler, _) if own.facts.cause == Some(CauseKind::StartedLate) => {
            say!("advice-straggler-started-late")
        }
        (Rule::Straggler, _) => say!("advice-straggler"),
        (Rule::CollectiveWait, _) if is_mostly(FactPart::Idle) && begins_late(own) => {
            say!("advice-late-begun")
        }
        (Rule::CollectiveWait, PyTorch)
            if is_mostly(FactPart::Idle) && (recorded.has_graphs || recorded.is_compiled) =>
        {
            say!("advice-late-hosts-pytorch-graphed")
        }
        (Rule::CollectiveWait, PyTorch) if is_mostly(FactPart::Idle) => say!("advice-late-hosts-pytorch"),
        (Rule::CollectiveWait, _) if is_mostly(FactPart::Idle) => say!("advice-late-hosts"),
        (Rule::CollectiveWait, _) if is_mostly(FactPart::Other) && own.facts.has_gpus => {
            say!("advice-late-chain")
        }
        (Rule::CollectiveWait, PyTorch) => say!("advice-collective-wait-pytorch"),
        (Rule::CollectiveWait, _) => say!("advice-collective-wait"),
        (Rule::UnevenServers, _) => say!("advice-uneven-servers"),
        // The workers start while the first batch is loaded.
        (Rule::InputBound, PyTorch)
            if own.facts.usual > Nanos(0) && own.facts.usual.0.saturating_mul(2) >= own.facts.time.0 =>
        {
            say!("advice-input-bound-pytorch-first")
        }
        // Nobody knows whether its workers started then.
        (Rule::InputBound, PyTorch) if own.facts.count == 1 && own.facts.name.contains("MultiProcessing") => {
            say!("advice-input-bound-pytorch-one")
        }
        // There are workers already.
        (Rule::InputBound, PyTorch) if own.facts.name.contains("MultiProcessing") => {
            say!("advice-input-bound-pytorch-workers")
        }
        (Rule::InputBound, PyTorch)
            if !recorded.has_gpu && !recorded.is_gpu_unrecorded || recorded.copies_from_pinned =>
        {
            say!("advice-input-bound-pytorch-cpu")
        }
        (Rule::InputBound, PyTorch) => say!("advice-input-bound-pytorch"),
        (Rule::LoaderWorkers, _) => say!("advice-loader-workers"),
        (Rule::InputBound, Jax) => say!("advice-input-bound-jax"),
        (Rule::InputBound, Graphs | TensorFlow2) if recorded.prefetches && own.facts.of == 1 => {
            say!("advice-input-bound-first-batch")
        }
        (Rule::InputBound, Graphs | TensorFlow2) if recorded.prefetches && recorded.maps_last => {
            say!("advice-input-bound-last-map")
        }
        // Of one wait nobody knows which it is.
        (Rule::InputBound, Graphs | TensorFlow2) if recorded.prefetches && own.facts.ranks < 2 => {
            say!("advice-input-bound-one")
        }
        (Rule::InputBound, Graphs | TensorFlow2) if recorded.prefetches => {
            say!("advice-input-bound-prefetching")
        }
        (Rule::InputBound, Graphs | TensorFlow2) if let Some(is_on_gpu) = recorded.queue => match is_on_gpu {
            true => say!("advice-input-bound-queue-gpu"),
            false => say!("advice-input-bound-queue"),
        },
        (Rule::InputBound, Graphs | TensorFlow2) if recorded.has_pipeline => {
            say!("advice-input-bound-pipeline")
        }
        (Rule::InputBound, Graphs | TensorFlow2) => say!("advice-input-bound-tensorflow"),
        (Rule::InputBound, _) => say!("advice-input-bound"),
        (Rule::LaunchBound | Rule::HostBound, PyTorch) if recorded.is_only_traced && !recorded.is_engine => {
            say!("advice-launch-bound-traced")
        }
        (Rule::LaunchBound | Rule::HostBound, PyTorch) if recorded.is_compiled && !recorded.is_engine => {
            say!("advice-launch-bound-compiled")
        }
        (Rule::LaunchBound, PyTorch) if recorded.steps_one_by_one => {
            say!("advice-launch-bound-pytorch-optimizer")
        }
        (Rule::LaunchBound, PyTorch) => say!("advice-launch-bound-pytorch"),
        (Rule::LaunchBound, Jax) => say!("advice-launch-bound-jax"),
        (Rule::LaunchBound, Graphs) => say!("advice-launch-bound-graphs"),
        (Rule::LaunchBound, TensorFlow2) => say!("advice-launch-bound-tensorflow2"),
        (Rule::LaunchBound, _) => say!("advice-launch-bound"),
        (Rule::HostBound, PyTorch) if recorded.is_engine => say!("advice-host-bound-inference"),
        (Rule::HostBound, PyTorch) if recorded.has_graphs => say!("advice-launch-bound-graphed-training"),
        (Rule::HostBound, PyTorch) if recorded.steps_one_by_one => {
            say!("advice-host-bound-pytorch-optimizer")
        }
        (Rule::HostBound, PyTorch) => say!("advice-host-bound-pytorch"),
        (Rule::HostBound, Jax) => say!("advice-host-bound-jax"),
        (Rule::HostBound, _) => say!("advice-host-bound"),
        (Rule::HostOpBetween, _) if own.facts.of == own.facts.count => {
            say!("advice-host-op-between-placed")
        }
        (Rule::HostOpBetween, _) => say!("advice-host-op-between"),
        (Rule::Copies, _) if own.facts.copied_by == Some(CopiedBy::HostMemory) => {
            say!("advice-copies-host-memory")
        }
        (Rule::Copies, _) if own.facts.copied_by == Some(CopiedBy::Weights) => say!("advice-copies-weights"),
        (Rule::Copies, _) if own.facts.copied_by == Some(CopiedBy::MemoryOptimizer) => {
            say!("advice-copies-memory-optimizer")
        }
        (Rule::Copies, PyTorch) if is_on_device && recorded.is_compiled => say!("advice-copies-on-device"),
        (Rule::Copies, PyTorch) if is_on_device => say!("advice-copies-on-device-pytorch"),
        (Rule::Copies, Jax) if is_on_device => say!("advice-copies-on-device-jax"),
        (Rule::Copies, _) if is_on_device => say!("advice-copies-on-device"),
        (Rule::Copies, _) => copies(recorded),
        (Rule::TensorCores, PyTorch) if own.facts.few_bits => say!("advice-tensor-cores-rest-pytorch"),
        (Rule::TensorCores, _) if own.facts.few_bits => say!("advice-tensor-cores-rest"),
        (Rule::TensorCores, PyTorch)
            if own.facts.usual.0.saturating_mul(10) >= own.facts.time.0.saturating_mul(9) =>
        {
            say!("advice-tensor-cores-pytorch-convolutions")
        }
        (Rule::TensorCores, PyTorch) if own.facts.usual > Nanos(0) => {
            say!("advice-tensor-cores-pytorch-both")
        }
        (Rule::TensorCores, PyTorch) if !recorded.has_backward => {
            say!("advice-tensor-cores-pytorch-inference")
        }
        (Rule::TensorCores, PyTorch) => say!("advice-tensor-cores-pytorch"),
        (Rule::TensorCores, Graphs | TensorFlow2) => say!("advice-tensor-cores-tensorflow"),
        (Rule::TensorCores, _) => say!("advice-tensor-cores"),
        (Rule::LayoutConversions, _) if own.facts.of == 1 => say!("advice-layout-weights"),
        (Rule::LayoutConversions, PyTorch) => say!("advice-layout-conversions-pytorch"),
        (Rule::LayoutConversions, _) => say!("advice-layout-conversions"),
        (Rule::TrainingMode, _) if own.facts.count == 0 => say!("advice-training-dropout"),
        (Rule::TrainingMode, _) => say!("advice-training-mode"),
        (Rule::OptimizerStep, _) if own.facts.other.is_empty() => say!("advice-optimizer-step-own"),
        (Rule::OptimizerStep, _) => say!("advice-optimizer-step"),
        (Rule::IdleThoughLaunched, _) if is_mostly(FactPart::Launched(LaunchedPart::Latency)) => {
            say!("advice-idle-latency")
        }
        (Rule::IdleThoughLaunched, _) if is_mostly(FactPart::Launched(LaunchedPart::Graph)) => {
            say!("advice-idle-graph")
        }
        (Rule::IdleThoughLaunched, _) if is_mostly(FactPart::Launched(LaunchedPart::Hole)) => {
            say!("advice-idle-hole")
        }
        (Rule::IdleThoughLaunched, _) if is_mostly(FactPart::Launched(LaunchedPart::Unrecorded)) => {
            say!("advice-idle-unrecorded")
        }
        (Rule::IdleThoughLaunched, PyTorch) if own.facts.of == 1 => say!("advice-idle-one-stream"),
        (Rule::IdleThoughLaunched, PyTorch) if own.facts.of == 3 => say!("advice-idle-before"),
        (Rule::IdleThoughLaunched, _) if own.facts.of == 2 => say!("advice-idle-shared"),
        (Rule::IdleThoughLaunched, _) => say!("advice-idle-though-launched"),
        (Rule::FewThreads, _) => say!("advice-few-threads"),
        (Rule::TinyOps, Graphs | TensorFlow2) if recorded.runs_clusters => {
            say!("advice-tiny-ops-compiled")
        }
        (Rule::TinyOps, Graphs | TensorFlow2) => say!("advice-tiny-ops-tensorflow"),
        (Rule::TinyOps, PyTorch) => say!("advice-tiny-ops-pytorch"),
        (Rule::TinyOps, _) => say!("advice-tiny-ops"),
        (Rule::SlowerThanPeers, _) => say!("advice-slower-than-peers"),
        (Rule::FirstStep, _) if own.facts.of == 1 => say!("advice-capture"),
        (Rule::FirstStep, _) if own.facts.of == 2 => say!("advice-compiling"),
        (Rule::FirstStep, PyTorch) => say!("advice-first-step-pytorch"),
        (Rule::FirstStep, Jax) => say!("advice-first-step-jax"),
        (Rule::FirstStep, Horovod) => say!("advice-first-step-horovod"),
        (Rule::FirstStep, Graphs | TensorFlow2) => say!("advice-first-step-tensorflow"),
        (Rule::FirstStep, _) => say!("advice-first-step"),
        (Rule::MemoryPeak, PyTorch) => say!("advice-memory-peak-pytorch"),
        (Rule::MemoryPeak, Jax) => say!("advice-memory-peak-jax"),
        (Rule::MemoryPeak, Graphs | TensorFlow2) => say!("advice-memory-peak-tensorflow"),
        (Rule::MemoryPeak, _) => say!("advice-memory-peak"),
        (Rule::SkewedClocks, _) if own.facts.is_coarse => say!("advice-coarse-host"),
        (Rule::SkewedClocks, _) if own.facts.is_accelerator => say!("advice-skewed-accelerator"),
        (Rule::SkewedClocks, _) => say!("advice-skewed-clocks"),
        (Rule::Tracing, _) if own.facts.of == 3 => say!("advice-counters"),
        (Rule::Tracing, _) if recorded.has_only_calls => say!("advice-tracing-no-work"),
        (Rule::Tracing, PyTorch) if own.facts.of == 4 => say!("advice-tracing-each"),
        (Rule::Tracing, PyTorch) if own.facts.of == 1 => say!("advice-tracing-warm-up"),
        (Rule::Tracing, PyTorch) => say!("advice-tracing-pytorch"),
        (Rule::Tracing, _) => say!("advice-tracing"),
    }
}

/// What XLA does where the buffers of a graph of CUDA are not those that it had (`xla/backends/gpu/runtime/command_buffer_thunk.cc`).
const UPDATES_GRAPH: &str = "command_buffer::update";

/// Collectives that move less are small: 64 KiB take 5 µs at 12.5 GB/s (100 Gbit/s), and a collective of NCCL takes longer to start.
const SMALL: u64 = 64 << 10;
/// Those that move more are large.
const LARGE: u64 = 1 << 20;

/// How many bytes a collective moves in the mean, if all of them say it.
fn mean_bytes(own: &Finding) -> Option<u64> {
    let facts = &own.facts;
    (facts.sized == facts.count).then(|| facts.bytes.0.checked_div(facts.count)).flatten()
}

fn is_large(own: &Finding) -> bool {
    mean_bytes(own).is_some_and(|bytes| bytes >= LARGE)
}

/// Whether late ranks had not begun for half of the time in which they were idle.
fn begins_late(own: &Finding) -> bool {
    let idle = own.facts.parts.first().map_or(Nanos(0), |own| own.1);
    own.facts.since > Nanos(0) && own.facts.since.0.saturating_mul(2) >= idle.0
}

/// An operation by its name, without the types of a kernel's template, and with letters and digits alone.
fn plain(operation: &str) -> String {
    let name = operation.split('<').next().unwrap_or_default();
    name.chars().filter(|own| own.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

/// Whether tokens go to their experts or come back, as DeepEP does that.
fn is_of_experts(operation: &str) -> bool {
    let plain = plain(operation);
    plain.ends_with("dispatch") || plain.ends_with("combine")
}

/// Whether ranks send each other different things: an all-to-all, which NCCL runs as kernels that send and receive.
fn is_all_to_all(operation: &str) -> bool {
    let plain = plain(operation);
    ["alltoall", "a2a", "sendrecv"].iter().any(|part| plain.contains(part))
}

/// Whether one collective has most of the time, and gathers what each rank has.
fn is_one_gather(own: &Finding) -> bool {
    matches!(own.facts.which, Some(WhichCollectives::One { .. })) && plain(&own.facts.name).contains("gather")
}

/// Whether the function that the step waited for longest is the program's, and none of the model's layers: PyTorch's own modules and `forward`
/// do what a compiler takes out.
fn is_own_python(names: &[(String, Nanos)]) -> bool {
    let is_of_model =
        |name: &str| name.contains("torch/") || name.ends_with(": forward") || name.contains("_call_impl");
    names.first().is_some_and(|(name, _)| !is_of_model(name))
}

/// Whether there are many transfers, and so small that what each of them costs besides its bytes is most of it: 64 KiB take 0.1 ms in a
/// network of 5 Gbit/s, and a call of gRPC as long.
fn are_small(own: &Finding) -> bool {
    own.facts.count >= 16 && own.facts.bytes.0 / own.facts.count <= 64 << 10
}
