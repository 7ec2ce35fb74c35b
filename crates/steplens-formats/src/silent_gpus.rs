//! GPUs that a recording of TensorFlow's profiler names without anything that they ran, and whether anything shows that they were used.

/// Whether a plane or process called `name` is a GPU: `/device:GPU:0`.
pub(crate) fn is_gpu(name: &str) -> bool {
    let number = name.strip_prefix("/device:GPU:").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// What the names of events say of where ops run.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    /// Whether an executor ran ops.
    runs_graphs: bool,
    /// Whether anything shows that a device besides the CPU was used.
    device: bool,
}

impl Used {
    /// Notes the name of an event.
    pub(crate) fn saw(&mut self, name: &[u8]) {
        let starts = |start: &[u8]| name.starts_with(start);
        self.runs_graphs |= starts(b"ExecutorState::") || name == b"FunctionRun";
        // TensorFlow writes the type of an op, older ones `NAME:TYPE`. Parts of a graph on two devices send each other their tensors.
        let op_type = name.rsplit(|&byte| byte == b':').next().unwrap_or_default();
        let sends = [&b"_Send"[..], b"_Recv", b"_HostSend", b"_HostRecv"];
        self.device |= sends.iter().any(|own| op_type.starts_with(own));
        // What a driver does, and calls of it.
        self.device |= [&b"Memcpy"[..], b"cu", b"hip"].iter().any(|own| starts(own));
    }

    /// Whether an executor ran ops, and nothing shows that any device but the CPU was used: none of its parts sent a tensor to another one.
    pub(crate) fn only_cpu(self) -> bool {
        self.runs_graphs && !self.device
    }
}
