//! Lines to devices, and which lines only repeat what others of their plane hold.

/// What a line of a device's plane holds. Those of the lowest kind that is there are work; the others say again, coarser,
/// where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineKind {
    /// What a stream of a GPU did: `Stream #13(Compute)`.
    Stream,
    /// The instructions of XLA's programs: on a TPU the work itself, on a GPU made from its kernels.
    XlaOps,
    /// The framework's ops, made from instructions or kernels.
    FrameworkOps,
    /// XLA's programs.
    Modules,
    /// Steps, name scopes, source lines, counts of launches: never work.
    Summary,
    /// Any other line.
    Other,
}

impl LineKind {
    /// The kind that a line's name tells.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "XLA Ops" | "Async XLA Ops" | "Sparse Core Ops" => Self::XlaOps,
            "Framework Ops" | "TensorFlow Ops" => Self::FrameworkOps,
            "XLA Modules" | "Sparse Core Modules" => Self::Modules,
            STEPS
            | "Sparse Core Steps"
            | "Framework Name Scope"
            | "TensorFlow Name Scope"
            | "Source code"
            | "Source"
            | "Launch Stats"
            | "_counters_" => Self::Summary,
            _ if name.starts_with("Stream #") => Self::Stream,
            _ => Self::Other,
        }
    }
}

/// The line that says when steps ran on a device.
pub(super) const STEPS: &str = "Steps";

/// Which of a device's lines are work: those of the lowest kind among `kinds`, and those that are not known.
pub(super) fn work_of(kinds: impl Iterator<Item = LineKind>) -> impl Fn(LineKind) -> bool {
    let work = kinds.min().unwrap_or(LineKind::Other);
    move |kind| kind == LineKind::Other || (kind == work && kind != LineKind::Summary)
}

/// Whether a plane is a device, whose lines may repeat one another. The lines of a host are its threads.
pub(super) fn is_device(plane: &str) -> bool {
    plane.starts_with("/device:")
}

/// The device that a line of `plane` is of, as TensorFlow names it where a step's stats hold GPUs.
pub(super) fn device_of(plane: &str, kind: LineKind, line: i64) -> String {
    match kind {
        LineKind::Stream => format!("{plane}/stream:{line}"),
        _ => plane.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_finest_lines_are_work() {
        let work = |names: &[&str]| -> Vec<bool> {
            let kinds = names.iter().map(|name| LineKind::of(name));
            let is_work = work_of(kinds.clone());
            kinds.map(is_work).collect()
        };
        let gpu = ["Steps", "XLA Modules", "Framework Ops", "XLA Ops", "Stream #13(Compute)", "Source code"];
        assert_eq!(work(&gpu), [false, false, false, false, true, false]);
        let tpu =
            ["Steps", "XLA Modules", "XLA Ops", "Async XLA Ops", "XLA TraceMe", "TensorFlow Name Scope"];
        assert_eq!(work(&tpu), [false, false, true, true, true, false]);
        assert_eq!(work(&["TensorFlow Ops", "XLA Modules"]), [true, false]);
        assert_eq!(work(&["Steps", "XLA Modules"]), [false, true]);
        assert_eq!(work(&["Steps", "anything"]), [false, true]);
        assert_eq!(work(&["Steps"]), [false]);
    }

    #[test]
    fn streams_are_devices_of_their_own() {
        assert_eq!(device_of("/device:GPU:0", LineKind::Stream, 13), "/device:GPU:0/stream:13");
        assert_eq!(device_of("/device:TPU:1", LineKind::XlaOps, 3), "/device:TPU:1");
    }
}
