//! What scheduling says, in sentences.

use super::Choice;
use crate::wording::{duration, plural};
use steplens_core::scheduling::at_work::AtWork;
use steplens_core::scheduling::streams::Stream;
use steplens_core::{Nanos, Study};

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
        true => "Nothing in this trace says when ops were scheduled, or launched.".to_owned(),
        false => said.join(" "),
    }
}

fn of_threads(own: &AtWork, span: Nanos, choice: Choice) -> Option<String> {
    if own.scheduled == 0 {
        return None;
    }
    let most = plural(own.most() as usize, "op");
    let place = match own.devices.len() {
        1 => "a device".to_owned(),
        count => format!("{count} devices that share threads"),
    };
    let queued = own.any_queued();
    let mut said = format!(
        "On {place}, at most {most} ran at once; for {} of the step at least one op was scheduled and had not started.",
        with_share(queued, span)
    );
    said += &match choice.threads {
        None => format!(
            " For {} of that as many ran as ever did; how many threads there are was not recorded.",
            with_share(own.starved(own.most()), queued)
        ),
        Some(threads) if threads < own.most() => {
            format!(" {} cannot be all: {most} ran at once.", plural(threads as usize, "thread"))
        }
        Some(threads) => format!(
            " With {}, ops were starved for {} of that.",
            plural(threads as usize, "thread"),
            with_share(own.starved(threads), queued)
        ),
    };
    Some(said)
}

fn of_streams(streams: &[Stream]) -> Option<String> {
    let own = streams.iter().filter(|own| own.launched > 0).max_by_key(|own| own.busy)?;
    let gaps = &own.gaps;
    Some(format!(
        "The busiest stream was empty for {} between kernels: for {} the next kernel was not launched yet.",
        with_share(gaps.length, own.busy + gaps.length),
        with_share(gaps.host, gaps.length)
    ))
}

fn with_share(part: Nanos, whole: Nanos) -> String {
    let share = part.0 as f64 / whole.0.max(1) as f64 * 100.0;
    format!("{} ({share:.1} %)", duration(part.0.unsigned_abs()))
}

/// What rests on what: the words of a part, for people.
pub fn part_words(word: &str) -> &'static str {
    match word {
        "wait" => "wait: from the last input to the scheduling",
        "queue" => "queue: from the scheduling, or the launch, to the start",
        "set-up" => "set-up: from the start to the kernel's start",
        "kernel" => "kernel",
        _ => "tear-down: from the kernel's end to the end",
    }
}
