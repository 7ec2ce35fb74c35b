//! What the indexer gives: rows of the dataset's tables, with texts that are borrowed. Lengths are in ns.

/// A row of `split`: one task in one step of one source.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitRow<'a> {
    /// As [`super::RunShape::tasks`] has it.
    pub task: &'a str,
    /// As [`super::RunShape::steps`] has it.
    pub step: i64,
    /// The file, below the folder of the traces.
    pub source: &'a str,
    /// The day on which the step began, in UTC; '' where the trace does not say.
    pub day: &'a str,
    /// When the step began, in ns from 1970; 0 where the trace does not say.
    pub start_unix_ns: i64,
    /// The step's span over all devices of the source.
    pub window_ns: i64,
    /// Work of its own: busy without exposed communication and waiting.
    pub own_ns: i64,
    /// The end of its last op, from the step's start.
    pub end_ns: i64,
    /// Of the split.
    pub compute_ns: i64,
    /// Of the split.
    pub exposed_input_ns: i64,
    /// Of the split.
    pub exposed_copy_ns: i64,
    /// Of the split.
    pub exposed_communication_ns: i64,
    /// Of the split.
    pub exposed_launch_ns: i64,
    /// Of the split.
    pub exposed_allocation_ns: i64,
    /// Of the split.
    pub exposed_waiting_ns: i64,
    /// Of the split.
    pub idle_ns: i64,
    /// Communication, exposed or not.
    pub communication_ns: i64,
    /// Communication that other work covers.
    pub overlapped_communication_ns: i64,
}

impl SplitRow<'_> {
    /// In the order of [`super::Stored::ALL`].
    pub(crate) fn figures(&self) -> [i64; super::Stored::COUNT] {
        [
            self.window_ns,
            self.own_ns,
            self.end_ns,
            self.compute_ns,
            self.exposed_input_ns,
            self.exposed_copy_ns,
            self.exposed_communication_ns,
            self.exposed_launch_ns,
            self.exposed_allocation_ns,
            self.exposed_waiting_ns,
            self.idle_ns,
            self.communication_ns,
            self.overlapped_communication_ns,
        ]
    }
}

/// A row of `stragglers`: who finished last in a step of a source that holds several tasks.
#[derive(Clone, Copy, Debug, Default)]
pub struct StragglerRow<'a> {
    /// Who.
    pub task: &'a str,
    /// In which step.
    pub step: i64,
    /// Of which file.
    pub source: &'a str,
    /// How long after the next to last.
    pub after_next_ns: i64,
    /// A word; '' where none is known.
    pub cause: &'a str,
    /// The op type of the cause; '' without one.
    pub cause_op_type: &'a str,
}

/// A row of `findings`.
#[derive(Clone, Copy, Debug, Default)]
pub struct FindingRow<'a> {
    /// Of which file.
    pub source: &'a str,
    /// The step it is about.
    pub step: i64,
    /// Its rule.
    pub rule: &'a str,
    /// Its subject.
    pub subject: &'a str,
    /// '' for none.
    pub task: &'a str,
    /// How much shorter the step would be, where that is known.
    pub saving_ns: Option<i64>,
    /// What is wrong, as a sentence.
    pub what: &'a str,
}

/// A row of `links`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkRow<'a> {
    /// Of which file.
    pub source: &'a str,
    /// The task that sends.
    pub source_task: &'a str,
    /// The task that receives.
    pub destination_task: &'a str,
    /// How many transfers.
    pub transfers: i64,
    /// Of all of them.
    pub bytes: i64,
    /// Of those whose time in transit is known.
    pub timed_bytes: i64,
    /// Time with at least one of these in transit.
    pub busy_ns: i64,
}

/// A row of `op_types`.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpTypeRow<'a> {
    /// Of which file.
    pub source: &'a str,
    /// The job of the task, whose tasks are peers.
    pub job: &'a str,
    /// The day on which the step began, in UTC; '' where the trace does not say.
    pub day: &'a str,
    /// The op type.
    pub op_type: &'a str,
    /// What its time is spent on, as a word.
    pub category: &'a str,
    /// `accelerator` or `host`.
    pub place: &'a str,
    /// How many ops.
    pub count: i64,
    /// Of all of them.
    pub total_ns: i64,
    /// Of all of them, without the ops nested in them.
    pub self_ns: i64,
}

/// A row of `sources`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceRow<'a> {
    /// The file, below the folder of the traces.
    pub source: &'a str,
    /// `whole`, `damaged`, `unreadable` or `no-trace`.
    pub state: &'a str,
    /// The stable code of its first problem; '' for none.
    pub code: &'a str,
    /// That problem as a sentence.
    pub what: &'a str,
}
