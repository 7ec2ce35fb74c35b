//! Bars: how a time divides, and what happened when. Each part has a glyph, so that bars can be read without colour.

use super::color::{Palette, Tint};
use steplens_core::Category;
use steplens_core::timeline::coverage::Shares;
use steplens_core::timeline::split::Split;
use steplens_messages::say;

/// The parts of a window, in order of priority. Together with the idle time they add up to the window exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowPart {
    Of(Category),
    Idle,
}

/// How many parts a window has.
const PARTS: usize = Category::PARTS + 1;
/// The time of each part.
pub(crate) type Amounts = [i64; PARTS];

impl WindowPart {
    pub(crate) const ALL: [Self; PARTS] = [
        Self::Of(Category::Compute),
        Self::Of(Category::Input),
        Self::Of(Category::Copy),
        Self::Of(Category::Communication),
        Self::Of(Category::Launch),
        Self::Of(Category::Allocation),
        Self::Of(Category::Waiting),
        Self::Idle,
    ];

    /// The parts of `split`, in order.
    pub(crate) fn amounts(split: &Split) -> Amounts {
        Self::ALL.map(|part| match part {
            Self::Of(category) => split.part(category).0,
            Self::Idle => split.idle.0,
        })
    }

    pub(crate) fn glyph(self) -> char {
        match self {
            Self::Of(Category::Compute) => '█',
            Self::Of(Category::Input) => '▓',
            Self::Of(Category::Copy) => '▚',
            Self::Of(Category::Communication) => '▒',
            Self::Of(Category::Launch) => '▀',
            Self::Of(Category::Allocation) => '▞',
            Self::Of(Category::Waiting) => '░',
            Self::Of(Category::Range) => '─',
            Self::Idle => '·',
        }
    }

    pub(crate) fn tint(self) -> Tint {
        match self {
            Self::Of(category) => Tint::Category(category),
            Self::Idle => Tint::Idle,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Of(Category::Compute) => say!("title-compute"),
            Self::Of(Category::Input) => say!("steps-exposed-input"),
            Self::Of(Category::Copy) => say!("steps-exposed-copy"),
            Self::Of(Category::Communication) => say!("steps-exposed-communication"),
            Self::Of(Category::Launch) => say!("steps-exposed-launch"),
            Self::Of(Category::Allocation) => say!("steps-exposed-allocation"),
            Self::Of(Category::Waiting) => say!("steps-exposed-waiting"),
            Self::Of(Category::Range) => say!("bar-range"),
            Self::Idle => say!("title-idle"),
        }
    }
}

/// Divides `width` cells in proportion to `amounts`. Every amount above 0 gets at least one cell.
pub(crate) fn divided(amounts: Amounts, width: usize) -> Vec<WindowPart> {
    let total: f64 = amounts.iter().map(|&amount| amount.max(0) as f64).sum();
    let present = amounts.iter().filter(|&&amount| amount > 0).count();
    if total <= 0.0 || width < present {
        return vec![WindowPart::Idle; width];
    }
    let ideal = amounts.map(|amount| amount.max(0) as f64 / total * width as f64);
    let mut cells = ideal.map(|ideal| if ideal > 0.0 { ideal.floor().max(1.0) as usize } else { 0 });
    // Missing cells go to the parts with the largest deficit; extra cells are taken from the parts with the largest surplus.
    while cells.iter().sum::<usize>() != width {
        let missing = |part: &usize| ideal[*part] - cells[*part] as f64;
        let by_missing = |a: &usize, b: &usize| missing(a).total_cmp(&missing(b));
        if cells.iter().sum::<usize>() < width {
            let Some(part) = (0..PARTS).max_by(by_missing) else { break };
            cells[part] += 1;
        } else {
            let Some(part) = (0..PARTS).filter(|&part| cells[part] > 1).min_by(by_missing) else { break };
            cells[part] -= 1;
        }
    }
    WindowPart::ALL
        .into_iter()
        .zip(cells)
        .flat_map(|(part, cells)| std::iter::repeat_n(part, cells))
        .collect()
}

/// One cell for each slice of time, for the part that took most of it. `shares` has all parts except idle.
pub(crate) fn over_time(shares: &[Shares]) -> Vec<WindowPart> {
    let cell = |shares: &Shares| {
        let mut of = [1.0 - shares.iter().sum::<f32>(); PARTS];
        of[..shares.len()].copy_from_slice(shares);
        let most = (0..PARTS).rev().max_by(|&a, &b| of[a].total_cmp(&of[b]));
        most.map_or(WindowPart::Idle, |most| WindowPart::ALL[most])
    };
    shares.iter().map(cell).collect()
}

/// A bar of at most `width` cells that is filled to `share`, in eighths of a cell. Any share above 0 is visible.
pub(crate) fn level(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let eighths = ((share.min(1.0) * width as f64 * 8.0).round() as usize).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The cells as text.
pub(crate) fn draw(cells: &[WindowPart], palette: Palette) -> String {
    cells
        .chunk_by(|a, b| a == b)
        .map(|run| palette.paint(&String::from_iter(run.iter().map(|part| part.glyph())), run[0].tint()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cells: Vec<WindowPart>) -> String {
        cells.into_iter().map(WindowPart::glyph).collect()
    }

    #[test]
    fn bars_have_their_width_and_lose_nothing() {
        assert_eq!(text(divided([50, 0, 0, 25, 0, 0, 0, 25], 8)), "████▒▒··");
        assert_eq!(text(divided([1_000_000, 1, 1, 1, 1, 1, 1, 1], 9)), "██▓▚▒▀▞░·");
        assert_eq!(text(divided([0; PARTS], 3)), "···");
        for width in 8..60 {
            assert_eq!(divided([3, 1, 7, 2, 1, 5, 9, 4], width).len(), width);
        }
    }

    #[test]
    fn levels_count_in_eighths() {
        assert_eq!([1.0, 0.5, 0.19, 1e-9, 0.0].map(|share| level(share, 4)), ["████", "██", "▊", "▏", ""]);
    }

    #[test]
    fn time_shows_what_took_most() {
        let of = |compute, copy, communication| [compute, 0.0, copy, communication, 0.0, 0.0, 0.0];
        let slices = [of(1.0, 0.0, 0.0), of(0.2, 0.5, 0.1), of(0.0, 0.1, 0.6), of(0.3, 0.0, 0.2)];
        assert_eq!(text(over_time(&slices)), "█▚▒·");
    }
}
