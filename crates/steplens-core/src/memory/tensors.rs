//! The second reading: a tensor lives from the start of the op that made it to the end of the last op that read it.
//!
//! - Some ops pass on the bytes of an input (`Identity`, `Reshape`, `Switch` and the like, or a reference). Such an output makes no
//!   bytes: the bytes of the first maker live until the last op that read any of these outputs ends.
//! - Values of variables, and constants, exist before and after the step; each counts once, however often it was read.
//! - A transfer reads the tensor that it sends until it ends on the other side. There the received tensor is an output of the
//!   transfer.
//! - Sizes are `requested_bytes`. An output that no op read lives as long as its op. Outputs of no bytes hold nothing.
//!
//! So a tensor may die earlier here than it really did: TensorFlow frees some only when the step ends, and other ops may pass on a
//! buffer without being known to do so.

use crate::Trace;
use crate::base::ids::{DeviceId, StringId};
use crate::base::units::{Bytes, Timestamp};
use crate::memory::lives::Life;
use crate::memory::reads::{Reads, Role};
use crate::memory::records::account;
use crate::memory::{Faults, Memory};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The memory of `trace` from the reads of its outputs.
pub fn memory(trace: &Trace, reads: &Reads) -> Memory {
    let mut memory = Memory::default();
    if trace.outputs().is_empty() {
        return memory;
    }
    let (ops, roles) = (trace.ops(), Role::of_nodes(trace));
    // For each output with its own bytes: when the last op that read it ends.
    let mut end = vec![i64::MIN; reads.outputs()];
    for op in ops.ids() {
        let own_end = ops.end(op).0;
        for &output in reads.of_op(op) {
            let root = &mut end[reads.root(output) as usize];
            *root = (*root).max(own_end);
        }
    }
    let mut output = 0;
    for op in ops.ids() {
        for _ in trace.outputs().of(op) {
            let root = &mut end[reads.root(output) as usize];
            *root = (*root).max(ops.end(op).0);
            output += 1;
        }
    }
    let mut output = 0;
    for device in trace.devices().ids() {
        let mut drafts: Vec<(StringId, Vec<Life>)> = Vec::new();
        let mut resident = Resident::default();
        for op in trace.ops_of(device) {
            let role = roles[ops.node(op).index()];
            for (place, made) in (0..).zip(trace.outputs().of(op)) {
                let number = output;
                output += 1;
                if reads.root(number) != number || made.requested == Bytes(0) {
                    continue;
                }
                let life =
                    Life { op, output: Some(place), bytes: made.requested, allocated: None, freed: None };
                if matches!(role, Role::Holds | Role::ReadsVariable) {
                    let variable = reads.variable(number).unwrap_or(op);
                    resident.add(made.allocator, (trace.nodes().name(ops.node(variable)), place), life);
                    continue;
                }
                let freed = Some(Timestamp(end[number as usize]));
                lives_of(&mut drafts, made.allocator).push(Life {
                    allocated: Some(ops.start(op)),
                    freed,
                    ..life
                });
            }
        }
        for (allocator, life) in resident.lives {
            lives_of(&mut drafts, allocator).push(life);
        }
        add_accounts(trace, device, drafts, &mut memory.accounts, &mut memory.faults);
    }
    memory
}

/// Memory that exists before and after the step: each name once, with the largest size that it had.
#[derive(Default)]
struct Resident {
    rows: HashMap<(StringId, u32), usize, FixedState>,
    lives: Vec<(StringId, Life)>,
}

impl Resident {
    fn add(&mut self, allocator: StringId, name: (StringId, u32), life: Life) {
        let row = *self.rows.entry(name).or_insert(self.lives.len());
        match self.lives.get_mut(row) {
            None => self.lives.push((allocator, life)),
            Some((_, known)) if known.bytes < life.bytes => *known = life,
            Some(_) => {}
        }
    }
}

fn lives_of(drafts: &mut Vec<(StringId, Vec<Life>)>, allocator: StringId) -> &mut Vec<Life> {
    let place = drafts.iter().position(|draft| draft.0 == allocator).unwrap_or_else(|| {
        drafts.push((allocator, Vec::new()));
        drafts.len() - 1
    });
    &mut drafts[place].1
}

fn add_accounts(
    trace: &Trace,
    device: DeviceId,
    mut drafts: Vec<(StringId, Vec<Life>)>,
    accounts: &mut Vec<crate::memory::Account>,
    faults: &mut Faults,
) {
    drafts.sort_by(|a, b| trace.text(a.0).cmp(trace.text(b.0)));
    for (allocator, lives) in drafts {
        let mut account = account(lives, faults);
        (account.device, account.allocator) = (Some(device), allocator);
        accounts.push(account);
    }
}
