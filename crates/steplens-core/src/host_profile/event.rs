//! The content of the name and label of a host event.
//!
//! The forms are those that TensorFlow 1.14 to 2.2 write. The name is `NAME:OPTYPE` for an op, or the name of a range such as
//! `ExecutorState::Process`. The label has `key=value` pairs separated by commas:
//! `id=42,device=/job:w/replica:0/task:0/device:CPU:0,async=false`.

/// The range around everything that one thread of an executor runs without a pause.
pub(crate) const PROCESS: &str = "ExecutorState::Process";
/// The nodes that hand tensors over between devices: the executor does not record them (`IsTransferNode`, `step_stats_collector.cc`).
const TRANSFER_NODES: [&str; 4] = ["_Send", "_Recv", "_HostSend", "_HostRecv"];

/// The content of an event's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'a> {
    /// An op of the node `name`.
    Op {
        /// The node.
        name: &'a str,
        /// Its op type.
        op_type: &'a str,
    },
    /// A range around everything that one thread of an executor runs without a pause.
    Process,
    /// Any other range.
    Range,
}

impl<'a> Named<'a> {
    pub(super) fn of(event: &'a str) -> Self {
        if event == PROCESS {
            return Self::Process;
        }
        match event.rsplit_once(':') {
            // `RunGraph::Done` is not the name of an op.
            Some((name, op_type)) if !op_type.is_empty() && !name.is_empty() && !name.ends_with(':') => {
                Self::Op { name, op_type }
            }
            _ => Self::Range,
        }
    }
}

/// Whether ops of this type are nodes that the executor does not record.
pub(super) fn is_transfer_node(op_type: &str) -> bool {
    TRANSFER_NODES.contains(&op_type)
}

/// The content of an event's label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Label<'a> {
    /// The run of a session that it belongs to.
    pub(super) run: Option<i64>,
    /// The device that the op ran on.
    pub(super) device: Option<&'a str>,
    /// Whether the op was asynchronous: its thread did not wait for its end.
    pub(super) is_async: Option<bool>,
}

impl<'a> Label<'a> {
    pub(super) fn of(label: &'a str) -> Self {
        let mut found = Self::default();
        for (key, value) in label.split(',').filter_map(|pair| pair.split_once('=')) {
            match key {
                // Ids of runs are random numbers of 63 bits in a cluster, and count from 1 in a single process.
                "id" => found.run = value.parse().ok(),
                "device" => found.device = Some(value).filter(|device| !device.is_empty()),
                "async" => found.is_async = value.parse().ok(),
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ops_or_ranges() {
        let op = |name, op_type| Named::Op { name, op_type };
        assert_eq!(Named::of("net/c0/Relu:_FusedConv2D"), op("net/c0/Relu", "_FusedConv2D"));
        assert_eq!(Named::of("ExecutorState::Process"), Named::Process);
        for range in ["SessionRun ", "RunGraph", "Iterator::Map", ":Add", "x:", ""] {
            assert_eq!(Named::of(range), Named::Range, "{range}");
        }
    }

    #[test]
    fn labels_are_pairs() {
        let device = "/job:w/replica:0/task:0/device:CPU:0";
        let label = format!("id=42,device={device},async=false");
        let expected = Label { run: Some(42), device: Some(device), is_async: Some(false) };
        assert_eq!(Label::of(&label), expected);
        assert_eq!(Label::of("id=9223372036854775807,iter_num=0").run, Some(i64::MAX));
        assert_eq!(Label::of("from=a,to=b"), Label::default());
        assert_eq!(Label::of("id=,async=perhaps,=,device="), Label::default());
    }
}
