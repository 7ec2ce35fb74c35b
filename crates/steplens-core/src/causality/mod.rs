//! Why each op started when it did: the execution graph of a step, the two critical paths through it, and slack. From the
//! makers of all ops, their threads and the kernels that they launched. For the tab Critical path, `steplens critical-path`,
//! colours by slack, and scheduling.
//!
//! | module | what it has |
//! |---|---|
//! | [`ahead`] | what a pipeline of input does ahead of the steps |
//! | [`arrivals`] | who came last to a collective |
//! | [`awaited_input`] | what of the path is loading, while a step waits for its batch |
//! | [`began`] | when each of several ranks began |
//! | [`cause`] | why a tensor was not sent yet |
//! | [`copied`] | copies of tensors between a GPU and its host |
//! | [`nodes`] | the ends of edges: ops, and the pieces of nested ops |
//! | [`edge_kind`] | why one node could not run before another |
//! | [`graph`] | the edges between nodes, each with its kind; dependencies that run back in time |
//! | [`threads`] | TensorFlow's executor threads: recorded, or inferred from ops that were scheduled together and from overlaps |
//! | [`stamps`] | which ops a thread of the executor kept, and which it gave to the pool |
//! | [`pool_waits`] | what the threads of a pool ran while a call waited |
//! | [`pools`] | the ops that share threads: an op that was scheduled and did not run is queued behind them |
//! | [`turns`] | the op that held the thread which an op took |
//! | [`streams`] | what kernels, calls and threads of programs waited for |
//! | [`behind_kernels`] | copies of tensors that waited for kernels of another stream |
//! | [`between_streams`] | what kernels waited for on other streams, recorded or inferred |
//! | [`host`] | threads that feed GPUs: what the time between their ops is called |
//! | [`launched`] | the kernels that a call of a program waited for |
//! | [`queued_calls`] | the calls that put collectives into the queue of a backend |
//! | [`ranges_alone`] | recordings of nothing but ranges |
//! | [`own_kernels`] | what ran on a GPU during the ops of an executor that started it |
//! | [`order`] | an order in which every node comes after what it waited for |
//! | [`floor`] | the static path: the longest by dependencies alone; slack; the next path |
//! | [`unnamed`] | tensors from another task without a name or a sender, and what they stand between |
//! | [`walk`] | a way back through the graph: what a node waited for, and what the time from there was spent on |
//! | [`held`] | what held the thread or link of an op that was ready |
//! | [`segment`] | what a moment of the observed path was spent on |
//! | [`observed`] | the observed path: from the last end backwards, segments that tile the step |
//! | [`spent`] | what a part of a path was spent on, as people say it |
//! | [`sums`] | both paths, summed by kind, op type, name scope and device; what binds the step |
//!
//! `docs/critical-path.md` has the formulas and their limits.

pub(crate) mod ahead;
mod arrivals;
mod awaited_input;
pub mod began;
mod behind_kernels;
mod between_streams;
mod builder;
pub mod cause;
mod copied;
pub mod edge_kind;
pub mod floor;
pub mod graph;
mod held;
pub(crate) mod host;
mod launched;
pub mod nodes;
pub mod observed;
pub mod order;
pub(crate) mod own_kernels;
mod pool_waits;
pub mod pools;
mod queued_calls;
pub mod ranges_alone;
mod segment;
pub mod spent;
mod stamps;
mod streams;
pub mod sums;
pub mod threads;
pub mod turns;
mod unnamed;
mod walk;

use crate::collectives::Collectives;
use crate::gpu::kernels::Kernels;
use crate::host_profile::HostProfile;
use crate::makers::Edges;
use crate::makers::Makers;
use floor::Floor;
use graph::ExecutionGraph;
use observed::Observed;

/// The execution graph of the view, and both paths through it.
pub struct Causes {
    /// Ops and transfers, and what each waited for.
    pub graph: ExecutionGraph,
    /// The longest path by dependencies alone, and slack.
    pub floor: Floor,
    /// What the step waited for, moment by moment.
    pub observed: Observed,
}

impl Causes {
    /// Both paths, in time n log n.
    pub fn found(edges: Edges<'_>, kernels: &Kernels, host: &HostProfile, collectives: &Collectives) -> Self {
        let mut graph = ExecutionGraph::built(edges, &Makers::found(edges), kernels, host, collectives);
        let floor = Floor::computed(&mut graph);
        let observed = Observed::walked_back(edges, &graph);
        Self { graph, floor, observed }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.graph.heap_bytes() + self.floor.heap_bytes() + self.observed.heap_bytes()
    }
}
