//! Lines of devices: those that Chrome traces of the same profiler have, too.

pub(super) use crate::lines::{LineKind, STEPS, is_device, work_of};
