//! What each reading is based on, and which option records what is missing.

use steplens_core::Study;
use steplens_core::memory::{Basis, Memory, Reading};
use steplens_core::model::file::FileReport;
use steplens_messages::say;

/// What `reading` is based on.
pub fn rests_on(reading: Reading) -> &'static str {
    match reading {
        Reading::Records => say!("memory-rests-on-records"),
        Reading::Tensors => say!("memory-rests-on-tensors"),
        Reading::TimelinePy => say!("memory-rests-on-timeline"),
    }
}

/// What is not known about accounts of which only sums were recorded; `None` without such accounts.
pub fn lacks(memory: &Memory) -> Option<&'static str> {
    let has_sums = memory.accounts.iter().any(|account| account.basis == Basis::Sums);
    has_sums.then(|| say!("memory-lacks-addresses"))
}

/// A sentence about the tensors that the rules of `timeline.py` lose.
pub fn lost_sentence(tensors: &str, bytes: &str) -> String {
    say!("memory-lost", tensors, bytes)
}

/// Which option records the memory that `study`, read from `files`, does not have; `None` if allocations were recorded.
pub fn recorded_by(study: &Study, files: &[FileReport]) -> Option<String> {
    let trace = study.trace();
    if trace.memory().has_records() {
        return None;
    }
    let has_format = |word: &str| files.iter().any(|file| file.format.starts_with(word));
    let missing = match (trace.memory().has_reports(), trace.outputs().is_empty()) {
        (true, _) => say!("memory-only-sums"),
        (false, false) => say!("memory-no-allocation"),
        (false, true) => say!("memory-none"),
    };
    let option = if has_format("paddle") {
        say!("memory-option-paddle")
    } else if has_format("xspace") {
        say!("memory-option-xspace")
    } else if ["chrome", "timeline", "trace-events"].into_iter().any(has_format) {
        say!("memory-option-chrome")
    } else {
        say!("memory-option-tensorflow")
    };
    Some(say!("memory-option", missing, option))
}
