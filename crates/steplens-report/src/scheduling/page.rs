//! Sums over ops, as page and program show them.

use super::{Choice, sentence};
use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::scheduling::RunBy;
use steplens_core::scheduling::at_work::AtWork;
use steplens_core::scheduling::idle::GpuIdle;
use steplens_core::scheduling::moments::{Moments, Part};
use steplens_core::scheduling::over_time::OverTime;
use steplens_core::scheduling::streams::Stream;
use steplens_core::scheduling::sums::{PartSum, Row};
use steplens_core::scheduling::tiny::{Tiny, tiny};
use steplens_core::{DeviceId, Nanos, OpId, Study};

/// The most ops in the list of those that queued longest.
const LATEST: usize = 100;

/// Scheduling, summed. What was not recorded is null.
#[derive(Serialize)]
pub struct SchedulingPage<'a> {
    /// What was found, as a sentence.
    pub sentence: String,
    /// The number of threads that the user gave.
    pub threads: Option<u32>,
    /// Ops shorter than this count as tiny.
    pub tiny_limit_ns: i64,
    /// The parts that are not known for any op, because the format does not record them.
    pub not_recorded: Vec<&'static str>,
    /// The parts, summed for each device that an executor or a stream ran.
    pub by_device: Vec<PartsRow<'a>>,
    /// The parts, summed for each op type, the longest queue first.
    pub by_op_type: Vec<PartsRow<'a>>,
    /// The number of ops that received tensors or are collectives: they are not counted in the sums.
    pub network_ops: u64,
    /// The number of ops that threads of programs called: nothing scheduled them.
    pub program_ops: u64,
    /// How many ops were at work at once: of devices that share threads together, and of each device.
    pub at_work: Vec<AtWorkRow<'a>>,
    /// For each device the ops that are shorter than the limit.
    pub tiny: Vec<TinyRow<'a>>,
    /// For each stream of a GPU its kernels and gaps.
    pub streams: Vec<StreamRow<'a>>,
    /// For each GPU why it was idle.
    pub gpus: Vec<GpuIdleRow<'a>>,
    /// The ops that queued longest, the longest first; at most 100.
    pub latest: Vec<LateRow>,
    /// The number of ops that queued at all.
    pub queued_ops: u64,
}

/// The parts of the ops of one device or one op type.
#[derive(Serialize)]
pub struct PartsRow<'a> {
    /// The name of the device, or the op type.
    pub key: &'a str,
    /// `executor` or `stream`.
    pub run_by: &'static str,
    /// The number of ops.
    pub ops: u64,
    /// How many of them were scheduled before their last input ended, according to the records: their wait is not known.
    pub contradicted: u64,
    /// Wait, queue, set-up, kernel and tear-down, in this order.
    pub parts: Vec<PartSumRow<'a>>,
}

/// One part of these ops.
#[derive(Serialize)]
pub struct PartSumRow<'a> {
    /// Its word.
    pub part: &'static str,
    /// The number of ops for which it is known.
    pub known: u64,
    /// The sum over these ops; null if it is not known for any.
    pub sum_ns: Option<i64>,
    /// The median.
    pub p50_ns: Option<i64>,
    /// The value that 99 of 100 ops do not exceed.
    pub p99_ns: Option<i64>,
    /// The largest value.
    pub most_ns: Option<i64>,
    /// The op with the largest value.
    pub most_op: Option<u32>,
    /// The name of that op.
    pub most_name: Option<&'a str>,
}

/// How many ops of some devices were at work at once.
#[derive(Serialize)]
pub struct AtWorkRow<'a> {
    /// The devices; more than one if they are taken to share threads.
    pub devices: Vec<&'a str>,
    /// The number of their ops.
    pub ops: u64,
    /// How many of them have a recorded time of scheduling.
    pub scheduled: u64,
    /// The most ops at work at once. There were at least this many threads.
    pub most: u32,
    /// The time in which at least one op was at work.
    pub busy_ns: i64,
    /// The running times of all ops, summed.
    pub work_ns: i64,
    /// The time in which at least one op was scheduled and had not started; null if scheduling was not recorded.
    pub queued_ns: Option<i64>,
    /// How much of that time the most ops were at work.
    pub queued_at_most_ns: Option<i64>,
    /// Starved: how much of that time as many ops were at work as the user says there are threads. A lack of threads explains it.
    /// Null if the user gave no number.
    pub starved_ns: Option<i64>,
    /// The most ops that were scheduled and had not started at the same moment.
    pub most_queued: Option<u32>,
    /// The time for each number of ops at work that occurred.
    pub at_once: Vec<AtOnceRow>,
    /// The average number of ops at work in each slice of what is shown. All slices have the same length.
    pub average: Vec<f64>,
    /// The most ops at work in each slice.
    pub most_of_slice: Vec<u32>,
    /// The average number of queued ops in each slice.
    pub queued_average: Vec<f64>,
}

/// The time in which exactly this number of ops was at work.
#[derive(Serialize)]
pub struct AtOnceRow {
    /// The number of ops at work.
    pub ops: u32,
    /// The time.
    pub length_ns: i64,
    /// How much of it at least one other op was scheduled and had not started.
    pub queued_ns: i64,
}

/// The tiny ops of a device.
#[derive(Serialize)]
pub struct TinyRow<'a> {
    /// The name of the device.
    pub device: &'a str,
    /// `executor` or `stream`.
    pub run_by: &'static str,
    /// The number of ops that took any time.
    pub ops: u64,
    /// The length of these ops, summed.
    pub length_ns: i64,
    /// How many of them are tiny.
    pub tiny: u64,
    /// The length of the tiny ops, summed.
    pub tiny_length_ns: i64,
    /// How many of the tiny ops followed another op on their thread or stream within 0.1 ms.
    pub in_a_row: u64,
    /// The pauses before these ops, summed.
    pub between_ns: i64,
    /// The cost of tiny ops: their length, and the pauses.
    pub cost_ns: i64,
}

/// A stream of a GPU.
#[derive(Serialize)]
pub struct StreamRow<'a> {
    /// Its device.
    pub device: &'a str,
    /// The number of the stream, if all streams of the GPU are one device.
    pub stream: u32,
    /// The number of kernels and copies that it ran.
    pub kernels: u64,
    /// The time in which it ran any.
    pub busy_ns: i64,
    /// How many of them have a recorded launch.
    pub launched: u64,
    /// The times from launch to start, summed; null if no launch was recorded.
    pub queue_ns: Option<i64>,
    /// The median of these times.
    pub queue_p50_ns: Option<i64>,
    /// The time that 99 of 100 kernels do not exceed.
    pub queue_p99_ns: Option<i64>,
    /// The most kernels that were launched and had not started at the same moment.
    pub most_queued: Option<u32>,
    /// The number of gaps between its kernels.
    pub gaps: u64,
    /// The length of all gaps together.
    pub gap_ns: i64,
    /// How much of the gaps passed before the next kernel was launched.
    pub host_ns: Option<i64>,
    /// How much of that time the thread that launched the next kernel ran no recorded op.
    pub host_between_ops_ns: Option<i64>,
    /// The number of kernels that waited for the host alone.
    pub waited_for_host: Option<u64>,
    /// How much of the gaps the next kernel waited for another stream: a kernel there ended when the next kernel started, or a call
    /// made the stream wait for an event. This cause is inferred.
    pub other_stream_ns: Option<i64>,
    /// How much of that time the kernel of the other stream was a collective, which waits for other ranks.
    pub other_rank_ns: Option<i64>,
    /// How much of the gaps the next kernel was launched, and starting.
    pub starting_ns: Option<i64>,
    /// How much of the gaps is not explained by anything recorded.
    pub unexplained_ns: i64,
    /// The length of the longest gap.
    pub longest_gap_ns: Option<i64>,
    /// The kernel after the longest gap.
    pub longest_gap_before: Option<u32>,
    /// The name of that kernel.
    pub longest_gap_name: Option<&'a str>,
}

/// Why a GPU was idle. The seven parts add up to the idle time.
#[derive(Serialize)]
pub struct GpuIdleRow<'a> {
    /// The first of its devices.
    pub device: &'a str,
    /// The time in which any of its kernels or copies ran, except collectives.
    pub busy_ns: i64,
    /// The rest of the time that is shown.
    pub idle_ns: i64,
    /// The next kernel was not launched, and the thread that launched it ran no recorded op.
    pub host_between_ops_ns: i64,
    /// The next kernel was not launched, and the thread that launched it ran an op or a call, or is not known.
    pub host_launching_ns: i64,
    /// The next kernel was launched and starting.
    pub starting_ns: i64,
    /// The next kernel was launched and waited for another stream of the GPU, or for an event. This cause is inferred.
    pub other_stream_ns: i64,
    /// The next kernel was launched and waited for a collective, so for other ranks. This cause is inferred.
    pub other_rank_ns: i64,
    /// No later kernel was recorded.
    pub nothing_queued_ns: i64,
    /// Nothing that was recorded explains it; all of an idle time before a kernel whose launch was not recorded.
    pub unexplained_ns: i64,
    /// How much of the idle time a collective ran.
    pub in_collective_ns: i64,
}

/// An op that queued.
#[derive(Serialize)]
pub struct LateRow {
    /// The op.
    pub op: OpRef,
    /// From ready to scheduled.
    pub wait_ns: Option<i64>,
    /// From scheduled to start.
    pub queue_ns: i64,
}

/// The page's answer about scheduling.
pub fn page(study: &Study, choice: Choice) -> String {
    text(&sums(study, choice, None))
}

/// The sums for who shows only the `first` rows of each list, and no chart: all rows are there, and parts of these.
pub fn of_first(study: &Study, choice: Choice, first: usize) -> SchedulingPage<'_> {
    sums(study, choice, Some(first))
}

/// The sums; with `first` as [`of_first`] says: figures of all parts take half a kilobyte for each device, and charts of ops at work several.
pub(super) fn sums(study: &Study, choice: Choice, first: Option<usize>) -> SchedulingPage<'_> {
    let trace = study.trace();
    let found = study.scheduling();
    let device = |id: DeviceId| trace.text(trace.devices().get(id).name);
    let is_whole = |at: usize| first.is_none_or(|first| at < first);
    let by_device = found.sums.by_device.iter().enumerate();
    let by_device = by_device.map(|(at, row)| parts_row(study, device(row.key), row, is_whole(at)));
    let by_op_type = found.sums.by_op_type.iter().enumerate();
    let by_op_type = by_op_type.map(|(at, row)| parts_row(study, trace.text(row.key), row, is_whole(at)));
    let is_known = |part: usize| found.sums.by_device.iter().any(|row| row.parts[part].known > 0);
    let not_recorded = Part::ALL.into_iter().filter(|&part| !is_known(part as usize)).map(Part::word);
    let (latest, queued_ops) = latest(study, LATEST);
    SchedulingPage {
        sentence: sentence::sentence(study, choice),
        threads: choice.threads,
        tiny_limit_ns: choice.tiny.0,
        not_recorded: not_recorded.collect(),
        by_device: by_device.collect(),
        by_op_type: by_op_type.collect(),
        network_ops: found.sums.others[0],
        program_ops: found.sums.others[1],
        at_work: found.at_work.iter().map(|own| at_work_row(study, own, choice, first.is_none())).collect(),
        tiny: tiny(study.edges(), study.causes(), choice.tiny)
            .iter()
            .map(|own| tiny_row(device(own.device), own))
            .collect(),
        streams: found.streams.iter().map(|own| stream_row(study, device(own.device), own)).collect(),
        gpus: found.gpus.iter().map(|own| gpu_row(device(own.device), own)).collect(),
        latest,
        queued_ops,
    }
}

fn gpu_row<'a>(device: &'a str, own: &GpuIdle) -> GpuIdleRow<'a> {
    GpuIdleRow {
        device,
        busy_ns: own.busy.0,
        idle_ns: own.idle.length().0,
        host_between_ops_ns: own.idle.host_between_ops.0,
        host_launching_ns: own.idle.host_launching.0,
        starting_ns: own.idle.starting.0,
        other_stream_ns: own.idle.other_stream.0,
        other_rank_ns: own.idle.other_rank.0,
        nothing_queued_ns: own.idle.nothing_queued.0,
        unexplained_ns: own.idle.unexplained.0,
        in_collective_ns: own.in_collective.0,
    }
}

fn parts_row<'a, K>(study: &'a Study, key: &'a str, row: &Row<K>, is_whole: bool) -> PartsRow<'a> {
    let part = |(part, sum): (Part, &PartSum)| {
        let known = |figure: i64| (sum.known > 0).then_some(figure);
        PartSumRow {
            part: part.word(),
            known: sum.known,
            sum_ns: known(sum.sum.0),
            p50_ns: known(sum.p50.0),
            p99_ns: known(sum.p99.0),
            most_ns: sum.most.map(|(_, most)| most.0),
            most_op: sum.most.map(|(op, _)| op.get()),
            most_name: sum.most.map(|(op, _)| study.title(op)),
        }
    };
    PartsRow {
        key,
        run_by: row.run_by.word(),
        ops: row.ops,
        contradicted: row.contradicted,
        parts: Part::ALL.into_iter().zip(&row.parts).filter(|_| is_whole).map(part).collect(),
    }
}

fn at_work_row<'a>(study: &'a Study, own: &AtWork, choice: Choice, has_charts: bool) -> AtWorkRow<'a> {
    let nothing = OverTime::default();
    let over_time = if has_charts { &own.over_time } else { &nothing };
    let devices = study.trace().devices();
    let known = |figure: i64| (own.scheduled > 0).then_some(figure);
    let rows = own.at_once.iter().zip(&own.queued).zip(0..);
    AtWorkRow {
        devices: own.devices.iter().map(|&id| study.trace().text(devices.get(id).name)).collect(),
        ops: own.ops,
        scheduled: own.scheduled,
        most: own.most(),
        busy_ns: own.busy().0,
        work_ns: own.work().0,
        queued_ns: known(own.any_queued().0),
        queued_at_most_ns: known(own.starved(own.most()).0),
        starved_ns: choice.threads.and_then(|threads| known(own.starved(threads).0)),
        most_queued: (own.scheduled > 0).then_some(own.most_queued),
        at_once: rows
            .filter(|_| has_charts)
            .map(|((length, queued), ops)| AtOnceRow { ops, length_ns: length.0, queued_ns: queued.0 })
            .collect(),
        average: averages(over_time, &over_time.work()),
        most_of_slice: over_time.most(),
        queued_average: averages(over_time, &over_time.queued()),
    }
}

/// The average of each slice, to three digits.
fn averages(over_time: &OverTime, sums: &[Nanos]) -> Vec<f64> {
    let length = |slice| (over_time.start(slice + 1) - over_time.start(slice)).0.max(1) as f64;
    sums.iter().enumerate().map(|(slice, sum)| (sum.0 as f64 / length(slice) * 1e3).round() / 1e3).collect()
}

fn tiny_row<'a>(device: &'a str, own: &Tiny) -> TinyRow<'a> {
    TinyRow {
        device,
        run_by: own.run_by.word(),
        ops: own.ops,
        length_ns: own.length.0,
        tiny: own.tiny,
        tiny_length_ns: own.tiny_length.0,
        in_a_row: own.in_a_row,
        between_ns: own.between.0,
        cost_ns: (own.tiny_length + own.between).0,
    }
}

fn stream_row<'a>(study: &'a Study, device: &'a str, own: &Stream) -> StreamRow<'a> {
    let known = |figure: i64| (own.launched > 0).then_some(figure);
    let gaps = &own.gaps;
    StreamRow {
        device,
        stream: own.thread,
        kernels: own.kernels,
        busy_ns: own.busy.0,
        launched: own.launched,
        queue_ns: known(own.queue.0),
        queue_p50_ns: known(own.queue_p50.0),
        queue_p99_ns: known(own.queue_p99.0),
        most_queued: (own.launched > 0).then_some(own.most_queued),
        gaps: gaps.count,
        gap_ns: gaps.length.0,
        host_ns: known(gaps.idle.host().0),
        host_between_ops_ns: known(gaps.idle.host_between_ops.0),
        waited_for_host: (own.launched > 0).then_some(gaps.waited_for_host),
        other_stream_ns: known(gaps.idle.other().0),
        other_rank_ns: known(gaps.idle.other_rank.0),
        starting_ns: known(gaps.idle.starting.0),
        unexplained_ns: gaps.idle.unexplained.0,
        longest_gap_ns: gaps.longest.map(|(_, gap)| gap.length().0),
        longest_gap_before: gaps.longest.map(|(op, _)| op.get()),
        longest_gap_name: gaps.longest.map(|(op, _)| study.title(op)),
    }
}

/// The `most` ops that queued longest, and the number of ops that queued at all.
pub fn latest(study: &Study, most: usize) -> (Vec<LateRow>, u64) {
    let trace = study.trace();
    let ops = trace.ops();
    let mut queued: Vec<(OpId, i64)> = Vec::new();
    for op in ops.ids() {
        let run_by = RunBy::of(trace, study.transfers(), op);
        let scheduled = match run_by {
            RunBy::Executor => ops.scheduled(op),
            RunBy::Stream => steplens_core::scheduling::moments::launched(trace, op),
            _ => None,
        };
        if let Some(scheduled) = scheduled.filter(|&scheduled| scheduled < ops.start(op)) {
            queued.push((op, (ops.start(op) - scheduled).0));
        }
    }
    let count = queued.len() as u64;
    order::by_number(&mut queued, |(op, queue)| (queue.wrapping_neg(), i64::from(op.get())));
    let row = |&(op, queue): &(OpId, i64)| LateRow {
        op: OpRef::of(study, op),
        wait_ns: Moments::of(study.edges(), study.causes(), op).parts()[0].map(|wait| wait.0),
        queue_ns: queue,
    };
    (queued.iter().take(most).map(row).collect(), count)
}
