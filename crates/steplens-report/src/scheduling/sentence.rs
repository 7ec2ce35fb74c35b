//! Sentences about scheduling.

use super::Choice;
use crate::wording::duration;
use steplens_core::scheduling::at_work::AtWork;
use steplens_core::scheduling::streams::Stream;
use steplens_core::{Nanos, Study};
use steplens_messages::{say, sentences};

/// How long ops queued and behind how many, and what GPUs waited for.
pub(super) fn sentence(study: &Study, choice: Choice) -> String {
    let found = study.scheduling();
    let span = study.trace().span().length();
    let mut said: Vec<String> = Vec::new();
    if let Some(own) = found.at_work.iter().max_by_key(|own| own.any_queued()) {
        said.extend(of_threads(own, span, choice));
    }
    said.extend(of_streams(&found.streams));
    match said.is_empty() {
        true => say!("scheduling-nothing").to_owned(),
        false => sentences(said),
    }
}

fn of_threads(own: &AtWork, span: Nanos, choice: Choice) -> Option<String> {
    if own.scheduled == 0 {
        return None;
    }
    let most = say!("ops", count = own.most());
    let place = match own.devices.len() {
        1 => say!("scheduling-a-device").to_owned(),
        count => say!("scheduling-devices", count),
    };
    let queued = own.any_queued();
    let at_once = say!("scheduling-at-once", place, most, queued = with_share(queued, span));
    let of_queued = match choice.threads {
        None => say!("scheduling-as-many-as-ever", part = with_share(own.starved(own.most()), queued)),
        Some(threads) if threads < own.most() => {
            say!("scheduling-cannot-be-all", threads = say!("threads", count = threads), most)
        }
        Some(threads) => {
            let part = with_share(own.starved(threads), queued);
            say!("scheduling-starved", threads = say!("threads", count = threads), part)
        }
    };
    Some(sentences([at_once, of_queued]))
}

fn of_streams(streams: &[Stream]) -> Option<String> {
    let own = streams.iter().filter(|own| own.launched > 0).max_by_key(|own| own.busy)?;
    let gaps = &own.gaps;
    let empty = with_share(gaps.length, own.busy + gaps.length);
    Some(say!("scheduling-busiest-stream", empty, host = with_share(gaps.idle.host(), gaps.length)))
}

fn with_share(part: Nanos, whole: Nanos) -> String {
    let share = part.0 as f64 / whole.0.max(1) as f64 * 100.0;
    let length = duration(part.0.unsigned_abs());
    say!("length-and-share", length, share = format!("{share:.1} %"))
}

/// The words for a part, for users.
pub fn part_words(word: &str) -> &'static str {
    match word {
        "wait" => say!("scheduling-part-wait"),
        "queue" => say!("scheduling-part-queue"),
        "set-up" => say!("scheduling-part-set-up"),
        "kernel" => say!("scheduling-part-kernel"),
        _ => say!("scheduling-part-tear-down"),
    }
}
