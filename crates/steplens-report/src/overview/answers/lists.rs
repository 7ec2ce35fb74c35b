//! Ranked lists of a run: stragglers, findings, links, op types, and files that were not read. They stand in the file as they are shown.

use serde::{Deserialize, Serialize};

/// What a run has next to its cells.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FleetLists {
    /// Of sources that hold several tasks: who finished last, most time first.
    pub stragglers: Vec<FinishedLast>,
    /// By saving over all sources, then by how many have it.
    pub findings: Vec<FleetFinding>,
    /// How many findings are in none of these, because there are too many different ones.
    pub findings_left_out: u64,
    /// The matrix of links.
    pub links: LinkMatrix,
    /// By time.
    pub op_types: Vec<FleetOpType>,
    /// Of all files of the run.
    pub files: FleetFiles,
}

/// A task that finished last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FinishedLast {
    /// Its name.
    pub task: String,
    /// In how many steps.
    pub steps: u64,
    /// How long after the next to last, over all of them.
    pub time_ns: i64,
    /// The cause of most of these steps, as a word; '' where none is known.
    pub cause: String,
    /// The op type of that cause; '' without one.
    pub cause_op_type: String,
    /// The step in which it was behind most.
    pub step: i64,
    /// The file with that step.
    pub source: String,
}

/// The same finding in any number of files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FleetFinding {
    /// Its rule.
    pub rule: String,
    /// Its subject.
    pub subject: String,
    /// How many files have it.
    pub sources: u64,
    /// How many of them know a saving.
    pub with_saving: u64,
    /// Of these together, in one step of each.
    pub saving_ns: i64,
    /// The largest of them, or of the first file where none is known.
    pub step: i64,
    /// The task it names there; '' for none.
    pub task: String,
    /// That file.
    pub source: String,
    /// What it says there.
    pub what: String,
}

/// What goes from whom to whom.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LinkMatrix {
    /// The rows and columns: tasks, or where there are too many of them several that follow one another.
    pub ends: Vec<LinkEnd>,
    /// The cells that have a transfer.
    pub cells: Vec<LinkCell>,
    /// Links that are slower than others of their kind (between tasks, or within one), those that lost most first.
    pub slow: Vec<SlowLink>,
    /// Transfers between tasks that the run does not have.
    pub left_out: u64,
    /// Rows of links that none of the slow ones can be, because there are too many different ones.
    pub unranked: u64,
}

/// A link next to the median of its kind; only transfers whose time in transit is known count.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SlowLink {
    /// Who sends.
    pub source: String,
    /// Who receives.
    pub destination: String,
    /// What was sent.
    pub bytes: u64,
    /// Time with any of it in transit, added over steps.
    pub busy_ns: i64,
    /// In bytes per second of that time.
    pub rate: u64,
    /// The median rate of the links of its kind.
    pub usual_rate: u64,
    /// How much less busy it would be at that rate.
    pub lost_ns: i64,
}

/// Tasks that are one row of the matrix.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LinkEnd {
    /// The first of them.
    pub first: String,
    /// The last of them; the same where it is one.
    pub last: String,
}

/// A cell of the matrix.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LinkCell {
    /// Who sends, among the ends.
    pub from: usize,
    /// Who receives, among the ends.
    pub to: usize,
    /// How many transfers.
    pub transfers: i64,
    /// Of all of them.
    pub bytes: i64,
    /// Of those whose time in transit is known.
    pub timed_bytes: i64,
    /// Time with any of these in transit, added over links and steps.
    pub busy_ns: i64,
}

/// An op type over all tasks and steps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FleetOpType {
    /// Its name.
    pub op_type: String,
    /// `accelerator` or `host`.
    pub place: String,
    /// How many ops.
    pub count: i64,
    /// Of all of them.
    pub total_ns: i64,
}

/// How the files of a run were read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FleetFiles {
    /// Without a fault.
    pub whole: u64,
    /// With a part that could not be read.
    pub damaged: u64,
    /// Not at all.
    pub unreadable: u64,
    /// Files that are no traces.
    pub no_trace: u64,
    /// Those that are not whole and no trace, the first thousand.
    pub failed: Vec<FailedFile>,
}

/// A file that was not read, or not all of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FailedFile {
    /// Its path below the folder of the traces.
    pub source: String,
    /// `damaged` or `unreadable`.
    pub state: String,
    /// The code of its first problem.
    pub code: String,
    /// That problem.
    pub what: String,
}
