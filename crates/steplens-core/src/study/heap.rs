//! How much memory a study takes.

use super::Study;
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::Causes;
use crate::clocks::Clocks;
use crate::dataflow::DataFlow;
use crate::gpu::kernels::Kernels;
use crate::host_profile::HostProfile;
use crate::makers::variables::Variables;
use crate::marks::MarkIndex;
use crate::marks::flags::ThreadLanes;
use crate::memory::Memory;
use crate::memory::reads::Reads;
use crate::scheduling::Scheduling;
use crate::storage::shared::shared_bytes;
use crate::timeline::coverage::Coverage;
use crate::timeline::in_flight::InFlight;
use crate::timeline::lanes::Lanes;
use crate::timeline::nesting::Piece;
use crate::transfer_times::TransferTimes;
use crate::transfer_times::handed_over::HandedOver;
use crate::transfers::Transfers;
use crate::transfers::traffic::Traffic;
use crate::work::Works;
use crate::{OpId, Trace};
use std::cell::OnceCell;
use std::sync::Arc;

impl Study {
    /// Heap memory in use, in bytes: by results that were computed so far, and by the trace, which other studies may share; but not
    /// by the view.
    pub fn heap_bytes(&self) -> usize {
        let in_flight = self.in_flight.iter().filter_map(OnceCell::get).map(InFlight::heap_bytes);
        // Copies share their data.
        let coverages: Vec<&Vec<Coverage>> =
            [&self.coverage, &self.bar].into_iter().filter_map(OnceCell::get).collect();
        let lists = coverages.iter().map(|list| list.capacity() * size_of::<Coverage>()).sum::<usize>();
        let mut counted: Vec<&Coverage> =
            coverages.into_iter().flatten().chain(self.together.get()).collect();
        order::by_number(&mut counted, |part| (part.address() as i64, 0));
        counted.dedup_by_key(|part| part.address());
        let coverages = lists + counted.iter().map(|part| part.heap_bytes()).sum::<usize>();
        let pieces = self.pieces.iter().filter_map(OnceCell::get);
        let pieces = pieces.map(|part| part.capacity() * size_of::<Piece>());
        let self_times = self.self_times.iter().filter_map(OnceCell::get);
        let self_times = self_times.map(|part| part.capacity() * size_of::<Nanos>());
        shared_bytes::<Trace>()
            + self.trace.heap_bytes()
            + self.called.capacity() * size_of::<Option<i64>>()
            + self.is_touched.capacity()
            + self.old_op.as_ref().map_or(0, |old_op| old_op.capacity() * size_of::<OpId>())
            + self.lanes.get().map_or(0, Lanes::heap_bytes)
            + self.thread_lanes.get().map_or(0, ThreadLanes::heap_bytes)
            + self.marks.get().map_or(0, MarkIndex::heap_bytes)
            + self.colors.heap_bytes()
            + self.flow.get().map_or(0, |flow| shared_bytes::<DataFlow>() + flow.heap_bytes())
            + self.transfers.get().map_or(0, Transfers::heap_bytes)
            + self.transfer_times.get().map_or(0, TransferTimes::heap_bytes)
            + self.variables.get().map_or(0, Variables::heap_bytes)
            + self.kernels.get().map_or(0, Kernels::heap_bytes)
            + self.works.get().map_or(0, Works::heap_bytes)
            + coverages
            + self.pieces.capacity() * size_of::<OnceCell<Vec<Piece>>>()
            + pieces.sum::<usize>()
            + self.self_times.capacity() * size_of::<OnceCell<Vec<Nanos>>>()
            + self_times.sum::<usize>()
            + self.in_flight.capacity() * size_of::<OnceCell<InFlight>>()
            + in_flight.sum::<usize>()
            + self.traffic.get().map_or(0, Traffic::heap_bytes)
            + self.reads.get().map_or(0, Reads::heap_bytes)
            + self.memory.iter().filter_map(OnceCell::get).map(Memory::heap_bytes).sum::<usize>()
            + self.causes.get().map_or(0, Causes::heap_bytes)
            + self.scheduling.get().map_or(0, Scheduling::heap_bytes)
            + self.host_profile.get().map_or(0, HostProfile::heap_bytes)
            + self.handed_over.get().map_or(0, HandedOver::heap_bytes)
            + self.own_clocks().map_or(0, |clocks| shared_bytes::<Clocks>() + clocks.heap_bytes())
    }

    /// The clocks, unless they are those of the view.
    fn own_clocks(&self) -> Option<&Arc<Clocks>> {
        self.clocks.get()?.as_ref().filter(|_| self.view.clocks.is_none())
    }
}
