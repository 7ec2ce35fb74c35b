//! Lines of devices, as TensorFlow's and JAX's profiler names them in XSpaces and Chrome traces: what they contain, and which of
//! them only repeat others.

use steplens_core::{Category, Says};
use steplens_messages::say;

/// The content of a line of a device. Lines of the lowest kind that exists are work; the others repeat, in less detail, where the
/// time went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LineKind {
    /// The kernels and copies of a stream of a GPU: `Stream #13(Compute)`.
    Stream,
    /// The instructions of XLA's programs: on a TPU the work itself, on a GPU derived from its kernels.
    XlaOps,
    /// The framework's ops, derived from instructions or kernels.
    FrameworkOps,
    /// XLA's programs.
    Modules,
    /// Steps, name scopes, source lines, counts of launches, asynchronous instructions: never work.
    Summary,
    /// Any other line.
    Other,
}

impl LineKind {
    /// The kind by the line's name.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "XLA Ops" | "Sparse Core Ops" => Self::XlaOps,
            "Framework Ops" | "TensorFlow Ops" => Self::FrameworkOps,
            "XLA Modules" | "Sparse Core Modules" => Self::Modules,
            STEPS
            | "Async XLA Ops"
            | "XLA TraceMe"
            | "Sparse Core Steps"
            | "Framework Name Scope"
            | "TensorFlow Name Scope"
            | "XLA Async Ops"
            | "Source code"
            | "Source"
            | "Launch Stats"
            | "_counters_" => Self::Summary,
            _ if name.starts_with("Stream #") => Self::Stream,
            _ => Self::Other,
        }
    }

    /// What the name of the line says about its events, and the name as users know it.
    pub(crate) fn says(self, is_work: bool) -> (&'static str, Says) {
        let name = match self {
            Self::Stream => "Stream #",
            Self::XlaOps => "XLA Ops",
            Self::FrameworkOps => "Framework Ops",
            Self::Modules => "XLA Modules",
            Self::Summary => say!("hint-summary-line"),
            Self::Other => say!("hint-device-line"),
        };
        let says = match self {
            _ if !is_work => Says::Is(Category::Range),
            Self::Stream => Says::Stream,
            Self::XlaOps => Says::Instruction,
            _ => Says::Event,
        };
        (name, says)
    }
}

/// The line with the times of steps on a device.
pub(crate) const STEPS: &str = "Steps";

/// Which of a device's lines are work: those of the lowest kind in `kinds`, and those of unknown kinds.
pub(crate) fn work_of(kinds: impl Iterator<Item = LineKind>) -> impl Fn(LineKind) -> bool {
    let work = kinds.min().unwrap_or(LineKind::Other);
    move |kind| kind == LineKind::Other || (kind == work && kind != LineKind::Summary)
}

/// Whether a plane or a process is a device, whose lines may repeat one another. The lines of a host are its threads.
pub(crate) fn is_device(name: &str) -> bool {
    name.starts_with("/device:") && !is_custom(name)
}

/// Whether a plane or a process is one that a part of the framework filled by itself: no device, whatever its name begins with. XProf calls
/// them custom planes (`kCustomPlanePrefix`).
pub(crate) fn is_custom(name: &str) -> bool {
    name.starts_with("/device:CUSTOM:")
}

/// Whether it has the transfers between slices of TPUs, over the network of their data centre.
pub(crate) fn is_megascale(name: &str) -> bool {
    is_custom(name) && name.contains("Megascale")
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
        assert_eq!(work(&tpu), [false, false, true, false, false, false]);
        assert_eq!(work(&["TensorFlow Ops", "XLA Modules"]), [true, false]);
        assert_eq!(work(&["Steps", "XLA Modules"]), [false, true]);
        assert_eq!(work(&["Steps", "anything"]), [false, true]);
        assert_eq!(work(&["Steps"]), [false]);
    }
}
