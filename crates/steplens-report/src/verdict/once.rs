//! What happens once and is much of the time: the verdict begins with it if that is most.

use super::{Inputs, short};
use crate::figures::{duration, share};
use steplens_core::findings::OnceKind;
use steplens_messages::{asides, say};

/// What happens once, and how long the rest takes.
pub(super) fn once_clause(inputs: &Inputs<'_>) -> Option<String> {
    let &Inputs { study, own, .. } = inputs;
    let once = own.once?;
    let (share, time) = (share(once.time.0, own.length.0), duration(once.time.0));
    let op = once.op.map(|op| short(study.title(op)));
    let what = match (once.kind, op) {
        (OnceKind::FirstStep, None) => say!("verdict-once-first-step", share, time),
        (OnceKind::FirstStep, Some(op)) => say!("verdict-once-first-step-op", share, time, op),
        (OnceKind::Compiling, _) => say!("verdict-once-compiling", share, time),
        (OnceKind::Capture, _) => say!("verdict-once-capture", share, time),
        (OnceKind::FirstRun, _) => say!("verdict-once-first-run", share, time),
        (OnceKind::FirstFunction, op) => {
            say!("verdict-once-first-function", share, time, op = function_of(&op.unwrap_or_default()))
        }
    };
    let rest = say!("verdict-once-rest", rest = duration((own.length - once.time).0));
    Some(asides([what, rest]))
}

/// The function that `EagerExecute: __inference_f_7` calls.
pub(crate) fn function_of(name: &str) -> &str {
    name.rsplit(": ").next().unwrap_or_default().trim()
}

/// What the program calls that function: `f`.
pub(super) fn plain_function_of(name: &str) -> &str {
    let own = function_of(name).trim_start_matches("__inference_");
    match own.rsplit_once('_') {
        Some((plain, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            plain
        }
        _ => own,
    }
}
