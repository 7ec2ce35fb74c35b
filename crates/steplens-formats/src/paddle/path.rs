//! What an event is inside of: its name is the path of the events that were open on its thread, such as `while/mul/compute`.

/// Control flow: operators that only run the operators of another block.
const CONTROL_FLOW: [&str; 8] = [
    "while",
    "while_grad",
    "conditional_block",
    "conditional_block_grad",
    "recurrent",
    "recurrent_grad",
    "run_program",
    "run_program_grad",
];

/// The parts of an event's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathParts<'a> {
    /// The path of the op that has the event's time; its own path if it is an op itself; `None` for an executor.
    pub(super) op: Option<&'a str>,
    /// The name of that op: `mul`; the whole path for an executor.
    pub(super) name: &'a str,
    /// The kind of the event: `mul`, `mul/compute`.
    pub(super) kind: &'a str,
}

impl PathParts<'_> {
    /// Whether another op, or none, has the time of the event at `path`.
    pub(super) fn is_inner(&self, path: &str) -> bool {
        self.op.is_none_or(|op| op.len() < path.len())
    }
}

/// Reads `path`. `is_event` says whether a beginning of the path is an event, too; otherwise its slash is part of a name.
///
/// The first event of a path that is neither an executor nor control flow is its op.
pub(super) fn place(path: &str, is_event: impl Fn(&str) -> bool) -> PathParts<'_> {
    let mut start = 0;
    let mut is_in_executor = false;
    let slashes = path.match_indices('/').map(|(at, _)| at);
    for end in slashes.filter(|&at| is_event(&path[..at])).chain([path.len()]) {
        let own = &path[start..end];
        let is_executor = own.contains("Executor") || own.contains("Interpreter");
        if !(is_executor
            || (is_in_executor && is_numbered(own))
            || is_block(own)
            || CONTROL_FLOW.contains(&own))
        {
            return PathParts { op: Some(&path[..end]), name: own, kind: &path[start..] };
        }
        is_in_executor |= is_executor;
        start = end + 1;
    }
    PathParts { op: None, name: path, kind: path }
}

/// Whether `name` is what an executor runs: `default-0`.
fn is_numbered(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(_, number)| is_number(number))
}

/// Whether `name` is a whole block: `block_0`.
fn is_block(name: &str) -> bool {
    name.strip_prefix("block_").is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_belong_to_ops_and_executors_to_none() {
        let all = |_: &str| true;
        let of = |path| {
            let place = place(path, all);
            (place.op, place.kind, place.is_inner(path))
        };
        assert_eq!(of("adam"), (Some("adam"), "adam", false));
        assert_eq!(of("adam/compute"), (Some("adam"), "adam/compute", true));
        assert_eq!(of("while/mul"), (Some("while/mul"), "mul", false));
        assert_eq!(of("while/mul/compute"), (Some("while/mul"), "mul/compute", true));
        assert_eq!(of("StandaloneExecutor::run"), (None, "StandaloneExecutor::run", true));
        assert_eq!(of("StandaloneExecutor::run/default-0").0, None);
        assert_eq!(of("ParallelExecutor::Run/mul"), (Some("ParallelExecutor::Run/mul"), "mul", false));
        assert_eq!(place("while/mul/compute", all).name, "mul");
        assert_eq!([of("block_0").0, of("block_x").0], [None, Some("block_x")]);
        assert_eq!(of("top-1"), (Some("top-1"), "top-1", false));
        assert_eq!(of("").0, Some(""));
        // A name with a slash that is not a path of events.
        let place = place("train/step", |_| false);
        assert_eq!((place.op, place.is_inner("train/step")), (Some("train/step"), false));
    }
}
