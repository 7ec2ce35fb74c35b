//! `steplens.network/1`: what a step spends on communication, and what to blame. One file for each of its sections.

mod collectives;
mod csv;
mod devices;
mod links;
mod order;
mod stragglers;
mod tracer;
mod waits;

pub(crate) use stragglers::worst as worst_straggler;
pub use stragglers::{CauseRow, StragglerRow};
pub use waits::TensorJson;
pub(crate) use waits::longest as longest_wait;

use crate::clocks::ClockNote;
use crate::listed::Listed;
use crate::text;
use collectives::CollectivesJson;
use devices::DeviceShare;
use links::Peaks;
pub use links::{LinkRow, Links as LinkTable, traffic_links, traffic_peaks};
use order::OrderOfDevice;
use serde::Serialize;
use std::rc::Rc;
use steplens_core::Study;
use steplens_core::base::pace::{Pace, Work, at_once};
use steplens_core::edges::makers::Makers;
use steplens_core::network::waits::{Wait, waits_paced};
use steplens_core::study::step_of_op::StepOfOp;
use stragglers::Stragglers;
use tracer::Tracer;

/// How many parts the work on it is said to have: those that take some time.
const PARTS: u32 = 9;
const SCHEMA: &str = "steplens.network/1";

/// The object that `steplens network --json` prints, and the page's tab Network shows.
#[derive(Serialize)]
pub struct Network<'a> {
    schema: &'static str,
    /// How long the step is.
    pub span_ns: i64,
    /// Why times of its tasks cannot be compared. Then all below that rests on such times is empty: of links there are counts and bytes, and order stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// How much of its communication each device that communicates hid behind compute.
    pub devices: Vec<DeviceShare<'a>>,
    /// The links between devices.
    pub links: LinkTable<'a>,
    /// The links between tasks.
    pub task_links: LinkTable<'a>,
    /// What streams of GPUs copied, as links between GPUs and host.
    pub copies: Vec<LinkRow<'a>>,
    /// The most that was on the wire.
    pub peaks: Option<Peaks>,
    /// Which task ended last among its peers, and why.
    pub stragglers: Stragglers<'a>,
    /// Which transfers devices sat waiting for. The page shows them by tensor only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<Listed<TensorJson<'a>>>,
    /// The same by device, tensor and sender.
    pub waits_by_tensor: Listed<TensorJson<'a>>,
    /// What was sent of each tensor.
    pub tensors: Listed<TensorJson<'a>>,
    /// Ops that wait for all of their participants.
    pub collectives: CollectivesJson,
    /// What tensorflow-tracer's `Timeline` says.
    pub tensorflow_tracer: Tracer,
    /// Whether parameters arrived in the order in which ops need them.
    pub order: Vec<OrderOfDevice<'a>>,
}

impl<'a> Network<'a> {
    /// What the page shows of `study`, as JSON: in pieces, between which it can be asked other things.
    pub fn for_page(study: &Rc<Study>) -> Work<String> {
        let study = Rc::clone(study);
        Work::new(|pace| async move { Network::with(&study, &pace, |_| None).await.to_text() })
    }

    /// What the analyses say of `study`.
    pub fn of(study: &'a Study) -> Self {
        at_once(async |pace: &Pace| Self::with(study, pace, |waits| Some(waits::waits(study, waits))).await)
    }

    /// What does not rest on times of several tasks, where their clocks differ.
    async fn without_times(study: &'a Study, clocks: ClockNote, has_waits: bool, pace: &Pace) -> Self {
        // Of the order in which parameters came both clocks cancel out.
        let steps = StepOfOp::of(study);
        let makers = Makers::paced(study.edges(), pace).await;
        study.time_transfers_paced(&makers, pace).await;
        let order = order::order(study, &steps, &makers, pace).await;
        let nothing = || Listed { total: 0, rows: Vec::new() };
        let mut links = links::both(study);
        links.iter_mut().for_each(LinkTable::withhold_times);
        let [links, task_links] = links;
        Self {
            schema: SCHEMA,
            span_ns: study.trace().span().length().0,
            clocks: Some(clocks),
            devices: Vec::new(),
            links,
            task_links,
            copies: links::copied(study),
            peaks: None,
            stragglers: Stragglers {
                listed: Listed { total: 0, rows: Vec::new() },
                often: Vec::new(),
                often_total: 0,
            },
            waits: has_waits.then(nothing),
            waits_by_tensor: nothing(),
            tensors: nothing(),
            collectives: CollectivesJson::nothing(),
            tensorflow_tracer: Tracer::of(study),
            order,
        }
    }

    async fn with(
        study: &'a Study,
        pace: &Pace,
        list_waits: impl FnOnce(&[Wait]) -> Option<Listed<TensorJson<'a>>>,
    ) -> Self {
        if let Some(clocks) = ClockNote::of(study) {
            return Self::without_times(study, clocks, list_waits(&[]).is_some(), pace).await;
        }
        let (n_ops, n_transfers) = (study.trace().ops().len(), study.transfers().rows().len());
        let mut parts = 0..PARTS;
        let mut next = || pace.did(parts.next().unwrap_or(PARTS), PARTS);
        next();
        let steps = StepOfOp::of(study);
        // It is large, and goes with this answer.
        let makers = Makers::paced(study.edges(), pace).await;
        next();
        study.time_transfers_paced(&makers, pace).await;
        pace.worked(n_transfers).await;
        next();
        let waits = waits_paced(study, &steps, pace).await;
        next();
        let by_tensor = steplens_core::network::tensors::waits_by_tensor(study, &waits);
        pace.worked(n_transfers).await;
        let [links, task_links] = links::both(study);
        let copies = links::copied(study);
        pace.worked(n_transfers).await;
        next();
        let peaks = links::peaks(study);
        pace.worked(n_transfers).await;
        next();
        let stragglers = stragglers::all(study, &steps, &makers, pace).await;
        next();
        let devices = devices::devices(study, &waits, &by_tensor);
        pace.worked(n_transfers).await;
        let tensors = waits::all_tensors(study, &waits);
        pace.worked(n_transfers).await;
        next();
        let collectives = collectives::all(study, &steps);
        pace.worked(n_ops).await;
        let tensorflow_tracer = Tracer::of(study);
        pace.worked(n_ops).await;
        next();
        let order = order::order(study, &steps, &makers, pace).await;
        Self {
            schema: SCHEMA,
            span_ns: study.trace().span().length().0,
            clocks: None,
            links,
            task_links,
            copies,
            peaks,
            stragglers,
            devices,
            waits: list_waits(&waits),
            waits_by_tensor: waits::by_tensor(study, &by_tensor),
            tensors,
            collectives,
            tensorflow_tracer,
            order,
        }
    }

    /// As JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
