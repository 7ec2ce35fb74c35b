//! Bars in the order in which they are drawn: on one another, the widest at the left; and as lines of folded stacks.

use super::{Detail, FlameAnswer, FlameBar, Measure};
use std::cmp::Reverse;
use std::io::{self, Write};
use steplens_core::Category;
use steplens_core::questions::flame::{Bar, Flame};

/// Bars, and how many others are too narrow.
#[derive(Default)]
pub(super) struct Stacked<'a> {
    pub(super) bars: Vec<FlameBar<'a>>,
    pub(super) left_out: usize,
}

/// What is at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// Every bar that stands on no other one.
    All,
    /// One bar.
    Bar(u32),
}

/// A bar that is still to be placed.
struct Waiting {
    bar: u32,
    depth: u32,
    at: i64,
}

impl<'a> Stacked<'a> {
    pub(super) fn of(flame: &Flame<'a>, root: Root, measure: Measure, detail: Detail) -> Self {
        let width = |bar: u32| width(&flame.bars[bar as usize], measure);
        let mut inner: Vec<Vec<u32>> = vec![Vec::new(); flame.bars.len()];
        let mut bottom = Vec::new();
        for (place, bar) in (0..).zip(&flame.bars) {
            match (root, bar.parent) {
                (Root::Bar(own), _) if own == place => bottom.push(place),
                (_, Some(parent)) => inner[parent as usize].push(place),
                (Root::All, None) => bottom.push(place),
                (Root::Bar(_), None) => {}
            }
        }
        let all = bottom.iter().fold(0, |sum: i64, &bar| sum.saturating_add(width(bar)));
        let by_width = |bars: &mut Vec<u32>| {
            let name = |bar: u32| flame.names[flame.bars[bar as usize].name as usize];
            bars.sort_by(|&a, &b| (Reverse(width(a)), name(a)).cmp(&(Reverse(width(b)), name(b))));
        };
        let mut stacked = Self::default();
        let mut waiting = Vec::new();
        let mut seen = 0;
        let add = |mut bars: Vec<u32>, depth: u32, mut at: i64, waiting: &mut Vec<Waiting>| {
            by_width(&mut bars);
            let first = waiting.len();
            for bar in bars {
                if detail.has(width(bar), all) {
                    waiting.push(Waiting { bar, depth, at });
                }
                at = at.saturating_add(width(bar));
            }
            waiting[first..].reverse();
        };
        add(bottom, 0, 0, &mut waiting);
        while let Some(Waiting { bar, depth, at }) = waiting.pop() {
            seen += 1;
            let own = &flame.bars[bar as usize];
            stacked.bars.push(FlameBar {
                name: flame.names[own.name as usize],
                category: own.category.map(Category::word),
                depth,
                at_ns: at,
                count: own.count,
                self_ns: own.own.0,
                total_ns: own.total.0,
                gpu_self_ns: own.gpu_own.0,
                gpu_ns: own.gpu.0,
            });
            add(std::mem::take(&mut inner[bar as usize]), depth + 1, at, &mut waiting);
        }
        stacked.left_out = count_below(flame, root) - seen;
        stacked
    }
}

fn width(bar: &Bar, measure: Measure) -> i64 {
    match measure {
        Measure::Time => bar.total.0,
        Measure::Gpu => bar.gpu.0,
    }
}

/// The number of bars at the bottom and on it. A bar comes after the one around it.
fn count_below(flame: &Flame<'_>, root: Root) -> usize {
    let Root::Bar(root) = root else { return flame.bars.len() };
    let mut is_below = vec![false; flame.bars.len()];
    for (place, bar) in flame.bars.iter().enumerate() {
        let parent = bar.parent.is_some_and(|parent| is_below[parent as usize]);
        is_below[place] = parent || place == root as usize;
    }
    is_below.into_iter().filter(|own| *own).count()
}

/// Writes one path of names per line, and its own time in nanoseconds, as `flamegraph.pl` and speedscope read it. Semicolons and
/// line ends in names become commas and spaces, because these divide names and lines.
pub fn write_folded(flame: &FlameAnswer<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut path: Vec<String> = Vec::new();
    for bar in &flame.bars {
        path.truncate(bar.depth as usize);
        path.push(bar.name.replace(';', ",").replace(['\n', '\r'], " "));
        let own = if flame.measure == Measure::Gpu.word() { bar.gpu_self_ns } else { bar.self_ns };
        if own > 0 {
            writeln!(out, "{} {own}", path.join(";"))?;
        }
    }
    Ok(())
}
