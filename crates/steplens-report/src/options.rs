//! The words for choices on the page and in the program, and the sentence for an invalid word.

use crate::tables::TransferColumn;
use steplens_core::CategoryRules;
use steplens_core::clocks::ClockChoice;
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::questions::flame::Layers;
use steplens_core::questions::op_list::OpColumn;
use steplens_core::steps::rule::StepRule;
use steplens_core::study::Prepared;
use steplens_core::timeline::colors::ColorBy;
use steplens_core::timeline::grouping::Arrangement;
use steplens_messages::say;

/// Why a choice is invalid, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption(pub String);

impl BadOption {
    /// Stable; documented in `docs/problems.md`.
    pub const CODE: &str = "bad-option";
}

/// The patterns of what also counts as communication.
pub fn communication(patterns: &[String]) -> Result<CategoryRules, BadOption> {
    CategoryRules::new(patterns).map_err(BadOption)
}

/// The rule for steps.
pub fn step_rule(word: &str) -> Result<StepRule, BadOption> {
    StepRule::by_word(word).ok_or_else(|| BadOption(say!("bad-step-rule", word)))
}

/// The repairs.
pub fn repairs(words: &[String]) -> Result<Vec<Repair>, BadOption> {
    let repair = |word: &String| Repair::by_word(word).ok_or_else(|| BadOption(say!("bad-repair", word)));
    words.iter().map(repair).collect()
}

/// What counts as the duration of an op.
pub fn op_time(word: &str) -> Result<OpTime, BadOption> {
    OpTime::of_word(word).ok_or_else(|| BadOption(say!("bad-op-time", word)))
}

/// How clocks are aligned.
pub fn clock_choice(words: &[String]) -> Result<ClockChoice, BadOption> {
    ClockChoice::of_words(words.iter().map(String::as_str))
        .ok_or_else(|| BadOption(say!("bad-clocks").to_owned()))
}

/// What is prepared in advance.
pub fn prepared(word: &str) -> Result<Prepared, BadOption> {
    Prepared::by_word(word).ok_or_else(|| BadOption(say!("bad-prepared", word)))
}

/// How lanes are arranged.
pub fn arrangement(word: &str) -> Result<Arrangement, BadOption> {
    Arrangement::by_word(word).ok_or_else(|| BadOption(say!("bad-arrangement", word)))
}

/// What colours stand for.
pub fn color_by(word: &str) -> Result<ColorBy, BadOption> {
    ColorBy::by_word(word).ok_or_else(|| BadOption(say!("bad-color-by", word)))
}

/// What stands inside of what in a flame.
pub fn layers(word: &str) -> Result<Layers, BadOption> {
    Layers::by_word(word).ok_or_else(|| BadOption(say!("bad-layers", word)))
}

/// The column by which a table of ops is sorted.
pub fn op_column(name: &str) -> Result<OpColumn, BadOption> {
    crate::ops::column(name).ok_or_else(|| BadOption(say!("bad-op-column", word = name)))
}

/// What a table of transfers is sorted by.
pub fn transfer_column(name: &str) -> Result<TransferColumn, BadOption> {
    TransferColumn::by_name(name).ok_or_else(|| BadOption(say!("bad-transfer-column", word = name)))
}

/// A time in ns from 1970, as text because it does not fit in a double.
pub fn unix_ns(text: &str) -> Result<i64, BadOption> {
    text.parse().map_err(|_| BadOption(say!("bad-time").to_owned()))
}
