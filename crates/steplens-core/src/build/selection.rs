//! Selection: which ops of the files go into a trace, and what the files contain.

use crate::base::expression;
use crate::model::op::OpTimes;
use regex::bytes::Regex;
use std::ops::Range;
use steplens_messages::say;

/// Which ops are opened: those of some devices, within a window of time; all of them by default.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    devices: Option<Regex>,
    window_unix_ns: Option<Range<i64>>,
}

impl Selection {
    /// Selects the ops of devices whose names match `devices` (a regular expression), if they overlap the window; `None` leaves
    /// nothing out.
    ///
    /// The error says what is wrong with the expression.
    pub fn new(devices: Option<&str>, window_unix_ns: Option<Range<i64>>) -> Result<Self, String> {
        let compile = |pattern: &str| {
            // The bound is enough for the names of some thousand devices.
            expression::compile(pattern, false, expression::MOST_BYTES)
                .map_err(|why| say!("bad-pattern", pattern, why))
        };
        Ok(Self { devices: devices.map(compile).transpose()?, window_unix_ns })
    }

    /// The expression for devices.
    pub fn devices(&self) -> Option<&str> {
        self.devices.as_ref().map(Regex::as_str)
    }

    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        self.devices.is_none() && self.window_unix_ns.is_none()
    }

    /// Whether the device of this name is opened.
    pub fn has_device(&self, name: &str) -> bool {
        self.devices.as_ref().is_none_or(|devices| devices.is_match(name.as_bytes()))
    }

    /// Whether an op with these times overlaps the window. An op without a length overlaps it if its start is inside.
    #[inline]
    pub fn has_times(&self, times: &OpTimes) -> bool {
        let Some(window) = &self.window_unix_ns else { return true };
        let start = times.start_unix_ns;
        window.contains(&start)
            || (start < window.start && start.saturating_add(times.length_ns) > window.start)
    }

    /// Whether there is a window, and it starts after `at_unix_ns`.
    pub fn starts_after(&self, at_unix_ns: i64) -> bool {
        self.window_unix_ns.as_ref().is_some_and(|window| at_unix_ns < window.start)
    }
}

/// How many ops were left out, by the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Ops whose device is not selected.
    pub devices: u64,
    /// Ops that do not overlap the window.
    pub window: u64,
    /// Ops for which no memory was left.
    pub memory: u64,
}

impl LeftOut {
    /// The sum of all reasons.
    pub fn total(self) -> u64 {
        self.devices + self.window + self.memory
    }

    /// The sum of both, reason by reason.
    pub fn with(self, other: Self) -> Self {
        Self {
            devices: self.devices + other.devices,
            window: self.window + other.window,
            memory: self.memory + other.memory,
        }
    }

    /// The ops left out since `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            devices: self.devices - before.devices,
            window: self.window - before.window,
            memory: self.memory - before.memory,
        }
    }
}

/// What the files contain of one device, whether it is in the trace or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundDevice {
    /// Its name.
    pub name: String,
    /// The number of its ops in the files.
    pub ops: u64,
    /// How many of them are in the trace.
    pub taken: u64,
    /// From the first start to the last end of its ops, as far as their times were read.
    pub span_unix_ns: Option<Range<i64>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_selected_by_device_and_time() {
        let selection = Selection::new(Some("worker.*task:[02]/"), Some(100..200)).unwrap();
        assert!(selection.has_device("/job:worker/replica:0/task:2/device:CPU:0"));
        assert!(!selection.has_device("/job:worker/replica:0/task:1/device:CPU:0"));
        let has = |start_unix_ns, length_ns| {
            selection.has_times(&OpTimes { start_unix_ns, length_ns, ..OpTimes::default() })
        };
        assert!(has(100, 0) && has(199, 50) && has(50, 51) && has(0, i64::MAX));
        assert!(!has(200, 5) && !has(50, 50) && !has(99, 0) && !has(99, -5));
        let all = Selection::default();
        assert!(all.has_device("") && all.has_times(&OpTimes::default()));
        assert!(Selection::new(Some("("), None).unwrap_err().contains("`(`"));
        assert!(Selection::new(Some("(a{999}){999}"), None).is_err());
    }
}
