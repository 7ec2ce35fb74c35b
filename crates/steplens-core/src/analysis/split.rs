//! The split: how a window of a device divides into compute, copy, communication and idle.

use crate::units::Nanos;

/// `compute + exposed_copy + exposed_communication + idle = window`, exactly.
///
/// A moment counts as compute if any compute op runs, else as copy if any copy runs, else as communication. What
/// communication hides behind compute is `overlapped_communication`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The window's length.
    pub window: Nanos,
    /// When anything ran.
    pub busy: Nanos,
    /// When a compute op ran.
    pub compute: Nanos,
    /// When a copy ran and no compute op.
    pub exposed_copy: Nanos,
    /// When only communication ran.
    pub exposed_communication: Nanos,
    /// When nothing ran.
    pub idle: Nanos,
    /// When communication ran, whatever else did.
    pub communication: Nanos,
    /// When communication and compute ran.
    pub overlapped_communication: Nanos,
}

impl Split {
    /// Counts `length` during which the categories `active` (compute, copy, communication) ran.
    pub(crate) fn add(&mut self, length: Nanos, active: [bool; 3]) {
        let [compute, copy, communication] = active;
        let part = if compute {
            &mut self.compute
        } else if copy {
            &mut self.exposed_copy
        } else if communication {
            &mut self.exposed_communication
        } else {
            &mut self.idle
        };
        *part += length;
        if compute || copy || communication {
            self.busy += length;
        }
        if communication {
            self.communication += length;
        }
        if communication && compute {
            self.overlapped_communication += length;
        }
    }
}
