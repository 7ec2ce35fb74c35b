//! What is read, how it is read, and in which form it is answered: options that commands have in common.

use clap::{ArgAction, Args as Group, ValueEnum, ValueHint};
use std::ffi::OsString;

#[derive(Clone, Debug, Group)]
pub(crate) struct Files {
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[arg(long, value_name = "START..END")]
    pub(crate) window: Option<String>,

    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,
}

/// How files are read.
#[derive(Clone, Debug, Default, Group)]
pub(crate) struct Reading {
    #[arg(long, value_name = "REGEX", action = ArgAction::Append)]
    pub(crate) communication: Vec<String>,

    #[arg(long, value_name = "REGEX")]
    pub(crate) devices: Option<String>,

    #[arg(long, value_name = "RULE", value_enum)]
    pub(crate) steps_by: Option<Rule>,

    #[arg(long, value_name = "FINDING", value_enum, action = ArgAction::Append)]
    pub(crate) repair: Vec<Repair>,

    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) op_time: Option<LastsAs>,

    #[arg(long, value_name = "recorded|estimated|TASK=OFFSET", value_delimiter = ',', action = ArgAction::Append)]
    pub(crate) clocks: Vec<String>,

    #[arg(long)]
    pub(crate) as_recorded: bool,

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
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,

    #[arg(long)]
    pub(crate) csv: bool,

    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: When,
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
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    limit: usize,

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
