//! The first reading: the allocations and frees that allocators recorded, `AllocatorMemoryUsed.allocation_records`.
//!
//! For each op and allocator, TensorFlow records what the op allocated and when this memory was freed, even if that was long after
//! the op. So a free belongs to an allocation of the same size in the same report: the oldest one that is not freed yet. A free
//! without such an allocation frees memory from before the recording. An allocation without a free is held until the end.

use crate::Trace;
use crate::base::ids::{DeviceId, OpId, StringId};
use crate::base::order;
use crate::base::units::{Bytes, Timestamp};
use crate::memory::curve::Curve;
use crate::memory::lives::{Life, Lives};
use crate::memory::{Account, Basis, Faults, Memory};
use crate::model::memory::NO_ADDRESSES;

/// What one allocator did on one device, while it is collected.
struct Draft {
    device: DeviceId,
    allocator: StringId,
    lives: Vec<Life>,
    /// (end of an op, bytes in use by the allocator at that time).
    in_use: Vec<(Timestamp, Bytes)>,
}

/// The memory of `trace` from its allocation records, in one pass.
pub fn memory(trace: &Trace) -> Memory {
    let mut memory = Memory::default();
    if !trace.memory().has_records() {
        return memory;
    }
    let mut pairing = Pairing::default();
    let mut drafts: Vec<Draft> = Vec::new();
    for device in trace.devices().ids() {
        // The draft of each allocator that ops of this device used.
        let mut known: Vec<(StringId, usize)> = Vec::new();
        for op in trace.ops_of(device) {
            let mut own_of = trace.memory().of(op).zip(trace.memory().reports_of(op)).peekable();
            if own_of.peek().is_none() {
                continue;
            }
            let (start, end) = (trace.ops().start(op), trace.ops().end(op));
            pairing.next_op();
            for ((used, records), (_, in_use)) in own_of {
                let place = known.iter().find(|(allocator, _)| *allocator == used.allocator);
                let place = place.map(|&(_, place)| place).unwrap_or_else(|| {
                    let place = draft_of(trace, device, used.allocator, &mut drafts);
                    known.push((used.allocator, place));
                    place
                });
                let draft = &mut drafts[place];
                draft.in_use.extend(in_use.map(|bytes| (end, bytes)));
                let records = records.map(|record| (start + record.after_start, record.bytes));
                pairing.report(trace, op, records, &mut draft.lives, &mut memory.faults);
            }
        }
    }
    drafts.retain(|draft| !draft.lives.is_empty());
    drafts.sort_by(|a, b| {
        a.device.cmp(&b.device).then_with(|| trace.text(a.allocator).cmp(trace.text(b.allocator)))
    });
    for Draft { device, allocator, lives, in_use } in drafts {
        let mut account = account(lives, &mut memory.faults);
        (account.device, account.allocator) = (Some(device), allocator);
        if trace.text(allocator).ends_with(NO_ADDRESSES) {
            // These lives were split to give the right sum, so a single life belongs to no op.
            (account.basis, account.lives) = (Basis::Sums, Lives::default());
        }
        let peak = account.curve.peak().1;
        // The last report before the peak, otherwise the first report after it.
        let last = in_use.iter().filter(|(at, _)| *at <= peak).max_by_key(|(at, _)| *at);
        let nearest = last.or_else(|| in_use.iter().min_by_key(|(at, _)| *at));
        account.beyond = nearest.map(|&(at, bytes)| Bytes(bytes.0.saturating_sub(account.curve.at(at).0)));
        memory.accounts.push(account);
    }
    memory
}

/// The draft for `allocator`, which ops of `device` used.
fn draft_of(trace: &Trace, device: DeviceId, allocator: StringId, drafts: &mut Vec<Draft>) -> usize {
    let device = owner(trace, device, allocator);
    let is_it = |draft: &Draft| draft.device == device && draft.allocator == allocator;
    drafts.iter().position(is_it).unwrap_or_else(|| {
        drafts.push(Draft { device, allocator, lives: Vec::new(), in_use: Vec::new() });
        drafts.len() - 1
    })
}

/// The device whose memory `allocator` manages, where an op of `device` used it. Profilers record on the host what is allocated on
/// an accelerator, and number the accelerator: PyTorch `cuda:1`, TensorFlow and JAX `GPU_1_bfc`. If no accelerator of the host, or
/// more than one, has that number in its name, the account stays with the host.
fn owner(trace: &Trace, device: DeviceId, allocator: StringId) -> DeviceId {
    let described = trace.devices().get(device);
    let allocator = trace.text(allocator);
    let Some(number) = number_of(allocator).filter(|_| !described.is_accelerator) else { return device };
    let host = |device: DeviceId| host_of(trace.text(trace.devices().get(device).name));
    let is_near = |&other: &DeviceId| {
        let accelerator = trace.devices().get(other);
        accelerator.is_accelerator && accelerator.task == described.task && host(other) == host(device)
    };
    let near: Vec<DeviceId> = trace.devices().ids().filter(is_near).collect();
    // ROCm's allocator counts the GPUs of a process from 0, but its kernels count all agents of the machine.
    if allocator.starts_with("hip:") {
        return *near.first().filter(|_| near.len() == 1 && number == "0").unwrap_or(&device);
    }
    let has_number = |&&other: &&DeviceId| {
        trace.text(trace.devices().get(other).name).rsplit([':', ' ']).next() == Some(number)
    };
    let mut found = near.iter().filter(has_number);
    found.next().filter(|_| found.next().is_none()).copied().unwrap_or(device)
}

/// The number of the accelerator whose memory an allocator of this name manages.
fn number_of(allocator: &str) -> Option<&str> {
    let allocator = allocator.strip_suffix(NO_ADDRESSES).unwrap_or(allocator);
    let of_torch = || allocator.split_once(':').filter(|(kind, _)| *kind != "cpu").map(|(_, number)| number);
    let of_tensorflow = || allocator.strip_prefix("GPU_")?.strip_suffix("_bfc");
    let number = of_tensorflow().or_else(of_torch)?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
}

/// The part of a device name before the first `CPU` or `GPU`: the machine or process, where the name has it.
fn host_of(name: &str) -> &str {
    let first = ["CPU", "GPU", "/host:", "/device:"].into_iter().filter_map(|word| name.find(word)).min();
    &name[..first.unwrap_or(name.len())]
}

/// An account of `lives`.
pub(super) fn account(lives: Vec<Life>, faults: &mut Faults) -> Account {
    let (curve, too_large) = Curve::summed(lives.iter().copied());
    faults.too_large += too_large;
    let before = lives.iter().filter(|life| life.allocated.is_none()).map(|life| life.bytes).sum();
    let lives = Lives::stored(lives);
    let basis = Basis::Lives;
    Account { device: None, allocator: StringId::new(0), basis, lives, curve, before, beyond: None }
}

/// Matches the frees of a report with its allocations. The buffers are reused from report to report.
#[derive(Default)]
struct Pairing {
    records: Vec<(Timestamp, i64)>,
    /// Allocations that are not freed yet: (bytes, row of the lives).
    open: Vec<(u64, usize)>,
    /// The outputs of the op that are matched with an allocation.
    taken: Vec<u32>,
}

/// Reports with at least this many open allocations are matched by size: keeps hostile reports from costing n².
const MANY: usize = 64;

impl Pairing {
    fn next_op(&mut self) {
        self.taken.clear();
    }

    fn report(
        &mut self,
        trace: &Trace,
        op: OpId,
        records: impl Iterator<Item = (Timestamp, i64)>,
        lives: &mut Vec<Life>,
        faults: &mut Faults,
    ) {
        self.records.clear();
        self.records.extend(records.filter(|record| record.1 != 0));
        order::by_number(&mut self.records, |(at, _)| (at.0, 0));
        if self.records.len() > MANY {
            return self.large_report(op, lives, faults);
        }
        self.open.clear();
        for &(at, bytes) in &self.records {
            let size = bytes.unsigned_abs();
            if bytes > 0 {
                self.open.push((size, lives.len()));
                let output = output_of(trace, op, size, &mut self.taken);
                lives.push(Life { op, output, bytes: Bytes(size), allocated: Some(at), freed: None });
                continue;
            }
            match self.open.iter().position(|open| open.0 == size) {
                Some(place) => lives[self.open.remove(place).1].freed = Some(at),
                None => alone(op, size, at, lives, faults),
            }
        }
    }

    /// Like the loop for small reports, in n log n: the nth free of a size belongs to its nth allocation, if that came before.
    fn large_report(&mut self, op: OpId, lives: &mut Vec<Life>, faults: &mut Faults) {
        let mut by_size: Vec<(u64, Timestamp, bool)> =
            self.records.iter().map(|&(at, bytes)| (bytes.unsigned_abs(), at, bytes > 0)).collect();
        order::by_number(&mut by_size, |(size, ..)| (size as i64, 0));
        let mut frees_alone = Vec::new();
        for same in by_size.chunk_by(|a, b| a.0 == b.0) {
            let mut next = lives.len();
            for &(size, at, is_allocation) in same {
                if is_allocation {
                    lives.push(Life {
                        op,
                        output: None,
                        bytes: Bytes(size),
                        allocated: Some(at),
                        freed: None,
                    });
                } else if let Some(open) = lives.get_mut(next) {
                    open.freed = Some(at);
                    next += 1;
                } else {
                    frees_alone.push((size, at));
                }
            }
        }
        frees_alone.into_iter().for_each(|(size, at)| alone(op, size, at, lives, faults));
    }
}

fn alone(op: OpId, size: u64, at: Timestamp, lives: &mut Vec<Life>, faults: &mut Faults) {
    faults.frees_alone += 1;
    lives.push(Life { op, output: None, bytes: Bytes(size), allocated: None, freed: Some(at) });
}

/// The first output of `op` with this size that is not matched with an allocation yet.
fn output_of(trace: &Trace, op: OpId, size: u64, taken: &mut Vec<u32>) -> Option<u32> {
    let is_it = |(row, output): &(u32, crate::model::output::Output<'_>)| {
        (output.requested.0 == size || output.allocated.0 == size) && !taken.contains(row)
    };
    let found = (0..).zip(trace.outputs().of(op)).take(MANY).find(is_it)?.0;
    taken.push(found);
    Some(found)
}
