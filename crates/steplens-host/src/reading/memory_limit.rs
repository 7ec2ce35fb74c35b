//! How much memory ops may take where the user does not say: so much that the program, with its analyses, keeps to half of what the machine has.

use crate::options::Reading;
use steplens_formats::Limits;

/// What the ops of all traces may take together is the memory of the machine, divided by this: `findings` of 1.2 million ops held 6.8 times as much as they were
/// allowed at its peak (`findings --memory 50`), and other commands of recorded traces hold less.
const FOR_OPS: usize = 16;
/// Limits smaller than that would leave out most of any trace, and the program itself takes as much.
const LEAST_BYTES: usize = 8 << 20;

/// The limits for a trace: what the user `asked` for, in MiB, or its share if `traces` are in memory at once.
pub fn limits(asked: Option<usize>, traces: usize) -> Limits {
    let memory_bytes = match asked {
        Some(mebibytes) => mebibytes.saturating_mul(1 << 20),
        None => share(there_is(), traces),
    };
    Limits { memory_bytes }
}

/// Two traces are going to be in memory at once, each read as `reading` says: they share what one may take.
pub fn share_of_two(reading: &mut Reading) {
    reading.memory = reading.memory.or_else(|| Some(limits(None, 2).memory_bytes >> 20));
}

fn share(bytes: Option<usize>, traces: usize) -> usize {
    match bytes {
        Some(bytes) => (bytes / FOR_OPS / traces.max(1)).max(LEAST_BYTES),
        None => Limits::default().memory_bytes,
    }
}

/// The memory of this machine, of the container that limits it, or what a limit of the process leaves of it (`ulimit -v`), in bytes; `None` where
/// the system does not say.
fn there_is() -> Option<usize> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let bytes = system.total_memory().min(container).min(process_bytes().unwrap_or(u64::MAX));
    usize::try_from(bytes).ok().filter(|&bytes| bytes > 0)
}

#[cfg(target_os = "linux")]
fn process_bytes() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    [Resource::As, Resource::Data].into_iter().filter_map(|which| getrlimit(which).current).min()
}

#[cfg(not(target_os = "linux"))]
fn process_bytes() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_keeps_to_half_of_the_machine() {
        let gib = 1 << 30;
        assert_eq!(share(Some(16 * gib), 1), gib);
        assert_eq!(share(Some(16 * gib), 2), gib / 2);
        assert_eq!(share(Some(16 * gib), 0), gib);
        assert_eq!(share(Some(1 << 20), 3), LEAST_BYTES);
        assert_eq!(share(None, 1), Limits::default().memory_bytes);
        assert_eq!(limits(Some(50), 2).memory_bytes, 50 << 20);
        assert_eq!(limits(Some(usize::MAX), 1).memory_bytes, usize::MAX);
        // The ops of a trace get a share of the memory of this machine.
        let there = there_is().unwrap_or_default();
        assert_eq!(limits(None, 1).memory_bytes, (there / FOR_OPS).max(LEAST_BYTES));
        assert!(there > 64 << 20, "{there}");
    }
}
