//! TensorFlow's `RunMetadata`, with everything the trace has for its fields.
//!
//! The length of a message stands before its content. So every op and node is made twice: once to count its bytes, and once to write
//! them. Only the lengths of blocks and graphs are kept in between.
//!
//! If the trace was opened with `Opener::keep_file_order`, ops stand in the order of their file, in the file's blocks
//! (`dev_stats`). Otherwise, and where the format has no blocks, each device of a part is one block, in order of time.
//!
//! Each part is a separate `step_stats`. Protobuf parsers merge several of them into one that has all their blocks.

mod graph;
mod lost;
mod op;
mod pieces;
mod plan;

pub use lost::Lost;

use bytes::Bytes;
use pieces::{Pieces, with_head};
use plan::{Block, Graph, Plan, Section};
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::{PartId, Trace};
use steplens_proto::fields::{device_step_stats, graph_def, run_metadata, step_stats};
use steplens_proto::tensorflow::DeviceStepStats;
use steplens_proto::tensorflow::device_step_stats::ThreadNamesEntry;

/// The `RunMetadata` of a trace. Its bytes are counted, and it is ready to be written.
pub struct RunMetadata<'a> {
    trace: &'a Trace,
    plan: Plan<'a>,
    cut: u64,
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
        let mut cut = 0;
        for row in 0..own.plan.blocks.len() {
            let mut counted = Pieces::counted();
            // Counting cannot fail.
            let _ = own.block(&own.plan.blocks[row], &mut cut, &mut counted, &mut progress).await;
            own.plan.blocks[row].bytes = counted.bytes;
        }
        for row in 0..own.plan.graphs.len() {
            let mut counted = Pieces::counted();
            let _ = own.graph(&own.plan.graphs[row], &mut counted, &mut progress).await;
            own.plan.graphs[row].bytes = counted.bytes;
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
        let mut pieces = Pieces::written(out);
        if !section.blocks.is_empty() {
            pieces.head(run_metadata::STEP_STATS, self.step_bytes(section));
        }
        for block in &self.plan.blocks[section.blocks.clone()] {
            pieces.head(step_stats::DEV_STATS, block.bytes);
            self.block(block, &mut 0, &mut pieces, progress).await?;
        }
        for graph in &self.plan.graphs[section.graphs.clone()] {
            pieces.head(run_metadata::PARTITION_GRAPHS, graph.bytes);
            self.graph(graph, &mut pieces, progress).await?;
        }
        pieces.end()
    }

    /// Adds the fields of a block's `dev_stats`, and to `cut` the number of times that were cut.
    async fn block(
        &self,
        block: &Block,
        cut: &mut u64,
        pieces: &mut Pieces<'_>,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let trace = self.trace;
        let threads = trace.threads()[block.threads.clone()].iter();
        let thread = |&(_, key, name): &_| ThreadNamesEntry { key, value: bytes(trace.text(name)) };
        pieces.fields(&DeviceStepStats {
            device: bytes(trace.text(block.device)),
            thread_names: threads.map(thread).collect(),
            ..DeviceStepStats::default()
        })?;
        for place in block.ops.clone() {
            let Some(&op) = self.plan.ops.get(place as usize) else { continue };
            let buffers = trace.file_order().map(|order| order.buffers(place as usize));
            let (message, cut_here) = op::message(trace, op, buffers);
            *cut += cut_here;
            pieces.message(device_step_stats::NODE_STATS, &message)?;
            progress.row().await;
        }
        Ok(())
    }

    /// Adds the fields of a partition graph.
    async fn graph(
        &self,
        graph: &Graph,
        pieces: &mut Pieces<'_>,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        for node in graph.nodes.clone() {
            pieces.message(graph_def::NODE, &graph::message(self.trace, node))?;
            progress.row().await;
        }
        Ok(())
    }
}

fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}
