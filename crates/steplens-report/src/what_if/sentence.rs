//! What-if as a sentence.

use super::WhatIf;
use crate::causality::category_words;
use crate::figures::share;
use crate::wording::duration;
use steplens_core::Study;
use steplens_messages::{say, sentences};

/// The answer in one or two sentences.
pub(super) fn sentence(study: &Study, answer: &WhatIf<'_>) -> String {
    if let Some(note) = &answer.clocks {
        return sentences([&note.first(), &note.withheld]);
    }
    let error =
        say!("what-if-error", error = percent(answer.replay_error), near = percent(answer.started_near));
    if answer.judgement == "refused" {
        let why = match study.causes().graph.threads.rules.iter().any(|rule| rule.is_inferred()) {
            true => say!("what-if-refused-threads"),
            false => say!("what-if-refused-unknown"),
        };
        let refused = say!("what-if-refused", error = percent(answer.replay_error));
        return sentences([refused.as_str(), why]);
    }
    let length = |ns: i64| duration(ns.unsigned_abs());
    let (Some(predicted), Some(saving)) = (answer.predicted_ns, answer.saving_ns) else {
        return sentences([say!("what-if-none"), error.as_str()]);
    };
    let part = share(saving.abs(), answer.replayed_ns);
    let effect = match answer.judgement {
        "no-effect" => say!("what-if-no-effect", length = length(predicted)),
        _ if saving > 0 => {
            say!("what-if-saves", length = length(predicted), saving = length(saving), share = part)
        }
        _ => say!("what-if-longer", length = length(predicted), saving = length(saving), share = part),
    };
    let within = match answer.judgement {
        "within-error" => Some(say!("what-if-within-error").to_owned()),
        "within-variation" => Some(say!(
            "what-if-within-variation",
            variation = length(answer.variation_ns.unwrap_or_default())
        )),
        _ => None,
    };
    let first = answer.critical_after.first();
    let after = first.map(|first| {
        say!(
            "what-if-after",
            what = category_words(first.category),
            share = share(first.length_ns, predicted)
        )
    });
    sentences([Some(effect), within, after, Some(error)].into_iter().flatten())
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}
