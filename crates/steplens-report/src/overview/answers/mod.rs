//! What is said of a run. Structs that are written as JSON are the page's types, too: `tests/tests/contract`.

pub mod before_after;
pub mod cell;
pub mod days;
pub mod heat;
pub mod lists;
pub mod peers;
pub mod run;
pub mod series;
pub mod stragglers;

/// The value of `sorted` that `share` of them do not exceed; NaN of none.
pub(crate) fn quantile(sorted: &[f32], share: f64) -> f32 {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f32::NAN)
}
