//! What a finding is, and what a rule may say.

use super::later::Later;
use super::only_first::is_most;
use super::reached::Reached;
use super::stood_still::StoodStill;
use crate::OpId;
use crate::base::units::{Bytes, Nanos};
use crate::causality::spent::Spent;
use crate::network::stragglers::CauseKind;
use crate::replay::change::Change;
use crate::scheduling::host_idle::HostPart;
use crate::scheduling::launched_idle::LaunchedPart;

/// The least saving of a finding, in millionths of the step: 2 %. XProf calls less than 3 to 5 % of a step no bottleneck.
pub const LEAST_SHARE_PPM: i64 = 20_000;

/// What a finding says, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Transfers that the step waits for.
    ExposedTransfers,
    /// Small transfers in a row between two tasks.
    TransfersToMerge,
    /// Transfers in an order other than that in which they are needed.
    TransferOrder,
    /// A task that is slower than its peers.
    Straggler,
    /// Collectives that wait for the last rank.
    CollectiveWait,
    /// Parameter servers of which one sends much more than the others.
    UnevenServers,
    /// Communication of GPUs that no compute hides.
    ExposedCommunication,
    /// The rank that is ready last, of those that Horovod negotiates with.
    LastRank,
    /// Loading of the next batch.
    InputBound,
    /// Processes that load batches, as they start and stop.
    LoaderWorkers,
    /// Calls that launch kernels.
    LaunchBound,
    /// A GPU that waits for its host.
    HostBound,
    /// A host that waits for its GPU, which then waits for its host.
    Synchronising,
    /// A GPU that is idle after the launch of its next kernel.
    IdleThoughLaunched,
    /// Memory of the driver, got and given back in every step.
    Allocator,
    /// An op on the host between ops of a GPU.
    HostOpBetween,
    /// Copies between host and device.
    Copies,
    /// Copies from or to memory that is not pinned.
    PageableCopies,
    /// Kernels in float32 on a GPU that has tensor cores.
    TensorCores,
    /// Kernels that only change the order of dimensions.
    LayoutConversions,
    /// Batch norm that runs as in training, without a backward pass.
    TrainingMode,
    /// An optimizer that steps its parameters one by one on a CPU.
    OptimizerStep,
    /// One thread, for which ops wait that are ready.
    FewThreads,
    /// Ops so short that starting them takes longer.
    TinyOps,
    /// Ops that took much longer than others like them.
    SlowerThanPeers,
    /// What most of the path is.
    DominantWork,
    /// Memory, launches or compilation of a first step.
    FirstStep,
    /// The peak of memory, and who holds it.
    MemoryPeak,
    /// Clocks that differ.
    SkewedClocks,
    /// The recording itself.
    Tracing,
    /// A GPU that nothing shows to have been used.
    GpuUnused,
}

impl Rule {
    /// Whether what it finds happens once in a program. With more than half of what is shown it comes first, as in the verdict.
    pub fn happens_once(self) -> bool {
        matches!(self, Self::FirstStep)
    }

    /// All rules, in the order in which those without a saving are listed.
    pub const ALL: [Self; 31] = [
        Self::GpuUnused,
        Self::ExposedTransfers,
        Self::TransfersToMerge,
        Self::TransferOrder,
        Self::Straggler,
        Self::CollectiveWait,
        Self::ExposedCommunication,
        Self::LastRank,
        Self::UnevenServers,
        Self::InputBound,
        Self::LoaderWorkers,
        Self::LaunchBound,
        Self::HostBound,
        Self::Synchronising,
        Self::Allocator,
        Self::HostOpBetween,
        Self::Copies,
        Self::PageableCopies,
        Self::TensorCores,
        Self::LayoutConversions,
        Self::TrainingMode,
        Self::OptimizerStep,
        Self::FewThreads,
        Self::TinyOps,
        Self::SlowerThanPeers,
        Self::SkewedClocks,
        Self::FirstStep,
        Self::DominantWork,
        Self::Tracing,
        Self::IdleThoughLaunched,
        Self::MemoryPeak,
    ];

    /// The word for this rule in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::ExposedTransfers => "exposed-transfers",
            Self::TransfersToMerge => "transfers-to-merge",
            Self::TransferOrder => "transfer-order",
            Self::Straggler => "straggler",
            Self::CollectiveWait => "collective-wait",
            Self::UnevenServers => "uneven-servers",
            Self::ExposedCommunication => "exposed-communication",
            Self::LastRank => "last-rank",
            Self::InputBound => "input-bound",
            Self::LoaderWorkers => "loader-workers",
            Self::LaunchBound => "launch-bound",
            Self::HostBound => "host-bound",
            Self::Synchronising => "synchronising",
            Self::Allocator => "allocator",
            Self::HostOpBetween => "host-op-between",
            Self::Copies => "copies",
            Self::PageableCopies => "pageable-copies",
            Self::TensorCores => "tensor-cores",
            Self::LayoutConversions => "layout-conversions",
            Self::TrainingMode => "training-mode",
            Self::OptimizerStep => "optimizer-step",
            Self::FewThreads => "few-threads",
            Self::TinyOps => "tiny-ops",
            Self::SlowerThanPeers => "slower-than-peers",
            Self::DominantWork => "dominant-work",
            Self::FirstStep => "first-step",
            Self::IdleThoughLaunched => "idle-though-launched",
            Self::MemoryPeak => "memory-peak",
            Self::SkewedClocks => "skewed-clocks",
            Self::Tracing => "tracing",
            Self::GpuUnused => "gpu-unused",
        }
    }
}

/// What the rank of a finding rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The step was replayed without it.
    Replay,
    /// A time that was measured, which cannot be saved twice: the most that can be won.
    Measured,
    /// Its time on the observed critical path: no prediction.
    Path,
    /// A figure that is no time of the step: it has no saving.
    Figure,
}

impl Basis {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Measured => "measured",
            Self::Path => "path",
            Self::Figure => "figure",
        }
    }
}

/// What a rule lacks to judge this trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A replay within five percent of the recording.
    Replay,
    /// Clocks that agree.
    Clocks,
    /// Transfers or collectives between tasks.
    Transfers,
    /// Several tasks or ranks that do the same work.
    Peers,
    /// Collectives of which it is known which ops belong together, and that all are there.
    Participants,
    /// Ops of a GPU, with the calls that launched them.
    Gpu,
    /// The calls that launched the work of an accelerator, which was recorded.
    Launches,
    /// When ops were scheduled.
    Scheduling,
    /// Records of memory.
    Memory,
    /// Several steps.
    Steps,
}

impl Needs {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Clocks => "clocks",
            Self::Transfers => "transfers",
            Self::Peers => "peers",
            Self::Participants => "participants",
            Self::Gpu => "gpu",
            Self::Launches => "launches",
            Self::Scheduling => "scheduling",
            Self::Memory => "memory",
            Self::Steps => "steps",
        }
    }
}

/// The figures that the sentence of a finding is made of; which of them a rule sets, its file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// A task, device, tensor, op or op type.
    pub name: String,
    /// Another one.
    pub other: String,
    /// How many there are.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// A time.
    pub time: Nanos,
    /// The time that would be usual.
    pub usual: Nanos,
    /// A size.
    pub bytes: Bytes,
    /// Why a task is late.
    pub cause: Option<CauseKind>,
    /// How long, or since when, that was so.
    pub since: Nanos,
    /// What a size is a part of.
    pub whole: Bytes,
    /// What a time is divided into, each part with its time; what took none is left out.
    pub parts: Vec<(FactPart, Nanos)>,
    /// Copies by where they go, the direction with most time first.
    pub copies: Vec<CopiesOf>,
    /// Who asked for most of these copies, if it was no op of the model.
    pub copied_by: Option<CopiedBy>,
    /// What an op calculates, and its peers.
    pub work: Option<Work>,
    /// How fast ops calculate that have most of the time.
    pub reached: Option<Reached>,
    /// Names of which the finding is made up, the one with most time first.
    pub names: Vec<(String, Nanos)>,
    /// The ranks that others waited for, the one with most waiting first.
    pub late: Vec<LateRank>,
    /// How many ranks share a time; of how many accelerators one is the least.
    pub ranks: u64,
    /// What ran after a pause that is half of the time or more, and how long it was.
    pub pause: Option<(String, Nanos)>,
    /// How many pauses are half of the time together, how long they are, and of the longest that and what ran next.
    pub pauses: Option<(u64, Nanos, Nanos, String)>,
    /// Whether the ranks that share a time have GPUs; whether an op that takes long is one of a GPU.
    pub has_gpus: bool,
    /// Whether the clock that differs is that of an accelerator.
    pub is_accelerator: bool,
    /// Whether the clock of the host is too coarse for its accelerator's.
    pub is_coarse: bool,
    /// For what tasks compete.
    pub threads: Option<SharedThreads>,
    /// Whether one call takes many times as long as all others with the same shapes.
    pub is_stall: bool,
    /// Why an op is found without peers.
    pub alone: Option<Alone>,
    /// A part that nobody measured: what others of the same kind say of it.
    pub guess: Option<(FactPart, Nanos)>,
    /// How many of `count` say their size.
    pub sized: u64,
    /// Whether numbers that are sent have 16 bits or fewer, or a kernel calculates with such ones; of kernels in float32, whether others use
    /// tensor cores.
    pub few_bits: bool,
    /// Whether most of the recording is what only a first step does; whether a rank is late only as programs start.
    pub is_cold: bool,
    /// How much longer a first step is than the median of later ones.
    pub longer: Option<Nanos>,
    /// What takes most of it next to later ones of its name, where these were recorded.
    pub later: Option<Later>,
    /// Whether a first step is the first call of a function of TensorFlow 2.
    pub is_function: bool,
    /// How long one op took that has much of the time, and the median of the others of its name.
    pub single: Option<(Nanos, Nanos)>,
    /// The collectives that take most time, by kind and size.
    pub exchange: Option<Exchange>,
    /// How long threads of programs stood still.
    pub still: Option<StoodStill>,
    /// Where the same tensors come again and again, these rounds.
    pub rounds: Option<OfRounds>,
    /// Which collectives have most of the time.
    pub which: Option<WhichCollectives>,
    /// How much of the time comes after the last work of an accelerator.
    pub after_last: Nanos,
    /// How long an accelerator is idle besides, from the return of a call to its kernel.
    pub latency: Nanos,
}

/// Which collectives have most of the time of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichCollectives {
    /// One.
    One {
        /// What a rank takes for it without waiting.
        time: Nanos,
        /// The range of the program that it is in.
        within: Option<String>,
        /// What a rank gives.
        bytes: Option<Bytes>,
    },
    /// Many in each step.
    Many {
        /// How many.
        count: u64,
        /// How long the one in the middle takes on a rank.
        median: Nanos,
    },
}

/// Rounds of tensors, each a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfRounds {
    /// How many.
    pub count: u64,
    /// How long one takes in the middle.
    pub median: Nanos,
    /// The longest wait of one of them for its tensors, and the one in the middle.
    pub waits: [Nanos; 2],
    /// Whether the processes of a machine give their tensors to one of them that was not opened: only it pushes and pulls.
    pub is_without_root: bool,
    /// Whether tensors are compressed for longer than they are pushed.
    pub compresses: bool,
}

/// Collectives of one kind and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// How many.
    pub count: u64,
    /// What one rank gives to each.
    pub bytes: Bytes,
    /// How long the quickest takes.
    pub time: Nanos,
    /// Whether nothing goes nearly as quickly as links between GPUs.
    pub is_slow: bool,
}

impl Exchange {
    /// How many bytes of one rank go in a second.
    pub fn rate(self) -> f64 {
        self.bytes.0 as f64 * 1e9 / self.time.0.max(1) as f64
    }
}

/// An op that is found without others to compare it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// It is the longest, and no other op has its shapes.
    Longest,
    /// It only passes a tensor on, for which all others of its type need no time.
    Unlike,
    /// It computes on the CPU while a GPU has nothing to do.
    OnHost,
    /// It only writes something down.
    Records,
    /// Operators of one kind have much of the path; of `None` the largest types have half of it together.
    OfKind(Option<OpKind>),
    /// Kernels of one kind have half of the time of a GPU.
    OfKernels {
        /// Which.
        kind: KernelKind,
        /// Whether the GPU calculates with 8 bits, and no kernel does.
        has_eight_bits: bool,
    },
    /// Ops of TensorFlow have half of the time of a GPU.
    OfGraph {
        /// Whether TensorFlow adds ops that turn tensors for a library, which take a while.
        is_turned: bool,
        /// Whether local response normalization is among them.
        has_lrn: bool,
        /// Whether convolutions or products of matrices are.
        has_dense: bool,
    },
}

/// What a kind of operator calculates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpKind {
    /// Convolutions.
    Convolution,
    /// Convolutions that no library for them carries out.
    SlowConvolution,
    /// Products of matrices.
    Products,
    /// Random numbers.
    Random,
}

/// What a kernel calculates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KernelKind {
    /// Convolutions.
    Convolutions,
    /// Products of matrices.
    Products,
    /// Attention, in a kernel of its own.
    Attention,
    /// Norms of batches, layers or groups.
    Norms,
    /// One element after the other.
    Elementwise,
}

impl KernelKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Convolutions, Self::Products, Self::Attention, Self::Norms, Self::Elementwise];
}

/// Copies in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopiesOf {
    /// Where they go.
    pub direction: Direction,
    /// How many.
    pub count: u64,
    /// Their time, summed.
    pub time: Nanos,
}

/// Where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// From a host to a device.
    ToDevice = 0,
    /// From a device to a host.
    FromDevice = 1,
    /// From one place of a device to another.
    OnDevice = 2,
    /// From one device to another.
    BetweenDevices = 3,
    /// Nothing recorded says it.
    Unknown = 4,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 5] =
        [Self::ToDevice, Self::FromDevice, Self::OnDevice, Self::BetweenDevices, Self::Unknown];
}

/// Who asks for copies that no op of a model asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopiedBy {
    /// TensorFlow's memory optimizer, to make room on a GPU.
    MemoryOptimizer,
    /// A program that keeps arrays in the memory of the host.
    HostMemory,
    /// A graph whose weights or constants are on the host: they are copied in each run.
    Weights,
}

/// A rank that comes late to collectives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateRank {
    /// Its task.
    pub name: String,
    /// In how many collectives it was last.
    pub count: u64,
    /// How long the others waited for it, summed.
    pub waiting: Nanos,
}

/// Threads that several tasks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedThreads {
    /// How long ops that were ready waited on the path to the end of the last task.
    pub waited: Nanos,
    /// The length of that path.
    pub path: Nanos,
    /// How many tasks share them.
    pub tasks: u64,
    /// The most ops that ever ran at once.
    pub most: u64,
    /// How long that many ran, while others were scheduled and did not run.
    pub full: Nanos,
}

/// How much an op calculates, and how fast, next to the median of its peers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Its floating-point operations.
    pub flops: f64,
    /// How many of them in a nanosecond.
    pub rate: f64,
    /// Those of its peers.
    pub usual: f64,
    /// How many of them in a nanosecond.
    pub usual_rate: f64,
    /// Whether it has clearly more of them.
    pub is_more: bool,
}

/// A part of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactPart {
    /// What a host did while its GPU was idle.
    Host(HostPart),
    /// Why a GPU was idle though its host was not the reason.
    Launched(LaunchedPart),
    /// The quickest of collectives of the same kind and size takes as long: data is on its way.
    Transfer,
    /// Longer than that: waiting for others.
    Waiting,
    /// The same, for ranks whose files were not opened.
    WaitingForUnopened,
    /// Longer than others, and nothing says how much is sent: more data is on its way, or it waits for others.
    MoreOrWaiting,
    /// The device computed.
    Computing,
    /// The device did something else.
    Other,
    /// The device was idle.
    Idle,
}

/// What is worth changing.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Rule,
    /// How much shorter the step would be: as replayed, or the most that was measured. `None` where neither is known.
    pub saving: Option<Nanos>,
    /// The least and the most of it.
    pub range: Option<(Nanos, Nanos)>,
    /// Its time on the observed critical path.
    pub on_path: Nanos,
    /// What the rank rests on.
    pub basis: Basis,
    /// The figures of its sentence.
    pub facts: Facts,
    /// Its evidence: the ops to look at, the most important first; at most [`MOST_EVIDENCE`].
    pub evidence: Vec<OpId>,
    /// The change that was replayed, if [`Change`] can say it.
    pub change: Option<Change>,
    /// Whether its time is a part of that in which a GPU waits for its host, which is a finding, too.
    pub is_part: bool,
    /// What the step mostly waits for afterwards, and how long.
    pub after: Option<(Spent, Nanos)>,
    /// How much was measured, where the replay denies most of it: `saving` is that of the replay then.
    pub denied: Option<Nanos>,
}

impl Finding {
    /// Whether it happens once, and has more than half of `whole`.
    pub fn is_mostly_once(&self, whole: Nanos) -> bool {
        self.rule.happens_once() && self.saving.is_some_and(|time| is_most(time, whole))
    }

    /// The time without a record between the nodes of launched graphs; `Some` only where it is most of the time that the finding is about.
    pub(super) fn holes(&self) -> Option<Nanos> {
        let &(part, time) = self.facts.parts.first()?;
        (part == FactPart::Launched(LaunchedPart::Hole)).then_some(time)
    }
}

/// The most ops that are listed as evidence.
pub const MOST_EVIDENCE: usize = 5;

/// What a rule says of a trace.
pub(crate) enum Ruling {
    /// It found something.
    Found(Box<Finding>),
    /// There is nothing to change.
    Nothing,
    /// It cannot judge this trace.
    Lacks(Needs),
}
