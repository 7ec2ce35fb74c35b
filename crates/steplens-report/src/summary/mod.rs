//! `steplens.summary/1`: the files, the step and its devices.

mod figures;
mod totals;

pub use figures::{LOSES_OPS, of, with_verdict, without_transfers};
pub use totals::json as totals_json;

use crate::clocks::ClockNote;
use crate::csv::sheet;
use crate::doctor::DoctorFinding;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use crate::verdict::VerdictFigures;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Write};
use steplens_core::timeline::split;

/// The files, the step and its devices: how the time of each divides.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "summary";
    type Answer<'a> = Summary;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(with_verdict(shown.study, shown.files))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// One device per row.
pub fn write_csv(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    let rows = summary.devices.iter().map(|device| (device, device.split, device.totals.unwrap_or_default()));
    sheet!(out, (device, split, totals) in rows, {
        name: &device.name,
        task: device.task.as_deref(),
        kind: device.kind,
        ops: device.ops,
        lanes: device.lanes,
        window_ns: split.window_ns,
        busy_ns: split.busy_ns,
        compute_ns: split.compute_ns,
        exposed_input_ns: split.exposed_input_ns,
        exposed_copy_ns: split.exposed_copy_ns,
        exposed_communication_ns: split.exposed_communication_ns,
        exposed_launch_ns: split.exposed_launch_ns,
        exposed_allocation_ns: split.exposed_allocation_ns,
        exposed_waiting_ns: split.exposed_waiting_ns,
        idle_ns: split.idle_ns,
        communication_ns: split.communication_ns,
        overlapped_communication_ns: split.overlapped_communication_ns,
        transfers: totals.transfers,
        received_bytes: totals.received_bytes,
        sent_bytes: totals.sent_bytes,
    })
}

/// The object that `steplens summary --json` prints and `window.steplens.summary()` returns.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// `steplens.summary/1`.
    pub schema: &'static str,
    /// The files that were opened.
    pub files: Vec<FileSummary>,
    /// The part of the files that it is about.
    pub view: SummaryView,
    /// The trace's origin in ns from 1970, as decimal text, because it does not fit in a double.
    pub origin_unix_ns: String,
    /// From the first start to the last end over all devices, without ranges.
    pub span_ns: i64,
    /// The number of ops, without the records of a host profiler.
    pub ops: usize,
    /// The records of TensorFlow's host profiler next to the executor, which are not counted anywhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_profile: Option<HostProfileJson>,
    /// The transfers between devices; left out by [`without_transfers`].
    #[serde(flatten)]
    pub totals: Option<TransferTotals>,
    /// Why times of its tasks cannot be compared; left out if they can, and by [`without_transfers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// What the doctor finds wrong with what is shown, the most important first: these figures rest on it. Left out by
    /// [`without_transfers`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doctor: Vec<DoctorFinding>,
    /// What the step mostly is, and sentences about it; left out by [`of`] and [`without_transfers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Its first sentence, which says what the step mostly is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_main: Option<String>,
    /// The figures of that sentence; left out if nothing took any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_figures: Option<VerdictFigures>,
    /// The step bar: the mean of the accelerators, or of all devices without accelerators.
    pub step: Split,
    /// All devices together: compute means that any device computes. Left out by [`without_transfers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_device: Option<Split>,
    /// How many devices did any work, each accelerator once: rows of ranges or of Python frames did none.
    pub working_devices: usize,
    /// Every GPU, TPU or the like, each once.
    pub accelerators: Vec<Accelerator>,
    /// The devices in natural order of task and name.
    pub devices: Vec<DeviceSummary>,
}

/// The events of TensorFlow's host profiler (`/host:CPU` of releases 1.14 to 2.2), by kind.
#[derive(Clone, Debug, Serialize)]
pub struct HostProfileJson {
    /// What they are, as a sentence.
    pub sentence: String,
    /// The number of all events.
    pub events: usize,
    /// The number of events that repeat an op of the executor: the thread of these ops is known.
    pub joined: usize,
    /// The number of events of the step with names like ops that match no op of the executor.
    pub unjoined: usize,
    /// The number of `_Send` and `_Recv` nodes, which the executor does not record.
    pub transfer_nodes: usize,
    /// The number of ranges around other events.
    pub ranges: usize,
    /// The number of events of other runs of sessions.
    pub other_runs: usize,
    /// The number of threads that ran the joined ops.
    pub threads: usize,
}

/// All transfers together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TransferTotals {
    /// The number of transfers.
    pub transfers: usize,
    /// Their bytes.
    pub transferred_bytes: u64,
}

/// The transfers of one device.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DeviceTotals {
    /// The number of tensors that it received.
    pub transfers: usize,
    /// The bytes that it received.
    pub received_bytes: u64,
    /// The bytes that others received from it.
    pub sent_bytes: u64,
}

/// The part of the files that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryView {
    /// The rule for steps: `content`, `file`, `part` or `together`.
    pub rule: &'static str,
    /// The number of the step that is shown, as in `steplens steps`: from 1; null for all of them.
    pub step: Option<usize>,
    /// The number of steps.
    pub steps: usize,
    /// Whether the files have something from before the first step that they number, which is none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_before: bool,
    /// Whether nothing in the files says that what is shown is one step: then it is a recording with an unknown number of steps.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_recording: bool,
    /// Why the page shows one of them first: `listed` or `far`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<&'static str>,
    /// The repairs of the view.
    pub repairs: Vec<&'static str>,
    /// What counts as the duration of an op, if not as recorded: `gpu` or `all`, in the words of `timeline.py`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op_time: Option<&'static str>,
    /// How the clocks of tasks are aligned, if not as recorded: `estimated`, and `TASK=NS` for offsets chosen by hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<String>,
}

/// One file.
#[derive(Clone, Debug, Serialize)]
pub struct FileSummary {
    /// Its name as the user knows it.
    pub name: String,
    /// Its format.
    pub format: Cow<'static, str>,
    /// Its size, packed.
    pub bytes: u64,
    /// The number of ops read from it.
    pub ops: usize,
    /// Whether it has ops that could not be read: then the figures are not of everything that was recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The problems found in it.
    pub problems: Vec<Problem>,
    /// What is worth knowing about it though nothing is wrong, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One kind of problem.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Stable; documented in `docs/problems.md`.
    pub code: Cow<'static, str>,
    /// How many times it was found.
    pub count: u64,
    /// One sentence about the first of them.
    pub detail: String,
}

/// A split in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are those of core's split::Split, which documents them")]
pub struct Split {
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
pub struct Accelerator {
    /// The common name of its devices.
    pub name: String,
    /// The devices that recorded its work, as rows of `devices`.
    pub devices: Vec<u32>,
    /// The number of its events, each counted once.
    pub ops: usize,
    /// The number of streams it worked on; 0 if it is not known.
    pub streams: usize,
    /// The devices with the ops that TensorFlow's executor dispatched to it, as rows of `devices`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dispatched_by: Vec<u32>,
    /// How its time divides.
    #[serde(flatten)]
    pub split: Split,
}

/// One device over the whole step.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceSummary {
    /// Its full name.
    pub name: String,
    /// The task it belongs to, if its name has one.
    pub task: Option<String>,
    /// `cpu`, `gpu`, `tpu`, `stream`, `stream-all`, `memcpy`, `host-profiler` or `other`.
    pub kind: &'static str,
    /// The row of `accelerators` whose work it recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerator: Option<usize>,
    /// Whether it did no work: it has ranges alone, such as PyTorch's spans or frames of Python, or is of a host profiler.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_work: bool,
    /// Whether its ops are what an executor dispatched to a GPU of which no kernel was recorded: how long the GPU took is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_kernels: bool,
    /// The number of its ops.
    pub ops: usize,
    /// The number of its lanes.
    pub lanes: usize,
    /// The number of its lanes, from the top, for ops; the others are for communication.
    pub op_lanes: usize,
    /// Whether its lanes are grouped by thread or stream even if they are packed.
    pub by_thread: bool,
    /// How its time divides.
    #[serde(flatten)]
    pub split: Split,
    /// The transfers that it received and sent; left out by [`without_transfers`].
    #[serde(flatten)]
    pub totals: Option<DeviceTotals>,
    /// Whether a repair changed its figures, and so those of the step.
    pub repaired: bool,
}

impl From<split::Split> for Split {
    fn from(split: split::Split) -> Self {
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
