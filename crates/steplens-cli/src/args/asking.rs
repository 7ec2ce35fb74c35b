//! The options of `steplens fleet`.

use super::{Form, Length};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as Group, ValueHint};
use std::path::PathBuf;
use steplens_host::fleet::questions::Question;

#[derive(Debug, Group)]
pub(crate) struct Fleet {
    #[arg(value_name = "DATASET", value_hint = ValueHint::DirPath)]
    pub(crate) dataset: PathBuf,

    #[arg(value_name = "QUESTION", value_parser = questions(), hide_possible_values = true)]
    pub(crate) question: Option<Question>,

    #[arg(long, value_name = "SELECT|FILE", conflicts_with = "question")]
    pub(crate) query: Option<String>,

    #[arg(long)]
    pub(crate) sql: bool,

    #[command(flatten)]
    pub(crate) asked: Asked,

    #[command(flatten)]
    pub(crate) form: Form,

    #[command(flatten)]
    pub(crate) length: Length,
}

/// What the view `asked` says.
#[derive(Debug, Group)]
pub(crate) struct Asked {
    #[arg(long, value_name = "DAY")]
    pub(crate) day_a: Option<String>,

    #[arg(long, value_name = "DAY")]
    pub(crate) day_b: Option<String>,

    #[arg(long, value_name = "MOMENT", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,

    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    #[arg(long, value_name = "SHARE")]
    pub(crate) share: Option<String>,
}

/// The values of `steplens fleet DATASET QUESTION`.
fn questions() -> impl TypedValueParser<Value = Question> {
    let words = Question::ALL.iter().map(|own| PossibleValue::new(own.name).help(own.about()));
    // Only these words come here.
    PossibleValuesParser::new(words).try_map(|word| Question::by_name(&word).ok_or(word))
}
