//! A study: a trace with the results that every view of it starts from.
//!
//! Each part is a pure function of the trace, computed when it is first asked for. What depends on a window or a selection is computed
//! each time. The trace is what a [`View`] shows of all that was opened, by functions from trace to trace:
//!
//! ```text
//! whole trace --patterns: categories--> --doctor: repairs--> --steps: one of them--> --clocks: aligned--> what is analysed
//! ```
//!
//! Patterns change categories alone. Each of the others takes some of the ops, at other times or on other devices, and shares strings, nodes
//! and graphs, so that choosing another step costs what that step has.

pub mod kept;
pub mod step_of_op;
pub mod view;

use crate::base::ids::TransferId;
use crate::base::order;
use crate::base::pace::{Pace, Work};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::Causes;
use crate::clocks::{Clocks, Doubt, clocks_in_question};
use crate::dataflow::DataFlow;
use crate::edges::Edges;
use crate::edges::handed_over::HandedOver;
use crate::edges::makers::Makers;
use crate::edges::transfer_times::{Times, TransferTimes};
use crate::edges::variables::{Variable, Variables};
use crate::gpu::accelerators::{coverage_of, units};
use crate::gpu::kernels::Kernels;
use crate::host_profile::HostProfile;
use crate::marks::MarkIndex;
use crate::memory::reads::Reads;
use crate::memory::{Memory, Reading, records, tensors, timeline_py};
use crate::scheduling::Scheduling;
use crate::steps::rule::Apart;
use crate::storage::shared::shared_bytes;
use crate::study::view::Seen;
use crate::timeline::colors::Colors;
use crate::timeline::coverage::{Coverage, Shares};
use crate::timeline::grouping::Arrangement;
use crate::timeline::in_flight::InFlight;
use crate::timeline::lanes::Lanes;
use crate::timeline::nesting::{self, Piece};
use crate::timeline::split::{Mean, Split};
use crate::transfers::links::Route;
use crate::transfers::traffic::Traffic;
use crate::transfers::{Transfers, title_by_label};
use crate::{DeviceId, OpId, Trace, View};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// One trace with what was found out about it. Each part is computed when it is first asked for.
pub struct Study {
    trace: Arc<Trace>,
    view: View,
    steps: usize,
    apart: Option<Apart>,
    is_touched: Vec<bool>,
    old_op: Option<Vec<OpId>>,
    arrangement: Arrangement,
    lanes: OnceCell<Lanes>,
    marks: OnceCell<MarkIndex>,
    colors: Colors,
    flow: OnceCell<Arc<DataFlow>>,
    transfers: OnceCell<Transfers>,
    /// What is being prepared.
    flow_begun: RefCell<Option<Work<DataFlow>>>,
    transfers_begun: RefCell<Option<Work<Transfers>>>,
    transfer_times: OnceCell<TransferTimes>,
    variables: OnceCell<Variables>,
    kernels: OnceCell<Kernels>,
    coverage: OnceCell<Vec<Coverage>>,
    together: OnceCell<Coverage>,
    bar: OnceCell<Vec<Coverage>>,
    /// By device.
    pieces: Vec<OnceCell<Vec<Piece>>>,
    /// By device.
    in_flight: Vec<OnceCell<InFlight>>,
    traffic: OnceCell<Traffic>,
    reads: OnceCell<Reads>,
    /// By reading.
    memory: [OnceCell<Memory>; 3],
    causes: OnceCell<Causes>,
    scheduling: OnceCell<Scheduling>,
    host_profile: OnceCell<HostProfile>,
    handed_over: OnceCell<HandedOver>,
    clocks: OnceCell<Option<Arc<Clocks>>>,
}

/// What most questions need, and no picture of the timeline: it is made in pieces, after the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// The data flow.
    Flow,
    /// The transfers, and the data flow before them.
    Transfers,
    /// The kernels, which need neither.
    Kernels,
}

impl Prepared {
    /// By its word.
    pub fn by_word(word: &str) -> Option<Self> {
        match word {
            "flow" => Some(Self::Flow),
            "transfers" => Some(Self::Transfers),
            "kernels" => Some(Self::Kernels),
            _ => None,
        }
    }
}

impl Study {
    /// A study of `trace`, as it was recorded.
    pub fn of(trace: impl Into<Arc<Trace>>) -> Self {
        Self::of_view(&trace.into(), View::default())
    }

    /// A study of what `view` shows of `whole`.
    pub fn of_view(whole: &Arc<Trace>, view: View) -> Self {
        let Seen { trace, steps, apart, is_touched, old_op } = view.of(whole);
        let in_flight = trace.devices().ids().map(|_| OnceCell::new()).collect();
        let pieces = trace.devices().ids().map(|_| OnceCell::new()).collect();
        Self {
            trace,
            view,
            steps,
            apart,
            is_touched,
            old_op,
            arrangement: Arrangement::Packed,
            lanes: OnceCell::new(),
            marks: OnceCell::new(),
            colors: Colors::default(),
            flow: OnceCell::new(),
            transfers: OnceCell::new(),
            flow_begun: RefCell::new(None),
            transfers_begun: RefCell::new(None),
            transfer_times: OnceCell::new(),
            variables: OnceCell::new(),
            kernels: OnceCell::new(),
            coverage: OnceCell::new(),
            together: OnceCell::new(),
            bar: OnceCell::new(),
            pieces,
            in_flight,
            traffic: OnceCell::new(),
            reads: OnceCell::new(),
            memory: [const { OnceCell::new() }; 3],
            causes: OnceCell::new(),
            scheduling: OnceCell::new(),
            host_profile: OnceCell::new(),
            handed_over: OnceCell::new(),
            clocks: OnceCell::new(),
        }
    }

    /// The trace: what the view shows.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// What of the opened trace it is.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// How many steps the opened trace has.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Why one of these steps is shown first, and not all on one axis.
    pub fn apart(&self) -> Option<Apart> {
        self.apart
    }

    /// By device: whether a repair changed figures of it.
    pub fn is_touched(&self) -> &[bool] {
        &self.is_touched
    }

    /// What each op was in the opened trace; `None` where ids are the same.
    pub fn old_op(&self) -> Option<&[OpId]> {
        self.old_op.as_deref()
    }

    /// The lanes, as they are arranged now.
    pub fn lanes(&self) -> &Lanes {
        self.lanes.get_or_init(|| Lanes::arranged(&self.trace, self.host_profile(), self.arrangement))
    }

    /// What to draw of the lanes.
    pub fn marks(&self) -> &MarkIndex {
        self.marks.get_or_init(|| MarkIndex::of(&self.trace, self.lanes(), &self.colors))
    }

    /// Arranges the lanes of every device anew; lanes have other ids from then on.
    pub fn arrange(&mut self, by: Arrangement) {
        self.arrangement = by;
        (self.lanes, self.marks) = (OnceCell::new(), OnceCell::new());
    }

    /// The colours of ops: those of categories, or what was set.
    pub fn colors(&self) -> &Colors {
        &self.colors
    }

    /// Gives ops other colours.
    pub fn color(&mut self, colors: Colors) {
        self.colors = colors;
        self.marks = OnceCell::new();
        self.in_flight.iter_mut().for_each(|own| _ = own.take());
    }

    /// Who made and used what.
    pub fn flow(&self) -> &DataFlow {
        self.shared_flow()
    }

    fn shared_flow(&self) -> &Arc<DataFlow> {
        self.flow.get_or_init(|| match self.flow_begun.take() {
            Some(begun) => Arc::new(begun.end()),
            None => Arc::new(DataFlow::of(&self.trace, self.view.rule)),
        })
    }

    /// What went between devices.
    pub fn transfers(&self) -> &Transfers {
        self.transfers.get_or_init(|| match self.transfers_begun.take() {
            Some(begun) => begun.end(),
            None => Transfers::of(&self.trace, self.flow()),
        })
    }

    /// What GPUs ran for which op.
    pub fn kernels(&self) -> &Kernels {
        self.kernels.get_or_init(|| Kernels::of(&self.trace))
    }

    /// Does one piece of what leads to `part`, which no picture of the timeline needs. Returns whether more is to be done for it.
    pub fn prepare_one(&self, part: Prepared) -> bool {
        match part {
            Prepared::Kernels => {
                self.kernels();
            }
            _ if self.flow.get().is_none() => {
                let (trace, rule) = (Arc::clone(&self.trace), self.view.rule);
                let begin = || Work::new(|pace| async move { DataFlow::paced(&trace, rule, &pace).await });
                let done = self.flow_begun.borrow_mut().get_or_insert_with(begin).go_on();
                if let Some(flow) = done {
                    self.flow_begun.take();
                    self.flow.get_or_init(|| Arc::new(flow));
                }
            }
            Prepared::Transfers if self.transfers.get().is_none() => {
                let (trace, flow) = (Arc::clone(&self.trace), Arc::clone(self.shared_flow()));
                let begin = || Work::new(|pace| async move { Transfers::paced(&trace, &flow, &pace).await });
                let done = self.transfers_begun.borrow_mut().get_or_insert_with(begin).go_on();
                if let Some(transfers) = done {
                    self.transfers_begun.take();
                    self.transfers.get_or_init(|| transfers);
                }
            }
            Prepared::Flow | Prepared::Transfers => {}
        }
        match part {
            Prepared::Flow => self.flow.get().is_none(),
            Prepared::Transfers => self.transfers.get().is_none(),
            Prepared::Kernels => false,
        }
    }

    /// Prepares everything that can be.
    pub fn prepare(&self) {
        self.transfers();
        self.kernels();
    }

    /// What each device did when, by device.
    pub fn coverage(&self) -> &[Coverage] {
        let of_device = |device| Coverage::of_device(&self.trace, device);
        self.coverage.get_or_init(|| self.trace.devices().ids().map(of_device).collect())
    }

    /// What any device did when: at every moment it computes if any device computes.
    pub fn together(&self) -> &Coverage {
        self.together.get_or_init(|| Coverage::together(self.coverage().iter()))
    }

    /// What each accelerator did when, or each device where there is none: a step bar is their mean.
    pub fn bar(&self) -> &[Coverage] {
        self.bar.get_or_init(|| coverage_of(&units(&self.trace), self.coverage()))
    }

    /// How many ops of `device` run at once, by colour; counted when it is asked for the first time.
    pub fn in_flight(&self, device: DeviceId) -> &InFlight {
        self.in_flight[device.index()].get_or_init(|| InFlight::of(&self.trace, device, &self.colors))
    }

    /// The own time of the ops of `device`, in order of start; found when it is asked for the first time. Where ops do not
    /// nest, all of an op is its own.
    pub fn pieces(&self, device: DeviceId) -> &[Piece] {
        self.pieces[device.index()].get_or_init(|| nesting::pieces(&self.trace, device))
    }

    /// What `op` has of its own: its length without what its children cover. Ranges have nothing.
    pub fn self_time(&self, op: OpId) -> Nanos {
        let device = self.trace.device_of(op);
        if !self.trace.devices().get(device).nests {
            return self.trace.ops().interval(op).length();
        }
        let Interval { start, end } = self.trace.ops().interval(op);
        let pieces = self.pieces(device);
        let first = pieces.partition_point(|piece| piece.interval.start < start);
        let own = pieces[first..].iter().take_while(|piece| piece.interval.start < end);
        own.filter(|piece| piece.op == op)
            .map(|piece| piece.interval.length())
            .fold(Nanos(0), |sum, own| sum + own)
    }

    /// The traffic of all transfers; followed when it is asked for the first time.
    pub fn traffic(&self) -> &Traffic {
        self.traffic.get_or_init(|| Traffic::of(&self.trace, self.transfers(), &Route::ALL))
    }

    /// Which outputs each op read.
    pub fn reads(&self) -> &Reads {
        self.reads.get_or_init(|| Reads::of(self.edges()))
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
        self.causes.get_or_init(|| Causes::of(self.edges(), self.kernels(), self.host_profile()))
    }

    /// When ops were ready, scheduled and run, and what that sums to; found when it is asked for the first time.
    pub fn scheduling(&self) -> &Scheduling {
        self.scheduling.get_or_init(|| Scheduling::of(self.edges(), self.causes()))
    }

    /// What TensorFlow's host profiler recorded, joined to the executor's ops; found when it is asked for the first time.
    pub fn host_profile(&self) -> &HostProfile {
        self.host_profile.get_or_init(|| HostProfile::of(&self.trace))
    }

    /// When the tensor of a transfer was handed over to be sent, on the sender's clock, where a host profiler recorded that.
    pub fn handed_over(&self, transfer: TransferId) -> Option<Timestamp> {
        self.handed_over.get_or_init(|| HandedOver::of(self.edges(), self.host_profile())).get(transfer)
    }

    /// The clocks that the trace was set by, or that it has where a tensor arrives before it is sent; `None` where nothing says that
    /// they differ.
    pub fn clocks(&self) -> Option<&Arc<Clocks>> {
        let find = || clocks_in_question(&self.trace, self.transfers(), self.view.clocks.as_ref());
        self.clocks.get_or_init(find).as_ref()
    }

    /// Whether, and why, times of different tasks cannot be compared as they are shown.
    pub fn clock_doubt(&self) -> Option<Doubt> {
        Doubt::of(self.clocks()?, &self.trace, self.view.clocks.as_ref())
    }

    /// How `window` divides on the mean of the accelerators, or of all devices where there is none.
    pub fn step_split(&self, window: Interval) -> Split {
        let mut mean = Mean::default();
        self.bar().iter().for_each(|coverage| mean.add(&coverage.split(window)));
        mean.get().unwrap_or_else(|| Coverage::default().split(window))
    }

    /// The same over time: `window` in `bins` equal slices.
    pub fn step_shares(&self, window: Interval, bins: usize) -> Vec<Shares> {
        let mut mean = vec![Shares::default(); bins];
        for coverage in self.bar() {
            for (mean, own) in mean.iter_mut().zip(coverage.shares(window, bins)) {
                mean.iter_mut().zip(own).for_each(|(mean, own)| *mean += own / self.bar().len() as f32);
            }
        }
        mean
    }

    /// How `window` divides on `device`, or on any device: it computes when any of them does.
    pub fn split(&self, device: Option<DeviceId>, window: Interval) -> Split {
        let coverage = device.and_then(|device| self.coverage().get(device.index()));
        coverage.unwrap_or_else(|| self.together()).split(window)
    }

    /// Where inputs came from and outputs went.
    pub fn edges(&self) -> Edges<'_> {
        Edges { trace: &self.trace, flow: self.flow(), transfers: self.transfers() }
    }

    /// The times of all transfers.
    pub fn transfer_times(&self) -> &TransferTimes {
        self.transfer_times.get_or_init(|| TransferTimes::of(self.edges(), &Makers::of(self.edges())))
    }

    /// Fills the cache of [`transfer_times`](Self::transfer_times), reusing `makers`.
    pub fn time_transfers(&self, makers: &Makers) {
        self.transfer_times.get_or_init(|| TransferTimes::of(self.edges(), makers));
    }

    /// The same, in pieces.
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
        let first_consumer = |id| self.times(id).first_consumer;
        self.variables.get_or_init(|| Variables::of(self.edges(), first_consumer)).get(transfer)
    }

    /// What to call `op`: its node's name, or for a transfer, whose node is always `RecvTensor`, its tensor's.
    pub fn title(&self, op: OpId) -> &str {
        match self.transfers().of_op(op) {
            Some(transfer) => transfer.output(&self.trace).name,
            None => self.trace.op_name(op),
        }
    }

    /// What a mark of `op` is called: its [`title`](Self::title), or while the transfers were not asked for yet, what its own
    /// label says. The two differ only for a receiving node that graphs alone name.
    pub fn mark_title(&self, op: OpId) -> &str {
        if self.transfers.get().is_some() {
            return self.title(op);
        }
        title_by_label(&self.trace, op)
    }

    /// Memory it holds, in bytes: of what was asked for so far, and of the trace, which other studies may share; but not of its view.
    pub fn heap_bytes(&self) -> usize {
        let in_flight = self.in_flight.iter().filter_map(OnceCell::get).map(InFlight::heap_bytes);
        // Copies share what they cover.
        let coverages: Vec<&Vec<Coverage>> =
            [&self.coverage, &self.bar].into_iter().filter_map(OnceCell::get).collect();
        let lists = coverages.iter().map(|list| list.capacity() * size_of::<Coverage>()).sum::<usize>();
        let mut counted: Vec<&Coverage> =
            coverages.into_iter().flatten().chain(self.together.get()).collect();
        order::by_number(&mut counted, |own| (own.address() as i64, 0));
        counted.dedup_by_key(|own| own.address());
        let coverages = lists + counted.iter().map(|own| own.heap_bytes()).sum::<usize>();
        let pieces = self.pieces.iter().filter_map(OnceCell::get);
        let pieces = pieces.map(|own| own.capacity() * size_of::<Piece>());
        shared_bytes::<Trace>()
            + self.trace.heap_bytes()
            + self.is_touched.capacity()
            + self.old_op.as_ref().map_or(0, |old_op| old_op.capacity() * size_of::<OpId>())
            + self.lanes.get().map_or(0, Lanes::heap_bytes)
            + self.marks.get().map_or(0, MarkIndex::heap_bytes)
            + self.colors.heap_bytes()
            + self.flow.get().map_or(0, |flow| shared_bytes::<DataFlow>() + flow.heap_bytes())
            + self.transfers.get().map_or(0, Transfers::heap_bytes)
            + self.transfer_times.get().map_or(0, TransferTimes::heap_bytes)
            + self.variables.get().map_or(0, Variables::heap_bytes)
            + self.kernels.get().map_or(0, Kernels::heap_bytes)
            + coverages
            + self.pieces.capacity() * size_of::<OnceCell<Vec<Piece>>>()
            + pieces.sum::<usize>()
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

    /// Those that are not of the view.
    fn own_clocks(&self) -> Option<&Arc<Clocks>> {
        self.clocks.get()?.as_ref().filter(|_| self.view.clocks.is_none())
    }
}
