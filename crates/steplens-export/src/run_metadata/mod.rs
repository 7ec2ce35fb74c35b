//! TensorFlow's `RunMetadata`, with everything the trace has for its fields.
//!
//! The length of a message stands before its content. So everything is encoded twice: once to count the bytes, and once to write
//! them. Only the lengths of blocks and graphs are kept in between.
//!
//! If the trace was opened with `Opener::keep_file_order`, ops stand in the order of their file, in the file's blocks
//! (`dev_stats`). Otherwise, and where the format has no blocks, each device of a part is one block, in order of time.
//!
//! Each part is a separate `step_stats`. Protobuf parsers merge several of them into one that has all their blocks.

mod graph;
mod lost;
mod op;
mod plan;

pub use lost::Lost;

use crate::buffer;
use plan::{Block, Graph, Plan, Section};
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::{PartId, Trace};
use steplens_wire::Message;
use steplens_wire::tensorflow::{device_step_stats, entry, graph_def, run_metadata, step_stats};

/// The `RunMetadata` of a trace. Its bytes are counted, and it is ready to be written.
pub struct RunMetadata<'a> {
    trace: &'a Trace,
    plan: Plan<'a>,
    cut: u64,
}

/// A sink that only counts the bytes written to it.
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
    /// Counts the bytes that the `RunMetadata` of `trace` takes.
    pub fn of(trace: &'a Trace) -> Self {
        at_once(async |pace: &Pace| Self::paced(trace, pace).await)
    }

    /// Like [`of`](Self::of), but in pieces, so that the caller can do other work in between.
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

    /// The number of ops and of nodes in graphs.
    fn rows(&self) -> usize {
        self.plan.ops.len() + self.trace.graph().len()
    }

    /// How many bytes the whole message takes.
    pub fn bytes(&self) -> u64 {
        self.plan.sections.iter().map(|section| self.section_bytes(section)).sum()
    }

    /// How many bytes `parts` take.
    pub fn bytes_of(&self, parts: &[PartId]) -> u64 {
        self.sections_of(parts).map(|section| self.section_bytes(section)).sum()
    }

    /// Writes the whole message.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        at_once(async |pace: &Pace| self.write_paced(out, pace).await)
    }

    /// Like [`write`](Self::write), but in pieces, so that the caller can do other work in between.
    pub async fn write_paced(&self, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
        let mut progress = self.progress(pace);
        for section in &self.plan.sections {
            self.section(section, out, &mut progress).await?;
        }
        Ok(())
    }

    /// Writes `parts`, in this order, as a separate `RunMetadata`.
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

    /// The progress of writing. Counting was the first half.
    pub(crate) fn progress<'p>(&self, pace: &'p Pace) -> Progress<'p> {
        Progress::new(pace, self.rows(), 2 * self.rows())
    }

    /// What a `RunMetadata` cannot hold of the trace.
    pub fn lost(&self) -> Lost {
        Lost::of(self.trace, self.cut)
    }

    fn sections_of(&self, parts: &[PartId]) -> impl Iterator<Item = &Section> {
        let sections = &self.plan.sections;
        let place = |part: &PartId| sections.binary_search_by_key(part, |section| section.part).ok();
        parts.iter().filter_map(place).map(|place| &sections[place])
    }

    /// The bytes of a section's `step_stats`, without its head; 0 if it has no block.
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

    /// Writes the fields of a block's `dev_stats` and adds to `cut` the number of times that were cut. The last bytes stay in
    /// `message`; the caller writes them.
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
            buffer::hand_over(message.bytes_mut(), out)?;
            progress.row().await;
        }
        Ok(())
    }

    /// Writes the fields of a partition graph.
    async fn graph(
        &self,
        graph: &Graph,
        message: &mut Message,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        for node in graph.nodes.clone() {
            message.message(graph_def::NODE, |own| graph::write(self.trace, node, own));
            buffer::hand_over(message.bytes_mut(), out)?;
            progress.row().await;
        }
        Ok(())
    }
}

/// Empties `message` and returns how many bytes it had.
fn taken(message: &mut Message) -> u64 {
    let bytes = message.bytes().len() as u64;
    message.clear();
    bytes
}

/// How many bytes a message of `bytes` bytes takes inside another message.
fn with_head(field: u32, bytes: u64) -> u64 {
    let mut head = Message::default();
    head.head(field, bytes);
    head.bytes().len() as u64 + bytes
}
