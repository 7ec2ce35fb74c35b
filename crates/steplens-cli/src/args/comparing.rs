//! Options of the commands that compare traces.

use super::{Files, Form, Length, Reading};
use clap::{Args as Group, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Group)]
pub(crate) struct Compare {
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) a: OsString,

    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) b: OsString,

    #[arg(long, value_name = "STEPS|STEPS,STEPS")]
    pub(crate) step: Option<String>,

    #[arg(long, value_name = "OP")]
    pub(crate) align: Option<String>,

    #[arg(long, value_name = "REGEX", conflicts_with = "devices")]
    pub(crate) devices_a: Option<String>,

    #[arg(long, value_name = "REGEX", conflicts_with = "devices")]
    pub(crate) devices_b: Option<String>,

    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: Length,
}

#[derive(Debug, Group)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,

    #[arg(long, value_name = "LENGTH")]
    pub(crate) max_step: Option<String>,

    #[arg(long, value_name = "SHARE")]
    pub(crate) max_exposed_communication: Option<String>,

    #[arg(long, value_name = "BASE", value_hint = ValueHint::AnyPath)]
    pub(crate) baseline: Option<OsString>,

    #[arg(long, value_name = "SHARE", requires = "baseline")]
    pub(crate) max_regression: Option<String>,

    #[arg(long, value_name = "SHARE", requires = "baseline")]
    pub(crate) max_op_type_growth: Option<String>,

    #[arg(long, value_name = "SHARE", requires = "baseline")]
    pub(crate) max_exposed_growth: Option<String>,

    #[arg(long, value_name = "SHARE", requires = "baseline")]
    pub(crate) max_transfer_growth: Option<String>,

    #[arg(long, value_name = "SHARE", requires = "baseline")]
    pub(crate) max_memory_growth: Option<String>,

    #[arg(long, value_name = "COUNT", requires = "baseline")]
    pub(crate) max_new_findings: Option<u64>,

    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub(crate) github: bool,

    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,

    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) markdown: Option<PathBuf>,
}

#[derive(Debug, Group)]
pub(crate) struct Baseline {
    #[command(flatten)]
    pub(crate) files: Files,

    #[arg(short, long, value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
}
