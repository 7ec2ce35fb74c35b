//! What opening says of a file as a whole: what is damaged, what was left out, and why nothing of it can be used.

use super::Limits;
use crate::error::ReadErrorKind;
use crate::reader::{Checked, FoundSession};
use crate::unpack::Stopped;
use steplens_core::build::selection::LeftOut;
use steplens_core::model::arguments::{MAX_ARGUMENTS, MAX_VALUE_BYTES};
use steplens_core::model::file::FileReport;
use steplens_core::{Problem, Problems, Selection};
use steplens_messages::say;

/// Adds problems about a session: damage, and parts that only a newer Steplens knows.
pub(super) fn report_damage(found: &mut FoundSession, packing: Option<Stopped>, is_other_note: bool) {
    let FoundSession { files, unknown, checked, lost, .. } = found;
    match (*checked, packing) {
        _ if !lost.is_empty() => files.iter_mut().take(1).for_each(|file| file.problems.append(lost)),
        (Checked::Changed, _) => report(files, 0, "session-changed", || say!("session-changed").to_owned()),
        (Checked::Unknown, Some(Stopped { code, packing, why })) => {
            report(files, 0, code, || say!("packing-damaged", packing, why));
        }
        // What is broken is the packing alone.
        (Checked::Whole, _) | (Checked::Unknown, None) => {}
    }
    if is_other_note {
        report(files, 0, "page-view-changed", || say!("page-view-changed").to_owned());
    }
    let bytes = *unknown;
    if bytes > 0 {
        report(files, 0, "session-newer", || say!("session-newer", bytes));
    }
}

/// Gives reports whose names are lost the name of the session's own file, and the first of them what that holds.
pub(super) fn name_lost_files(found: &mut FoundSession, name: &str, bytes: u64, ops: usize) {
    let are_lost = found.files.iter().all(|file| file.name.is_empty());
    for (place, file) in found.files.iter_mut().enumerate().filter(|_| are_lost) {
        name.clone_into(&mut file.name);
        if place == 0 {
            (file.bytes, file.ops) = (bytes, ops);
        }
    }
}

/// Adds a problem about the whole file number `file`.
pub(super) fn report(
    files: &mut [FileReport],
    file: u32,
    code: &'static str,
    detail: impl FnOnce() -> String,
) {
    if let Some(file) = files.get_mut(file as usize) {
        file.problems.push(Problem { code: code.into(), count: 1, offset: 0, detail: detail() });
    }
}

/// Adds problems about what the user's selection left out.
pub(super) fn report_left_out(problems: &mut Problems, left_out: LeftOut, selection: &Selection) {
    if left_out.devices > 0 {
        let devices = selection.devices().unwrap_or_default();
        problems.add_many("left-out-devices", left_out.devices, 0, || say!("left-out-devices", devices));
    }
    if left_out.window > 0 {
        problems.add_many("left-out-window", left_out.window, 0, || say!("left-out-window").to_owned());
    }
}

/// Adds a problem about arguments of events that were too many or too long to keep.
pub(super) fn report_arguments(problems: &mut Problems, left_out: u64) {
    if left_out > 0 {
        let most_bytes = MAX_VALUE_BYTES;
        problems.add_many("arguments-left-out", left_out, 0, || {
            say!("arguments-left-out", most = MAX_ARGUMENTS, most_bytes, count = left_out)
        });
    }
}

/// Adds a problem about what did not fit into memory, and what to do about it.
pub(super) fn report_full(
    problems: &mut Problems,
    limits: Limits,
    full_at: u64,
    bytes: u64,
    ops: usize,
    left_out: u64,
) {
    let mebibytes = |bytes: u64| bytes >> 20;
    problems.add_many("memory-limit", left_out, full_at, || {
        say!(
            "memory-limit",
            limit = mebibytes(limits.memory_bytes as u64),
            at = mebibytes(full_at),
            of = mebibytes(bytes),
            ops,
            left_out
        )
    });
}

/// Why a file that was read as RunMetadata has no ops, as one sentence.
pub(super) fn why_no_ops(
    problems: &Problems,
    stopped_at: Option<(u64, String)>,
    packing: Result<(), Stopped>,
    graph_nodes: usize,
) -> ReadErrorKind {
    let codes = ["damaged-op", "time-out-of-range", "truncated", "damaged-graph-node"];
    let is_run_metadata = codes.iter().any(|code| problems.count(code) > 0) || graph_nodes > 0;
    match (stopped_at, packing, problems.as_slice().first()) {
        (_, Err(stopped), _) => stopped.into(),
        (Some((offset, got)), _, _) if !is_run_metadata => ReadErrorKind::NotRunMetadata { offset, got },
        (_, _, None) => ReadErrorKind::NoOps { graph_nodes },
        (_, _, Some(first)) if !is_run_metadata => {
            ReadErrorKind::NotRunMetadata { offset: first.offset, got: say!("got-other-message").to_owned() }
        }
        (_, _, Some(first)) => {
            let as_text = problems.as_slice().iter().find(|problem| problem.code == "saved-as-text");
            let first = as_text.unwrap_or(first);
            let what = match &*first.code {
                "truncated" => say!("got-end-of-file"),
                "saved-as-text" => say!("got-text"),
                _ => say!("got-damage"),
            };
            ReadErrorKind::NoOpsReadable {
                format: say!("word-run-metadata"),
                offset: first.offset,
                what: what.to_owned(),
            }
        }
    }
}
