//! The rules that give a node its category: first what its format says, then a user's patterns, then names.

use super::cann;
use super::kernels::is_collective_kernel;
use super::loading::is_loading;
use super::names::{self, starts};
use super::{Category, Says};
use crate::base::expression;
use crate::model::label;
use regex::bytes::Regex;
use steplens_messages::say;

/// Op types that communicate (compared without case).
const COMMUNICATION: [&str; 5] = ["recvtensor", "_send", "_recv", "_hostsend", "_hostrecv"];
/// Prefixes of the op types of collectives: TensorFlow's, NCCL's (its ops and its kernels), Horovod's, BytePS's and IBM DDL's, then
/// XLA's instructions, PyTorch's, and those of Ascend's HCCL.
const COMMUNICATION_PREFIXES: [&str; 12] = [
    "collective",
    "nccl",
    "horovod",
    "byteps",
    "ddl",
    "all-reduce",
    "all-gather",
    "reduce-scatter",
    "all-to-all",
    "c10d::",
    "gloo:",
    "hcom_",
];
/// Collectives as TensorFlow's `NcclManager` calls them (`nccl_manager.h`).
const NCCL_MANAGER: [&str; 6] =
    ["kAllReduce", "kBroadcast", "kReduce", "kAllGather", "kReduceScatter", "kAllToAll"];
/// Operators of Paddle that are collectives, in addition to those of [`PADDLE_PREFIXES`].
const PADDLE_COLLECTIVES: [&str; 8] = [
    "partial_allgather",
    "allreduce",
    "all_reduce",
    "fused_all_reduce",
    "mp_allreduce_sum",
    "alltoall",
    "barrier",
    "global_scatter",
];
/// Operators of Paddle that communicate: parameter servers, point to point, and collectives. Paddle's names have no capitals and
/// are compared with case, so that a `Barrier` of another framework does not match. Paddle's old `broadcast` is missing, because
/// XLA has an op of this name that copies nothing.
const PADDLE_COMMUNICATION: [&str; 25] = [
    "send",
    "recv",
    "send_and_recv",
    "send_barrier",
    "fetch_barrier",
    "listen_and_serv",
    "fl_listen_and_serv",
    "heter_listen_and_serv",
    "prefetch",
    "distributed_lookup_table",
    "distributed_push_sparse",
    "lookup_remote_table",
    "checkpoint_notify",
    "send_v2",
    "recv_v2",
    "partial_send",
    "partial_recv",
    "partial_allgather",
    "allreduce",
    "all_reduce",
    "fused_all_reduce",
    "mp_allreduce_sum",
    "alltoall",
    "barrier",
    "global_scatter",
];
/// Prefixes of more such operators. `c_embedding`, `c_identity` and `c_split` are not included: they compute on a single device.
const PADDLE_PREFIXES: [&str; 12] = [
    "c_allreduce",
    "c_allgather",
    "c_alltoall",
    "c_barrier",
    "c_broadcast",
    "c_concat",
    "c_gather",
    "c_reduce",
    "c_scatter",
    "c_sync_comm_stream",
    "global_gather",
    RPC_CLIENT,
];
/// Requests to a parameter server.
const RPC_CLIENT: &str = "RpcClient";
/// Prefixes of copies: those that CUPTI reports, those that Paddle records on the host, and those that XLA and TFRT insert.
const COPY_PREFIXES: [&str; 3] = ["memcpy", "gpumemcpy", "_copyfrom"];

/// How ops get their categories: the built-in rules and a user's patterns.
#[derive(Clone, Debug, Default)]
pub struct CategoryRules {
    communication: Vec<Regex>,
}

impl CategoryRules {
    /// The built-in rules, and `communication`: regular expressions for op types and names that also communicate.
    ///
    /// The error says which pattern cannot be read, and why.
    pub fn new(communication: &[String]) -> Result<Self, String> {
        let compile = |pattern: &String| {
            expression::compile(pattern, false, expression::MOST_BYTES)
                .map_err(|why| say!("bad-pattern", pattern, why))
        };
        Ok(Self { communication: communication.iter().map(compile).collect::<Result<_, _>>()? })
    }

    /// The category of a node in a format where only names decide.
    pub fn category(&self, name: &str, op_type: &str, label: &str) -> Category {
        self.decide(Says::Nothing, name, op_type, label).0
    }

    /// The category of a node, and its reason. `says` is what a field of the format says.
    ///
    /// A user's patterns come first, except for ranges, which are no work and cannot communicate.
    pub(crate) fn decide(&self, says: Says, name: &str, op_type: &str, label: &str) -> (Category, Why) {
        match known(says, name, op_type, label) {
            (category, _) if category != Category::Range && self.communicates(name, op_type) => {
                (Category::Communication, Why::Pattern)
            }
            known => known,
        }
    }

    /// Whether any of the user's patterns matches.
    pub(crate) fn communicates(&self, name: &str, op_type: &str) -> bool {
        self.communication
            .iter()
            .any(|pattern| pattern.is_match(op_type.as_bytes()) || pattern.is_match(name.as_bytes()))
    }

    /// Whether the user gave no patterns.
    pub(crate) fn has_no_patterns(&self) -> bool {
        self.communication.is_empty()
    }
}

/// The category of a node, and its reason, without a user's patterns.
fn known(says: Says, name: &str, op_type: &str, label: &str) -> (Category, Why) {
    let by_name = |category, otherwise| match category == otherwise {
        true => (category, Why::Field),
        false => (category, Why::FieldAndName),
    };
    if let Some(category) = cann::category(name).filter(|_| says == Says::Call) {
        return (category, Why::FieldAndName);
    }
    match says {
        Says::Is(category) => (category, Why::Field),
        Says::Nothing => of_names(name, op_type, label),
        Says::Collective => (Category::Communication, Why::Field),
        Says::Kernel if is_collective_kernel(name) => (Category::Communication, Why::FieldAndName),
        Says::Kernel => (Category::Compute, Why::Field),
        Says::Stream if names::is_copy(name) => (Category::Copy, Why::FieldAndName),
        Says::Stream if is_collective_kernel(name) => (Category::Communication, Why::FieldAndName),
        Says::Stream => (Category::Compute, Why::Field),
        // Readers take the type from fields where the name does not say it: `psum.7` is an `all-reduce`.
        Says::Instruction
            if op_type.contains('-') && names::of_instruction(op_type) == Category::Communication =>
        {
            (Category::Communication, Why::FieldAndName)
        }
        Says::Instruction => by_name(names::of_instruction(name), Category::Compute),
        Says::Call if names::is_waiting_call(name) => (Category::Waiting, Why::FieldAndName),
        Says::Call if names::is_allocating_call(name) => (Category::Allocation, Why::FieldAndName),
        Says::Call if names::hands_nothing(name) => (Category::Compute, Why::FieldAndName),
        Says::Call => (Category::Launch, Why::Field),
        Says::Annotation if names::is_input(name) || is_loading(name) => (Category::Input, Why::FieldAndName),
        Says::Annotation if names::carries_collective(says, name) => {
            (Category::Communication, Why::FieldAndName)
        }
        Says::Annotation => (Category::Range, Why::Field),
        Says::Command => by_name(names::of_command(name), Category::Compute),
        // `IteratorGetNext/_3` hands the batch over, which is there: it waits for none.
        Says::Operator if names::is_input(name) && hands_over(op_type) => {
            (Category::Compute, Why::FieldAndName)
        }
        Says::Operator if names::is_input(name) => (Category::Input, Why::FieldAndName),
        Says::Operator => by_name(of_names(name, op_type, label).0, Category::Compute),
        Says::Event => of_event(name, op_type, label),
    }
}

/// Whether an op of this type hands a tensor over.
fn hands_over(op_type: &str) -> bool {
    COMMUNICATION[1..].iter().any(|word| op_type.eq_ignore_ascii_case(word))
}

/// The reason for a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The field of the hint alone.
    Field,
    /// The field together with the name.
    FieldAndName,
    /// A pattern of the user's.
    Pattern,
    /// The op type.
    OpType,
    /// The label: a transfer, or what a stream ran.
    Label,
    /// The name.
    Name,
    /// Nothing: it counts as compute because nothing says otherwise.
    Nothing,
}

impl Why {
    /// The number of reasons.
    pub(crate) const COUNT: usize = Self::Nothing as usize + 1;

    /// The reason in words; for [`Field`](Self::Field) and [`FieldAndName`](Self::FieldAndName) the words after the field.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Field => "",
            Self::FieldAndName => say!("why-and-name"),
            Self::Pattern => say!("why-pattern"),
            Self::OpType => say!("why-op-type"),
            Self::Label => say!("why-label"),
            Self::Name => say!("why-name"),
            Self::Nothing => say!("why-nothing"),
        }
    }
}

/// The rules for names of TensorFlow and Paddle.
fn of_names(name: &str, op_type: &str, label: &str) -> (Category, Why) {
    if label::is_inner(label) {
        return (Category::Range, Why::Label);
    }
    // If a stream's op has a name like `NAME:TYPE`, its label begins with what ran: `MemcpyH2D kind_src:pageable size:64`.
    let ran = if name.contains(':') { label } else { "" };
    let any = |text: &str, prefixes: &[&str]| prefixes.iter().any(|prefix| starts(text, prefix));
    let communicates = COMMUNICATION.iter().any(|word| op_type.eq_ignore_ascii_case(word))
        || any(op_type, &COMMUNICATION_PREFIXES)
        || NCCL_MANAGER.contains(&op_type)
        || op_type.split('/').any(is_paddle_communication);
    if communicates {
        (Category::Communication, Why::OpType)
    } else if names::CALLS_OF_OTHERS.contains(&op_type) {
        (Category::Waiting, Why::OpType)
    } else if any(ran, &COMMUNICATION_PREFIXES) || (op_type == name && label::transfer(label).is_some()) {
        (Category::Communication, Why::Label)
    } else if any(op_type, &COPY_PREFIXES) {
        (Category::Copy, Why::OpType)
    } else if any(ran, &COPY_PREFIXES) {
        (Category::Copy, Why::Label)
    } else if names::is_input(op_type) || names::uses_queue(name, op_type) {
        (Category::Input, Why::OpType)
    } else {
        (Category::Compute, Why::Nothing)
    }
}

/// The rules for events of any writer: also for names of drivers, XLA and ROCm.
fn of_event(name: &str, op_type: &str, label: &str) -> (Category, Why) {
    let known = of_names(name, op_type, label);
    if known.0 != Category::Compute {
        return known;
    }
    if let Some(category) = cann::category(name) {
        return (category, Why::Name);
    }
    let category = match names::of_instruction(name) {
        _ if names::is_driver_call(name) && names::is_waiting_call(name) => Category::Waiting,
        _ if names::is_driver_call(name) && names::is_allocating_call(name) => Category::Allocation,
        _ if names::hands_nothing(name) => Category::Compute,
        _ if names::is_driver_call(name) => Category::Launch,
        _ if names::is_copy(name) || names::is_tpu_copy(name) => Category::Copy,
        _ if names::is_input(name) || is_loading(name) => Category::Input,
        _ if names::ends_with_communication(name) || names::has_word_of_communication(name) => {
            Category::Communication
        }
        Category::Copy => Category::Copy,
        _ => return known,
    };
    (category, Why::Name)
}

/// Whether ops of this type are collectives, unlike transfers, which have two ends.
pub fn is_collective(op_type: &str) -> bool {
    COMMUNICATION_PREFIXES.iter().any(|prefix| starts(op_type, prefix))
        || NCCL_MANAGER.contains(&op_type)
        || op_type.split('/').any(|part| {
            PADDLE_COLLECTIVES.contains(&part)
                || PADDLE_PREFIXES.iter().any(|prefix| *prefix != RPC_CLIENT && part.starts_with(prefix))
        })
}

/// Whether a part of a Paddle path such as `c_allreduce_sum/compute` communicates: operators, and requests such as `SendRPC`.
fn is_paddle_communication(part: &str) -> bool {
    PADDLE_COMMUNICATION.contains(&part)
        || PADDLE_PREFIXES.iter().any(|prefix| part.starts_with(prefix))
        || part.ends_with("RPC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_of_batches_is_input_and_a_queue_of_tokens_is_not() {
        let rules = CategoryRules::default();
        let of = |name: &str| rules.category(name, "QueueDequeueManyV2", "");
        assert_eq!(of("batch/fifo_queue_Dequeue"), Category::Input);
        assert_eq!(of("tokens/batch/fifo_queue_Dequeue"), Category::Input);
        assert_eq!(of("sync_rep_local_init/sync_token_q_Dequeue"), Category::Compute);
        assert_eq!(rules.category("fifo_queue_EnqueueMany", "QueueEnqueueManyV2", ""), Category::Input);
    }

    #[test]
    fn collectives_are_no_transfers() {
        for op_type in [
            "CollectiveReduceV2",
            "NcclAllReduce",
            "HorovodAllreduce",
            "BytepsPushPull",
            "DDLAllReduce",
            "c_allreduce_sum/compute",
            "kAllReduce",
        ] {
            assert!(is_collective(op_type), "{op_type}");
        }
        for op_type in [
            "RecvTensor",
            "_Send",
            "_HostRecv",
            "send",
            "recv_v2",
            "RpcClient::GetVarRPC",
            "reduce_sum",
            "MatMul",
        ] {
            assert!(!is_collective(op_type), "{op_type}");
        }
    }

    #[test]
    fn op_types_tell_the_category() {
        let rules = CategoryRules::new(&["^Push".to_owned()]).unwrap();
        let of = |op_type: &str| rules.category("n", op_type, "");
        for op_type in
            ["RecvTensor", "_Send", "_HostRecv", "CollectiveReduceV2", "NcclAllReduce", "HorovodAllreduce"]
        {
            assert_eq!(of(op_type), Category::Communication, "{op_type}");
        }
        assert_eq!([of("BytepsPushPull"), of("PushGrad")], [Category::Communication; 2]);
        assert_eq!([of("MEMCPYHtoD"), of("MemcpyD2H"), of("_CopyFromGpuToHost")], [Category::Copy; 3]);
        for op_type in
            ["ncclKernel_AllReduce_RING_LL_Sum_float", "ncclDevKernel_AllGather", "nccl:all_reduce"]
        {
            assert_eq!(of(op_type), Category::Communication, "{op_type}");
        }
        for op_type in
            ["all-reduce", "all-gather-start", "reduce-scatter", "collective-permute", "c10d::allreduce_"]
        {
            assert_eq!(of(op_type), Category::Communication, "{op_type}");
        }
        let stream = |label: &str| rules.category("net/x:Const", "Const", label);
        assert_eq!(stream("MemcpyH2D kind_src:pageable size:64"), Category::Copy);
        assert_eq!(stream("ncclDevKernel_AllReduce_Sum_f32_RING_LL regs:96"), Category::Communication);
        assert_eq!(stream("gemm regs:96"), Category::Compute);
        assert_eq!(rules.category("ncclx", "AddN", "ncclx = AddN(a)"), Category::Compute);
        assert_eq!([of("MatMul"), of("_SendTree"), of("é")], [Category::Compute; 3]);
        for op_type in [
            "send",
            "recv_v2",
            "fetch_barrier",
            "c_allreduce_sum",
            "c_allreduce_sum/compute",
            "BatchBarrierRPC",
        ] {
            assert_eq!(of(op_type), Category::Communication, "{op_type}");
        }
        // Ops of TensorFlow, XLA and Paddle whose names are similar to those of communication.
        for op_type in [
            "Send",
            "Recv",
            "Barrier",
            "BarrierReadySize",
            "Rpc",
            "PrefetchDataset",
            "broadcast",
            "BroadcastTo",
            "AllReduceX",
            "sequence_send",
            "c_embedding",
            "c_split",
            "reduce_sum",
            "Gather",
            "gather",
            "scatter",
            "sendrecv",
        ] {
            assert_eq!(of(op_type), Category::Compute, "{op_type}");
        }
        assert_eq!(of("GpuMemcpySync:CPU->GPU"), Category::Copy);
        assert_eq!(rules.category("RdmaRecv", "RdmaRecv", "x from /a to /b"), Category::Communication);
        assert!(CategoryRules::new(&["(".to_owned()]).unwrap_err().contains('('));
    }
}
