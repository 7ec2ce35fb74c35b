//! Bars: how a time divides, and what went on when, with a glyph for each part so that they read without colour.

use super::color::{Palette, Tint};

/// The parts of a window in their order of priority; they add up to the window exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Compute,
    Copy,
    Communication,
    Idle,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Compute, Self::Copy, Self::Communication, Self::Idle];

    pub(crate) fn glyph(self) -> char {
        match self {
            Self::Compute => '█',
            Self::Copy => '▚',
            Self::Communication => '▒',
            Self::Idle => '·',
        }
    }

    pub(crate) fn tint(self) -> Tint {
        match self {
            Self::Compute => Tint::Compute,
            Self::Copy => Tint::Copy,
            Self::Communication => Tint::Communication,
            Self::Idle => Tint::Idle,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Copy => "exposed copy",
            Self::Communication => "exposed communication",
            Self::Idle => "idle",
        }
    }
}

/// `width` cells divided as `amounts` are. What is there at all has a cell, however small it is.
pub(crate) fn divided(amounts: [i64; 4], width: usize) -> Vec<Part> {
    let total: f64 = amounts.iter().map(|&amount| amount.max(0) as f64).sum();
    let present = amounts.iter().filter(|&&amount| amount > 0).count();
    if total <= 0.0 || width < present {
        return vec![Part::Idle; width];
    }
    let ideal = amounts.map(|amount| amount.max(0) as f64 / total * width as f64);
    let mut cells = ideal.map(|ideal| if ideal > 0.0 { ideal.floor().max(1.0) as usize } else { 0 });
    // Cells left over go where they are missed most, cells too many come from where they are missed least.
    while cells.iter().sum::<usize>() != width {
        let missing = |part: &usize| ideal[*part] - cells[*part] as f64;
        let by_missing = |a: &usize, b: &usize| missing(a).total_cmp(&missing(b));
        if cells.iter().sum::<usize>() < width {
            let Some(part) = (0..4).max_by(by_missing) else { break };
            cells[part] += 1;
        } else {
            let Some(part) = (0..4).filter(|&part| cells[part] > 1).min_by(by_missing) else { break };
            cells[part] -= 1;
        }
    }
    Part::ALL.into_iter().zip(cells).flat_map(|(part, cells)| std::iter::repeat_n(part, cells)).collect()
}

/// One cell for each slice of time: what took most of it. `shares` are compute, exposed copy, exposed communication.
pub(crate) fn over_time(shares: &[[f32; 3]]) -> Vec<Part> {
    let cell = |&[compute, copy, communication]: &[f32; 3]| {
        let idle = 1.0 - compute - copy - communication;
        let of = [compute, copy, communication, idle];
        let most = (0..4).rev().max_by(|&a, &b| of[a].total_cmp(&of[b])).unwrap_or(3);
        Part::ALL[most]
    };
    shares.iter().map(cell).collect()
}

/// A bar of at most `width` cells that fills `share` of them, to an eighth of a cell; what is there at all shows.
pub(crate) fn level(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let eighths = ((share.min(1.0) * width as f64 * 8.0).round() as usize).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The cells as text.
pub(crate) fn draw(cells: &[Part], palette: Palette) -> String {
    cells
        .chunk_by(|a, b| a == b)
        .map(|run| palette.paint(&String::from_iter(run.iter().map(|part| part.glyph())), run[0].tint()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cells: Vec<Part>) -> String {
        cells.into_iter().map(Part::glyph).collect()
    }

    #[test]
    fn bars_have_their_width_and_lose_nothing() {
        assert_eq!(text(divided([50, 0, 25, 25], 8)), "████▒▒··");
        assert_eq!(text(divided([1_000_000, 1, 1, 1], 8)), "█████▚▒·");
        assert_eq!(text(divided([0; 4], 3)), "···");
        for width in 4..60 {
            assert_eq!(divided([3, 1, 7, 2], width).len(), width);
        }
    }

    #[test]
    fn levels_count_in_eighths() {
        assert_eq!([1.0, 0.5, 0.19, 1e-9, 0.0].map(|share| level(share, 4)), ["████", "██", "▊", "▏", ""]);
    }

    #[test]
    fn time_shows_what_took_most() {
        assert_eq!(
            text(over_time(&[[1.0, 0.0, 0.0], [0.2, 0.5, 0.1], [0.0, 0.1, 0.6], [0.3, 0.0, 0.2]])),
            "█▚▒·"
        );
    }
}
