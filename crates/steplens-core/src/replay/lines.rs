//! Lines: what transfers share, and how.
//!
//! A *line* is the way from one task to another, everything that a task sends, or everything that it receives ([`Spread`]). The
//! transfers on a line either share it at equal parts, or go one after the other ([`Sharing`]). Nothing in a recording says which
//! is true. So each of the six combinations is tried: it gives each transfer the time that it would take alone. The combination for
//! which this time follows best from the bytes, by one straight line for each pair of tasks, reproduces the recording best.

use super::timing::{NONE, Place, Timing};
use crate::base::ids::TransferId;
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::pools::MAX_DISPATCH;
use crate::model::device::task_of;
use crate::transfers::CLAMPED;
use crate::{OpId, StringId, Study};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How the transfers on a line share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// All at the same time, each at an equal part of the rate.
    Fair,
    /// One after the other, in the order in which they were sent.
    InOrder,
}

/// What is one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The way from one task to another.
    Link,
    /// Everything that a task sends.
    Sender,
    /// Everything that a task receives.
    Receiver,
}

impl Sharing {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fair => "fair-share",
            Self::InOrder => "in-order",
        }
    }
}

impl Spread {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        }
    }
}

/// A transfer that an op recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) node: u32,
    pub(super) op: OpId,
    pub(super) id: TransferId,
    pub(super) bytes: u64,
    /// The pair of tasks, as a row of [`Lines::pairs`].
    pub(super) pair: u32,
}

/// The lines of a step.
pub(super) struct Lines {
    /// The transfers, in the order of recorded starts.
    pub(super) sent: Vec<Sent>,
    /// The pairs of tasks as (source, destination).
    pub(super) pairs: Vec<(StringId, StringId)>,
    /// For each pair the time that a transfer without bytes takes alone.
    pub(super) latency: Vec<i64>,
    sharing: Sharing,
    spread: Spread,
    count: usize,
    /// For each transfer of `sent`, whether it was recorded to start while another one had the line: then its recorded start is
    /// when it was sent, not when it got the line.
    pub(super) starts_when_sent: Vec<bool>,
    /// For each transfer of `sent` when it was sent and how long it was in transit, as recorded.
    recorded: Vec<(i64, i64)>,
    /// For each node the row in `sent`; [`NONE`] for nodes that are no transfers. Empty without transfers.
    row_of_node: Vec<u32>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            sent: Vec::new(),
            pairs: Vec::new(),
            latency: Vec::new(),
            sharing: Sharing::Fair,
            spread: Spread::Link,
            count: 0,
            starts_when_sent: Vec::new(),
            recorded: Vec::new(),
            row_of_node: Vec::new(),
        }
    }
}

/// How much better another combination must fit than transfers that share each link at equal parts, which is tried first.
const CLEARLY_BETTER: f64 = 0.95;

impl Lines {
    /// Finds the transfers and the combination that fits best. Sets place, length and delay of their nodes.
    pub(super) fn of(study: &Study, timing: &mut Timing, place: &mut [Place]) -> Self {
        let mut lines = Self::transfers(study, timing);
        if lines.sent.is_empty() {
            return lines;
        }
        let recorded = |sent: &Sent| (timing.start[sent.node as usize], timing.length[sent.node as usize]);
        lines.recorded = lines.sent.iter().map(recorded).collect();
        lines.row_of_node = vec![NONE; timing.start.len()];
        for (sent, row) in lines.sent.iter().zip(0..) {
            lines.row_of_node[sent.node as usize] = row;
        }
        let mut best: Option<Trial> = None;
        for spread in [Spread::Link, Spread::Sender, Spread::Receiver] {
            for sharing in [Sharing::Fair, Sharing::InOrder] {
                let trial = lines.trial(study, timing, sharing, spread);
                if best.as_ref().is_none_or(|best| trial.is_better_than(best)) {
                    best = Some(trial);
                }
            }
        }
        let Some(best) = best else { return lines };
        (lines.sharing, lines.spread, lines.count) = (best.sharing, best.spread, best.lines);
        (lines.latency, lines.starts_when_sent) = (best.latency, best.starts_when_sent);
        for (row, sent) in lines.sent.iter().enumerate() {
            let node = sent.node as usize;
            place[node] = Place::Line(best.line[row]);
            timing.length[node] = best.alone[row];
            if let Some(after) = best.after_line[row] {
                (timing.delay[node], timing.holds[node]) = (after, true);
            }
        }
        lines
    }

    fn transfers(study: &Study, timing: &Timing) -> Self {
        let trace = study.trace();
        let mut lines = Self::default();
        let mut rows: HashMap<(StringId, StringId), u32, FixedState> = HashMap::default();
        let mut task_of_device: HashMap<StringId, StringId, FixedState> = HashMap::default();
        let mut task = |device: StringId| {
            *task_of_device.entry(device).or_insert_with(|| {
                task_of(trace.text(device)).and_then(|task| trace.strings().find(task)).unwrap_or(device)
            })
        };
        for (id, transfer) in study.transfers().all() {
            let Some(node) = transfer.op.and_then(|op| study.causes().graph.nodes.of_op(op)) else {
                continue;
            };
            let both = (task(transfer.source), task(transfer.destination));
            let pair = *rows.entry(both).or_insert_with(|| {
                lines.pairs.push(both);
                lines.pairs.len() as u32 - 1
            });
            lines.sent.push(Sent { node, op: timing.op[node as usize], id, bytes: transfer.bytes.0, pair });
        }
        order::by_number(&mut lines.sent, |sent| (timing.start[sent.node as usize], i64::from(sent.node)));
        lines
    }

    /// What one combination makes of the recorded transfers.
    fn trial(&self, study: &Study, timing: &Timing, sharing: Sharing, spread: Spread) -> Trial {
        let mut rows: HashMap<StringId, u32, FixedState> = HashMap::default();
        let mut line_of = |sent: &Sent| match spread {
            Spread::Link => sent.pair,
            Spread::Sender | Spread::Receiver => {
                let (source, destination) = self.pairs[sent.pair as usize];
                let task = if spread == Spread::Sender { source } else { destination };
                let next = rows.len() as u32;
                *rows.entry(task).or_insert(next)
            }
        };
        let line: Vec<u32> = self.sent.iter().map(&mut line_of).collect();
        let mut trial = Trial {
            sharing,
            spread,
            lines: line.iter().map(|&line| line as usize + 1).max().unwrap_or(0),
            alone: vec![0; line.len()],
            after_line: vec![None; line.len()],
            starts_when_sent: vec![sharing == Sharing::Fair; line.len()],
            latency: Vec::new(),
            misfit: 0.0,
            line,
        };
        let mut by_line: Vec<u32> = (0..self.sent.len() as u32).collect();
        order::by_number(&mut by_line, |row| (i64::from(trial.line[row as usize]), 0));
        let lines: Vec<&[u32]> =
            by_line.chunk_by(|&a, &b| trial.line[a as usize] == trial.line[b as usize]).collect();
        for own in lines {
            match sharing {
                Sharing::Fair => self.alone_if_shared(timing, own, &mut trial),
                Sharing::InOrder => self.alone_in_order(study, timing, own, &mut trial),
            }
        }
        let fit = self.fit(&trial.alone);
        (trial.latency, trial.misfit) = (fit.latency, fit.misfit);
        trial
    }

    fn ends(&self, timing: &Timing, row: u32) -> (i64, i64) {
        let node = self.sent[row as usize].node as usize;
        (timing.start[node], timing.end(node))
    }

    /// The time alone of transfers that share a line at equal parts: while n of them are in transit, each gets on by an n-th of the
    /// time.
    fn alone_if_shared(&self, timing: &Timing, own: &[u32], trial: &mut Trial) {
        let mut changes: Vec<(i64, bool, u32)> = Vec::with_capacity(own.len() * 2);
        for &row in own {
            let (start, end) = self.ends(timing, row);
            if end > start {
                changes.push((start, true, row));
                changes.push((end, false, row));
            }
        }
        order::by_number(&mut changes, |(at, is_start, _)| (at, i64::from(is_start)));
        // How far a transfer that began at time 0 would have got by now.
        let (mut got, mut now, mut running) = (0.0_f64, 0_i64, 0_u32);
        let mut began = vec![0.0_f64; own.len()];
        let place: HashMap<u32, usize, FixedState> = own.iter().copied().zip(0..).collect();
        for (at, is_start, row) in changes {
            if running > 0 {
                got += (at - now) as f64 / f64::from(running);
            }
            now = at;
            if is_start {
                running += 1;
                began[place[&row]] = got;
            } else {
                running -= 1;
                trial.alone[row as usize] = (got - began[place[&row]]).round() as i64;
            }
        }
    }

    /// The time alone of transfers that go one after the other, in the order of their ends.
    fn alone_in_order(&self, study: &Study, timing: &Timing, own: &[u32], trial: &mut Trial) {
        let mut own = own.to_vec();
        order::by_number(&mut own, |row| (self.ends(timing, row).1, 0));
        let mut free: Option<i64> = None;
        for row in own {
            let (start, end) = self.ends(timing, row);
            let at = row as usize;
            match free {
                Some(free) if free > start => {
                    trial.alone[at] = end - free;
                    trial.starts_when_sent[at] = true;
                }
                free => {
                    trial.alone[at] = end - start;
                    // It was ready while another one had the line, and followed it at once: it waited for the line.
                    let made = self.made(study, timing, row);
                    if let Some(free) = free.filter(|&free| Nanos(start - free) <= MAX_DISPATCH)
                        && made.is_some_and(|made| made < free)
                    {
                        trial.after_line[at] = Some(start - free);
                    }
                }
            }
            free = Some(free.map_or(end, |free| free.max(end)));
        }
    }

    /// When the tensor of a transfer was made, as recorded.
    fn made(&self, study: &Study, timing: &Timing, row: u32) -> Option<i64> {
        let producer = study.transfers().get(self.sent[row as usize].id).producer.ok()?;
        let node = study.causes().graph.nodes.of_op(producer)? as usize;
        Some(timing.end(node))
    }

    /// Fits the time alone by latency and bytes, by the least squares of each pair of tasks.
    fn fit(&self, alone: &[i64]) -> Fit {
        let mut sums = vec![Sums::default(); self.pairs.len()];
        let timed = || self.sent.iter().zip(alone).filter(|&(_, &alone)| alone > CLAMPED.0);
        for (sent, &alone) in timed() {
            sums[sent.pair as usize].add(sent.bytes as f64, alone as f64);
        }
        let lines: Vec<(f64, f64)> = sums.iter().map(Sums::line).collect();
        let (mut off, mut all) = (0.0, 0.0);
        for (sent, &alone) in timed() {
            let (latency, each) = lines[sent.pair as usize];
            off += (alone as f64 - latency - each * sent.bytes as f64).abs();
            all += alone as f64;
        }
        let latency = lines.iter().map(|&(latency, _)| latency.round() as i64).collect();
        Fit { latency, misfit: if all > 0.0 { off / all } else { 0.0 } }
    }

    /// The combination that fits best; `None` without transfers.
    pub(super) fn model(&self) -> Option<(Sharing, Spread)> {
        (!self.sent.is_empty()).then_some((self.sharing, self.spread))
    }

    pub(super) fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// The number of lines.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The row in [`sent`](Self::sent) of the transfer that `node` is.
    #[inline]
    pub(super) fn row(&self, node: usize) -> Option<usize> {
        self.row_of_node.get(node).filter(|&&row| row != NONE).map(|&row| row as usize)
    }

    /// See [`Replay::rows_of_transfers`](super::Replay::rows_of_transfers).
    pub(super) fn rows(&self, most: Nanos, least: usize) -> Vec<Vec<OpId>> {
        let mut open: Vec<(Vec<OpId>, i64)> = vec![(Vec::new(), i64::MIN); self.pairs.len()];
        let mut rows = Vec::new();
        for (row, sent) in self.sent.iter().enumerate() {
            let (start, length) = self.recorded[row];
            let (own, end) = &mut open[sent.pair as usize];
            let follows = start.saturating_sub(*end) <= most.0 && length <= most.0;
            if !follows && own.len() >= least {
                rows.push(std::mem::take(own));
            }
            if !follows {
                own.clear();
            }
            if length <= most.0 {
                own.push(self.sent[row].op);
            }
            *end = start + length;
        }
        rows.extend(open.into_iter().map(|(own, _)| own).filter(|own| own.len() >= least));
        rows
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.sent.capacity() * size_of::<Sent>()
            + self.pairs.capacity() * size_of::<(StringId, StringId)>()
            + self.latency.capacity() * size_of::<i64>()
            + self.recorded.capacity() * size_of::<(i64, i64)>()
            + self.starts_when_sent.capacity()
            + self.row_of_node.capacity() * size_of::<u32>()
    }
}

/// What one combination makes of the recorded transfers, by row.
struct Trial {
    sharing: Sharing,
    spread: Spread,
    lines: usize,
    line: Vec<u32>,
    alone: Vec<i64>,
    /// For a transfer that waited for its line: how long after the line was free it started.
    after_line: Vec<Option<i64>>,
    starts_when_sent: Vec<bool>,
    latency: Vec<i64>,
    /// How much of the time alone does not follow from the bytes: 0 is a perfect fit.
    misfit: f64,
}

impl Trial {
    /// Whether it fits clearly better; or as well, and says why transfers whose tensors were made waited: for their line. Transfers
    /// that shared the line would have overlapped.
    fn is_better_than(&self, best: &Self) -> bool {
        let is_as_good = self.misfit * CLEARLY_BETTER <= best.misfit;
        self.misfit < best.misfit * CLEARLY_BETTER
            || is_as_good && self.explains_most_waits() && !best.explains_most_waits()
    }

    fn explains_most_waits(&self) -> bool {
        let waits = self.after_line.iter().flatten().count();
        waits * 2 > self.line.len()
    }
}

struct Fit {
    latency: Vec<i64>,
    misfit: f64,
}

/// Sums for a straight line by least squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
    }

    /// (time without bytes, time of a byte); neither is negative.
    fn line(&self) -> (f64, f64) {
        if self.n == 0.0 {
            return (0.0, 0.0);
        }
        let spread = self.n * self.xx - self.x * self.x;
        let mean = (self.y / self.n, 0.0);
        if spread <= 0.0 {
            // All of one size: nothing says what a transfer without bytes takes.
            return if self.x > 0.0 { (0.0, self.y / self.x) } else { mean };
        }
        let each = (self.n * self.xy - self.x * self.y) / spread;
        let latency = (self.y - each * self.x) / self.n;
        match (each >= 0.0, latency >= 0.0) {
            (true, true) => (latency, each),
            (true, false) if self.xx > 0.0 => (0.0, self.xy / self.xx),
            _ => mean,
        }
    }
}
