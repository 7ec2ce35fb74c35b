//! What-if as a sentence.

use super::WhatIf;
use crate::causality::spent_words;
use crate::figures::share;
use crate::wording::duration;
use steplens_core::replay::parts_per_million;
use steplens_core::{Nanos, Study};
use steplens_messages::{say, sentences};

/// From this share of the step on, in millionths, frozen time is worth a sentence.
const MUCH_FROZEN_PPM: i64 = 50_000;

/// The answer in a few sentences.
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
    let frozen_share = share(answer.frozen_ns, answer.baseline_ns);
    if answer.judgement == "frozen" {
        let frozen = say!("what-if-frozen", length = length(answer.frozen_ns), share = frozen_share);
        return sentences([frozen.as_str(), say!("what-if-refused-unknown")]);
    }
    let is_much = parts_per_million(Nanos(answer.frozen_ns), Nanos(answer.baseline_ns)) >= MUCH_FROZEN_PPM;
    let frozen = is_much.then(|| say!("what-if-partly-frozen", share = frozen_share));
    let (Some(predicted), Some(saving)) = (answer.predicted_ns, answer.saving_ns) else {
        let none = say!("what-if-none").to_owned();
        return sentences([Some(none), frozen, Some(error)].into_iter().flatten());
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
    let range = match (answer.low_ns, answer.high_ns) {
        (Some(low), Some(high)) if length(low) != length(high) && answer.judgement != "no-effect" => {
            let range = say!("what-if-range", low = length(low), high = length(high));
            // One recording does not say by how much the next step differs from it, which is often more than all the rest.
            let one_step = answer.variation_ns.is_none().then(|| say!("what-if-one-step").to_owned());
            Some(sentences([Some(range), one_step].into_iter().flatten()))
        }
        _ => None,
    };
    let first = answer.spent_after.first();
    let after = first.map(|&(spent, time)| {
        say!("what-if-after", what = spent_words(spent), share = share(time.0, predicted))
    });
    sentences([Some(effect), range, within, after, frozen, Some(error)].into_iter().flatten())
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}
