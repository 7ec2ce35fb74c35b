//! The third reading: exactly what TensorFlow's `timeline.py` counts with `show_memory`.
//!
//! Its rules (`_analyze_tensors`, `_show_compute`, `_show_memory_counters`):
//!
//! - Each output of an op is a tensor with the name of its op, and `:k` after the first. A later output of the same name, on any
//!   device, **replaces** the earlier one, which is then never counted. Later means later in the file.
//! - A tensor lives from its op's start to the latest of its op's end and, for each op whose label names it as an input, that op's
//!   end less 1 µs. If an input names no tensor, it is tried without its partition suffix. `RecvTensor` and ops of GPUs read
//!   nothing.
//! - All devices are one: there is one curve for each allocator. Times are whole microseconds.
//! - A maximum needs strictly more bytes than the one before. A tensor of no bytes stays in the set for ever once it was made.

use crate::Trace;
use crate::base::ids::{OpId, StringId};
use crate::base::order;
use crate::base::units::{Bytes, Timestamp};
use crate::memory::lives::Life;
use crate::memory::records::account;
use crate::memory::{Faults, Memory};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A tensor as `timeline.py` tracks it. Times are in microseconds from 1970.
#[derive(Clone, Copy, Debug)]
struct Tracker {
    op: OpId,
    output: u32,
    allocator: StringId,
    bytes: Bytes,
    start_us: i64,
    end_us: i64,
}

/// The entry of `timeline.py` for an allocator: `AllocationMaximum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maximum {
    /// The allocator.
    pub allocator: StringId,
    /// Its time in µs from 1970; 0 if the allocator never had any bytes.
    pub timestamp_us: i64,
    /// The number of bytes.
    pub num_bytes: u64,
    /// The number of tensors in the set.
    pub tensors: u64,
}

/// The tensors of `trace` that `timeline.py` counts; how many it loses, and their bytes.
struct Tensors {
    trackers: Vec<Tracker>,
    lost: (u64, Bytes),
}

/// The memory of `trace` as `timeline.py` counts it.
pub fn memory(trace: &Trace) -> Memory {
    let Tensors { trackers, lost } = tensors(trace);
    let (mut accounts, mut faults) = (Vec::new(), Faults::default());
    for of_allocator in by_allocator(trace, &trackers) {
        let time = |us: i64| Timestamp(us.saturating_mul(1_000).saturating_sub(trace.origin_unix_ns()));
        let life = |tracker: &Tracker| Life {
            op: tracker.op,
            output: Some(tracker.output),
            bytes: tracker.bytes,
            allocated: Some(time(tracker.start_us)),
            freed: Some(time(tracker.end_us)),
        };
        let mut account = account(of_allocator.iter().map(life).collect(), &mut faults);
        account.allocator = of_allocator[0].allocator;
        accounts.push(account);
    }
    Memory { accounts, faults, lost }
}

/// The `allocator_maximums` of `timeline.py`, in order of the allocators' names.
pub fn maximums(trace: &Trace) -> Vec<Maximum> {
    let maximum = |of_allocator: Vec<Tracker>| {
        let events = events(&of_allocator);
        let mut most =
            Maximum { allocator: of_allocator[0].allocator, timestamp_us: 0, num_bytes: 0, tensors: 0 };
        let (mut level, mut tensors) = (0_u64, 0);
        let mut is_in = vec![false; of_allocator.len()];
        for &(time, bytes, row) in &events {
            level = match bytes < 0 {
                true => level.saturating_sub(bytes.unsigned_abs()),
                false => level.saturating_add(bytes.unsigned_abs()),
            };
            let was_in = std::mem::replace(&mut is_in[row], bytes >= 0);
            tensors = tensors + u64::from(bytes >= 0) - u64::from(was_in);
            if level > most.num_bytes {
                most = Maximum { timestamp_us: time, num_bytes: level, tensors, ..most };
            }
        }
        most
    };
    by_allocator(trace, &tensors(trace).trackers).into_iter().map(maximum).collect()
}

/// The counters of `timeline.py` for each allocator: (time in µs from 1970, bytes) after each allocation and free, in order.
pub fn counters(trace: &Trace) -> Vec<(StringId, Vec<(i64, u64)>)> {
    let counted = |of_allocator: Vec<Tracker>| {
        let mut level = 0_u64;
        let after = |(time, bytes, _): (i64, i64, usize)| {
            level = match bytes < 0 {
                true => level.saturating_sub(bytes.unsigned_abs()),
                false => level.saturating_add(bytes.unsigned_abs()),
            };
            (time, level)
        };
        (of_allocator[0].allocator, events(&of_allocator).into_iter().map(after).collect())
    };
    by_allocator(trace, &tensors(trace).trackers).into_iter().map(counted).collect()
}

/// (time, bytes, row) in the order of summation. If time and bytes are equal, the order of names changes no sum.
fn events(of_allocator: &[Tracker]) -> Vec<(i64, i64, usize)> {
    let bytes = |tracker: &Tracker| i64::try_from(tracker.bytes.0).unwrap_or(i64::MAX);
    let both = of_allocator.iter().enumerate().flat_map(|(row, tracker)| {
        [(tracker.start_us, bytes(tracker), row), (tracker.end_us, -bytes(tracker), row)]
    });
    let mut events: Vec<(i64, i64, usize)> = both.collect();
    order::by_number(&mut events, |(time, bytes, _)| (time, bytes));
    events
}

/// The trackers of each allocator, in order of their names.
fn by_allocator(trace: &Trace, trackers: &[Tracker]) -> Vec<Vec<Tracker>> {
    let mut groups: Vec<Vec<Tracker>> = Vec::new();
    let mut last = 0;
    for &tracker in trackers {
        let is_own = |group: &Vec<Tracker>| group[0].allocator == tracker.allocator;
        if !groups.get(last).is_some_and(is_own) {
            last = groups.iter().position(is_own).unwrap_or_else(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
        }
        groups[last].push(tracker);
    }
    groups.sort_by(|a, b| trace.text(a[0].allocator).cmp(trace.text(b[0].allocator)));
    groups
}

fn tensors(trace: &Trace) -> Tensors {
    let mut found = Tensors { trackers: Vec::new(), lost: (0, Bytes(0)) };
    if trace.outputs().is_empty() {
        return found;
    }
    let (ops, nodes) = (trace.ops(), trace.nodes());
    // TensorFlow cuts starts and ends to microseconds.
    let micros = |at: Timestamp| trace.origin_unix_ns().saturating_add(at.0).div_euclid(1_000);
    let mut row_of: HashMap<(StringId, u32), u32, FixedState> = HashMap::default();
    let mut lose = |bytes: Bytes| {
        found.lost.0 += 1;
        found.lost.1 += bytes;
    };
    for op in ops.ids() {
        let name = nodes.name(ops.node(op));
        for (output, made) in (0..).zip(trace.outputs().of(op)) {
            if made.is_replaced {
                lose(made.requested);
                continue;
            }
            let interval = ops.interval(op);
            let tracker = Tracker {
                op,
                output,
                allocator: made.allocator,
                bytes: made.requested,
                start_us: micros(interval.start),
                end_us: micros(interval.end),
            };
            let next = found.trackers.len() as u32;
            let row = *row_of.entry((name, output)).or_insert(next);
            if row == next {
                found.trackers.push(tracker);
                continue;
            }
            // The tensors are from different parts of the files: the last one counts.
            let old = &mut found.trackers[row as usize];
            if ops.part(op) >= ops.part(old.op) {
                lose(old.bytes);
                *old = tracker;
            } else {
                lose(tracker.bytes);
            }
        }
    }
    let named = |text: &str| {
        let find = |name: &str, output| row_of.get(&(trace.strings().find(name)?, output)).copied();
        let numbered = || {
            let (name, output) = text.rsplit_once(':')?;
            let is_plain = !output.starts_with(['0', '+']);
            find(name, output.parse().ok().filter(|_| is_plain)?)
        };
        find(text, 0).or_else(numbered)
    };
    // The inputs in a label are the same for all ops of a node.
    let mut first = Vec::with_capacity(nodes.len() + 1);
    let mut read: Vec<u32> = Vec::new();
    for node in nodes.ids() {
        first.push(read.len() as u32);
        if trace.text(nodes.name(node)) == "RecvTensor" {
            continue;
        }
        for input in inputs(trace.text(nodes.label(node))) {
            let cut = || input.rfind("/_").filter(|&at| at > 0).and_then(|at| named(&input[..at]));
            read.extend(named(input).or_else(cut));
        }
    }
    first.push(read.len() as u32);
    for device in trace.devices().ids() {
        let name = trace.text(trace.devices().get(device).name);
        if name.contains("/stream:") || name.contains("/memcpy") {
            continue;
        }
        for op in trace.ops_of(device) {
            let node = ops.node(op).index();
            let readers = &read[first[node] as usize..first[node + 1] as usize];
            if readers.is_empty() {
                continue;
            }
            let end_us = micros(ops.end(op)) - 1;
            for &row in readers {
                let tracker = &mut found.trackers[row as usize];
                tracker.end_us = tracker.end_us.max(end_us);
            }
        }
    }
    found
}

/// Op type and inputs as `(.*) = (.*)\((.*)\)` matches them at the start of a label; each group is as long as possible.
pub fn call(label: &str) -> Option<(&str, &str)> {
    let line = label.split('\n').next().unwrap_or_default();
    let close = line.rfind(')')?;
    // The last `(`, and the last ` = ` before it.
    let open = line[..close].rfind('(')?;
    let equals = line[..open].rfind(" = ")?;
    Some((&line[equals + 3..open], &line[open + 1..close]))
}

/// The inputs of [`call`], one by one.
pub fn inputs(label: &str) -> impl Iterator<Item = &str> {
    let inner = call(label).map(|(_, inner)| inner);
    inner.filter(|inner| !inner.is_empty()).into_iter().flat_map(|inner| inner.split(", "))
}

#[cfg(test)]
mod tests {
    use super::inputs;

    #[test]
    fn labels_are_read_as_the_regular_expression_does() {
        let of = |label| inputs(label).collect::<Vec<_>>();
        assert_eq!(of("a/b = Mul(a, ^b, c:1)"), ["a", "^b", "c:1"]);
        assert_eq!(of("[mklcpu 0.4MB 0.4MB] a = Mul(x)"), ["x"]);
        assert_eq!(of("a = B(c) d(e)f"), ["e"]);
        assert_eq!(of("a = B()"), [""; 0]);
        assert_eq!(of("a B(c)"), [""; 0]);
        assert_eq!(of("a(b = c)"), [""; 0]);
    }
}
