//! To what a counter or an instant belongs: a device, or a process that ran no op.

use crate::base::ids::{DeviceId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A device, or a process without any op. Such a process is no device, because an idle device would count in the figures of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A device of the trace.
    Device(DeviceId),
    /// The name of a process.
    Process(StringId),
}

impl Owner {
    /// The device, if it is one.
    pub fn device(self) -> Option<DeviceId> {
        match self {
            Self::Device(device) => Some(device),
            Self::Process(_) => None,
        }
    }

    /// The same with another text.
    pub(crate) fn with_process(self, text: &mut impl FnMut(StringId) -> StringId) -> Self {
        match self {
            Self::Device(_) => self,
            Self::Process(name) => Self::Process(text(name)),
        }
    }
}

/// The order of owners: devices first, in their order, then processes as they were met. Ids of their names are no order, because
/// they differ from a file to its session.
#[derive(Default)]
pub(crate) struct OwnerOrder {
    processes: HashMap<StringId, i64, FixedState>,
}

impl OwnerOrder {
    /// A number to sort by.
    pub(crate) fn of(&mut self, owner: Owner) -> i64 {
        match owner {
            Owner::Device(device) => i64::from(device.get()),
            Owner::Process(name) => {
                let next = (1 << 32) + self.processes.len() as i64;
                *self.processes.entry(name).or_insert(next)
            }
        }
    }
}
