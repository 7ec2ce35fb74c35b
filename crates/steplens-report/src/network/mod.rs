//! `steplens.network/1`: the time that a step spends on communication, and the causes. There is one file for each section.

mod collectives;
mod devices;
mod links;
mod order;
mod ready;
mod stragglers;
mod tracer;
mod waits;

pub use stragglers::{Cause, Straggler};
pub use waits::TensorRow;

use crate::clocks::ClockNote;
use crate::csv::sheet;
use crate::listed::Listed;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use collectives::Collectives;
use devices::DeviceShare;
use links::Peaks;
pub use links::{LinkRow, LinkTable, traffic_links, traffic_peaks};
use order::OrderOfDevice;
use ready::Ready;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::rc::Rc;
use steplens_core::Study;
use steplens_core::base::pace::{Pace, Work, at_once};
use steplens_core::makers::Makers;
use steplens_core::network::waits::{Wait, waits_paced};
use steplens_core::study::step_of_op::StepOfOp;
use stragglers::Stragglers;
use tracer::TracerFigures;

/// The number of parts in the progress of the work: those that take some time.
const PARTS: u32 = 9;
const SCHEMA: &str = "steplens.network/1";

/// What communication costs, and what to blame: links, waits, stragglers, collectives, the order of arrival.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "network";
    type Answer<'a> = Network<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(Network::of(shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// One device per row. Links are in the sheet of `transfers`.
fn write_csv(network: &Network<'_>, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, (share, longest) in network.devices.iter().map(|share| (share, share.longest.as_ref())), {
        device: share.name,
        communication_ns: share.communication_ns,
        hidden_ns: share.hidden_ns,
        exposed_ns: share.exposed_ns,
        idle_before_ns: share.idle_before_ns,
        longest_tensor: longest.map(|longest| longest.tensor),
        longest_is_gradient: longest.map(|longest| longest.is_gradient),
        longest_source: longest.and_then(|longest| longest.source),
        longest_waited_ns: longest.map(|longest| longest.waited_ns),
    })
}

/// The object that `steplens network --json` prints, and the page's tab Network shows.
#[derive(Serialize)]
pub struct Network<'a> {
    schema: &'static str,
    /// The length of the step.
    pub span_ns: i64,
    /// Why times of its tasks cannot be compared. If it is not null, everything that is based on such times is empty: links have
    /// only counts and bytes; the order of parameters stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// For each device that communicates, how much of its communication it hid behind compute.
    pub devices: Vec<DeviceShare<'a>>,
    /// The links between devices.
    pub links: LinkTable<'a>,
    /// The links between tasks.
    pub task_links: LinkTable<'a>,
    /// The copies of GPU streams, as links between GPUs and host.
    pub copies: Vec<LinkRow<'a>>,
    /// The most that was in transit.
    pub peaks: Option<Peaks>,
    /// Which task finished last among its peers, and why.
    pub stragglers: Stragglers<'a>,
    /// Which transfers devices waited for. The page shows them only by tensor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<Listed<TensorRow<'a>>>,
    /// What devices waited for, by device, tensor and sender.
    pub waits_by_tensor: Listed<TensorRow<'a>>,
    /// How much was sent of each tensor.
    pub tensors: Listed<TensorRow<'a>>,
    /// Ops that wait for all of their participants.
    pub collectives: Collectives,
    /// Which rank was ready last when tensors were negotiated; left out where no timeline of Horovod says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<Ready>,
    /// The figures of tensorflow-tracer's `Timeline`.
    pub tensorflow_tracer: TracerFigures,
    /// Whether parameters arrived in the order in which ops need them.
    pub order: Vec<OrderOfDevice<'a>>,
}

impl<'a> Network<'a> {
    /// The page's answer about `study`, as JSON: computed in pieces, so that the page can ask other questions between them.
    pub fn for_page(study: &Rc<Study>) -> Work<String> {
        let study = Rc::clone(study);
        Work::new(|pace| async move { Network::with(&study, &pace, |_| None).await.to_text() })
    }

    /// The answer about `study`.
    pub fn of(study: &'a Study) -> Self {
        at_once(async |pace: &Pace| Self::with(study, pace, |waits| Some(waits::waits(study, waits))).await)
    }

    /// The part of the answer that is not based on times of several tasks, for clocks that differ.
    async fn without_times(study: &'a Study, clocks: ClockNote, has_waits: bool, pace: &Pace) -> Self {
        // In the order of parameters both clocks cancel out.
        let steps = StepOfOp::indexed(study);
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
            collectives: Collectives::nothing(),
            ready: None,
            tensorflow_tracer: TracerFigures::of(study),
            order,
        }
    }

    async fn with(
        study: &'a Study,
        pace: &Pace,
        list_waits: impl FnOnce(&[Wait]) -> Option<Listed<TensorRow<'a>>>,
    ) -> Self {
        if let Some(clocks) = ClockNote::of(study) {
            return Self::without_times(study, clocks, list_waits(&[]).is_some(), pace).await;
        }
        let (n_ops, n_transfers) = (study.trace().ops().len(), study.transfers().rows().len());
        let mut parts = 0..PARTS;
        let mut next = || pace.did(parts.next().unwrap_or(PARTS), PARTS);
        next();
        let steps = StepOfOp::indexed(study);
        // It is large, and is dropped after this answer.
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
        let collectives = collectives::all(study);
        pace.worked(n_ops).await;
        let tensorflow_tracer = TracerFigures::of(study);
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
            ready: Ready::of(study),
            tensorflow_tracer,
            order,
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
