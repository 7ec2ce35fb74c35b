//! Options of many traces as one dataset.

use clap::{ArgAction, Args as Group, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Group)]
pub(crate) struct Index {
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    #[arg(short, long, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,

    #[arg(long, value_name = "PATTERN")]
    pub(crate) path: Option<String>,

    #[arg(long, value_name = "REGEX", action = ArgAction::Append)]
    pub(crate) communication: Vec<String>,

    #[arg(long, value_name = "TABLE,...", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,

    #[arg(long)]
    pub(crate) prune: bool,

    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<usize>,

    #[arg(long)]
    pub(crate) json: bool,
}
