//! A reference to an op in other answers.

use serde::Serialize;
use steplens_core::{OpId, Study};

/// A reference to an op.
#[derive(Clone, Debug, Serialize)]
pub struct OpRef {
    op: u32,
    name: String,
    device: u32,
    lane: u32,
    start_ns: i64,
    end_ns: i64,
}

impl OpRef {
    /// Its title.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When it ends.
    pub fn end_ns(&self) -> i64 {
        self.end_ns
    }

    /// The row of its device.
    pub fn device(&self) -> u32 {
        self.device
    }

    #[inline(never)]
    pub(crate) fn of(study: &Study, op: OpId) -> Self {
        let interval = study.trace().ops().interval(op);
        Self {
            op: op.get(),
            name: study.title(op).to_owned(),
            device: study.trace().device_of(op).get(),
            lane: study.lanes().lane(op).get(),
            start_ns: interval.start.0,
            end_ns: interval.end.0,
        }
    }
}
