//! The figures of a summary.

use super::totals::{of_all_devices, totals};
use super::{Accelerator, DeviceSummary, FileSummary, HostProfileJson, Problem, Summary, SummaryView};
use crate::recording::is_recording;
use crate::{doctor, verdict};
use steplens_core::gpu::accelerators::{self, accelerators, dispatched_to};
use steplens_core::gpu::op_time::OpTime;
use steplens_core::host_profile::Counts;
use steplens_core::model::file::FileReport;
use steplens_core::steps::rule::Apart;
use steplens_core::timeline::coverage::Coverage;
use steplens_core::{DeviceId, Study};

/// The summary of `study`, read from `files`.
pub fn of(study: &Study, files: &[FileReport]) -> Summary {
    let (totals, of_devices) = totals(study);
    let mut summary = without_transfers(study, files);
    summary.totals = Some(totals);
    (summary.clocks, summary.any_device) = of_all_devices(study);
    summary.doctor = doctor::of_figures(study);
    for (device, totals) in summary.devices.iter_mut().zip(of_devices) {
        device.totals = Some(totals);
    }
    summary
}

/// The summary with the verdict, which takes the critical path: the page asks for that with the findings.
pub fn with_verdict(study: &Study, files: &[FileReport]) -> Summary {
    let said = verdict::of_files(study, files);
    Summary {
        verdict: Some(said.sentence),
        verdict_main: Some(said.main),
        verdict_figures: said.figures,
        ..of(study, files)
    }
}

/// The summary without the totals of transfers: what the first picture shows, without the cost of following the data flow.
pub fn without_transfers(study: &Study, files: &[FileReport]) -> Summary {
    let trace = study.trace();
    let (span, found) = (trace.span(), accelerators(trace));
    let mut accelerator_of = vec![None; trace.devices().len()];
    for (row, one) in found.iter().enumerate() {
        one.devices.iter().for_each(|device| accelerator_of[device.index()] = Some(row));
    }
    let without = accelerators::without_kernels(trace);
    let of_device = |id: DeviceId| DeviceSummary {
        accelerator: accelerator_of[id.index()],
        without_kernels: without.contains(&id),
        ..device(study, id)
    };
    Summary {
        schema: "steplens.summary/1",
        files: files.iter().map(file).collect(),
        view: SummaryView {
            rule: study.view().rule.word(),
            step: study.view().step.map(|row| row + 1),
            steps: study.steps(),
            has_before: study.has_before(),
            is_recording: is_recording(study, files),
            apart: study.apart().map(Apart::word),
            repairs: study.view().repairs.iter().map(|repair| repair.word()).collect(),
            op_time: Some(study.view().op_time).filter(|&how| how != OpTime::Schedule).map(OpTime::word),
            clocks: clock_words(study),
        },
        origin_unix_ns: trace.origin_unix_ns().to_string(),
        span_ns: span.length().0,
        ops: trace.counted_ops(),
        host_profile: host_profile(study),
        totals: None,
        clocks: None,
        doctor: Vec::new(),
        verdict: None,
        verdict_main: None,
        verdict_figures: None,
        step: study.step_split(span).into(),
        any_device: None,
        working_devices: accelerators::working_units(trace),
        accelerators: accelerators_of(study, &found),
        devices: trace.devices().ids().map(of_device).collect(),
    }
}

/// Codes of problems that leave out ops because they could not be read, or changed them. Ops that a memory limit or the user left out have other
/// codes. docs/problems.md has the same list (a test of the program compares them).
pub const LOSES_OPS: [&str; 18] = [
    "damaged-event",
    "damaged-message",
    "damaged-op",
    "damaged-pickle",
    "gzip-damaged",
    "oversized-message",
    "pickle-bomb",
    "record-damaged",
    "records-lost",
    "session-changed",
    "session-incomplete",
    "time-out-of-range",
    "too-many-devices",
    "too-many-ops",
    "truncated",
    "unreadable-tail",
    "zstd-damaged",
    "zstd-refused",
];

fn file(report: &FileReport) -> FileSummary {
    let problem = |problem: &steplens_core::Problem| Problem {
        code: problem.code.clone(),
        count: problem.count,
        detail: problem.detail.clone(),
    };
    FileSummary {
        name: report.name.clone(),
        format: report.format.clone(),
        bytes: report.bytes,
        ops: report.ops,
        incomplete: report
            .problems
            .iter()
            .any(|problem| problem.count > 0 && LOSES_OPS.contains(&&*problem.code)),
        problems: report.problems.iter().filter(|problem| !problem.is_note()).map(problem).collect(),
        notes: report
            .problems
            .iter()
            .filter(|problem| problem.is_note())
            .map(|note| note.detail.clone())
            .collect(),
    }
}

fn host_profile(study: &Study) -> Option<HostProfileJson> {
    let profile = study.host_profile();
    let counts = profile.counts();
    let Counts { events, joined, transfer_nodes, unjoined, ranges, other_runs, threads, .. } = counts;
    (!profile.is_empty()).then(|| HostProfileJson {
        sentence: doctor::host_profile(&counts),
        events,
        joined,
        unjoined,
        transfer_nodes,
        ranges,
        other_runs,
        threads,
    })
}

fn accelerators_of(study: &Study, found: &[accelerators::Accelerator<'_>]) -> Vec<Accelerator> {
    let trace = study.trace();
    let of = |((one, did), dispatched_by): ((&accelerators::Accelerator<'_>, &Coverage), Vec<DeviceId>)| {
        Accelerator {
            name: one.name.to_owned(),
            devices: one.devices.iter().map(|device| device.get()).collect(),
            ops: one.unrepeated(trace).map(|id| trace.devices().get(id).op_count as usize).sum(),
            streams: one.streams(trace),
            dispatched_by: dispatched_by.iter().map(|device| device.get()).collect(),
            split: did.split(trace.span()).into(),
        }
    };
    found.iter().zip(study.bar()).zip(dispatched_to(trace, found)).map(of).collect()
}

fn device(study: &Study, id: DeviceId) -> DeviceSummary {
    let trace = study.trace();
    let device = trace.devices().get(id);
    DeviceSummary {
        name: trace.text(device.name).to_owned(),
        task: device.task.map(|task| trace.text(task).to_owned()),
        kind: device.kind.word(),
        accelerator: None,
        without_work: !accelerators::works(trace, id),
        without_kernels: false,
        ops: device.op_count as usize,
        lanes: study.lanes().of_device(id).len(),
        by_thread: device.nests || device.is_accelerator || trace.devices().is_host_profiler(id),
        op_lanes: study.lanes().op_lanes(id),
        split: study.split(Some(id), trace.span()).into(),
        totals: None,
        repaired: study.is_touched().get(id.index()).copied().unwrap_or(false),
    }
}

/// How clocks are aligned, as words; empty if no clock is moved.
fn clock_words(study: &Study) -> Vec<String> {
    let setting = study.view().clocks.as_ref().filter(|setting| !setting.moves_nothing(study.trace()));
    setting.map_or_else(Vec::new, |setting| setting.choice.words())
}
