//! TensorFlow's `RunMetadata`, with all that the trace has of its fields.
//!
//! A message says how long it is before what is in it. So everything is made twice: once to be counted, and once to be written. Nothing of it
//! is kept in between but the lengths of blocks and graphs.
//!
//! Ops stand in the order of their file, in the blocks (`dev_stats`) that it had, if the trace was opened with `Opener::keep_file_order`. Otherwise, and
//! where the format has no blocks, each device of a part is one block, in order of time.
//!
//! A part is a `step_stats` of its own. Protobuf's parsers take several of them for one, with all of their blocks.

mod fields;
mod graph;
mod lost;
mod op;
mod plan;

pub use lost::Lost;

use crate::wire::Message;
use fields::{device_step_stats, entry, graph_def, run_metadata, step_stats};
use plan::{Block, Graph, Plan, Section};
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::{PartId, Trace};

/// How many bytes are gathered before the sink gets them.
const FULL: usize = 1 << 16;

/// A trace whose `RunMetadata` was counted, ready to be written.
pub struct RunMetadata<'a> {
    trace: &'a Trace,
    plan: Plan<'a>,
    cut: u64,
}

/// Counts the bytes written to it.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> RunMetadata<'a> {
    /// Counts the bytes that `trace` takes.
    pub fn of(trace: &'a Trace) -> Self {
        at_once(async |pace: &Pace| Self::paced(trace, pace).await)
    }

    /// The same, in pieces.
    pub async fn paced(trace: &'a Trace, pace: &Pace) -> Self {
        let mut own = Self { trace, plan: Plan::of(trace), cut: 0 };
        let mut progress = Progress::new(pace, 0, 2 * own.rows());
        let (mut message, mut cut) = (Message::default(), 0);
        for row in 0..own.plan.blocks.len() {
            let mut counted = Counted(0);
            let block = &own.plan.blocks[row];
            // Counting cannot fail.
            let _ = own.block(block, &mut cut, &mut message, &mut counted, &mut progress).await;
            own.plan.blocks[row].bytes = counted.0 + taken(&mut message);
        }
        for row in 0..own.plan.graphs.len() {
            let mut counted = Counted(0);
            let _ = own.graph(&own.plan.graphs[row], &mut message, &mut counted, &mut progress).await;
            own.plan.graphs[row].bytes = counted.0 + taken(&mut message);
        }
        own.cut = cut;
        own
    }

    /// Ops, and nodes of graphs.
    fn rows(&self) -> usize {
        self.plan.ops.len() + self.trace.graph().len()
    }

    /// How many bytes all of it takes.
    pub fn bytes(&self) -> u64 {
        self.plan.sections.iter().map(|section| self.section_bytes(section)).sum()
    }

    /// How many bytes `parts` take.
    pub fn bytes_of(&self, parts: &[PartId]) -> u64 {
        self.sections_of(parts).map(|section| self.section_bytes(section)).sum()
    }

    /// Writes all of it.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        at_once(async |pace: &Pace| self.write_paced(out, pace).await)
    }

    /// The same, in pieces.
    pub async fn write_paced(&self, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
        let mut progress = self.progress(pace);
        for section in &self.plan.sections {
            self.section(section, out, &mut progress).await?;
        }
        Ok(())
    }

    /// Writes `parts`, in that order, as a `RunMetadata` of their own.
    pub(crate) async fn write_parts(
        &self,
        parts: &[PartId],
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        for section in self.sections_of(parts) {
            self.section(section, out, progress).await?;
        }
        Ok(())
    }

    /// The progress of writing, after all was counted.
    pub(crate) fn progress<'p>(&self, pace: &'p Pace) -> Progress<'p> {
        Progress::new(pace, self.rows(), 2 * self.rows())
    }

    /// What a `RunMetadata` cannot say of the trace.
    pub fn lost(&self) -> Lost {
        Lost::of(self.trace, self.cut)
    }

    fn sections_of(&self, parts: &[PartId]) -> impl Iterator<Item = &Section> {
        let sections = &self.plan.sections;
        let place = |part: &PartId| sections.binary_search_by_key(part, |section| section.part).ok();
        parts.iter().filter_map(place).map(|place| &sections[place])
    }

    /// The bytes of a section's `step_stats`, without their head; none if it has no block.
    fn step_bytes(&self, section: &Section) -> u64 {
        let blocks = &self.plan.blocks[section.blocks.clone()];
        blocks.iter().map(|block| with_head(step_stats::DEV_STATS, block.bytes)).sum()
    }

    fn section_bytes(&self, section: &Section) -> u64 {
        let graphs = &self.plan.graphs[section.graphs.clone()];
        let graphs: u64 =
            graphs.iter().map(|graph| with_head(run_metadata::PARTITION_GRAPHS, graph.bytes)).sum();
        match section.blocks.is_empty() {
            true => graphs,
            false => with_head(run_metadata::STEP_STATS, self.step_bytes(section)) + graphs,
        }
    }

    async fn section(
        &self,
        section: &Section,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let mut message = Message::default();
        if !section.blocks.is_empty() {
            message.head(run_metadata::STEP_STATS, self.step_bytes(section));
        }
        for block in &self.plan.blocks[section.blocks.clone()] {
            message.head(step_stats::DEV_STATS, block.bytes);
            self.block(block, &mut 0, &mut message, out, progress).await?;
        }
        for graph in &self.plan.graphs[section.graphs.clone()] {
            message.head(run_metadata::PARTITION_GRAPHS, graph.bytes);
            self.graph(graph, &mut message, out, progress).await?;
        }
        out.write_all(message.bytes())
    }

    /// The fields of a block's `dev_stats`; `cut` gets how many times were cut. What is left in `message` is not written yet.
    async fn block(
        &self,
        block: &Block,
        cut: &mut u64,
        message: &mut Message,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let trace = self.trace;
        message.some_text(device_step_stats::DEVICE, trace.text(block.device));
        for &(_, thread, name) in &trace.threads()[block.threads.clone()] {
            message.message(device_step_stats::THREAD_NAMES, |own| {
                own.number(entry::KEY, thread.into());
                own.text(entry::VALUE, trace.text(name));
            });
        }
        for place in block.ops.clone() {
            let Some(&op) = self.plan.ops.get(place as usize) else { continue };
            let buffers = trace.file_order().map(|order| order.buffers(place as usize));
            message.message(device_step_stats::NODE_STATS, |own| {
                *cut += op::write(trace, op, buffers, own);
            });
            hand_over(message, out)?;
            progress.row().await;
        }
        Ok(())
    }

    /// The fields of a partition graph.
    async fn graph(
        &self,
        graph: &Graph,
        message: &mut Message,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        for node in graph.nodes.clone() {
            message.message(graph_def::NODE, |own| graph::write(self.trace, node, own));
            hand_over(message, out)?;
            progress.row().await;
        }
        Ok(())
    }
}

/// Gives the sink what there is, if that is enough.
fn hand_over(message: &mut Message, out: &mut dyn Write) -> io::Result<()> {
    if message.bytes().len() >= FULL {
        out.write_all(message.bytes())?;
        message.clear();
    }
    Ok(())
}

/// Empties `message`; returns how many bytes it had.
fn taken(message: &mut Message) -> u64 {
    let bytes = message.bytes().len() as u64;
    message.clear();
    bytes
}

/// How many bytes a message of so many takes within another.
fn with_head(field: u32, bytes: u64) -> u64 {
    let mut head = Message::default();
    head.head(field, bytes);
    head.bytes().len() as u64 + bytes
}
