//! The idle time of a GPU that is not its host's: after the call that launched its next kernel has returned, or where that call was not
//! recorded.
//!
//! Every launch takes some microseconds from the call's return to the kernel's start. What lies within twice the median of that is this latency,
//! if the median is one at all ([`MOST_LATENCY`]).

use crate::base::units::Nanos;
use crate::{OpId, Trace};

/// A launch takes at most this long to reach an idle GPU: 2 to 30 µs are measured on CUDA and ROCm.
pub(crate) const MOST_LATENCY: Nanos = Nanos(50_000);

/// Between two nodes of a graph that follow one another a GPU is idle for some microseconds.
const MOST_BETWEEN: Nanos = Nanos(100_000);

/// Why a GPU is idle though its host has launched what comes next, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LaunchedPart {
    /// From the return of a launch to its start, as every launch takes.
    Latency = 0,
    /// Before a kernel of a graph that was launched as one.
    Graph = 1,
    /// Longer: for another stream, or for what was not recorded.
    Other = 2,
    /// The call that launched what comes next was not recorded.
    Unrecorded = 3,
    /// Before a part of a graph, longer than a launch takes to reach an idle GPU: nodes of the graph were not recorded, or ran on the host.
    Hole = 4,
}

impl LaunchedPart {
    /// All parts.
    pub const ALL: [Self; 5] = [Self::Latency, Self::Graph, Self::Other, Self::Unrecorded, Self::Hole];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Graph => "graph",
            Self::Other => "other",
            Self::Unrecorded => "unrecorded",
            Self::Hole => "hole",
        }
    }
}

/// The idle times of one GPU after launches, while they are gathered.
#[derive(Default)]
pub(super) struct LaunchedIdle {
    after: Vec<Nanos>,
    graph: Nanos,
    holes: Nanos,
    unrecorded: Nanos,
    longest: Option<(Nanos, OpId)>,
}

impl LaunchedIdle {
    /// Adds the idle `time` before `kernel`, after the call that launched it has returned.
    pub(super) fn add(&mut self, trace: &Trace, kernel: OpId, time: Nanos) {
        if time <= Nanos(0) {
            return;
        }
        self.note(kernel, time);
        match trace.call_of(kernel).is_some_and(|call| trace.op_type(call).contains("GraphLaunch")) {
            true if time > MOST_BETWEEN => self.holes += time,
            true => self.graph += time,
            false => self.after.push(time),
        }
    }

    /// Adds the idle `time` before `work` whose launch was not recorded.
    pub(super) fn add_unrecorded(&mut self, work: OpId, time: Nanos) {
        self.note(work, time);
        self.unrecorded += time;
    }

    fn note(&mut self, op: OpId, time: Nanos) {
        if self.longest.is_none_or(|(longest, _)| time > longest) {
            self.longest = Some((time, op));
        }
    }

    /// What came after the longest of these times.
    pub(super) fn longest(&self) -> Option<OpId> {
        self.longest.map(|(_, op)| op)
    }

    /// The times of [`LaunchedPart::ALL`].
    pub(super) fn parts(mut self) -> [Nanos; LaunchedPart::ALL.len()] {
        let (mut latency, mut other) = (Nanos(0), Nanos(0));
        let middle = self.after.len() / 2;
        if !self.after.is_empty() {
            let median = *self.after.select_nth_unstable(middle).1;
            let most = MOST_LATENCY.min(median + median);
            for time in self.after {
                *(if time <= most { &mut latency } else { &mut other }) += time;
            }
        }
        [latency, self.graph, other, self.unrecorded, self.holes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_launch_takes_is_latency() {
        let parts = |after: &[i64]| {
            let after = after.iter().map(|&time| Nanos(time)).collect();
            LaunchedIdle { after, ..LaunchedIdle::default() }.parts().map(|own| own.0)
        };
        assert_eq!(parts(&[17_000, 19_000, 22_000, 400_000]), [58_000, 0, 400_000, 0, 0]);
        // Kernels that wait for another stream each time do not make a latency of that.
        assert_eq!(parts(&[900_000, 1_000_000, 1_100_000]), [0, 0, 3_000_000, 0, 0]);
        assert_eq!(parts(&[]), [0; 5]);
    }
}
