//! In which form is answered what was read, and how much of it: options that commands have in common.

use clap::{Args as Group, ValueEnum};

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
