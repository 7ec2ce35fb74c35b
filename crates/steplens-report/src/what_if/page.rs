//! What-if for the page: an answer for the changes that can be made, with both timelines, and the table some rows at a time.

use super::{MirroredTimeline, SavingRow, WhatIf, row_of};
use crate::text;
use serde::Serialize;
use std::ops::Range;
use steplens_core::replay::Replay;
use steplens_core::replay::candidates::Candidate;
use steplens_core::replay::change::{BadChange, Change};
use steplens_core::{Nanos, Study};

/// The answer with both timelines on one scale. Its table is empty: the page asks for that some rows at a time.
#[derive(Serialize)]
struct WhatIfPage<'a> {
    #[serde(flatten)]
    answer: WhatIf<'a>,
    timeline: MirroredTimeline<'a>,
    /// The changes that cannot be made here; `changes` has the others.
    not_made: Vec<NotMade>,
}

/// A change that cannot be made.
#[derive(Serialize)]
struct NotMade {
    /// Its place among the changes that were asked for.
    place: usize,
    /// Why, as a sentence.
    why: String,
}

/// Some rows of the table.
#[derive(Serialize)]
struct SavingRows {
    /// The number of all rows.
    total: usize,
    rows: Vec<SavingRow>,
}

/// `WhatIfPage` for changes as `Change::parse` reads them. A change that cannot be made is left out, and said: in another step, or
/// while it is typed, it must not take the answer to the others away.
///
/// # Errors
///
/// None that is known: without changes there is nothing that cannot be made.
pub fn page(
    study: &Study,
    replay: &Replay,
    variation: Option<Nanos>,
    written: &[String],
) -> Result<String, BadChange> {
    let (mut changes, mut not_made) = (Vec::new(), Vec::new());
    for (place, text) in written.iter().enumerate() {
        match made(study, replay, text) {
            Ok(change) => changes.push(change),
            Err(BadChange(why)) => not_made.push(NotMade { place, why }),
        }
    }
    let answered = WhatIf::without_table(study, replay, variation, &changes).or_else(|BadChange(why)| {
        // Each of them can be made alone, but not all of them together.
        not_made = (0..written.len()).map(|place| NotMade { place, why: why.clone() }).collect();
        WhatIf::without_table(study, replay, variation, &[])
    })?;
    let (answer, after) = answered;
    let timeline = MirroredTimeline::new(study, replay, after.as_ref());
    Ok(text(&WhatIfPage { answer, timeline, not_made }))
}

fn made(study: &Study, replay: &Replay, text: &str) -> Result<Change, BadChange> {
    let change = Change::parse(text)?;
    replay.scenario(study, std::slice::from_ref(&change))?;
    Ok(change)
}

/// Those that take most of the critical path first: the page shows the first rows before it asks for the rest.
pub fn longest_first(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|own| std::cmp::Reverse(own.on_path));
    candidates
}

/// `SavingRows`: the rows of `wanted`, each of which replays the step four times.
pub fn rows(study: &Study, replay: &Replay, candidates: &[Candidate], wanted: Range<usize>) -> String {
    let end = wanted.end.min(candidates.len());
    let wanted = &candidates[wanted.start.min(end)..end];
    let rows = wanted.iter().map(|own| row_of(study, replay, own)).collect();
    text(&SavingRows { total: candidates.len(), rows })
}
