//! The content of a `timeline_label`: op type and inputs of an op, tensor and ends of a transfer.
//!
//! The forms are those that TensorFlow writes (`executor.cc`, `step_stats_collector.cc`, `worker_cache_logger.cc`,
//! `device_tracer.cc`) and that its `timeline.py` reads.

/// One input in an op's label: `name`, `name:1` or `^name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRef<'a> {
    /// The node that makes the value.
    pub name: &'a str,
    /// The index of the output; 0 if the label does not have one.
    pub slot: u32,
    /// Whether it is a control input, which brings no value.
    pub control: bool,
}

impl<'a> InputRef<'a> {
    /// Reads one input as graphs and labels write it.
    pub fn parse(text: &'a str) -> Self {
        if let Some(name) = text.strip_prefix('^') {
            return Self { name, slot: 0, control: true };
        }
        match text.rsplit_once(':').and_then(|(name, slot)| Some((name, slot.parse().ok()?))) {
            Some((name, slot)) if !name.is_empty() => Self { name, slot, control: false },
            _ => Self { name: text, slot: 0, control: false },
        }
    }
}

/// The op type of a node by its name and label; `unknown` if neither has it.
///
/// `NAME = OP(INPUTS)` for the executor's ops, `...@@NAME:OP#...` or the name `NAME:OP` for the ops of a GPU.
pub fn op_type<'a>(name: &'a str, label: &'a str) -> &'a str {
    if let Some((_, op, _)) = split_op(label) {
        return op;
    }
    if name == "RecvTensor" || transfer(label).is_some() {
        return if name.is_empty() { "RecvTensor" } else { name };
    }
    let annotated = label
        .split_once("@@")
        .and_then(|(_, rest)| rest.split_once('#'))
        .map(|(annotation, _)| annotation)
        .filter(|annotation| !annotation.is_empty());
    match annotated.unwrap_or(name).split_once(':') {
        Some((_, op)) if !op.is_empty() => op.split(':').next().unwrap_or(op),
        _ => "unknown",
    }
}

/// Whether an op only adds detail to time that other ops of its device have already: a phase of an op, or work of an executor
/// around its ops. It is shown and counted as an op, but its time is not added to that of the others.
///
/// Readers of nested ranges mark it with a label `~ OP()`.
pub fn is_inner(label: &str) -> bool {
    label.starts_with("~ ")
}

/// The name of the op for which a stream ran `name`: NAME of a label `...@@NAME:OP#...`, otherwise of a name `NAME:OP`.
pub fn op_of_kernel<'a>(name: &'a str, label: &'a str) -> &'a str {
    let annotated = match (label.find("@@"), label.find('#')) {
        (Some(start), Some(end)) if start + 2 < end => label.get(start + 2..end),
        _ => None,
    };
    annotated.unwrap_or(name).split(':').next().unwrap_or_default()
}

/// The inputs in an op's label, in order.
pub fn inputs(label: &str) -> impl Iterator<Item = InputRef<'_>> {
    let list = split_op(label).map_or("", |(_, _, list)| list);
    list.split(", ").filter(|input| !input.is_empty()).map(InputRef::parse)
}

/// Splits `[mklcpu 0.4MB 0.4MB] NAME = OP(INPUT, INPUT)` into (NAME, OP, list of inputs).
///
/// Readers of formats without labels write `= OP()` for an op whose type they know. Names in these formats may be any text and
/// could not be separated from the rest. After `()` the readers may add other data. `~ OP()` is an [inner](is_inner) op.
fn split_op(label: &str) -> Option<(&str, &str, &str)> {
    let label = after_brackets(label);
    if let Some(call) = label.strip_prefix("= ").or_else(|| label.strip_prefix("~ ")) {
        let (op, _) = call.split_once('(')?;
        return (!op.is_empty()).then_some(("", op, ""));
    }
    let (name, call) = label.split_once(" = ")?;
    let (op, rest) = call.split_once('(')?;
    let list = rest.rsplit_once(')').map_or(rest, |(list, _)| list);
    (!op.is_empty()).then_some((name, op, list))
}

/// The content of the label of a received tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferLabel<'a> {
    /// The rendezvous key's tensor part, such as `edge_1488_net/w/read`.
    pub tensor: &'a str,
    /// The device that sent it.
    pub source: &'a str,
    /// The device that received it.
    pub destination: &'a str,
    /// The size in the label, in bytes; `[1.3MB]` counts MiB with one decimal and is inexact.
    pub bytes: Option<u64>,
}

/// Reads `[128B] [0.08Mb/s] TENSOR from SOURCE to DESTINATION`, with both, one or none of the brackets.
///
/// The ends are device names, which start with `/` and contain no space; the tensor may be any text.
///
/// In `= OP()`, as readers of other formats write it, OP is the name of an op, whatever text it is.
pub fn transfer(label: &str) -> Option<TransferLabel<'_>> {
    if label.starts_with("= ") {
        return None;
    }
    // Read from the end, because in most labels, which are of ops, the last word is no device.
    let is_device = |name: &&str| name.starts_with('/') && !name.contains(char::is_whitespace);
    let (rest, destination) = label.rsplit_once(' ').filter(|(_, end)| is_device(end))?;
    let (rest, source) = rest.strip_suffix(" to")?.rsplit_once(' ').filter(|(_, end)| is_device(end))?;
    let rest = rest.strip_suffix(" from")?;
    let bytes = rest
        .strip_prefix('[')
        .and_then(|text| text.split_once(']'))
        .and_then(|(size, _)| size_in_label(size));
    Some(TransferLabel { tensor: after_brackets(rest), source, destination, bytes })
}

/// `128B` or `1.3MB` in bytes.
fn size_in_label(text: &str) -> Option<u64> {
    if let Some(mebibytes) = text.strip_suffix("MB") {
        let (whole, tenths) = mebibytes.split_once('.').unwrap_or((mebibytes, "0"));
        let (whole, tenths): (u64, u64) = (whole.parse().ok()?, tenths.get(..1)?.parse().ok()?);
        return whole.checked_mul(10)?.checked_add(tenths)?.checked_mul(1 << 20).map(|bytes| bytes / 10);
    }
    text.strip_suffix('B')?.parse().ok()
}

/// The producer's name and output in a rendezvous key: `edge_1488_net/w:1` is output 1 of `net/w`.
///
/// The number is added by the partitioner. Keys of other forms (feeds and fetches such as `x:0`) are names already.
pub fn producer_of_edge(tensor: &str) -> InputRef<'_> {
    let name = tensor
        .strip_prefix("edge_")
        .and_then(|rest| rest.split_once('_'))
        .filter(|(number, name)| {
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty()
        })
        .map_or(tensor, |(_, name)| name);
    InputRef::parse(name)
}

/// `name` without the suffix that the partitioner adds to a receiving node: `/_12` (TensorFlow) or `_S12` (its newer form).
pub fn without_partition_suffix(name: &str) -> Option<&str> {
    let (base, number) = name.rsplit_once("/_").or_else(|| name.rsplit_once("_S"))?;
    (!base.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(base)
}

/// `text` without leading `[...]` groups and the spaces after them.
pub(crate) fn after_brackets(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|inner| inner.split_once("] ")) {
        rest = after.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_have_types_and_inputs() {
        let label = "[mklcpu 0.4MB 0.4MB] a/b = Mul(a, b:1, ^c)";
        assert_eq!(op_type("a/b", label), "Mul");
        let all: Vec<_> = inputs(label).map(|input| (input.name, input.slot, input.control)).collect();
        assert_eq!(all, [("a", 0, false), ("b", 1, false), ("c", 0, true)]);
        assert_eq!(op_type("_SOURCE", "_SOURCE = NoOp()"), "NoOp");
        assert_eq!(inputs("_SOURCE = NoOp()").count(), 0);
        assert_eq!(op_type("edge_264_Mean:MEMCPYDtoH", ""), "MEMCPYDtoH");
        assert_eq!(op_type("k", "void (int) grid:1@@conv/Conv2D:Conv2D#id=3"), "Conv2D");
        assert_eq!(op_type("x", ""), "unknown");
        assert_eq!(op_type("x", "a = (b)"), "unknown");
        assert_eq!(op_type("a = b(c)", "= x = y()"), "x = y");
        assert_eq!(op_type("k", "= gemm() beta = x(y, z)"), "gemm");
        assert_eq!(inputs("= gemm() beta = x(y, z)").count(), 0);
        assert_eq!(op_type("mul/compute", "~ mul/compute()"), "mul/compute");
        assert_eq!([is_inner("~ mul/compute()"), is_inner("= mul()")], [true, false]);
    }

    #[test]
    fn kernels_name_their_op() {
        assert_eq!(op_of_kernel("k", "void (int) grid:1@@conv/Conv2D:Conv2D#id=3"), "conv/Conv2D");
        assert_eq!(op_of_kernel("edge_264_Mean:MEMCPYDtoH", ""), "edge_264_Mean");
        assert_eq!(op_of_kernel("a:Mul", "gemm regs:32"), "a");
        // As in timeline.py: the first `#` ends the annotation, if it comes after the start of the annotation.
        assert_eq!(op_of_kernel("a:Mul", "#1@@b:Add#"), "a");
        assert_eq!(op_of_kernel("a:Mul", "@@#"), "a");
        assert_eq!(op_of_kernel("", ""), "");
    }

    #[test]
    fn transfers_in_every_form() {
        let (ps, worker) =
            ("/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:3/device:CPU:0");
        let check = |head: &str, tensor: &str, bytes: Option<u64>| {
            let label = format!("{head}{tensor} from {ps} to {worker}");
            assert_eq!(
                transfer(&label),
                Some(TransferLabel { tensor, source: ps, destination: worker, bytes })
            );
        };
        check("[128B] ", "edge_1488_net/w/read", Some(128));
        check("[1.5MB] ", "edge_1488_net/w/read", Some(1_572_864));
        check("[128B] [0.085870Mb/s] ", "edge_1_a from b to c", Some(128));
        check("", "x:0", None);
        assert_eq!(transfer("[128B] from here to there"), None);
        assert_eq!(transfer("a = Mul(b, c)"), None);
        assert_eq!(transfer("= _Send input 0 from /job:a/device:CPU:0 to /job:a/device:GPU:0()"), None);
        assert_eq!(op_type("RecvTensor", "[8B] x from /a to /b"), "RecvTensor");
        assert_eq!(op_type("RdmaRecv", "[8B] x from /a to /b"), "RdmaRecv");
    }

    #[test]
    fn edges_name_their_producer() {
        let name = |tensor| (producer_of_edge(tensor).name, producer_of_edge(tensor).slot);
        assert_eq!(name("edge_1488_net/w/read"), ("net/w/read", 0));
        assert_eq!(name("edge_9_split:2"), ("split", 2));
        assert_eq!(name("edge_x_y"), ("edge_x_y", 0));
        assert_eq!(without_partition_suffix("net/w/read/_12"), Some("net/w/read"));
        assert_eq!(without_partition_suffix("net/w/read_S14"), Some("net/w/read"));
        assert_eq!(without_partition_suffix("net/w/read"), None);
        assert_eq!(without_partition_suffix("a_Sb"), None);
    }
}
