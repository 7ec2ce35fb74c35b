//! Builds the edges of the execution graph, node by node.

use super::arrivals::Arrivals;
use super::began::Began;
use super::behind_kernels::BehindKernels;
use super::copied::Copied;
use super::edge_kind::EdgeKind;
use super::graph::{EdgeList, ExecutionGraph};
use super::host::Feeders;
use super::nodes::{Nodes, is_work};
use super::streams::Streams;
use super::threads::Threads;
use super::turns::Turns;
use super::unnamed::Unnamed;
use crate::base::order;
use crate::collectives::Collectives;
use crate::gpu::accelerators::ends_executor;
use crate::gpu::kernels::Kernels;
use crate::host_profile::HostProfile;
use crate::makers::Edges;
use crate::makers::Makers;
use crate::model::trace::Trace;
use crate::transfers::Transfers;
use crate::{OpId, StringId};

impl ExecutionGraph {
    /// Builds the graph of a trace. `makers` must be the makers of all ops in the trace.
    pub fn built(
        edges: Edges<'_>,
        makers: &Makers,
        kernels: &Kernels,
        host: &HostProfile,
        collectives: &Collectives,
    ) -> Self {
        let (trace, transfers) = (edges.trace, edges.transfers);
        let mut nodes = Nodes::numbered(trace);
        let threads = Threads::found(trace, transfers, host);
        let streams = Streams::followed(trace, &mut nodes, kernels);
        let copied = Copied::found(trace, &nodes);
        let behind = BehindKernels::found(trace, kernels);
        let links = Links::indexed(trace, transfers);
        let feeders = Feeders::found(trace);
        let unnamed = Unnamed::found(edges, makers);
        let mut list = EdgeList::default();
        list.first.reserve_exact(nodes.len() + 1);
        let mut orders = makers.orders().iter().copied().peekable();
        let mut is_order = |place: u32| {
            // `makers` has its rows in the order of execution, which is not always the order of ops.
            while orders.next_if(|&order| order < place).is_some() {}
            orders.peek() == Some(&place)
        };
        let in_row = makers.is_by_op();
        let all_orders = makers.orders();
        let mut copies: Vec<u32> = Vec::new();
        for node in 0..nodes.len() as u32 {
            list.next_node();
            let op = nodes.op(node);
            let device = trace.device_of(op);
            let row = trace.devices().get(device);
            streams.causes(node).for_each(|(from, kind)| list.push(from, kind));
            if row.nests || !is_work(trace, op) {
                continue;
            }
            // An executor ends when its GPU has done what was launched.
            let sink = Some(op).filter(|&op| ends_executor(trace, op)).map(|op| trace.ops().interval(op));
            let last = sink.and_then(|own| feeders.ran_until(trace, own)).and_then(|last| nodes.of_op(last));
            if let Some(kernel) = last {
                nodes.waits_until(node, nodes.interval(kernel).end);
                list.push(kernel, EdgeKind::Sync);
            }
            if let Some(call) =
                trace.call_of(op).or_else(|| kernels.op_of(op)).and_then(|call| nodes.of_op(call))
            {
                list.push(call, EdgeKind::Launch);
            }
            copied.kernel_before(trace, op).into_iter().for_each(|kernel| list.push(kernel, EdgeKind::Sync));
            copied.maker_before(trace, op).into_iter().for_each(|maker| list.push(maker, EdgeKind::Data));
            let ready = list.of_last().iter().map(|&from| nodes.interval(from).end).max();
            let kernel = ready.and_then(|since| behind.before(trace, &nodes, op, since));
            kernel.into_iter().for_each(|kernel| list.push(kernel, EdgeKind::OtherStream));
            let recorded = transfers.id_of_op(op);
            copies.clear();
            let (first, end) = makers.range(op);
            for place in first..end {
                let maker = makers.at(place);
                let Some(from) = nodes.of_op(maker).filter(|&from| from != node) else { continue };
                let is_elsewhere = !(row.first_op..row.end_op()).contains(&maker.get());
                let by_order =
                    if in_row { is_order(place) } else { all_orders.binary_search(&place).is_ok() };
                let is_received = makers.transfer(transfers, place).is_some();
                let kind = if recorded.is_some() || is_elsewhere || is_received {
                    EdgeKind::Transfer
                } else if by_order {
                    EdgeKind::Control
                } else {
                    EdgeKind::Data
                };
                list.push(from, kind);
                // The output of a GPU op is ready for another device only when its last kernel has ended.
                if let Some(kernel) = streams.last_of(maker).filter(|_| is_elsewhere)
                    && nodes.interval(kernel).end <= nodes.interval(node).start
                {
                    list.push(kernel, EdgeKind::Sync);
                }
                let name = trace.nodes().name(trace.ops().node(maker));
                if let Some(copy) =
                    copied.copy_before(name, nodes.interval(node).start).filter(|_| is_elsewhere)
                {
                    list.push(copy, EdgeKind::Sync);
                    copies.push(copy);
                }
            }
            let from = unnamed.causes(op).filter_map(|from| nodes.of_op(from));
            from.for_each(|from| list.push(from, EdgeKind::Transfer));
            // An op may have one input from a copy, and others from ops that were recorded.
            copies.sort_unstable();
            let others = copied.received(trace, op).filter(|copy| copies.binary_search(copy).is_err());
            others.for_each(|copy| list.push(copy, EdgeKind::Sync));
            match recorded {
                Some(id) => {
                    let transfer = transfers.get(id);
                    if let Ok(producer) = transfer.producer
                        && !transfer.is_of_transport
                    {
                        // A receiving node starts its op when it begins to wait, so the wait is cut off.
                        nodes.waits_until(node, trace.ops().end(producer));
                    }
                    let before = links.before(id.index()).and_then(|before| nodes.of_op(before));
                    before.into_iter().for_each(|before| list.push(before, EdgeKind::Link));
                }
                None => {
                    let before = threads.before(op).and_then(|before| nodes.of_op(before));
                    before.into_iter().for_each(|before| list.push(before, EdgeKind::Thread));
                }
            }
        }
        let turns = Turns::found(trace, &threads);
        let mut graph = Self::new(nodes, list, (threads, turns), feeders, makers.ops_without());
        graph.began = Began::found(trace);
        graph.watchers = streams.watchers;
        graph.unnamed = unnamed;
        graph.ahead = streams.ahead;
        graph.arrivals = Arrivals::read(&graph.nodes, collectives);
        graph
    }
}

/// For each transfer that an op recorded: the last transfer on the same link that was received before this one was sent.
struct Links {
    before: Vec<Option<OpId>>,
}

impl Links {
    fn indexed(trace: &Trace, transfers: &Transfers) -> Self {
        let mut before = vec![None; transfers.rows().len()];
        let ops = trace.ops();
        let mut rows: Vec<(u32, OpId, (StringId, StringId))> = Vec::new();
        for (id, transfer) in transfers.all() {
            if let Some(op) = transfer.op {
                rows.push((id.get(), op, (transfer.source, transfer.destination)));
            }
        }
        order::by_number(&mut rows, |(_, op, _)| (ops.start(op).0, 0));
        order::by_number(&mut rows, |(_, _, (from, to))| (i64::from(from.get()), i64::from(to.get())));
        for link in rows.chunk_by(|a, b| a.2 == b.2) {
            let mut ended: Vec<OpId> = link.iter().map(|&(_, op, _)| op).collect();
            order::by_number(&mut ended, |op| (ops.end(op).0, 0));
            let mut done = 0;
            for &(row, op, _) in link {
                while ended.get(done).is_some_and(|&other| ops.end(other) <= ops.start(op)) {
                    done += 1;
                }
                before[row as usize] = ended[..done].iter().rev().copied().find(|&other| other != op);
            }
        }
        Self { before }
    }

    fn before(&self, row: usize) -> Option<OpId> {
        self.before[row]
    }
}
