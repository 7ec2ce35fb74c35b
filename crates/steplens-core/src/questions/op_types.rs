//! Op types: where the time of a range went.

use crate::base::ids::{DeviceId, OpId, StringId};
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;
use crate::gpu::op_time::{OpTime, is_in_its_op};
use crate::questions::range::Range;
use crate::work::WorkSum;
use crate::{Category, Study, Trace};
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The place where ops ran. Calls on a host and the kernels that they launched must not be summed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// On a GPU, TPU or the like.
    Accelerator,
    /// On a host.
    Host,
}

impl Place {
    /// Both places, in the order in which they are listed.
    pub const ALL: [Self; 2] = [Self::Accelerator, Self::Host];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accelerator => "accelerator",
            Self::Host => "host",
        }
    }
}

/// The ops of one type, category and place that overlap a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTypeRow {
    /// The op type.
    pub op_type: StringId,
    /// Its category.
    pub category: Category,
    /// The place.
    pub place: Place,
    /// The number of ops.
    pub count: u64,
    /// The sum of their time within the window. With parallel and nested ops it can be longer than the window.
    pub total: Nanos,
    /// Their self time within the window: the sum without the ops nested in them.
    pub own: Nanos,
    /// The sum of their whole durations.
    pub whole: Nanos,
    /// The median of their durations.
    pub p50: Nanos,
    /// The duration that 99 of 100 do not exceed.
    pub p99: Nanos,
    /// The longest of them.
    pub longest: OpId,
    /// What they calculate and move.
    pub work: WorkSum,
}

impl OpTypeRow {
    /// The mean of their whole durations.
    pub fn mean(&self) -> Nanos {
        Nanos(self.whole.0 / i64::try_from(self.count).unwrap_or(i64::MAX).max(1))
    }
}

/// Goes through the ops of `range` that are summed.
///
/// If everything is chosen, devices that repeat the numbered streams (`stream:all`, `memcpy`) are left out, and, if ops last as
/// long as their kernels, so are these kernels. Unless lanes are chosen, ranges are left out, too.
struct Walk<'a> {
    range: &'a Range<'a>,
    is_in_its_op: Vec<bool>,
    /// The devices whose ops contain one another.
    nests: Vec<DeviceId>,
}

impl<'a> Walk<'a> {
    fn of(study: &'a Study, range: &'a Range<'a>) -> Self {
        let trace = study.trace();
        let lasts_as_kernels = range.has_everything() && study.view().op_time != OpTime::Schedule;
        let is_in_its_op = if lasts_as_kernels { is_in_its_op(trace) } else { Vec::new() };
        let nests = range.counted_devices().filter(|&device| trace.devices().get(device).nests).collect();
        Self { range, is_in_its_op, nests }
    }

    fn ops(&self) -> impl Iterator<Item = OpId> {
        let is_in_its_op = |op: &OpId| self.is_in_its_op.get(op.index()).is_some_and(|is_in| *is_in);
        self.range.counted_ops().filter(move |op| !is_in_its_op(op))
    }
}

/// Calls `each` with every op that is summed.
pub(super) fn counted_ops(study: &Study, range: &Range<'_>, each: impl FnMut(OpId)) {
    Walk::of(study, range).ops().for_each(each);
}

/// Calls `each` with every op that is summed, its time within the range, and true. On devices whose ops contain one another, the
/// time is 0, and then `each` is called with the stretches of self time, and false.
pub fn own_times(study: &Study, range: &Range<'_>, mut each: impl FnMut(OpId, Nanos, bool)) {
    let (trace, walk) = (study.trace(), Walk::of(study, range));
    walk.ops().for_each(|op| {
        let nests = !walk.nests.is_empty() && walk.nests.contains(&trace.device_of(op));
        let within = trace.ops().interval(op).clamp_to(range.window()).length();
        each(op, if nests { Nanos(0) } else { within }, true);
    });
    let is_counted = |op: OpId| !range.has_all_lanes() || !trace.nodes().is_range(trace.ops().node(op));
    for &device in &walk.nests {
        for piece in range.pieces(device).filter(|piece| is_counted(piece.op)) {
            each(piece.op, piece.interval.length(), false);
        }
    }
}

/// The self time of all `rows` at `place`: 100 % for shares.
pub fn own_of(rows: &[OpTypeRow], place: Place) -> Nanos {
    let own = rows.iter().filter(|row| row.place == place).map(|row| row.own.0);
    Nanos(own.fold(0, i64::saturating_add))
}

/// The ops of `range` by type: those of accelerators, then those of hosts, each with the largest self time first. [`Walk`] says
/// which ops are counted.
pub fn op_types(study: &Study, range: &Range<'_>) -> Vec<OpTypeRow> {
    let (trace, ops, works) = (study.trace(), study.trace().ops(), study.works());
    let walk = Walk::of(study, range);
    let mut rows: Vec<OpTypeRow> = Vec::new();
    let is_accelerator = AcceleratorDevices::of(trace);
    let mut row_of_type: HashMap<(StringId, Category, Place), u32, foldhash::fast::FixedState> =
        HashMap::default();
    // There are many ops and few nodes, so the table is searched once per node.
    let mut row_of_node: [Vec<Option<u32>>; 2] = Place::ALL.map(|_| vec![None; trace.nodes().len()]);
    let place_of = |op: OpId| is_accelerator.place(trace.device_of(op));
    walk.ops().for_each(|op| {
        let node = ops.node(op);
        let place = place_of(op);
        let row = *row_of_node[place as usize][node.index()].get_or_insert_with(|| {
            let (op_type, category) = (trace.nodes().op_type(node), trace.nodes().category(node));
            *row_of_type.entry((op_type, category, place)).or_insert_with(|| {
                rows.push(OpTypeRow {
                    op_type,
                    category,
                    place,
                    count: 0,
                    total: Nanos(0),
                    own: Nanos(0),
                    whole: Nanos(0),
                    p50: Nanos(0),
                    p99: Nanos(0),
                    longest: op,
                    work: WorkSum::default(),
                });
                rows.len() as u32 - 1
            })
        });
        let row = &mut rows[row as usize];
        let interval = ops.interval(op);
        let longest = |op: OpId, length: Nanos| (length, Reverse(op));
        row.count += 1;
        let within = interval.clamp_to(range.window()).length();
        row.total += within;
        row.whole += interval.length();
        if let Some(work) = works.of(op) {
            row.work.add(work, interval.length());
        }
        if longest(op, interval.length()) > longest(row.longest, ops.interval(row.longest).length()) {
            row.longest = op;
        }
    });

    rows.iter_mut().for_each(|row| row.own = row.total);
    for &device in &walk.nests {
        let row_of_node = &row_of_node[is_accelerator.place(device) as usize];
        // Subtract the time of nested ops.
        range.ops(device).for_each(|op| {
            if let Some(row) = row_of_node[ops.node(op).index()] {
                let within = ops.interval(op).clamp_to(range.window()).length();
                rows[row as usize].own = rows[row as usize].own - within;
            }
        });
        for piece in range.pieces(device) {
            if let Some(row) = row_of_node[ops.node(piece.op).index()] {
                rows[row as usize].own += piece.interval.length();
            }
        }
    }

    // The durations of each row's ops side by side, to select the percentiles from.
    let mut next: Vec<usize> = Vec::with_capacity(rows.len());
    let mut count = 0;
    for row in &rows {
        next.push(count);
        count += row.count as usize;
    }
    let mut lengths = vec![0; count];
    walk.ops().for_each(|op| {
        let place = &mut next[row_of_node[place_of(op) as usize][ops.node(op).index()].unwrap_or(0) as usize];
        lengths[*place] = ops.interval(op).length().0;
        *place += 1;
    });
    let mut rest = lengths.as_mut_slice();
    for row in &mut rows {
        let own;
        (own, rest) = rest.split_at_mut(row.count as usize);
        row.p50 = Nanos(percentile(own, 50));
        row.p99 = Nanos(percentile(own, 99));
    }
    rows.sort_by(|&a, &b| {
        let tie = || trace.text(a.op_type).cmp(trace.text(b.op_type)).then(a.category.cmp(&b.category));
        a.place
            .cmp(&b.place)
            .then_with(|| b.own.cmp(&a.own))
            .then_with(|| b.total.cmp(&a.total))
            .then_with(tie)
    });
    rows
}

/// For each device whether it belongs to an accelerator.
pub(crate) struct AcceleratorDevices(Vec<bool>);

impl AcceleratorDevices {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut found = vec![false; trace.devices().len()];
        let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
        devices.for_each(|device| found[device.index()] = true);
        Self(found)
    }

    pub(crate) fn place(&self, device: DeviceId) -> Place {
        if self.0.get(device.index()).is_some_and(|is| *is) { Place::Accelerator } else { Place::Host }
    }
}

/// The smallest of `values` (at least one) that at least `percent` of 100 of them do not exceed.
fn percentile(values: &mut [i64], percent: usize) -> i64 {
    let rank = (values.len() * percent).div_ceil(100);
    *values.select_nth_unstable(rank.max(1) - 1).1
}
