//! What each task, op type and link did in each step of a trace, all steps in one pass. From a study and its steps. For the tables of a
//! fleet's dataset, which add many traces up.
//!
//! | module | what it has |
//! |---|---|
//! | [`units`] | each accelerator, and each device that belongs to none, step by step |
//! | [`op_types`] | the time of each op type, by task and step |
//! | [`links`] | what went over each link, step by step |

pub mod links;
pub mod op_types;
pub mod units;

use crate::{DeviceId, StringId, Trace};

/// The task of `device`: the one that its name has, else the machine or process that its file names.
pub fn task(trace: &Trace, device: DeviceId) -> Option<StringId> {
    let of_file = || {
        let first = trace.ops_of(device).next()?;
        trace.parts().get(trace.ops().part(first).index())?.host
    };
    trace.devices().get(device).task.or_else(of_file)
}
