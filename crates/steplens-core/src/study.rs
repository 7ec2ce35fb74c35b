//! A study: a trace with the results that every view of it starts from.

use crate::analysis::coverage::Coverage;
use crate::analysis::dataflow::DataFlow;
use crate::analysis::edges::Edges;
use crate::analysis::grouping::Arrangement;
use crate::analysis::in_flight::InFlight;
use crate::analysis::kernels::Kernels;
use crate::analysis::lanes::Lanes;
use crate::analysis::links::Route;
use crate::analysis::makers::Makers;
use crate::analysis::marks::MarkIndex;
use crate::analysis::split::Split;
use crate::analysis::traffic::Traffic;
use crate::analysis::transfer_times::{Times, TransferTimes};
use crate::analysis::transfers::Transfers;
use crate::analysis::variables::{Variable, Variables};
use crate::ids::TransferId;
use crate::units::Interval;
use crate::view::Seen;
use crate::{DeviceId, OpId, Trace, View};
use std::cell::OnceCell;
use std::sync::Arc;

/// One trace, analysed once.
pub struct Study {
    /// The trace: what the view shows.
    pub trace: Arc<Trace>,
    /// What of the opened trace it is.
    pub view: View,
    /// How many steps the opened trace has.
    pub steps: usize,
    /// By device: whether a repair touched figures of it.
    pub is_touched: Vec<bool>,
    /// What each op was in the opened trace; `None` where it is the same.
    pub old_op: Option<Vec<OpId>>,
    /// Its lanes.
    pub lanes: Lanes,
    /// What to draw of it.
    pub marks: MarkIndex,
    /// Who made and used what.
    pub flow: DataFlow,
    /// What went between devices.
    pub transfers: Transfers,
    /// When, once that was asked.
    transfer_times: OnceCell<TransferTimes>,
    /// The variable of each, once that was asked.
    variables: OnceCell<Variables>,
    /// What GPUs ran for which op.
    pub kernels: Kernels,
    /// What each device did when, by device.
    pub coverage: Vec<Coverage>,
    /// What all devices together did when: at every moment the step computes if any device computes.
    pub together: Coverage,
    /// How many ops of each device run at once, once that was asked.
    in_flight: Vec<OnceCell<InFlight>>,
    /// What is on the wire when, once that was asked.
    traffic: OnceCell<Traffic>,
}

impl Study {
    /// Analyses `trace`, in time n log n.
    pub fn of(trace: impl Into<Arc<Trace>>) -> Self {
        Self::of_view(&trace.into(), View::default())
    }

    /// Analyses what `view` shows of `whole`.
    pub fn of_view(whole: &Arc<Trace>, view: View) -> Self {
        let Seen { trace, steps, is_touched, old_op } = view.of(whole);
        let lanes = Lanes::of(&trace);
        let marks = MarkIndex::of(&trace, &lanes);
        let flow = DataFlow::of(&trace, view.rule);
        let transfers = Transfers::of(&trace, &flow);
        let kernels = Kernels::of(&trace);
        let coverage: Vec<_> =
            trace.devices().ids().map(|device| Coverage::of_device(&trace, device)).collect();
        let together = Coverage::together(&coverage);
        let in_flight = trace.devices().ids().map(|_| OnceCell::new()).collect();
        Self {
            trace,
            view,
            steps,
            is_touched,
            old_op,
            lanes,
            marks,
            flow,
            transfers,
            transfer_times: OnceCell::new(),
            variables: OnceCell::new(),
            kernels,
            coverage,
            together,
            in_flight,
            traffic: OnceCell::new(),
        }
    }

    /// Arranges the lanes of every device anew; lanes have other ids from then on.
    pub fn arrange(&mut self, by: Arrangement) {
        // The old ones go first, so that both are never in memory.
        (self.lanes, self.marks) = (Lanes::default(), MarkIndex::default());
        self.lanes = Lanes::arranged(&self.trace, by);
        self.marks = MarkIndex::of(&self.trace, &self.lanes);
    }

    /// How many ops of `device` run at once; counted when it is asked for the first time.
    pub fn in_flight(&self, device: DeviceId) -> &InFlight {
        self.in_flight[device.index()].get_or_init(|| InFlight::of(&self.trace, device))
    }

    /// The traffic of all transfers; followed when it is asked for the first time.
    pub fn traffic(&self) -> &Traffic {
        self.traffic.get_or_init(|| Traffic::of(&self.trace, &self.transfers, &Route::ALL))
    }

    /// How `window` divides on `device`, or on all devices together.
    pub fn split(&self, device: Option<DeviceId>, window: Interval) -> Split {
        let coverage = device.and_then(|device| self.coverage.get(device.index())).unwrap_or(&self.together);
        coverage.split(window)
    }

    /// Where inputs came from and outputs went.
    pub fn edges(&self) -> Edges<'_> {
        Edges { trace: &self.trace, flow: &self.flow, transfers: &self.transfers }
    }

    /// The times of all transfers; looked for when they are asked for the first time.
    pub fn transfer_times(&self) -> &TransferTimes {
        self.transfer_times.get_or_init(|| TransferTimes::of(self.edges(), &Makers::of(self.edges())))
    }

    /// Looks for the times of all transfers by `makers`, which are told at no more cost then.
    pub fn time_transfers(&self, makers: &Makers) {
        self.transfer_times.get_or_init(|| TransferTimes::of(self.edges(), makers));
    }

    /// The times of one transfer.
    pub fn times(&self, transfer: TransferId) -> Times {
        self.transfer_times().get(self.edges(), transfer)
    }

    /// The variable that the tensor of a transfer belongs to, if that can be told.
    pub fn variable(&self, transfer: TransferId) -> Option<Variable> {
        let first_consumer = |id| self.times(id).first_consumer;
        self.variables.get_or_init(|| Variables::of(self.edges(), first_consumer)).get(transfer)
    }

    /// What to call `op`: its node's name, or for a transfer, whose node is always `RecvTensor`, its tensor's.
    pub fn title(&self, op: OpId) -> &str {
        match self.transfers.of_op(op) {
            Some(transfer) => transfer.output(&self.trace).name,
            None => self.trace.op_name(op),
        }
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let in_flight = self.in_flight.iter().filter_map(OnceCell::get).map(InFlight::heap_bytes);
        self.trace.heap_bytes()
            + self.lanes.heap_bytes()
            + self.marks.heap_bytes()
            + self.flow.heap_bytes()
            + self.transfers.heap_bytes()
            + self.transfer_times.get().map_or(0, TransferTimes::heap_bytes)
            + self.kernels.heap_bytes()
            + in_flight.sum::<usize>()
            + self.traffic.get().map_or(0, Traffic::heap_bytes)
    }
}
