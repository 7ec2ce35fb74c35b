//! The options of the command line. Their help texts are in the catalogue (`help.rs`).

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args as Group, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::net::IpAddr;
use std::path::PathBuf;
use steplens_export::Format;
use steplens_export::picture::{LEAST_WIDTH, MOST_WIDTH};
use steplens_report::tables::TransferColumn;
use steplens_report::{causality, ops, scheduling, transfers, what_if};

mod asking;
mod comparing;
mod fleet;
mod reading;

pub(crate) use asking::{Asked, Fleet};
pub(crate) use comparing::{Baseline, Check, Compare};
pub(crate) use fleet::Index;
pub(crate) use reading::{Form, Length, When};
pub(crate) use steplens_host::options::{Files, Include, PictureOf, PictureText, PictureTheme, Reading};

/// A question about files: what is read, in which form it is answered, and what may be chosen.
#[derive(Debug, Group)]
pub(crate) struct Asking<Q: Group, L: Group = Length> {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) length: L,
    #[command(flatten)]
    pub(crate) question: Q,
}

/// Of what the text shows all.
#[derive(Debug, Group)]
pub(crate) struct Whole {}

#[derive(Debug, Group)]
pub(crate) struct Ops {
    #[command(flatten)]
    pub(crate) asked: Asking<ops::Options>,

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
    pub(crate) asked: Asking<transfers::Options>,

    #[arg(long, value_name = "BY", default_value = "bytes", value_parser = transfer_orders())]
    pub(crate) sort: TransferColumn,
}

/// The values of `transfers --sort`: the columns that have an order.
fn transfer_orders() -> impl TypedValueParser<Value = TransferColumn> {
    let listed = TransferColumn::all().filter(|column| column.order().is_some());
    let words = PossibleValuesParser::new(listed.map(TransferColumn::word));
    // Only these words come here.
    words.try_map(|word| TransferColumn::by_word(&word).ok_or(word))
}

#[derive(Debug, Group)]
pub(crate) struct CriticalPath {
    #[command(flatten)]
    pub(crate) asked: Asking<causality::Options>,

    #[arg(long = "steps", value_name = "STEPS", conflicts_with = "step")]
    pub(crate) over_steps: Option<String>,
}

#[derive(Debug, Group)]
pub(crate) struct Scheduling {
    #[command(flatten)]
    pub(crate) asked: Asking<scheduling::Options>,

    #[arg(long, value_name = "LENGTH")]
    pub(crate) tiny: Option<String>,
}

#[derive(Debug, Group)]
pub(crate) struct WhatIf {
    #[command(flatten)]
    pub(crate) asked: Asking<what_if::Options>,
    #[command(flatten)]
    pub(crate) changes: Changes,
}

/// What is different; each may be given several times. `Change::WORDS` has the same words.
#[derive(Debug, Group)]
pub(crate) struct Changes {
    #[arg(long, value_name = "REGEX=FACTOR")]
    pub(crate) op: Vec<String>,
    #[arg(long, value_name = "input|launch|copy|communication")]
    pub(crate) hide: Vec<String>,
    #[arg(long, value_name = "SRC->DST=FACTOR")]
    pub(crate) link: Vec<String>,
    #[arg(long, value_name = "[TASK=]FACTOR")]
    pub(crate) network: Vec<String>,
    #[arg(long, value_name = "NAME=FACTOR")]
    pub(crate) device: Vec<String>,
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<String>,
    #[arg(long, value_name = "better")]
    pub(crate) order: Option<String>,
    #[arg(long, value_name = "REGEX")]
    pub(crate) half: Vec<String>,
    #[arg(long, value_name = "REGEX")]
    pub(crate) merge: Vec<String>,
    #[arg(long, value_name = "TASK")]
    pub(crate) like_peers: Vec<String>,
}

impl Changes {
    /// The changes as (word, text), in the order in which they are made.
    pub(crate) fn written(&self) -> impl Iterator<Item = (&'static str, &str)> {
        fn each<'a>(
            word: &'static str,
            texts: &'a [String],
        ) -> impl Iterator<Item = (&'static str, &'a str)> {
            texts.iter().map(move |text| (word, text.as_str()))
        }
        let threads = self.threads.as_deref().map(|text| ("threads", text));
        let order = self.order.as_deref().map(|text| ("order", text));
        each("op", &self.op)
            .chain(each("hide", &self.hide))
            .chain(each("link", &self.link))
            .chain(each("network", &self.network))
            .chain(each("device", &self.device))
            .chain(threads)
            .chain(order)
            .chain(each("half", &self.half))
            .chain(each("merge", &self.merge))
            .chain(each("like-peers", &self.like_peers))
    }
}

#[derive(Debug, Group)]
pub(crate) struct Op {
    #[command(flatten)]
    pub(crate) files: Files,
    #[arg(long, value_name = "NUMBER|NAME")]
    pub(crate) op: String,
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: When,
}

#[derive(Debug, Group)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) files: Files,

    #[arg(short, long, value_name = "HTML", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    #[arg(long, value_name = "FRAGMENT", default_value = "", hide_default_value = true)]
    pub(crate) view: String,

    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', action = ArgAction::Append)]
    pub(crate) include: Vec<Include>,
}

#[derive(Debug, Group)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) files: Files,

    #[arg(long, value_parser = formats())]
    pub(crate) format: Format,

    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    pub(crate) output: PathBuf,

    #[arg(long)]
    pub(crate) show_memory: bool,

    #[arg(long)]
    pub(crate) no_dataflow: bool,

    #[arg(long, value_name = "FRAGMENT", default_value = "", hide_default_value = true)]
    pub(crate) view: String,
}

/// The values of `export --format`.
fn formats() -> impl TypedValueParser<Value = Format> {
    let words = PossibleValuesParser::new(Format::ALL.map(Format::word));
    // Only these words come here.
    words.try_map(|word| Format::by_word(&word).ok_or(word))
}

#[derive(Debug, Group)]
pub(crate) struct Picture {
    #[command(flatten)]
    pub(crate) files: Files,

    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) of: PictureOf,

    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    #[arg(long, value_name = "PX", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(i64::from(LEAST_WIDTH)..=i64::from(MOST_WIDTH)))]
    pub(crate) width: u32,

    #[arg(long, value_enum, value_name = "THEME", default_value = "light")]
    pub(crate) theme: PictureTheme,

    #[arg(long, value_enum, value_name = "HOW", default_value = "text")]
    pub(crate) text: PictureText,

    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) scale: u32,

    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(steplens_messages::languages()))]
    pub(crate) language: Option<String>,

    #[arg(long)]
    pub(crate) no_heading: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Watch {
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    #[arg(long)]
    pub(crate) once: bool,

    #[arg(long)]
    pub(crate) json: bool,

    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: When,
}

#[derive(Debug, Group)]
pub(crate) struct Request {
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    #[command(flatten)]
    pub(crate) which: Which,

    #[arg(long, value_name = "COUNT", conflicts_with = "stop")]
    pub(crate) count: Option<u64>,

    #[arg(long, value_name = "PROCESS", action = ArgAction::Append)]
    pub(crate) process: Vec<String>,

    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub(crate) expires: u64,

    #[arg(long)]
    pub(crate) wait: bool,
}

/// Which runs are to be traced.
#[derive(Clone, Copy, Debug, Group)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    #[arg(long)]
    pub(crate) now: bool,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,

    #[arg(long, value_name = "N", alias = "at-multiple-of", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) multiple: Option<u64>,

    #[arg(long)]
    pub(crate) stop: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Serve {
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,

    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,

    #[arg(long)]
    pub(crate) open: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Completions {
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Group)]
pub(crate) struct Man {
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}
