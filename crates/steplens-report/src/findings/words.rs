//! Names and lengths in the sentences of findings.

use crate::kernels::{kernel_label, kernel_labels};
use crate::names::place_label;
use crate::wording::duration;
use steplens_core::Nanos;

/// Names of kernels may be hundreds of letters long.
const LONGEST_NAME: usize = 60;

/// The name of a task in a few words; other names as they are, up to [`LONGEST_NAME`] letters.
pub(super) fn short(name: &str) -> String {
    cut(&kernel_label(name))
}

/// The short names of a list, which differ where the names do.
pub(super) fn shorts(names: &[(String, Nanos)]) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    kernel_labels(&names).iter().map(|name| cut(name)).collect()
}

fn cut(name: &str) -> String {
    match name.starts_with("/job:") {
        true => place_label(name),
        false if name.chars().count() > LONGEST_NAME => {
            name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
        }
        false => name.to_owned(),
    }
}

pub(super) fn length(time: Nanos) -> String {
    duration(time.0.unsigned_abs())
}
