//! All ops as columns, which are made one after the other: the content of `steplens.ops/1`, for programs that read millions of ops.

use std::collections::BTreeMap;
use steplens_core::{OpId, Study};

/// A number of an op.
type Number = fn(&OpColumns<'_>, OpId) -> u32;

/// Indexes of texts, and lanes, by the name of their column.
const NUMBERS: [(&str, Number); 7] = [
    ("device", |own, op| own.of_device[own.device(op)].0),
    ("lane", |own, op| own.study.lanes().lane(op).get() - own.of_device[own.device(op)].1),
    ("name", |own, op| own.of_node(op)[0]),
    ("op_type", |own, op| own.of_node(op)[1]),
    ("category", |own, op| own.of_node(op)[2]),
    ("reason", |own, op| own.of_node(op)[3]),
    ("label", |own, op| own.of_node(op)[4]),
];

/// A figure of an op; `None` if it was not recorded.
type Figure = fn(&Study, OpId) -> Option<i128>;

/// Figures by the name of their column: times from the trace's origin and lengths in ns, sizes in bytes.
const FIGURES: [(&str, Figure); 7] = [
    ("start_ns", |study, op| Some(study.trace().ops().start(op).0.into())),
    ("end_ns", |study, op| Some(study.trace().ops().end(op).0.into())),
    ("self_ns", |study, op| Some(study.self_time(op).0.into())),
    ("scheduled_ns", |study, op| study.trace().ops().scheduled(op).map(|time| time.0.into())),
    ("op_start_ns", |study, op| Some(study.trace().ops().kernel(op).start.0.into())),
    ("op_end_ns", |study, op| Some(study.trace().ops().kernel(op).end.0.into())),
    ("bytes", |study, op| Some(study.trace().outputs().requested_bytes(op).0.into())),
];

/// The largest integer up to which a double can store every integer.
const MOST_EXACT: u128 = (1 << 53) - 1;

/// Every op, in the order of `steplens.ops/1`.
pub struct OpColumns<'a> {
    study: &'a Study,
    texts: Vec<&'a str>,
    /// For each node the indexes in `texts` of its name, op type, category, reason and label.
    of_node: Vec<[u32; 5]>,
    /// For each device the index in `texts` of its name, and its first lane.
    of_device: Vec<(u32, u32)>,
}

/// A column of figures.
pub struct FigureColumn {
    /// The name of the column.
    pub name: &'static str,
    /// A figure for each op; `NaN` if it was not recorded.
    pub figures: Vec<f64>,
    /// How many of them are rounded, because a double cannot store them.
    pub rounded: u32,
}

impl<'a> OpColumns<'a> {
    /// The columns of what `study` shows.
    pub fn of(study: &'a Study) -> Self {
        let (trace, nodes) = (study.trace(), study.trace().nodes());
        let (mut texts, mut rows) = (Vec::new(), BTreeMap::new());
        let mut row = |text: &'a str| {
            *rows.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() as u32 - 1
            })
        };
        let mut device = |id| {
            let first_lane = study.lanes().of_device(id).next().map_or(0, |lane| lane.get());
            (row(trace.text(trace.devices().get(id).name)), first_lane)
        };
        let of_device = trace.devices().ids().map(&mut device).collect();
        let node = |id| {
            let [name, op_type, reason, label] =
                [nodes.name(id), nodes.op_type(id), nodes.reason(id), nodes.label(id)]
                    .map(|id| trace.text(id));
            [name, op_type, nodes.category(id).word(), reason, label].map(&mut row)
        };
        let of_node = nodes.ids().map(node).collect();
        Self { study, texts, of_node, of_device }
    }

    /// The ops, without the records of a host profiler.
    fn ops(&self) -> impl Iterator<Item = OpId> + use<> {
        self.study.trace().ops().ids().take(self.study.trace().counted_ops())
    }

    /// Each text once.
    pub fn texts(&self) -> &[&'a str] {
        &self.texts
    }

    /// Columns of whole numbers: indexes of [`texts`](Self::texts), and lanes, from 0 within each device.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, Vec<u32>)> {
        NUMBERS.into_iter().map(|(name, number)| (name, self.ops().map(|op| number(self, op)).collect()))
    }

    /// Columns of times, lengths and sizes.
    pub fn figures(&self) -> impl Iterator<Item = FigureColumn> {
        FIGURES.into_iter().map(|(name, figure)| {
            let mut rounded = 0_u32;
            let number = |op| match figure(self.study, op) {
                None => f64::NAN,
                Some(figure) => {
                    rounded += u32::from(figure.unsigned_abs() > MOST_EXACT);
                    figure as f64
                }
            };
            let figures = self.ops().map(number).collect();
            FigureColumn { name, figures, rounded }
        })
    }

    fn device(&self, op: OpId) -> usize {
        self.study.trace().device_of(op).index()
    }

    fn of_node(&self, op: OpId) -> &[u32; 5] {
        &self.of_node[self.study.trace().ops().node(op).index()]
    }
}
