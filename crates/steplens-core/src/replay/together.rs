//! Collectives: each participant ends a while after the last one has arrived.
//!
//! The length of a participant's op in the recording is mostly waiting for the others. In a replay only the time from the last
//! arrival to its own end is its length; the waiting follows from when the others arrive.

use super::timing::{Place, Timing};
use crate::Study;
use crate::causality::graph::ExecutionGraph;
use crate::network::collectives::Collectives;
use crate::study::step_of_op::StepOfOp;

/// The collectives whose participants are known.
#[derive(Default)]
pub(super) struct Together {
    /// The number of participants of each.
    pub(super) participants: Vec<u32>,
}

impl Together {
    /// Finds the collectives. Sets place and length of the nodes of their participants.
    pub(super) fn of(
        study: &Study,
        graph: &ExecutionGraph,
        timing: &mut Timing,
        place: &mut [Place],
    ) -> Self {
        let collectives = Collectives::matched(study, &StepOfOp::indexed(study));
        let mut together = Self::default();
        for collective in collectives.rows.iter().filter(|collective| collective.last.is_some()) {
            let participants = &collectives.participants[collective.participants.clone()];
            let nodes: Option<Vec<usize>> =
                participants.iter().map(|own| graph.nodes.of_op(own.op).map(|node| node as usize)).collect();
            let Some(nodes) = nodes else { continue };
            let end = |node: usize| timing.end(node);
            let Some(arrived) = nodes.iter().map(|&node| timing.start[node]).max() else { continue };
            // Who ends before the last one has arrived did not wait for it: then these ops do not belong together.
            let all_wait = nodes.iter().all(|&node| end(node) > arrived && place[node] == Place::Own);
            if !all_wait {
                continue;
            }
            let row = together.participants.len() as u32;
            together.participants.push(nodes.len() as u32);
            for node in nodes {
                timing.length[node] = end_after(timing, node, arrived);
                place[node] = Place::Collective(row);
            }
        }
        together
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.participants.capacity() * size_of::<u32>()
    }
}

fn end_after(timing: &Timing, node: usize, arrived: i64) -> i64 {
    timing.end(node) - arrived
}
