//! `steplens.summary/1`: the files, the step and its devices.

mod csv;
mod figures;
mod recording;
mod totals;

pub use csv::write_csv;
pub use figures::{LOSES_OPS, of, without_transfers};
pub use recording::is_recording;
pub use totals::json as totals_json;

use crate::clocks::ClockNote;
use crate::text;
use serde::Serialize;
use std::borrow::Cow;
use steplens_core::timeline::split::Split;

/// The object that `steplens summary --json` prints and `window.steplens.summary()` returns.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// `steplens.summary/1`.
    pub schema: &'static str,
    /// The files that were opened.
    pub files: Vec<File>,
    /// What of the files it is about.
    pub view: ViewJson,
    /// The trace's origin in ns from 1970, as decimal text: it does not fit a double.
    pub origin_unix_ns: String,
    /// From the first start to the last end over all devices, ranges left out.
    pub span_ns: i64,
    /// How many ops there are, without what a host profiler recorded once more.
    pub ops: usize,
    /// What TensorFlow's host profiler recorded next to the executor, which counts nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_profile: Option<HostProfileJson>,
    /// What went between devices; left out by [`without_transfers`].
    #[serde(flatten)]
    pub totals: Option<Totals>,
    /// Why times of its tasks cannot be compared; left out where they can, and by [`without_transfers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The step bar: the mean of the accelerators, or of all devices where there are none.
    pub step: SplitNs,
    /// All devices together: at every moment it computes if any device computes. Left out by [`without_transfers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_device: Option<SplitNs>,
    /// Every GPU, TPU or the like once.
    pub accelerators: Vec<AcceleratorJson>,
    /// The devices in natural order of task and name.
    pub devices: Vec<Device>,
}

/// The events of TensorFlow's host profiler (`/host:CPU` of releases 1.14 to 2.2), by what they are.
#[derive(Clone, Debug, Serialize)]
pub struct HostProfileJson {
    /// What it is, in a sentence.
    pub sentence: String,
    /// All of them.
    pub events: usize,
    /// Ops of the executor once more: of these the thread is known.
    pub joined: usize,
    /// Events of the step that are named like ops and are none of the executor's.
    pub unjoined: usize,
    /// `_Send` and `_Recv` nodes, which the executor does not record.
    pub transfer_nodes: usize,
    /// Ranges around others.
    pub ranges: usize,
    /// Events of other runs of sessions.
    pub other_runs: usize,
    /// How many threads ran the joined ops.
    pub threads: usize,
}

/// All transfers together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Totals {
    /// How many there are.
    pub transfers: usize,
    /// What they carried.
    pub transferred_bytes: u64,
}

/// The transfers of one device.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DeviceTotals {
    /// How many tensors it received.
    pub transfers: usize,
    /// What it received.
    pub received_bytes: u64,
    /// What others received from it.
    pub sent_bytes: u64,
}

/// What part of the files is shown.
#[derive(Clone, Debug, Serialize)]
pub struct ViewJson {
    /// What makes a step: `content`, `file`, `part` or `together`.
    pub rule: &'static str,
    /// Which step is shown, as `steplens steps` counts them: from 1; null for all of them.
    pub step: Option<usize>,
    /// How many steps there are.
    pub steps: usize,
    /// Whether nothing in the files says that what is shown is one step: then it is a recording, of however many.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_recording: bool,
    /// Why the page shows one of them first: `listed` or `far`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<&'static str>,
    /// What is repaired, and so other than it was recorded.
    pub repairs: Vec<&'static str>,
    /// How long ops last, if not as recorded: `gpu` or `all`, in the words of `timeline.py`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op_time: Option<&'static str>,
    /// What the clocks of tasks are set by, if that is not as recorded: `estimated`, and `TASK=NS` for those set by hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<String>,
}

/// One file.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    /// Its name as the user knows it.
    pub name: String,
    /// What it turned out to be.
    pub format: Cow<'static, str>,
    /// Its size, packed.
    pub bytes: u64,
    /// How many ops it brought.
    pub ops: usize,
    /// Whether ops that it held could not be read: then the figures are not those of all that was recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// What was wrong with it.
    pub problems: Vec<Problem>,
    /// What is to be known of it though nothing is wrong, in a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One kind of problem.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Stable; documented in `docs/problems.md`.
    pub code: Cow<'static, str>,
    /// How often it was met.
    pub count: u64,
    /// One sentence about the first.
    pub detail: String,
}

/// A split in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are those of core's Split, which documents them")]
pub struct SplitNs {
    pub window_ns: i64,
    pub busy_ns: i64,
    pub compute_ns: i64,
    pub exposed_input_ns: i64,
    pub exposed_copy_ns: i64,
    pub exposed_communication_ns: i64,
    pub exposed_launch_ns: i64,
    pub exposed_allocation_ns: i64,
    pub exposed_waiting_ns: i64,
    pub idle_ns: i64,
    pub communication_ns: i64,
    pub overlapped_communication_ns: i64,
}

/// One GPU, TPU or the like over the whole step.
#[derive(Clone, Debug, Serialize)]
pub struct AcceleratorJson {
    /// What its devices have in common.
    pub name: String,
    /// The devices that recorded its work, as rows of `devices`.
    pub devices: Vec<u32>,
    /// How many events it has, each once.
    pub ops: usize,
    /// How many streams it worked on; 0 where that is not known.
    pub streams: usize,
    /// The devices that recorded what TensorFlow's executor dispatched to it, as rows of `devices`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dispatched_by: Vec<u32>,
    /// How its time divides.
    #[serde(flatten)]
    pub split: SplitNs,
}

/// One device over the whole step.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// Its full name.
    pub name: String,
    /// The task it belongs to, if its name has one.
    pub task: Option<String>,
    /// `cpu`, `gpu`, `tpu`, `stream`, `stream-all`, `memcpy`, `host-profiler` or `other`.
    pub kind: &'static str,
    /// The row of `accelerators` whose work it recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerator: Option<usize>,
    /// How many ops it ran.
    pub ops: usize,
    /// How many lanes they need.
    pub lanes: usize,
    /// How many of them, from the top, are for ops; the rest are for communication.
    pub op_lanes: usize,
    /// Whether its lanes are grouped by thread or stream even when they are packed.
    pub by_thread: bool,
    /// How its time divides.
    #[serde(flatten)]
    pub split: SplitNs,
    /// What it received and sent; left out by [`without_transfers`].
    #[serde(flatten)]
    pub totals: Option<DeviceTotals>,
    /// Whether a repair touched its figures, and with them those of the step.
    pub repaired: bool,
}

impl From<Split> for SplitNs {
    fn from(split: Split) -> Self {
        Self {
            window_ns: split.window.0,
            busy_ns: split.busy.0,
            compute_ns: split.compute.0,
            exposed_input_ns: split.exposed_input.0,
            exposed_copy_ns: split.exposed_copy.0,
            exposed_communication_ns: split.exposed_communication.0,
            exposed_launch_ns: split.exposed_launch.0,
            exposed_allocation_ns: split.exposed_allocation.0,
            exposed_waiting_ns: split.exposed_waiting.0,
            idle_ns: split.idle.0,
            communication_ns: split.communication.0,
            overlapped_communication_ns: split.overlapped_communication.0,
        }
    }
}

impl Summary {
    /// As JSON text.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
