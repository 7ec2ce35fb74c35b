//! What can be asked on the command line.

use clap::{ArgAction, Args as Group, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const FILES: &str = "A trace of any format that Steplens reads, recognised by its content and not by its name; a folder, for every trace in it and in the \
     folders in it; - for standard input. NAME=FILE says that it is of the process NAME, such as trainer0: its devices are then \
     those of /job:trainer/replica:0/task:0, unless a cluster names them. Several may be one argument: trainer0=FILE,pserver0=FILE";

/// A lens on one training step: what ran where and when, and what the step waited for.
#[derive(Debug, Parser)]
#[command(name = "steplens", version, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 fine, 2 unusable input or usage.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show how the step divides into compute, copy, communication and idle, on every device
    Summary(Summary),
    /// Show where the time went: the op types, and the longest ops
    Ops(Ops),
    /// Show what went from which device to which: the links, and the largest transfers
    Transfers(Transfers),
    /// Show what the step spends on communication, what it waited for, and what to blame
    Network(Network),
    /// Show which bytes were alive when, what was alive at the peak, and what kept it alive
    Memory(Memory),
    /// Show what the step waited for, moment by moment, and what dependencies alone allow
    CriticalPath(CriticalPath),
    /// Show when ops were ready, scheduled and run, how many at once, what tiny ops cost, and why streams of GPUs were empty
    Scheduling(Scheduling),
    /// Show the steps and runs that the files hold: how long each took, what is usual, which stand out
    Steps(Steps),
    /// Show how far the clocks of the tasks are apart, by the tensors that went between them
    Clocks(Clocks),
    /// Show what is wrong with a trace that reads well: clocks, absurd times, what is missing or there twice
    Doctor(Doctor),
    /// Write the page with the trace inside: one HTML file that opens anywhere, without a network
    Report(Report),
}

#[derive(Debug, Group)]
pub(crate) struct Files {
    #[arg(required = true, value_name = "FILE", help = FILES)]
    pub(crate) files: Vec<OsString>,

    /// Count ops as communication whose type or name matches this regular expression; may be given several times
    #[arg(long, value_name = "REGEX", action = ArgAction::Append)]
    pub(crate) communication: Vec<String>,

    /// Open only the devices whose names match this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) devices: Option<String>,

    /// Open only the ops that overlap this window, such as 10ms..20ms or 1.5s..; counted from the first start of any op
    /// in the files, which are read twice for that
    #[arg(long, value_name = "START..END")]
    pub(crate) window: Option<String>,

    /// Look at one step alone: its place in the list that `steplens steps` prints, from 1
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,

    /// What makes a step: what the content says, every file, every recorded part, or everything together
    #[arg(long, value_name = "RULE", value_enum, default_value = "content")]
    pub(crate) steps_by: Rule,

    /// Repair a finding of `steplens doctor`; may be given several times
    #[arg(long, value_name = "FINDING", value_enum, action = ArgAction::Append)]
    pub(crate) repair: Vec<Repair>,

    /// How long ops that launched kernels on a GPU last: as recorded (schedule), from the first kernel to the last (gpu),
    /// or from the start of their scheduling to the end of the last kernel (all); as timeline.py has it
    #[arg(long, value_name = "HOW", value_enum, default_value = "schedule")]
    pub(crate) op_time: LastsAs,

    /// Set the clocks of tasks: as recorded, as estimated from the tensors that went between them, or by what these offsets
    /// say their clocks are ahead by, such as estimated,/job:worker/replica:0/task:2=-12.5ms; `steplens clocks` lists them
    #[arg(long, value_name = "recorded|estimated|TASK=OFFSET", value_delimiter = ',', action = ArgAction::Append)]
    pub(crate) clocks: Vec<String>,

    /// Use at most this much memory for the ops, in MiB; what does not fit is left out, counted and reported
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Repair {
    TimeBases,
    FarOps,
    SameDevices,
    RepeatedOps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    Content,
    File,
    Part,
    Together,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastsAs {
    Schedule,
    Gpu,
    All,
}

#[derive(Debug, Group)]
pub(crate) struct Form {
    /// Print one JSON object; durations are in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,

    /// Print CSV with one header row; durations are in nanoseconds
    #[arg(long)]
    pub(crate) csv: bool,

    /// When to use colour; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: When,
}

/// The form of what is no table, and so has no CSV.
#[derive(Debug, Group)]
pub(crate) struct PlainForm {
    /// Print one JSON object; durations are in nanoseconds
    #[arg(long)]
    pub(crate) json: bool,

    /// When to use colour; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: When,
}

impl PlainForm {
    pub(crate) fn form(&self) -> Form {
        Form { json: self.json, csv: false, color: self.color }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// How much of a list the text shows.
#[derive(Clone, Copy, Debug, Group)]
pub(crate) struct Length {
    /// How many rows of each table the text shows
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    limit: usize,

    /// Show every row in the text
    #[arg(long)]
    all: bool,
}

impl Length {
    pub(crate) fn is_all(self) -> bool {
        self.all
    }

    pub(crate) fn rows(self) -> usize {
        if self.all { usize::MAX } else { self.limit }
    }
}

#[derive(Debug, Group)]
pub(crate) struct Summary {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
}

#[derive(Debug, Group)]
pub(crate) struct Ops {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,

    /// What the text lists first: the longest ops, the earliest, those that waited longest in the queue, the largest
    /// outputs, or by name
    #[arg(long, value_enum, value_name = "BY", default_value = "duration")]
    pub(crate) sort: OpOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpOrder {
    Duration,
    Start,
    Queue,
    Bytes,
    Name,
}

#[derive(Debug, Group)]
pub(crate) struct Transfers {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,

    /// What the text lists first: the largest transfers, the longest in transit, queued before it or waiting after it,
    /// those that delayed their consumer most, or the earliest received
    #[arg(long, value_enum, value_name = "BY", default_value = "bytes")]
    pub(crate) sort: TransferOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransferOrder {
    Bytes,
    Wire,
    Queued,
    Unused,
    Delayed,
    Received,
}

#[derive(Debug, Group)]
pub(crate) struct Memory {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,

    /// What the rows of what is alive are merged by
    #[arg(long, value_enum, value_name = "WHAT", default_value = "tensor")]
    pub(crate) by: AliveBy,

    /// What the text shows of: allocation records, lifetimes through the data flow, or what timeline.py counts; by itself the
    /// first of these that the trace has
    #[arg(long, value_enum, value_name = "READING")]
    pub(crate) reading: Option<MemoryReading>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AliveBy {
    Tensor,
    OpType,
    Scope,
    Shape,
    Variable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryReading {
    Records,
    Tensors,
    #[value(name = "timeline.py")]
    TimelinePy,
}

#[derive(Debug, Group)]
pub(crate) struct Steps {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,
}

#[derive(Debug, Group)]
pub(crate) struct CriticalPath {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,
}

#[derive(Debug, Group)]
pub(crate) struct Scheduling {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,

    /// How many threads run ops (inter_op_parallelism_threads), which is not recorded: only then ops are said to be starved
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,

    /// Ops shorter than this are tiny, such as 10us
    #[arg(long, value_name = "LENGTH")]
    pub(crate) tiny: Option<String>,
}

#[derive(Debug, Group)]
pub(crate) struct Network {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: PlainForm,
    #[command(flatten)]
    pub(crate) length: Length,
}

#[derive(Debug, Group)]
pub(crate) struct Clocks {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: PlainForm,
}

#[derive(Debug, Group)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: PlainForm,
}

#[derive(Debug, Group)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) files: Files,

    /// The HTML file to write; - for standard output
    #[arg(short, long, value_name = "HTML")]
    pub(crate) output: PathBuf,

    /// The view to open with: what follows the # in the page's address
    #[arg(long, value_name = "FRAGMENT", default_value = "", hide_default_value = true)]
    pub(crate) view: String,
}
