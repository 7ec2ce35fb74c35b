//! What a kernel waited for on other streams of its GPU.
//!
//! Recorded: a program made stream T wait for an event of stream S (`cudaStreamWaitEvent`), and a row of the GPU says for which
//! stream, and with which correlation the event was recorded. Then the first kernel that was launched on T after that call waited for the
//! last one that was launched on S before the event.
//!
//! Inferred, of a kernel whose launch had returned, and whose stream was free, for longer than [`STARTS`]:
//!
//! 1. If the call before its launch makes a stream wait for an event, it waited for the kernel that ended last among those launched
//!    before that call.
//! 2. If it started within [`STARTS`] after a kernel of another stream had ended, it waited for that one.
//! 3. If other streams ran kernels all the time since it was launched, the GPU had no room: of those that still ran when it began, the
//!    first one to end gave way.
//!
//! Where one step is shown, what another step launched is none of these: why that ran when it did is not in the step, and the path
//! would end there.

use super::edge_kind::EdgeKind;
use super::launched::Launched;
use super::nodes::Nodes;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::event_waits::{Calls, EventWaits};
use crate::gpu::kernels::has_kernels;
use crate::model::arguments::Noun;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// How long after the last thing that it waited for a kernel starts. Of the waits of launched kernels on a free stream in real traces,
/// most end so soon after a kernel of another stream, and few later.
const STARTS: Nanos = Nanos(15_000);

/// A kernel or a copy with a launch.
#[derive(Clone, Copy)]
struct Kernel {
    node: u32,
    op: OpId,
    stream: u32,
    ran: Interval,
    launch: Option<Interval>,
}

/// Finds what kernels waited for on other streams, as (kernel, what it waited for, why). `before` has for each node the one before it
/// on its stream, plus one. In time n log n; without cost for a trace whose kernels are joined with no calls.
pub(super) fn between(
    trace: &Trace,
    nodes: &Nodes,
    before: &[u32],
    launched: &Launched,
) -> Vec<(u32, u32, EdgeKind)> {
    let mut found = Vec::new();
    if trace.calls().is_empty() {
        return found;
    }
    let waits = EventWaits::of(trace);
    let recorded = Recorded::of(trace);
    for device in trace.devices().ids().filter(|&device| has_kernels(trace, device)) {
        let kernels = kernels_of(trace, nodes, device);
        if kernels.iter().all(|own| own.stream == kernels[0].stream) {
            continue;
        }
        let first = found.len();
        recorded.edges(trace, device, &kernels, &mut found);
        let mut known: Vec<u32> = found[first..].iter().map(|&(node, ..)| node).collect();
        known.sort_unstable();
        let is_known = |node: u32| known.binary_search(&node).is_ok();
        let inferring = Inferring { trace, nodes, before, waits: &waits, launched };
        inferring.edges(&kernels, &is_known, &mut found);
    }
    found
}

/// What the streams of `device` ran, in order of start.
fn kernels_of(trace: &Trace, nodes: &Nodes, device: DeviceId) -> Vec<Kernel> {
    let rows = nodes.of_device(trace, device).filter(|&node| nodes.length(node) > Nanos(0));
    let kernel = |node: u32| {
        let op = nodes.op(node);
        let launch = trace.call_of(op).map(|call| trace.ops().interval(call));
        Kernel { node, op, stream: trace.ops().thread(op), ran: nodes.interval(node), launch }
    };
    rows.map(kernel).collect()
}

/// The two streams on which kernels ended last, each with its last kernel.
#[derive(Default)]
struct Latest {
    last: Option<Kernel>,
    other: Option<Kernel>,
}

impl Latest {
    /// Adds a kernel that ended after all before it.
    fn add(&mut self, kernel: Kernel) {
        if self.last.is_some_and(|last| last.stream != kernel.stream) {
            self.other = self.last;
        }
        self.last = Some(kernel);
    }

    /// The kernel that ended last on another stream than `stream`.
    fn but(&self, stream: u32) -> Option<Kernel> {
        self.last.filter(|last| last.stream != stream).or(self.other)
    }
}

/// What runs on a GPU at a moment.
#[derive(Default)]
struct Running {
    /// The kernels that others may have waited for, by their ends.
    by_end: BTreeSet<(Timestamp, u32, u32)>,
    /// Since when it has run something, with pauses of at most [`STARTS`].
    since: Timestamp,
    until: Timestamp,
}

/// At most this many running kernels are looked at for one of another stream.
const MOST_LOOKED_AT: usize = 8;

impl Running {
    /// Moves on to the start of `kernel`, which is not added yet.
    fn move_to(&mut self, kernel: &Kernel) {
        while let Some(&first) = self.by_end.first().filter(|(end, ..)| *end <= kernel.ran.start) {
            self.by_end.remove(&first);
        }
        if kernel.ran.start - self.until > STARTS {
            self.since = kernel.ran.start;
        }
    }

    fn add(&mut self, kernel: &Kernel, may_be_waited_for: bool) {
        if may_be_waited_for {
            self.by_end.insert((kernel.ran.end, kernel.node, kernel.stream));
        }
        self.until = self.until.max(kernel.ran.end);
    }

    /// The kernel of another stream than `stream` that ends first, if the GPU has run others since `since`.
    fn instead(&self, stream: u32, since: Timestamp) -> Option<u32> {
        let others = self.by_end.iter().take(MOST_LOOKED_AT).find(|&&(.., own)| own != stream);
        others.filter(|_| self.since - since <= STARTS).map(|&(_, node, _)| node)
    }
}

struct Inferring<'a> {
    trace: &'a Trace,
    nodes: &'a Nodes,
    before: &'a [u32],
    waits: &'a EventWaits,
    launched: &'a Launched,
}

impl Inferring<'_> {
    fn edges(
        &self,
        kernels: &[Kernel],
        is_known: &dyn Fn(u32) -> bool,
        found: &mut Vec<(u32, u32, EdgeKind)>,
    ) {
        let mut by_end = kernels.to_vec();
        order::by_number(&mut by_end, |own| (own.ran.end.0, i64::from(own.node)));
        let mut by_end = by_end.into_iter().peekable();
        let mut latest = Latest::default();
        let mut running =
            Running { since: Timestamp(i64::MIN), until: Timestamp(i64::MIN), ..Running::default() };
        for own in kernels {
            while let Some(ended) = by_end.next_if(|other| other.ran.end <= own.ran.start) {
                if self.is_of_step(&ended) {
                    latest.add(ended);
                }
            }
            running.move_to(own);
            if !is_known(own.node) {
                found.extend(self.edge(own, &latest, &running).map(|(from, kind)| (own.node, from, kind)));
            }
            running.add(own, self.is_of_step(own));
        }
    }

    /// Whether no other step than the one that is shown launched it.
    fn is_of_step(&self, kernel: &Kernel) -> bool {
        !self.trace.is_period() || kernel.launch.is_some()
    }

    fn edge(&self, own: &Kernel, latest: &Latest, running: &Running) -> Option<(u32, EdgeKind)> {
        let launch = own.launch?;
        let end = |node: u32| self.nodes.interval(node).end;
        let free = self.before[own.node as usize].checked_sub(1).map(end);
        let since = free.map_or(launch.end, |free| free.max(launch.end));
        if own.ran.start - since <= STARTS {
            return None;
        }
        let said = || {
            let wait = self.waits.before_launch(self.trace, own.op)?;
            let call = self.trace.call_of(own.op)?;
            self.launched.last_before(self.trace, call, Interval::new(wait, own.ran.start))
        };
        if let Some(from) = said().filter(|&from| end(from) > since && from != own.node) {
            return Some((from, EdgeKind::OtherStream));
        }
        let ended = latest
            .but(own.stream)
            .filter(|other| other.ran.end > since && own.ran.start - other.ran.end <= STARTS);
        let ended = ended.map(|other| (other.node, EdgeKind::OtherStream));
        ended.or_else(|| running.instead(own.stream, since).map(|from| (from, EdgeKind::Room)))
    }
}

/// A row of a GPU that says for which stream another stream waits.
struct Row {
    device: DeviceId,
    /// When the program said so, on which stream, and for which stream.
    at: Timestamp,
    waits: u64,
    waits_for: u64,
    /// When the event was recorded.
    recorded: Timestamp,
}

/// The waits for events of other streams that a trace has rows for.
#[derive(Default)]
struct Recorded {
    rows: Vec<Row>,
}

impl Recorded {
    fn of(trace: &Trace) -> Self {
        let mut found = Self::default();
        let arguments = trace.arguments();
        let is_wait = |form: usize| arguments.forms().of(form).any(|(name, ..)| name == WAITS_FOR);
        let forms: Vec<bool> = (0..arguments.forms().len()).map(is_wait).collect();
        if !forms.contains(&true) {
            return found;
        }
        let calls = Calls::by_correlation(trace);
        for device in trace.devices().ids().filter(|&device| has_kernels(trace, device)) {
            let is_range = |op: &OpId| trace.category(*op) == Category::Range;
            let has_form = |op: &OpId| arguments.form(*op).is_some_and(|form| forms[form]);
            for op in trace.ops_of(device).filter(has_form).filter(is_range) {
                let count = |wanted: &dyn Fn(&str) -> bool| {
                    arguments.of(op).find(|own| wanted(own.name)).and_then(|own| own.value.count())
                };
                let is = |noun: Noun| move |name: &str| Noun::of(name) == Some(noun);
                let call = |correlation: Option<u64>| calls.start(device, correlation?);
                let (Some(waits), Some(waits_for), Some(at)) = (
                    count(&is(Noun::Stream)),
                    count(&|name| name == WAITS_FOR),
                    // Rows without this are about the host, which waits.
                    call(count(&is(Noun::Correlation))),
                ) else {
                    continue;
                };
                let recorded = call(count(&|name| name == RECORDED)).unwrap_or(at).min(at);
                found.rows.push(Row { device, at, waits, waits_for, recorded });
            }
        }
        found
    }

    fn edges(
        &self,
        trace: &Trace,
        device: DeviceId,
        kernels: &[Kernel],
        found: &mut Vec<(u32, u32, EdgeKind)>,
    ) {
        let own = || self.rows.iter().filter(|row| row.device == device);
        if own().next().is_none() {
            return;
        }
        // The kernels of each stream, in order of launch.
        let mut launched: HashMap<u64, Vec<(Timestamp, Kernel)>, FixedState> = HashMap::default();
        for &kernel in kernels {
            let mut arguments = trace.arguments().of(kernel.op);
            let stream = arguments.find(|own| Noun::of(own.name) == Some(Noun::Stream));
            if let (Some(stream), Some(launch)) = (stream.and_then(|own| own.value.count()), kernel.launch) {
                launched.entry(stream).or_default().push((launch.start, kernel));
            }
        }
        launched.values_mut().for_each(|all| order::by_number(all, |(at, _)| (at.0, 0)));
        for row in own() {
            let of = |stream: u64| launched.get(&stream).map_or(&[][..], Vec::as_slice);
            let (waits, waits_for) = (of(row.waits), of(row.waits_for));
            let first = waits.get(waits.partition_point(|&(at, _)| at < row.at));
            let last = waits_for[..waits_for.partition_point(|&(at, _)| at < row.recorded)].last();
            if let (Some((_, first)), Some((_, last))) = (first, last)
                && first.node != last.node
                // Whatever started before the other ended did not wait for it.
                && last.ran.end <= first.ran.start
            {
                found.push((first.node, last.node, EdgeKind::Event));
            }
        }
    }
}

/// The arguments of a row of PyTorch that says for which stream a stream waits.
const WAITS_FOR: &str = "wait_on_stream";
const RECORDED: &str = "wait_on_cuda_event_record_corr_id";
