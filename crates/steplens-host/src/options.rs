//! What may be chosen of reading and of what is written: as options of commands, and in words by the Python package.

#![allow(
    missing_docs,
    reason = "the texts of `--help` are in the catalogue, and clap would say these as well"
)]

use clap::{ArgAction, Args as Group, ValueEnum, ValueHint};
use std::ffi::OsString;

#[derive(Clone, Debug, Group)]
pub struct Files {
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<OsString>,

    #[command(flatten)]
    pub reading: Reading,

    #[arg(long, value_name = "START..END")]
    pub window: Option<String>,

    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
}

/// How files are read.
#[derive(Clone, Debug, Default, Group)]
pub struct Reading {
    #[arg(long, value_name = "REGEX", action = ArgAction::Append)]
    pub communication: Vec<String>,

    #[arg(long, value_name = "REGEX")]
    pub devices: Option<String>,

    #[arg(long, value_name = "RULE", value_enum)]
    pub steps_by: Option<Rule>,

    #[arg(long, value_name = "FINDING", value_enum, action = ArgAction::Append)]
    pub repair: Vec<Repair>,

    #[arg(long, value_name = "HOW", value_enum)]
    pub op_time: Option<LastsAs>,

    #[arg(long, value_name = "recorded|estimated|TASK=OFFSET", value_delimiter = ',', action = ArgAction::Append)]
    pub clocks: Vec<String>,

    #[arg(long)]
    pub as_recorded: bool,

    #[arg(long, value_name = "MIB")]
    pub memory: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Repair {
    TimeBases,
    FarOps,
    SameDevices,
    RepeatedOps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    Content,
    File,
    Part,
    Together,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LastsAs {
    Schedule,
    Gpu,
    All,
}

/// What is not hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Include {
    All,
    Names,
    OpTypes,
    Hosts,
    Tags,
    Files,
    Shapes,
    Notes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureOf {
    View,
    Split,
    Waterfall,
    Matrix,
    Memory,
    CriticalPath,
    Comparison,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureText {
    Text,
    Outlines,
}
