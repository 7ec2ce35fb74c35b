//! What the colours stand for, and how much time each has in a range.

use crate::text;
use serde::Serialize;
use steplens_core::questions::coloring::color_sums;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::search::matches::Matches;
use steplens_core::timeline::colors::ColorBy;
use steplens_core::{Category, Study};

/// What the colours of `study` stand for.
pub fn json(study: &Study) -> String {
    /// What colours stand for. There are eight, and a ninth for the rest; for categories, one for each category.
    #[derive(Serialize)]
    struct Colors<'a> {
        by: &'static str,
        /// For each colour what it stands for, and '' for a colour that no op has; empty if `bounds_ns` is used.
        names: Vec<&'a str>,
        /// If colours stand for lengths of time: the lower bound of each colour except the first.
        bounds_ns: Vec<i64>,
        /// The number of names with the colour for the rest.
        others: usize,
    }
    let colors = study.colors();
    let categories = || Category::ALL.iter().map(|category| category.word()).collect();
    let bounds = colors.by().bounds();
    let names = match bounds {
        _ if colors.by() == ColorBy::Category => categories(),
        _ => colors.names().iter().map(String::as_str).collect(),
    };
    let bounds_ns = bounds.into_iter().flatten().map(|bound| bound.0).collect();
    text(&Colors { by: colors.by().word(), names, bounds_ns, others: colors.others() })
}

/// How much time each colour has in a range.
pub fn sums(study: &Study, query: &RangeQuery) -> String {
    /// The ops of one colour that overlap a range.
    #[derive(Serialize)]
    struct ColorSum {
        ops: u64,
        /// Their time within the window, without the ops nested in them: as the table of op types sums it.
        own_ns: i64,
    }
    let sums = color_sums(study, &Range::of(study, query));
    text(&sums.map(|sum| ColorSum { ops: sum.ops, own_ns: sum.own.0 }))
}

/// The ops to highlight: those of an op type, those of some colours (one bit per colour), or none.
pub fn lit(study: &Study, op_type: Option<&str>, colors: u32) -> Matches {
    let trace = study.trace();
    match op_type.map(|name| trace.strings().find(name)) {
        Some(name) => {
            let has_it = |node| Some(trace.nodes().op_type(node)) == name;
            let nodes: Vec<bool> = trace.nodes().ids().map(has_it).collect();
            Matches::of_ops(trace, study.lanes(), |op| nodes[trace.ops().node(op).index()])
        }
        None if colors == 0 => Matches::default(),
        None => {
            let is_lit = |op| colors >> study.colors().of(trace, op) & 1 == 1;
            Matches::of_ops(trace, study.lanes(), is_lit)
        }
    }
}
