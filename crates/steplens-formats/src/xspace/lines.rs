//! Lines of devices: their kinds are the same as in Chrome traces of the same profiler.

pub(super) use crate::lines::{LineKind, STEPS, is_device, work_of};
