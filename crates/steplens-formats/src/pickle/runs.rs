//! The RunMetadata of a pickle: each is a part, whose ops are read while its bytes come.

use crate::run_metadata::RunMetadataReader;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::part::PartRecord;
use steplens_core::{PartId, Problems};

/// The message in a byte string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    RunMetadata,
    StepStats,
}

/// The size of a part in the tables.
const PART_BYTES: usize = 256;

pub(super) struct Runs {
    run_metadata: RunMetadataReader,
    step_stats: RunMetadataReader,
    open: Option<Message>,
    parts: Vec<PartId>,
    problems: Problems,
}

impl Runs {
    /// A reader of runs that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(super) fn new(memory_limit: usize) -> Self {
        Self {
            run_metadata: RunMetadataReader::new(memory_limit).in_one_part(),
            step_stats: RunMetadataReader::of_step_stats(memory_limit).in_one_part(),
            open: None,
            parts: Vec::new(),
            problems: Problems::default(),
        }
    }

    /// Begins the next run, whose bytes start at `at` in the file.
    pub(super) fn begin(&mut self, message: Message, at: u64, builder: &mut TraceBuilder) {
        self.parts.push(builder.begin_part(&PartRecord { is_run: true, ..PartRecord::default() }));
        self.open = Some(message);
        self.reader(message).begin_message(at);
    }

    pub(super) fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        if let Some(message) = self.open {
            self.reader(message).push(bytes, builder);
        }
    }

    /// Ends the open run; returns its number.
    pub(super) fn end(&mut self, builder: &mut TraceBuilder) -> Option<u32> {
        let message = self.open.take()?;
        for problem in self.reader(message).finish(builder).as_slice() {
            self.problems.merge(problem);
        }
        builder.end_part();
        u32::try_from(self.parts.len()).ok()?.checked_sub(1)
    }

    /// The part of each run, in the order of the file.
    pub(super) fn parts(&self) -> &[PartId] {
        &self.parts
    }

    /// Where the memory was full.
    pub(super) fn full_at(&self) -> Option<u64> {
        self.run_metadata.full_at().or(self.step_stats.full_at())
    }

    /// Memory in use by the parts, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        PART_BYTES * self.parts.len()
    }

    pub(super) fn take_problems(&mut self) -> Problems {
        std::mem::take(&mut self.problems)
    }

    fn reader(&mut self, message: Message) -> &mut RunMetadataReader {
        match message {
            Message::RunMetadata => &mut self.run_metadata,
            Message::StepStats => &mut self.step_stats,
        }
    }
}
