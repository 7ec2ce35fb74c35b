//! What the two paths say, in sentences.

use crate::wording::duration;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::{Nanos, Study};

/// What binds the step, and by how much.
pub fn sentence(study: &Study) -> String {
    let causes = study.causes();
    let length = causes.observed.length();
    let Some(&(bound, most)) = bounds(causes).first().filter(|_| length > Nanos(0)) else {
        return "No op of this trace took any time.".to_owned();
    };
    let with_share = |part: Nanos| format!("{} ({})", duration(part.0.unsigned_abs()), share(part, length));
    let allowed = format!(
        "Dependencies alone allow {} of {}.",
        duration(causes.floor.length.0.unsigned_abs()),
        duration(length.0.unsigned_abs())
    );
    let unexplained = causes.observed.unexplained();
    let rest = match bound {
        Bound::Unexplained => String::new(),
        _ if unexplained == Nanos(0) => String::new(),
        _ => format!(" {} of the path has no recorded cause.", with_share(unexplained)),
    };
    format!("{allowed} What binds: {} for {}.{rest}", bind_words(bound), with_share(most))
}

/// A bound, as a sentence names it.
pub fn bind_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Dependencies => "ops that need each other's results",
        Bound::Threads => "ops that were ready and queued behind others",
        Bound::Network => "tensors on their way, or not sent yet",
        Bound::Dispatch => "getting ops to run",
        Bound::Input => "getting the next batch",
        Bound::Unexplained => "nothing that was recorded",
    }
}

/// A category of the observed path, by its word, as people read it.
pub fn category_words(word: &str) -> &'static str {
    match word {
        "compute" => "compute",
        "copy" => "copy",
        "transit" => "in transit",
        "sender-queue" => "queued at the sender",
        "producer" => "waiting for the producer",
        "behind" => "queued behind ops",
        "launching" => "launching",
        "input" => "input",
        "starting" => "step not begun on the task",
        _ => "no recorded cause",
    }
}

/// `52.1 %`.
fn share(part: Nanos, whole: Nanos) -> String {
    format!("{:.1} %", part.0 as f64 / whole.0.max(1) as f64 * 100.0)
}
