//! `steplens.summary/1`: the files, the step and its devices.

use super::text;
use crate::open::FileReport;
use serde::Serialize;
use std::borrow::Cow;
use steplens_core::gpu::accelerators::{Accelerator, accelerators, dispatched_to};
use steplens_core::gpu::op_time::OpTime;
use steplens_core::steps::rule::Apart;
use steplens_core::timeline::coverage::Coverage;
use steplens_core::timeline::split::Split;
use steplens_core::{Bytes, DeviceId, Study};

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
    /// How many ops there are.
    pub ops: usize,
    /// What went between devices; left out by [`timeline_summary`].
    #[serde(flatten)]
    pub totals: Option<Totals>,
    /// The step bar: the mean of the accelerators, or of all devices where there are none.
    pub step: SplitNs,
    /// All devices together: at every moment it computes if any device computes. Left out by [`timeline_summary`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_device: Option<SplitNs>,
    /// Every GPU, TPU or the like once.
    pub accelerators: Vec<AcceleratorJson>,
    /// The devices in natural order of task and name.
    pub devices: Vec<Device>,
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

/// What of the files is looked at.
#[derive(Clone, Debug, Serialize)]
pub struct ViewJson {
    /// What makes a step: `content`, `file`, `part` or `together`.
    pub rule: &'static str,
    /// Which step is looked at, as `steplens steps` counts them: from 1; null for all of them.
    pub step: Option<usize>,
    /// How many steps there are.
    pub steps: usize,
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
    pub exposed_waiting_ns: i64,
    pub idle_ns: i64,
    pub communication_ns: i64,
    pub overlapped_communication_ns: i64,
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
            exposed_waiting_ns: split.exposed_waiting.0,
            idle_ns: split.idle.0,
            communication_ns: split.communication.0,
            overlapped_communication_ns: split.overlapped_communication.0,
        }
    }
}

/// One GPU, TPU or the like over the whole step.
#[derive(Clone, Debug, Serialize)]
pub struct AcceleratorJson {
    /// What its devices have in common.
    pub name: String,
    /// The devices that tell what it did, as rows of `devices`.
    pub devices: Vec<u32>,
    /// How many events it has, each once.
    pub ops: usize,
    /// How many streams it worked on; 0 where that is not known.
    pub streams: usize,
    /// The devices that tell what TensorFlow's executor dispatched to it, as rows of `devices`.
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
    /// `cpu`, `gpu`, `tpu`, `stream`, `stream-all`, `memcpy` or `other`.
    pub kind: &'static str,
    /// The row of `accelerators` that it tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerator: Option<usize>,
    /// How many ops it ran.
    pub ops: usize,
    /// How many lanes they need.
    pub lanes: usize,
    /// How many of them, from the top, are for ops; in the rest communication prevails.
    pub op_lanes: usize,
    /// Whether its lanes are grouped by thread or stream even when they are packed.
    pub by_thread: bool,
    /// How its time divides.
    #[serde(flatten)]
    pub split: SplitNs,
    /// What it received and sent; left out by [`timeline_summary`].
    #[serde(flatten)]
    pub totals: Option<DeviceTotals>,
    /// Whether a repair touched its figures, and with them those of the step.
    pub repaired: bool,
}

/// The summary of `study`, read from `files`.
pub fn summary(study: &Study, files: &[FileReport]) -> Summary {
    let (totals, of_devices) = totals(study);
    let mut summary = timeline_summary(study, files);
    summary.totals = Some(totals);
    summary.any_device = Some(any_device(study));
    for (device, totals) in summary.devices.iter_mut().zip(of_devices) {
        device.totals = Some(totals);
    }
    summary
}

/// The same without the totals of transfers: what the first picture shows, at no cost of following the data flow.
pub fn timeline_summary(study: &Study, files: &[FileReport]) -> Summary {
    let trace = study.trace();
    let (span, found) = (trace.span(), accelerators(trace));
    let mut accelerator_of = vec![None; trace.devices().len()];
    for (row, one) in found.iter().enumerate() {
        one.devices.iter().for_each(|device| accelerator_of[device.index()] = Some(row));
    }
    let of_device = |id: DeviceId| Device { accelerator: accelerator_of[id.index()], ..device(study, id) };
    Summary {
        schema: "steplens.summary/1",
        files: files.iter().map(file).collect(),
        view: ViewJson {
            rule: study.view().rule.word(),
            step: study.view().step.map(|row| row + 1),
            steps: study.steps(),
            apart: study.apart().map(Apart::word),
            repairs: study.view().repairs.iter().map(|repair| repair.word()).collect(),
            op_time: Some(study.view().op_time).filter(|&how| how != OpTime::Schedule).map(OpTime::word),
            clocks: clock_words(study),
        },
        origin_unix_ns: trace.origin_unix_ns().to_string(),
        span_ns: span.length().0,
        ops: trace.ops().len(),
        totals: None,
        step: study.step_split(span).into(),
        any_device: None,
        accelerators: accelerators_of(study, &found),
        devices: trace.devices().ids().map(of_device).collect(),
    }
}

impl Summary {
    /// As JSON text.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn file(report: &FileReport) -> File {
    let problem = |problem: &steplens_core::Problem| Problem {
        code: problem.code.clone(),
        count: problem.count,
        detail: problem.detail.clone(),
    };
    File {
        name: report.name.clone(),
        format: report.format.clone(),
        bytes: report.bytes,
        ops: report.ops,
        problems: report.problems.iter().filter(|problem| !problem.is_note()).map(problem).collect(),
        notes: report
            .problems
            .iter()
            .filter(|problem| problem.is_note())
            .map(|note| note.detail.clone())
            .collect(),
    }
}

fn accelerators_of(study: &Study, found: &[Accelerator<'_>]) -> Vec<AcceleratorJson> {
    let trace = study.trace();
    let of = |((one, did), dispatched_by): ((&Accelerator<'_>, &Coverage), Vec<DeviceId>)| AcceleratorJson {
        name: one.name.to_owned(),
        devices: one.devices.iter().map(|device| device.get()).collect(),
        ops: one.unrepeated(trace).map(|id| trace.devices().get(id).op_count as usize).sum(),
        streams: one.streams(trace),
        dispatched_by: dispatched_by.iter().map(|device| device.get()).collect(),
        split: did.split(trace.span()).into(),
    };
    found.iter().zip(study.bar()).zip(dispatched_to(trace, found)).map(of).collect()
}

/// `{transfers, transferred_bytes, any_device, retitled, devices: [{transfers, received_bytes, sent_bytes}]}`: what [`timeline_summary`] leaves
/// out; `retitled` says whether marks have other names now than before the transfers were known.
pub fn totals_text(study: &Study) -> String {
    /// What a summary leaves out at first, because the data flow has to be followed for it.
    #[derive(Serialize)]
    struct All {
        #[serde(flatten)]
        totals: Totals,
        /// All devices together: at every moment it computes if any device computes.
        any_device: SplitNs,
        /// Whether marks have other names now than before.
        retitled: bool,
        /// By DeviceId.
        devices: Vec<DeviceTotals>,
    }
    let (totals, devices) = totals(study);
    let retitled = study.transfers().renames_marks(study.trace());
    text(&All { totals, any_device: any_device(study), retitled, devices })
}

fn any_device(study: &Study) -> SplitNs {
    study.split(None, study.trace().span()).into()
}

fn totals(study: &Study) -> (Totals, Vec<DeviceTotals>) {
    let (trace, rows) = (study.trace(), study.transfers().rows());
    let mut devices = vec![DeviceTotals::default(); trace.devices().len()];
    for transfer in rows {
        let receiver = match transfer.op {
            Some(op) => Some(trace.device_of(op)),
            None => trace.devices().by_name(transfer.destination),
        };
        if let Some(receiver) = receiver {
            devices[receiver.index()].transfers += 1;
            let received = &mut devices[receiver.index()].received_bytes;
            *received = received.saturating_add(transfer.bytes.0);
        }
        if let Some(sender) = trace.devices().by_name(transfer.source) {
            let sent = &mut devices[sender.index()].sent_bytes;
            *sent = sent.saturating_add(transfer.bytes.0);
        }
    }
    let transferred = rows.iter().map(|transfer| transfer.bytes).sum::<Bytes>();
    (Totals { transfers: rows.len(), transferred_bytes: transferred.0 }, devices)
}

fn device(study: &Study, id: DeviceId) -> Device {
    let trace = study.trace();
    let device = trace.devices().get(id);
    Device {
        name: trace.text(device.name).to_owned(),
        task: device.task.map(|task| trace.text(task).to_owned()),
        kind: device.kind.word(),
        accelerator: None,
        ops: device.op_count as usize,
        lanes: study.lanes().of_device(id).len(),
        by_thread: device.nests || device.is_accelerator,
        op_lanes: study.lanes().op_lanes(trace, id),
        split: study.split(Some(id), trace.span()).into(),
        totals: None,
        repaired: study.is_touched().get(id.index()).copied().unwrap_or(false),
    }
}

/// What clocks are set by; none where that moves none of them.
fn clock_words(study: &Study) -> Vec<String> {
    let setting = study.view().clocks.as_ref().filter(|setting| !setting.moves_nothing(study.trace()));
    setting.map_or_else(Vec::new, |setting| setting.choice.words())
}
