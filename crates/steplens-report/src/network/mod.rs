//! `steplens.network/1`: what a step spends on communication, and what to blame. One file for each of its sections.

mod collectives;
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

use crate::listed::Listed;
use crate::text;
use collectives::CollectivesJson;
use devices::DeviceShare;
use links::Peaks;
pub use links::{LinkRow, Links as LinkTable, traffic_links, traffic_peaks};
use order::OrderOfDevice;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::edges::makers::Makers;
use steplens_core::network::waits::Wait;
use steplens_core::study::step_of_op::StepOfOp;
use stragglers::Stragglers;
use tracer::Tracer;

/// The object that `steplens network --json` prints, and the page's tab Network shows.
#[derive(Serialize)]
pub struct Network<'a> {
    schema: &'static str,
    /// How long the step is.
    pub span_ns: i64,
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
    /// What the page shows of `study`.
    pub fn for_page(study: &'a Study) -> Self {
        Self::with(study, |_| None)
    }

    /// What the analyses say of `study`.
    pub fn of(study: &'a Study) -> Self {
        Self::with(study, |waits| Some(waits::waits(study, waits)))
    }

    fn with(study: &'a Study, list_waits: impl FnOnce(&[Wait]) -> Option<Listed<TensorJson<'a>>>) -> Self {
        let steps = StepOfOp::of(study);
        // It is large, and goes with this answer.
        let makers = Makers::of(study.edges());
        study.time_transfers(&makers);
        let waits = steplens_core::network::waits::waits(study, &steps);
        let by_tensor = steplens_core::network::tensors::waits_by_tensor(study, &waits);
        let [links, task_links] = links::both(study);
        Self {
            schema: "steplens.network/1",
            span_ns: study.trace().span().length().0,
            links,
            task_links,
            copies: links::copied(study),
            peaks: links::peaks(study),
            stragglers: stragglers::all(study, &steps, &makers),
            devices: devices::devices(study, &waits, &by_tensor),
            waits: list_waits(&waits),
            waits_by_tensor: waits::by_tensor(study, &by_tensor),
            tensors: waits::all_tensors(study, &waits),
            collectives: collectives::all(study, &steps),
            tensorflow_tracer: Tracer::of(study),
            order: order::order(study, &steps, &makers),
        }
    }

    /// As JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
