//! Lines of devices: their kinds are the same as in Chrome traces of the same profiler.

pub(super) use crate::lines::{LineKind, STEPS, is_custom, is_device, is_megascale, work_of};
