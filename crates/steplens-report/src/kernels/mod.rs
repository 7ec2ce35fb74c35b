//! `steplens.kernels/1`: the kernels of GPUs by name, how they were launched, and by which ops.

use crate::csv::sheet;
use crate::figures;
use crate::names::kernel_labels;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::range::Within;
use crate::text;
use crate::work::WorkFigures;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::gpu::launch::Launch;
use steplens_core::questions::kernels::{self, LaunchRow, LauncherRow};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::{Nanos, Study};
use steplens_messages::say;

/// The most ways of launching, and launching op types, that are listed of a kernel; the counts have all.
const MOST_LISTED: usize = 20;

/// The kernels of GPUs by name: how long they took, how they were launched, and by which ops.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The range.
    #[cfg_attr(feature = "program", arg(skip))]
    pub page: Option<Within>,
}

impl Question for Options {
    const NAME: &'static str = "kernels";
    type Answer<'a> = Kernels<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        let range = self.page.as_ref().map_or_else(|| everything(shown.study), Within::query);
        Ok(Kernels::of(shown.study, &range))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// The kernels of one name per row, with the way of launching and the op type that most of their time is of.
fn write_csv(kernels: &Kernels<'_>, out: &mut impl Write) -> io::Result<()> {
    let extent = |[x, y, z]: [u64; 3]| format!("{x}x{y}x{z}");
    sheet!(out, row in &kernels.kernels, {
        name: row.name,
        short_name: &row.short_name,
        category: row.category,
        count: row.count,
        total_ns: row.total_ns,
        share_ppm: row.share_ppm,
        mean_ns: row.mean_ns,
        min_ns: row.min_ns,
        max_ns: row.max_ns,
        occupancy_percent: row.occupancy_percent,
        flops: row.work.flops,
        flops_per_second: row.work.flops_per_second,
        flops_of_peak_ppm: row.work.flops_of_peak_ppm,
        moved_bytes: row.work.moved_bytes,
        moved_bytes_per_second: row.work.moved_bytes_per_second,
        work_known_ppm: row.work.work_known_ppm,
        grid: row.launch.grid.map(extent),
        block: row.launch.block.map(extent),
        registers: row.launch.registers,
        shared_bytes: row.launch.shared_bytes,
        launched_by: row.launched_by.first().map(|own| own.op_type),
        longest: row.longest,
    })
}

/// The kernels.
#[derive(Serialize)]
pub struct Kernels<'a> {
    schema: &'static str,
    /// How many there are, and which took most, as a sentence.
    pub sentence: String,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window. Kernels that run at the same time count each.
    pub total_ns: i64,
    /// The part of that time, in millionths, of kernels whose occupancy was recorded.
    pub occupancy_known_ppm: i64,
    /// By name, the one with most time first.
    pub kernels: Vec<KernelRow<'a>>,
}

/// The kernels of one name.
#[derive(Serialize)]
pub struct KernelRow<'a> {
    /// The name in the file, of an instruction of XLA without its number; for a stream of TensorFlow's RunMetadata, which has no names of kernels,
    /// the op type.
    pub name: &'a str,
    /// The same without namespaces, numbers and arguments.
    pub short_name: String,
    /// `compute` or `communication`.
    pub category: &'static str,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window.
    pub total_ns: i64,
    /// Its share of the time of all kernels, in millionths.
    pub share_ppm: i64,
    /// The mean of their whole durations.
    pub mean_ns: i64,
    /// The shortest of them.
    pub min_ns: i64,
    /// The longest of them.
    pub max_ns: i64,
    /// The mean occupancy in percent, weighted by time: in PyTorch's traces an estimate of what was achieved, in others what is
    /// possible. Null if none was recorded.
    pub occupancy_percent: Option<f64>,
    /// What they calculate and move.
    #[serde(flatten)]
    pub work: WorkFigures,
    /// The way of launching with most time; `launches` has the others.
    #[serde(flatten)]
    pub launch: LaunchFigures,
    /// The ways of launching, the one with most time first: the first of `launch_count`.
    pub launches: Vec<KernelLaunch>,
    /// The number of ways of launching.
    pub launch_count: usize,
    /// The op types that launched them, the one with most time first: the first of `launcher_count`. Empty if launches were not
    /// recorded.
    pub launched_by: Vec<KernelLauncher<'a>>,
    /// The number of op types that launched them.
    pub launcher_count: usize,
    /// The op row of the longest of them.
    pub longest: u32,
}

/// How kernels were launched. What was not recorded is null.
#[derive(Serialize)]
pub struct LaunchFigures {
    /// Blocks in each of three dimensions.
    pub grid: Option<[u64; 3]>,
    /// Threads of a block in each of three dimensions.
    pub block: Option<[u64; 3]>,
    /// Registers of each thread.
    pub registers: Option<u64>,
    /// Shared memory of each block.
    pub shared_bytes: Option<u64>,
}

/// One way of launching.
#[derive(Serialize)]
pub struct KernelLaunch {
    /// The way.
    #[serde(flatten)]
    pub launch: LaunchFigures,
    /// Occupancy in percent.
    pub occupancy_percent: Option<f64>,
    /// The number of kernels.
    pub count: u64,
    /// The sum of their time within the window.
    pub total_ns: i64,
}

/// Ops of one type that launched kernels.
#[derive(Serialize)]
pub struct KernelLauncher<'a> {
    /// The op type: of the innermost operator around the launch, or of the call itself.
    pub op_type: &'a str,
    /// The number of kernels.
    pub count: u64,
    /// The sum of the kernels' time within the window.
    pub total_ns: i64,
}

/// The kernels in all that is shown, as JSON.
pub fn json(study: &Study) -> String {
    Kernels::of(study, &everything(study)).to_text()
}

/// All that is shown: its end is included, otherwise kernels without a length that start there would be missing.
pub fn everything(study: &Study) -> RangeQuery {
    let mut window = study.trace().span();
    window.end.0 += 1;
    RangeQuery::of(window)
}

impl<'a> Kernels<'a> {
    /// The kernels in the range of `query`.
    pub fn of(study: &'a Study, query: &RangeQuery) -> Self {
        let found = kernels::kernels(study, &Range::of(study, query));
        let total = sum(found.iter().map(|row| row.total));
        let known = sum(found.iter().filter(|row| row.occupancy.is_some()).map(|row| row.total));
        let names: Vec<&str> = found.iter().map(|row| study.trace().text(row.name)).collect();
        let rows = found.iter().zip(kernel_labels(&names));
        let rows: Vec<KernelRow<'a>> = rows.map(|(row, short)| row_of(study, row, short, total)).collect();
        let count = rows.iter().map(|row| row.count).sum();
        Self {
            schema: "steplens.kernels/1",
            sentence: sentence(&rows, count, total),
            count,
            total_ns: total.0,
            occupancy_known_ppm: ppm(known, total),
            kernels: rows,
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn sum(times: impl Iterator<Item = Nanos>) -> Nanos {
    Nanos(times.fold(0, |sum, time| i64::saturating_add(sum, time.0)))
}

fn ppm(part: Nanos, whole: Nanos) -> i64 {
    (i128::from(part.0) * 1_000_000 / i128::from(whole.0.max(1))) as i64
}

fn row_of<'a>(study: &'a Study, row: &kernels::KernelRow, short_name: String, total: Nanos) -> KernelRow<'a> {
    let trace = study.trace();
    let name = trace.text(row.name);
    let peak = trace.peak_flops();
    let launch = row.launches.first().map_or_else(Launch::default, |most| most.launch);
    let launched_by = row.launchers.iter().take(MOST_LISTED).map(|own: &LauncherRow| KernelLauncher {
        op_type: trace.text(own.op_type),
        count: own.count,
        total_ns: own.total.0,
    });
    KernelRow {
        name,
        short_name,
        category: row.category.word(),
        count: row.count,
        total_ns: row.total.0,
        share_ppm: ppm(row.total, total),
        mean_ns: row.mean().0,
        min_ns: row.shortest.0,
        max_ns: trace.ops().interval(row.longest).length().0,
        occupancy_percent: row.occupancy.map(tenths),
        work: WorkFigures::of(&row.work, row.whole, peak),
        launch: figures_of(launch),
        launches: row.launches.iter().take(MOST_LISTED).map(launch_of).collect(),
        launch_count: row.launches.len(),
        launched_by: launched_by.collect(),
        launcher_count: row.launchers.len(),
        longest: row.longest.get(),
    }
}

fn launch_of(own: &LaunchRow) -> KernelLaunch {
    KernelLaunch {
        launch: figures_of(own.launch),
        occupancy_percent: own.launch.occupancy.map(tenths),
        count: own.count,
        total_ns: own.total.0,
    }
}

/// Profilers give occupancy as a whole number of percent or with one digit more.
fn tenths(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

fn figures_of(launch: Launch) -> LaunchFigures {
    let Launch { grid, block, registers, shared_bytes, .. } = launch;
    LaunchFigures { grid, block, registers, shared_bytes }
}

fn sentence(rows: &[KernelRow<'_>], count: u64, total: Nanos) -> String {
    let Some(most) = rows.first() else { return say!("kernels-none").to_owned() };
    let share = format!("{:.1} %", most.share_ppm as f64 / 1e4);
    let kernels = say!("kernels-count", count);
    let names = say!("kernels-names", count = rows.len());
    say!(
        "kernels-sentence",
        kernels,
        names,
        time = figures::duration(total.0),
        most = &most.short_name,
        share
    )
}
