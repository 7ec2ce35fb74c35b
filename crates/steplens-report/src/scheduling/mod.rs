//! `steplens.scheduling/1`: when each op was ready, scheduled and run, how many ran at once, what tiny ops cost, and why streams
//! were empty.
//!
//! A figure is null if it is based on a field that was not recorded.

mod every_op;
mod moments;
mod page;
mod sentence;
mod why;

pub use every_op::ScheduledOp;
pub use moments::MomentsRow;
pub use page::{
    AtOnceRow, AtWorkRow, GpuIdleRow, LateRow, PartSumRow, PartsRow, SchedulingPage, StreamRow, TinyRow,
    latest, of_first, page,
};
pub use sentence::part_words;
pub use why::why;

use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::{Nanos, Study};

/// When ops were ready, scheduled and run, and what ran instead.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of threads that run ops, for who knows it.
    #[cfg_attr(feature = "program", arg(long, value_name = "N"))]
    pub threads: Option<u32>,
    /// Ops shorter than this are tiny; 10 µs if it is not chosen.
    #[cfg_attr(feature = "program", arg(skip))]
    pub tiny_ns: Option<i64>,
}

impl Question for Options {
    const NAME: &'static str = "scheduling";
    type Answer<'a> = Scheduling<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(Scheduling::of(shown.study, self.choice()))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.study, out)?)
    }
}

/// One op per row. Cells of what was not recorded are empty.
fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, own in every_op::every_op(study), {
        op: own.op,
        op_row: own.op_row,
        device: own.device,
        op_type: own.op_type,
        run_by: own.moments.run_by,
        ready_ns: own.moments.ready_ns,
        scheduled_ns: own.moments.scheduled_ns,
        start_ns: own.moments.start_ns,
        kernel_start_ns: own.moments.kernel_start_ns,
        kernel_end_ns: own.moments.kernel_end_ns,
        end_ns: own.moments.end_ns,
        wait_ns: own.moments.wait_ns,
        queue_ns: own.moments.queue_ns,
        set_up_ns: own.moments.set_up_ns,
        kernel_ns: own.moments.kernel_ns,
        tear_down_ns: own.moments.tear_down_ns,
    })
}

impl Options {
    /// As the analysis takes them.
    pub fn choice(&self) -> Choice {
        Choice { threads: self.threads, tiny: self.tiny_ns.map_or(Choice::default().tiny, Nanos) }
    }
}

/// The user's choices.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The number of threads that run ops, if the user knows it.
    pub threads: Option<u32>,
    /// Ops shorter than this are tiny.
    pub tiny: Nanos,
}

impl Default for Choice {
    fn default() -> Self {
        Self { threads: None, tiny: steplens_core::scheduling::tiny::TINY }
    }
}

/// The whole answer.
#[derive(Serialize)]
pub struct Scheduling<'a> {
    schema: &'static str,
    /// The sums.
    #[serde(flatten)]
    pub sums: SchedulingPage<'a>,
    /// Every op that an executor or a stream ran.
    pub ops: Vec<ScheduledOp<'a>>,
}

impl<'a> Scheduling<'a> {
    /// The answer about what `study` shows.
    pub fn of(study: &'a Study, choice: Choice) -> Self {
        let ops = every_op::every_op(study).collect();
        Self { schema: "steplens.scheduling/1", sums: page::sums(study, choice, None), ops }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

/// `steplens.scheduling/1`.
pub fn json(study: &Study, choice: Choice) -> String {
    Scheduling::of(study, choice).to_text()
}
