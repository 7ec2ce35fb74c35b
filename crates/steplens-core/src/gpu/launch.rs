//! How a kernel was launched: grid, block, registers, shared memory and occupancy, as the profiler recorded them.
//!
//! PyTorch has an argument for each. TensorFlow and JAX write them into one text, `kernel_details` or the beginning of a stream's
//! label: `regs:32 static_shared:0 dynamic_shared:0 grid:1,1,1 block:256,1,1 occ_pct:100`.

use crate::model::arguments::Noun;
use crate::{OpId, Trace};

/// No GPU has more registers for a thread (NVIDIA 255, AMD 512). ROCm's profilers of JAX before 2025 wrote uninitialized memory here.
const MOST_REGISTERS: u64 = 1_024;

/// How a kernel was launched. What was not recorded is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Launch {
    /// Blocks in each dimension, as recorded: ROCm's profilers count threads.
    pub grid: Option<[u64; 3]>,
    /// Threads of a block in each dimension.
    pub block: Option<[u64; 3]>,
    /// Registers of each thread.
    pub registers: Option<u64>,
    /// Shared memory of each block, in bytes: static and dynamic.
    pub shared_bytes: Option<u64>,
    /// In percent: PyTorch's estimate of what was achieved, elsewhere what is possible.
    pub occupancy: Option<f64>,
}

impl Launch {
    /// How `kernel` was launched.
    pub fn of(trace: &Trace, kernel: OpId) -> Self {
        let mut launch = Self::default();
        let mut has_details = false;
        for argument in trace.arguments().of(kernel) {
            let shown = || argument.value.shown();
            match Noun::of(argument.name) {
                Some(Noun::Grid) => launch.grid = extent(&shown()),
                Some(Noun::Block) => launch.block = extent(&shown()),
                Some(Noun::Registers) => launch.registers = argument.value.count(),
                Some(Noun::SharedMemory) => launch.shared_bytes = argument.value.count(),
                // What is possible is never 0: then it was not computed. What was achieved is 0 if that is rounded.
                Some(Noun::Occupancy) => {
                    let is_known = |own: &f64| *own > 0.0 || !argument.name.starts_with("theoretical");
                    launch.occupancy = percent(&shown()).filter(is_known);
                }
                Some(Noun::Launch) => {
                    launch.read(&shown());
                    has_details = true;
                }
                _ => {}
            }
        }
        if launch == Self::default() && !has_details {
            launch.read(details_of(trace.text(trace.nodes().label(trace.ops().node(kernel)))));
        }
        launch.without_impossible()
    }

    /// Reads words `KEY:VALUE`.
    fn read(&mut self, details: &str) {
        let mut shared = None;
        for (key, value) in details.split_whitespace().filter_map(|word| word.split_once(':')) {
            match key {
                "regs" => self.registers = value.parse().ok(),
                "static_shared" | "dynamic_shared" | "shm" | "group_mem" => {
                    let bytes = value.parse::<u64>().ok();
                    shared = bytes.map(|bytes| bytes.saturating_add(shared.unwrap_or(0))).or(shared);
                }
                "grid" => self.grid = extent(value),
                "block" => self.block = extent(value),
                "occ_pct" => self.occupancy = self.occupancy.or(percent(value).filter(|&own| own > 0.0)),
                _ => {}
            }
        }
        self.shared_bytes = self.shared_bytes.or(shared);
    }

    /// The same without figures that no GPU allows. Where registers are one, shared memory next to them is from the same place.
    fn without_impossible(mut self) -> Self {
        if self.registers.is_some_and(|own| own > MOST_REGISTERS) {
            (self.registers, self.shared_bytes) = (None, None);
        }
        self
    }
}

/// The details at the beginning of a label: `DETAILS@@NAME:OP#`, or `[DETAILS] = OP()`.
fn details_of(label: &str) -> &str {
    let before = label.split_once("@@").map(|(details, _)| details);
    let within = || label.strip_prefix('[')?.split_once(']').map(|(details, _)| details);
    before.or_else(within).unwrap_or_default()
}

/// `[2400, 1, 1]` or `2400,1,1`.
fn extent(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.trim_matches(['[', ']']).split(',').map(|part| part.trim().parse().ok());
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}

/// A share in percent, from 0 to 100.
fn percent(text: &str) -> Option<f64> {
    text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(details: &str) -> Launch {
        let mut launch = Launch::default();
        launch.read(details);
        launch.without_impossible()
    }

    #[test]
    fn details_of_every_writer() {
        let cuda = "regs:32 static_shared:16 dynamic_shared:400 grid:8,16,5 block:128,1,1 occ_pct:62.5";
        let whole = Launch {
            grid: Some([8, 16, 5]),
            block: Some([128, 1, 1]),
            registers: Some(32),
            shared_bytes: Some(416),
            occupancy: Some(62.5),
        };
        assert_eq!(read(cuda), whole);
        assert_eq!(read("regs:32 shm:416 grid:8,16,5 block:128,1,1"), Launch { occupancy: None, ..whole });
        let rocm = " grid:1,1,1 block:512,1,1 private_mem:0 group_mem:0 occ_pct:0";
        let (grid, block) = (Some([1, 1, 1]), Some([512, 1, 1]));
        assert_eq!(read(rocm), Launch { grid, block, shared_bytes: Some(0), ..Launch::default() });
        let of_label = details_of("regs:8 grid:1,1,1@@net/MatMul:MatMul#");
        assert_eq!(
            [of_label, details_of("[regs:8] = a()"), details_of("a = B(c)")],
            ["regs:8 grid:1,1,1", "regs:8", ""]
        );
    }

    #[test]
    fn what_no_gpu_allows_is_not_known() {
        // Written by ROCm's profiler of JAX: the halves of a pointer.
        let garbage = read(
            "regs:2191500840 static_shared:32462 dynamic_shared:0 grid:1280,1,1 block:256,1,1 occ_pct:0",
        );
        let (grid, block) = (Some([1_280, 1, 1]), Some([256, 1, 1]));
        assert_eq!(garbage, Launch { grid, block, ..Launch::default() });
        for odd in [
            "grid:1,1",
            "grid:1,1,1,1",
            "grid:-1,1,1",
            "grid:",
            "regs:x",
            "occ_pct:101",
            "occ_pct:NaN",
            ":",
            "grid",
        ] {
            assert_eq!(read(odd), Launch::default(), "{odd}");
        }
        assert_eq!(read("static_shared:18446744073709551615 dynamic_shared:1").shared_bytes, Some(u64::MAX));
    }
}
