//! TensorFlow's types as prost makes them from proto/, and how their times are to be read.

#![expect(missing_docs, reason = "generated: the schemas in proto/ say what the fields are")]

include!(concat!(env!("OUT_DIR"), "/tensorflow.rs"));

/// A time as the wire has it, in ns: nanos where they are set, else micros; `None` where those do not fit.
pub fn ns(micros: i64, nanos: i64) -> Option<i64> {
    if nanos == 0 { micros.checked_mul(1_000) } else { Some(nanos) }
}

impl NodeExecStats {
    /// `all_start` in ns from 1970.
    pub fn start_ns(&self) -> Option<i64> {
        ns(self.all_start_micros, self.all_start_nanos)
    }

    /// `all_end_rel` in ns.
    pub fn length_ns(&self) -> Option<i64> {
        ns(self.all_end_rel_micros, self.all_end_rel_nanos)
    }
}

impl RunMetadata {
    /// Every op with its device, in the file's order.
    pub fn ops(&self) -> impl Iterator<Item = (&str, &NodeExecStats)> {
        self.step_stats
            .iter()
            .flat_map(|step| &step.dev_stats)
            .flat_map(|device| device.node_stats.iter().map(|op| (device.device.as_str(), op)))
    }

    /// Every op, to be changed.
    pub fn ops_mut(&mut self) -> impl Iterator<Item = &mut NodeExecStats> {
        self.step_stats
            .iter_mut()
            .flat_map(|step| &mut step.dev_stats)
            .flat_map(|device| &mut device.node_stats)
    }
}
