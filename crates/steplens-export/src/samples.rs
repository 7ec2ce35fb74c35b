//! Where the counters and instants of a trace are written.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_core::model::owner::Owner;
use steplens_core::{StringId, Trace};

/// The processes without ops that recorded any, each once.
pub(crate) struct Owners {
    processes: Vec<StringId>,
    places: HashMap<StringId, usize, FixedState>,
}

impl Owners {
    pub(crate) fn of(trace: &Trace) -> Self {
        let (mut processes, mut places) = (Vec::new(), HashMap::default());
        let counters = trace.counters().ids().map(|counter| trace.counters().get(counter).owner);
        for owner in counters.chain(trace.instants().all().iter().map(|own| own.owner)) {
            if let Owner::Process(name) = owner {
                places.entry(name).or_insert_with(|| {
                    processes.push(name);
                    processes.len() - 1
                });
            }
        }
        Self { processes, places }
    }

    /// Their names, in order.
    pub(crate) fn processes(&self) -> &[StringId] {
        &self.processes
    }

    /// The place of a process among them.
    pub(crate) fn place(&self, name: StringId) -> usize {
        self.places.get(&name).copied().unwrap_or(0)
    }
}
