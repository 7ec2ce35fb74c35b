//! Collectives: each participant ends a while after the last one has arrived.
//!
//! Of a collective whose other participants are not known (the file of one rank), the op is one of its stream like others.
//!
//! The length of a participant's op in the recording is mostly waiting for the others. In a replay only the time from the last
//! arrival to its own end is its length; the waiting follows from when the others arrive.

use super::timing::{Place, Timing};
use crate::causality::graph::ExecutionGraph;
use crate::{OpId, Study};

/// The collectives whose participants are known.
#[derive(Default)]
pub(super) struct Together {
    /// The number of participants of each.
    pub(super) participants: Vec<u32>,
    /// The ops of collectives whose other participants are not known, in order: they are ops of their stream like others.
    alone: Vec<OpId>,
}

impl Together {
    /// Finds the collectives. Sets place and length of the nodes of their participants.
    pub(super) fn of(
        study: &Study,
        graph: &ExecutionGraph,
        timing: &mut Timing,
        place: &mut [Place],
    ) -> Self {
        let collectives = study.collectives();
        let mut together = Self::default();
        for collective in &collectives.rows {
            let participants = &collectives.participants[collective.participants.clone()];
            if collective.last.is_none() {
                together.alone.extend(participants.iter().map(|own| own.op));
                continue;
            }
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
        together.alone.sort_unstable();
        together
    }

    /// Whether `op` is of a collective whose other participants are not known.
    pub(super) fn is_alone(&self, op: OpId) -> bool {
        self.alone.binary_search(&op).is_ok()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.participants.capacity() * size_of::<u32>() + self.alone.capacity() * size_of::<OpId>()
    }
}

fn end_after(timing: &Timing, node: usize, arrived: i64) -> i64 {
    timing.end(node) - arrived
}
