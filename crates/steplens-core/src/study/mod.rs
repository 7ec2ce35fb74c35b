//! A trace with the results that analyses share, each computed when it is first needed. From the whole trace and a [`View`] of
//! it. For `network`, `questions`, the report and the pages: nobody else keeps results.
//!
//! Each part is a pure function of the trace. What depends on a window or a selection is computed each time. The trace is the part
//! of the opened trace that a [`View`] shows, by functions from trace to trace:
//!
//! ```text
//! whole trace --patterns: categories--> --doctor: repairs--> --steps: one of them--> --clocks: aligned--> what is analysed
//! ```
//!
//! Patterns change only categories. Each of the other functions takes some of the ops, at other times or on other devices, and
//! shares strings, nodes and graphs. So choosing another step costs time in proportion to the ops of that step.

mod heap;
pub mod kept;
mod prepared;
pub mod step_of_op;
pub mod view;

use crate::base::ids::TransferId;
use crate::base::pace::{Pace, Work};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::Causes;
use crate::clocks::{Clocks, Doubt, accelerator_doubt, clocks_in_question, coarse_host_doubt};
use crate::collectives::Collectives;
use crate::dataflow::DataFlow;
use crate::gpu::accelerators::{
    accelerators, are_accelerators, coverage_of, dispatched_collectives, dispatched_to, has_any, units,
};
use crate::gpu::kernels::Kernels;
use crate::host_profile::HostProfile;
use crate::makers::Edges;
use crate::makers::Makers;
use crate::makers::variables::{Variable, Variables};
use crate::marks::MarkIndex;
use crate::marks::flags::ThreadLanes;
use crate::memory::reads::Reads;
use crate::memory::{Memory, Reading, records, tensors, timeline_py};
use crate::scheduling::Scheduling;
use crate::steps::rule::Apart;
use crate::study::step_of_op::StepOfOp;
use crate::study::view::Seen;
use crate::timeline::colors::Colors;
use crate::timeline::coverage::{Coverage, Shares};
use crate::timeline::grouping::Arrangement;
use crate::timeline::in_flight::InFlight;
use crate::timeline::lanes::Lanes;
use crate::timeline::nesting::{self, Piece};
use crate::timeline::split::{Mean, Split};
use crate::transfer_times::handed_over::HandedOver;
use crate::transfer_times::{Times, TransferTimes};
use crate::transfers::links::Route;
use crate::transfers::traffic::Traffic;
use crate::transfers::{Transfers, title_by_label};
use crate::work::Works;
use crate::{Category, DeviceId, OpId, Trace, View};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

pub use prepared::Prepared;

/// One trace with its results. Each part is computed when it is first needed.
pub struct Study {
    trace: Arc<Trace>,
    view: View,
    called: Vec<Option<i64>>,
    steps: usize,
    apart: Option<Apart>,
    is_touched: Vec<bool>,
    old_op: Option<Vec<OpId>>,
    arrangement: Arrangement,
    lanes: OnceCell<Lanes>,
    marks: OnceCell<MarkIndex>,
    thread_lanes: OnceCell<ThreadLanes>,
    colors: Colors,
    flow: OnceCell<Arc<DataFlow>>,
    transfers: OnceCell<Transfers>,
    /// Work that was begun in pieces.
    flow_begun: RefCell<Option<Work<DataFlow>>>,
    transfers_begun: RefCell<Option<Work<Transfers>>>,
    transfer_times: OnceCell<TransferTimes>,
    variables: OnceCell<Variables>,
    kernels: OnceCell<Kernels>,
    works: OnceCell<Works>,
    coverage: OnceCell<Vec<Coverage>>,
    together: OnceCell<Coverage>,
    bar: OnceCell<Vec<Coverage>>,
    /// For each device.
    pieces: Vec<OnceCell<Vec<Piece>>>,
    /// By device: the self time of each of its ops, if it has ops that nest.
    self_times: Vec<OnceCell<Vec<Nanos>>>,
    /// For each device.
    in_flight: Vec<OnceCell<InFlight>>,
    traffic: OnceCell<Traffic>,
    reads: OnceCell<Reads>,
    /// For each reading.
    memory: [OnceCell<Memory>; 3],
    causes: OnceCell<Causes>,
    scheduling: OnceCell<Scheduling>,
    host_profile: OnceCell<HostProfile>,
    handed_over: OnceCell<HandedOver>,
    clocks: OnceCell<Option<Arc<Clocks>>>,
    accelerator_doubt: OnceCell<Option<Doubt>>,
}

impl Study {
    /// A study of `trace` as it was recorded.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Self {
        Self::of_view(&trace.into(), View::default())
    }

    /// A study of the part of `whole` that `view` shows.
    pub fn of_view(whole: &Arc<Trace>, view: View) -> Self {
        Self::of_seen(view.of(whole), view)
    }

    fn of_seen(seen: Seen, view: View) -> Self {
        let Seen { trace, called, apart, is_touched, old_op } = seen;
        let steps = called.iter().flatten().count();
        let in_flight = trace.devices().ids().map(|_| OnceCell::new()).collect();
        let pieces = trace.devices().ids().map(|_| OnceCell::new()).collect();
        let self_times = trace.devices().ids().map(|_| OnceCell::new()).collect();
        Self {
            trace,
            view,
            called,
            steps,
            apart,
            is_touched,
            old_op,
            arrangement: Arrangement::Packed,
            lanes: OnceCell::new(),
            marks: OnceCell::new(),
            thread_lanes: OnceCell::new(),
            colors: Colors::default(),
            flow: OnceCell::new(),
            transfers: OnceCell::new(),
            flow_begun: RefCell::new(None),
            transfers_begun: RefCell::new(None),
            transfer_times: OnceCell::new(),
            variables: OnceCell::new(),
            kernels: OnceCell::new(),
            works: OnceCell::new(),
            coverage: OnceCell::new(),
            together: OnceCell::new(),
            bar: OnceCell::new(),
            pieces,
            self_times,
            in_flight,
            traffic: OnceCell::new(),
            reads: OnceCell::new(),
            memory: [const { OnceCell::new() }; 3],
            causes: OnceCell::new(),
            scheduling: OnceCell::new(),
            host_profile: OnceCell::new(),
            handed_over: OnceCell::new(),
            clocks: OnceCell::new(),
            accelerator_doubt: OnceCell::new(),
        }
    }

    /// The trace that the view shows.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// The view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The number of steps in the opened trace.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Whether there is more than one row to choose from: several steps, or a step and what ran before it.
    pub fn has_several(&self) -> bool {
        self.called.len() > 1
    }

    /// Whether something ran before the first step that its file numbers, which is none.
    pub fn has_before(&self) -> bool {
        self.called.len() > self.steps
    }

    /// What texts call the step in `row`: by the number of its file, or its place, from 1; `None` for what is no step.
    pub fn step_called(&self, row: usize) -> Option<i64> {
        self.called.get(row).copied().flatten()
    }

    /// Why one step is shown first, and not all steps on one axis.
    pub fn apart(&self) -> Option<Apart> {
        self.apart
    }

    /// For each device whether a repair changed its figures.
    pub fn is_touched(&self) -> &[bool] {
        &self.is_touched
    }

    /// For each op its id in the opened trace; `None` if the ids are the same.
    pub fn old_op(&self) -> Option<&[OpId]> {
        self.old_op.as_deref()
    }

    /// The lanes in their current arrangement.
    pub fn lanes(&self) -> &Lanes {
        self.lanes.get_or_init(|| Lanes::arranged(&self.trace, self.host_profile(), self.arrangement))
    }

    /// The index from which marks of the lanes are drawn.
    pub fn marks(&self) -> &MarkIndex {
        self.marks.get_or_init(|| MarkIndex::built(&self.trace, self.lanes(), &self.colors))
    }

    /// The lanes of the threads that recorded instants.
    pub fn thread_lanes(&self) -> &ThreadLanes {
        self.thread_lanes.get_or_init(|| ThreadLanes::of(&self.trace, self.lanes()))
    }

    /// Arranges the lanes of every device in another way. Lanes have other ids after that.
    pub fn arrange(&mut self, by: Arrangement) {
        self.arrangement = by;
        (self.lanes, self.marks, self.thread_lanes) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
    }

    /// The colours of ops: those of categories, unless others were set.
    pub fn colors(&self) -> &Colors {
        &self.colors
    }

    /// Sets the colours of ops.
    pub fn color(&mut self, colors: Colors) {
        self.colors = colors;
        self.marks = OnceCell::new();
        self.in_flight.iter_mut().for_each(|own| _ = own.take());
    }

    /// The data flow: which ops made and used which tensors.
    pub fn flow(&self) -> &DataFlow {
        self.shared_flow()
    }

    fn shared_flow(&self) -> &Arc<DataFlow> {
        self.flow.get_or_init(|| match self.flow_begun.take() {
            Some(begun) => Arc::new(begun.end()),
            None => Arc::new(DataFlow::indexed(&self.trace, self.view.rule)),
        })
    }

    /// The transfers between devices.
    pub fn transfers(&self) -> &Transfers {
        self.transfers.get_or_init(|| match self.transfers_begun.take() {
            Some(begun) => begun.end(),
            None => Transfers::joined(&self.trace, self.flow()),
        })
    }

    /// The kernels of GPUs, joined to their ops.
    pub fn kernels(&self) -> &Kernels {
        self.kernels.get_or_init(|| Kernels::joined(&self.trace))
    }

    /// What ops calculate and move, where anything says it.
    pub fn works(&self) -> &Works {
        self.works.get_or_init(|| Works::found(&self.trace, self.kernels(), || self.edges()))
    }

    /// The coverage of each device.
    pub fn coverage(&self) -> &[Coverage] {
        let of_device = |device| Coverage::of_device(&self.trace, device);
        self.coverage.get_or_init(|| self.trace.devices().ids().map(of_device).collect())
    }

    /// The coverage of all devices together: a moment counts as compute if any device computes.
    pub fn together(&self) -> &Coverage {
        self.together.get_or_init(|| Coverage::together(self.coverage().iter()))
    }

    /// The coverage of each accelerator, or of each device without accelerators: the step bar is their mean. Collectives that an executor
    /// runs on an accelerator are its own.
    pub fn bar(&self) -> &[Coverage] {
        self.bar.get_or_init(|| {
            let mut bar = coverage_of(&units(&self.trace), self.coverage());
            let found = accelerators(&self.trace);
            for (own, devices) in bar.iter_mut().zip(dispatched_to(&self.trace, &found)) {
                let collectives = dispatched_collectives(&self.trace, &devices);
                if !collectives.is_empty() {
                    *own = Coverage::together([&*own, &collectives].into_iter());
                }
            }
            bar
        })
    }

    /// What hides the communication of each device: what it does itself or, where an executor dispatched ops to an accelerator whose work was
    /// recorded, what that does.
    pub fn communicating(&self) -> Vec<Coverage> {
        let mut found = self.coverage().to_vec();
        let accelerators = accelerators(&self.trace);
        let units = coverage_of(&units(&self.trace), self.coverage());
        for (unit, devices) in units.iter().zip(dispatched_to(&self.trace, &accelerators)) {
            for device in devices {
                found[device.index()] = unit.with_communication_of(&self.coverage()[device.index()]);
            }
        }
        found
    }

    /// How many ops of `device` run at once, by colour; computed when it is first needed.
    pub fn in_flight(&self, device: DeviceId) -> &InFlight {
        self.in_flight[device.index()].get_or_init(|| InFlight::counted(&self.trace, device, &self.colors))
    }

    /// The self time of the ops of `device`, in order of start; computed when it is first needed. If ops do not nest, the whole
    /// time of an op is its self time.
    pub fn pieces(&self, device: DeviceId) -> &[Piece] {
        self.pieces[device.index()].get_or_init(|| nesting::pieces(&self.trace, device))
    }

    /// The self time of `op`: its length without the ops nested in it. Ranges have none.
    pub fn self_time(&self, op: OpId) -> Nanos {
        let device = self.trace.device_of(op);
        if !self.trace.devices().get(device).nests {
            return self.trace.ops().interval(op).length();
        }
        let times = self.self_times[device.index()].get_or_init(|| nesting::self_times(&self.trace, device));
        let first = self.trace.devices().get(device).first_op;
        times.get((op.get() - first) as usize).copied().unwrap_or(Nanos(0))
    }

    /// The traffic of all transfers; computed when it is first needed.
    pub fn traffic(&self) -> &Traffic {
        self.traffic.get_or_init(|| Traffic::followed(&self.trace, self.transfers(), &Route::ALL))
    }

    /// The outputs that each op read.
    pub fn reads(&self) -> &Reads {
        self.reads.get_or_init(|| Reads::followed(self.edges()))
    }

    /// Which bytes were alive when, by one of the readings.
    pub fn memory(&self, reading: Reading) -> &Memory {
        self.memory[reading as usize].get_or_init(|| match reading {
            Reading::Records => records::memory(&self.trace),
            Reading::Tensors => tensors::memory(&self.trace, self.reads()),
            Reading::TimelinePy => timeline_py::memory(&self.trace),
        })
    }

    /// The best reading of memory that the trace has.
    pub fn best_memory(&self) -> Option<(Reading, &Memory)> {
        let mut readings = Reading::ALL.into_iter().map(|reading| (reading, self.memory(reading)));
        readings.find(|(_, memory)| !memory.accounts.is_empty())
    }

    /// What made what start, and both critical paths; found when it is asked for the first time.
    pub fn causes(&self) -> &Causes {
        self.causes.get_or_init(|| {
            // What came late by clocks that cannot be compared did not.
            let collectives = match self.clock_doubt() {
                None => self.collectives(),
                Some(_) => Collectives::default(),
            };
            Causes::found(self.edges(), self.kernels(), self.host_profile(), &collectives)
        })
    }

    /// The collectives of the view. They are not kept.
    pub fn collectives(&self) -> Collectives {
        let steps = StepOfOp::indexed(self);
        Collectives::matched(&self.trace, self.kernels(), &|op| steps.step(self, op))
    }

    /// When ops were ready, scheduled and run, and the sums of these; computed when they are first needed.
    pub fn scheduling(&self) -> &Scheduling {
        self.scheduling.get_or_init(|| Scheduling::computed(self.edges(), self.causes()))
    }

    /// The records of TensorFlow's host profiler, joined to the executor's ops; computed when they are first needed.
    pub fn host_profile(&self) -> &HostProfile {
        self.host_profile.get_or_init(|| HostProfile::read(&self.trace))
    }

    /// When the tensor of a transfer was handed over to be sent, by the sender's clock, if a host profiler recorded that.
    pub fn handed_over(&self, transfer: TransferId) -> Option<Timestamp> {
        self.handed_over.get_or_init(|| HandedOver::found(self.edges(), self.host_profile())).get(transfer)
    }

    /// The clocks by which the trace was aligned, or which it has if a tensor arrives before it is sent; `None` if nothing shows
    /// that the clocks differ.
    pub fn clocks(&self) -> Option<&Arc<Clocks>> {
        let find = || clocks_in_question(&self.trace, self.transfers(), self.view.clocks.as_ref());
        self.clocks.get_or_init(find).as_ref()
    }

    /// Whether, and why, times of different tasks, or of an accelerator and its host, cannot be compared as they are shown.
    pub fn clock_doubt(&self) -> Option<Doubt> {
        let between_tasks =
            self.clocks().and_then(|clocks| Doubt::of(clocks, &self.trace, self.view.clocks.as_ref()));
        let is_coarse = || coarse_host_doubt(&self.trace, &are_accelerators(&self.trace));
        let of_accelerator = || accelerator_doubt(&self.trace).or_else(is_coarse);
        between_tasks.or_else(|| *self.accelerator_doubt.get_or_init(of_accelerator))
    }

    /// What the step bar is the mean of, of [`Study::bar`]: an accelerator that only copies is left out where another one does more.
    pub fn counted(&self) -> impl Iterator<Item = &Coverage> {
        let does_more = |own: &&Coverage| {
            [Category::Compute, Category::Communication].iter().any(|&one| !own.union(one).is_empty())
        };
        let is_all = !has_any(&self.trace) || !self.bar().iter().any(|own| does_more(&own));
        self.bar().iter().filter(move |own| is_all || does_more(own))
    }

    /// How `window` divides on average over the accelerators, or over all devices without accelerators.
    pub fn step_split(&self, window: Interval) -> Split {
        let mut mean = Mean::default();
        self.counted().for_each(|coverage| mean.add(&coverage.split(window)));
        mean.get().unwrap_or_else(|| Coverage::default().split(window))
    }

    /// The same shares over time: `window` cut into `bins` equal slices.
    pub fn step_shares(&self, window: Interval, bins: usize) -> Vec<Shares> {
        let mut mean = vec![Shares::default(); bins];
        let count = self.counted().count() as f32;
        for coverage in self.counted() {
            for (mean, shares) in mean.iter_mut().zip(coverage.shares(window, bins)) {
                mean.iter_mut().zip(shares).for_each(|(mean, shares)| *mean += shares / count);
            }
        }
        mean
    }

    /// How `window` divides on `device`, or on all devices together, where compute means that any device computes.
    pub fn split(&self, device: Option<DeviceId>, window: Interval) -> Split {
        let coverage = device.and_then(|device| self.coverage().get(device.index()));
        coverage.unwrap_or_else(|| self.together()).split(window)
    }

    /// The edges: where inputs came from and outputs went.
    pub fn edges(&self) -> Edges<'_> {
        Edges { trace: &self.trace, flow: self.flow(), transfers: self.transfers() }
    }

    /// The times of all transfers.
    pub fn transfer_times(&self) -> &TransferTimes {
        self.transfer_times
            .get_or_init(|| TransferTimes::measured(self.edges(), &Makers::found(self.edges())))
    }

    /// Fills the cache of [`transfer_times`](Self::transfer_times), reusing `makers`, in pieces, so that the caller can do other work between
    /// them.
    pub async fn time_transfers_paced(&self, makers: &Makers, pace: &Pace) {
        if self.transfer_times.get().is_none() {
            let times = TransferTimes::paced(self.edges(), makers, pace).await;
            self.transfer_times.get_or_init(|| times);
        }
    }

    /// The times of one transfer.
    pub fn times(&self, transfer: TransferId) -> Times {
        self.transfer_times().get(self.edges(), transfer)
    }

    /// The variable that the tensor of a transfer belongs to, if it is known.
    pub fn variable(&self, transfer: TransferId) -> Option<Variable> {
        self.variables().get(transfer)
    }

    /// The variables of all transfers.
    pub(crate) fn variables(&self) -> &Variables {
        let first_consumer = |id| self.times(id).first_consumer;
        self.variables.get_or_init(|| Variables::found(self.edges(), first_consumer))
    }

    /// The title of `op`: the name of its node. For a transfer, whose node is always `RecvTensor`, the name of its tensor.
    pub fn title(&self, op: OpId) -> &str {
        match self.transfers().of_op(op) {
            Some(transfer) => transfer.output(&self.trace).name,
            None => self.trace.op_name(op),
        }
    }

    /// The title of the mark of `op`: its [`title`](Self::title) or, while the transfers are not computed yet, what its own label
    /// says. The two differ only for a receiving node that only graphs name.
    pub fn mark_title(&self, op: OpId) -> &str {
        if self.transfers.get().is_some() {
            return self.title(op);
        }
        title_by_label(&self.trace, op)
    }
}
