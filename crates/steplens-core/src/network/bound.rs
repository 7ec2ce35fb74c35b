//! Ranks that collectives bind together: all of them end a step at nearly one time, so its end says nothing of who is slow. Who came last to the
//! collectives does.

use crate::base::units::{Nanos, Timestamp};
use crate::causality::observed::Observed;
use crate::collectives::{Collectives, Participant};
use crate::gpu::kernels::has_kernels;
use crate::{DeviceId, OpId, Study};

/// The collectives in which ranks wait for each other.
pub(super) struct Bound {
    /// Each collective by its step and the unit that came last, with how long the others waited and its row; in order.
    rows: Vec<((usize, u32), (Nanos, usize))>,
    collectives: Collectives,
    unit_of_device: Vec<Option<u32>>,
}

impl Bound {
    pub(super) fn found(study: &Study, unit_of_device: &[Option<u32>]) -> Self {
        let trace = study.trace();
        let collectives = study.collectives();
        let is_rank = |device: DeviceId| trace.devices().get(device).nests || has_kernels(trace, device);
        let mut rows = Vec::new();
        for (at, own) in collectives.rows.iter().enumerate() {
            let Some((op, _)) = own.last.filter(|_| own.waiting > Nanos(0)) else { continue };
            let arrived = trace.ops().start(op);
            let participants = &collectives.participants[own.participants.clone()];
            let waits = |own: &Participant| is_rank(own.device) && trace.ops().end(own.op) > arrived;
            if participants.iter().all(waits)
                && let Some(unit) = unit_of_device[trace.device_of(op).index()]
            {
                rows.push(((own.step, unit), (own.waiting, at)));
            }
        }
        rows.sort_unstable_by_key(|&(key, (_, at))| (key, at));
        Self { rows, collectives, unit_of_device: unit_of_device.to_vec() }
    }

    /// The collective in which the others waited longest for the one of `peers`, each a step and a unit, for which they waited most.
    pub(super) fn longest(&self, peers: impl Iterator<Item = (usize, u32)>) -> Option<usize> {
        let of_peer = |key: (usize, u32)| {
            let first = self.rows.partition_point(|row| row.0 < key);
            let count = self.rows[first..].partition_point(|row| row.0 == key);
            let rows = &self.rows[first..first + count];
            let all = rows.iter().fold(Nanos(0), |sum, row| sum + row.1.0);
            let longest = rows.iter().max_by_key(|row| (row.1.0, std::cmp::Reverse(row.1.1)))?;
            Some((all, longest.1.1))
        };
        let most = peers.filter_map(of_peer).max_by_key(|&(all, at)| (all, std::cmp::Reverse(at)))?;
        Some(most.1)
    }

    /// When each unit came to the collective in row `at`, and the op that it had waited for before; in order of the units.
    pub(super) fn arrivals(&self, study: &Study, at: usize) -> Vec<(u32, OpId, Timestamp)> {
        let own = &self.collectives.rows[at];
        let graph = &study.causes().graph;
        let before = |op: OpId| {
            let from = Observed::path_before_start(study.edges(), graph, graph.nodes.of_op(op)?)?;
            Some(graph.nodes.op(from))
                .filter(|&from| study.trace().device_of(from) == study.trace().device_of(op))
        };
        let participants = self.collectives.participants[own.participants.clone()].iter();
        let arrival = |own: &Participant| {
            let unit = self.unit_of_device[own.device.index()]?;
            Some((unit, before(own.op).unwrap_or(own.op), study.trace().ops().start(own.op)))
        };
        let mut found: Vec<(u32, OpId, Timestamp)> = participants.filter_map(arrival).collect();
        found.sort_by_key(|&(unit, ..)| unit);
        found.dedup_by_key(|own| own.0);
        found
    }
}
