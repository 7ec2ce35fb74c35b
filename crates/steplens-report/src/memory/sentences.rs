//! What each reading rests on, and which option records what is not there.

use steplens_core::Study;
use steplens_core::memory::Reading;
use steplens_core::model::file::FileReport;

/// What `reading` rests on.
pub fn rests_on(reading: Reading) -> &'static str {
    match reading {
        Reading::Records => {
            "every allocation and free that the allocators recorded for the ops; what was there before is only known as far as it was freed"
        }
        Reading::Tensors => {
            "the outputs of ops: each lives from the start of the op that made it to the end of the last op that read it; variables and constants live all the time"
        }
        Reading::TimelinePy => {
            "the rules of TensorFlow's timeline.py with show_memory: whole microseconds, all devices together, and an output that is made again replaces the one before"
        }
    }
}

/// What the rules of `timeline.py` lose.
pub fn lost_sentence(tensors: &str, bytes: &str) -> String {
    format!("timeline.py does not count {tensors} of {bytes}, whose name a later one has")
}

/// Which option records the memory that `study`, read from `files`, has no record of; `None` where allocations were recorded.
pub fn recorded_by(study: &Study, files: &[FileReport]) -> Option<String> {
    let trace = study.trace();
    if trace.memory().has_records() {
        return None;
    }
    let has_format = |word: &str| files.iter().any(|file| file.format.starts_with(word));
    let missing = match (trace.memory().has_reports(), trace.outputs().is_empty()) {
        (true, _) => "Allocators reported sums for each op, and no allocation one by one.",
        (false, false) => "No allocation was recorded.",
        (false, true) => "No memory was recorded.",
    };
    let option = if has_format("paddle") {
        "Versions of Paddle that have the flag FLAGS_enable_record_memory record it where that is set."
    } else if has_format("xspace") {
        "Steplens does not read the memory events of an XSpace yet. RunMetadata has them: RunOptions(trace_level=RunOptions.FULL_TRACE)."
    } else if has_format("chrome") || has_format("timeline") {
        "A RunMetadata has every allocation: open the .pb that this file was made from. timeline.py writes outputs with show_memory=True. Of PyTorch, Steplens does not read memory events yet."
    } else {
        "TensorFlow records it with RunOptions(trace_level=RunOptions.FULL_TRACE)."
    };
    Some(format!("{missing} {option}"))
}
