//! The axis of time: round steps in one unit, as many as have room for their labels.

use super::frame::Frame;
use super::scene::Anchor;
use steplens_core::Interval;
use steplens_messages::say;

const UNITS: [(&str, i64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1)];

/// Time across a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeAxis {
    pub(crate) window: Interval,
    /// Where the window begins.
    pub(crate) left: f64,
    pub(crate) width: f64,
}

/// A place on the axis, and what stands there.
struct Tick {
    x: f64,
    label: String,
}

impl TimeAxis {
    /// Where `at` is, in pixels; a moment outside of the window is at its edge.
    pub(crate) fn x(&self, at: i64) -> f64 {
        let Interval { start, end } = self.window;
        let inside = at.clamp(start.0, end.0);
        self.left + (inside - start.0) as f64 / self.window.length().0.max(1) as f64 * self.width
    }

    /// Lines of the grid from `top` to `bottom`, for whatever is drawn over them.
    pub(crate) fn grid(&self, frame: &mut Frame, top: f64, bottom: f64) {
        let (ticks, _) = self.ticks(frame);
        for Tick { x, .. } in ticks {
            frame.scene.rect(x - 0.5, top, 1.0, bottom - top, frame.scene.ink.grid);
        }
    }

    /// The line at `frame.y`, and below it the times and their unit.
    pub(crate) fn draw(&self, frame: &mut Frame) {
        let (size, ink) = (frame.scene.size, frame.scene.ink);
        let top = frame.y;
        frame.scene.rect(self.left, top, self.width, 1.0, ink.muted);
        let (ticks, unit) = self.ticks(frame);
        for Tick { x, label } in ticks {
            frame.scene.rect(x - 0.5, top, 1.0, size * 0.4, ink.muted);
            let half = frame.scene.width_of(&label) / 2.0;
            let x = x.clamp(half.min(frame.scene.width / 2.0), (frame.scene.width - half).max(half));
            frame.scene.text(x, top + size * 1.05, Anchor::Middle, ink.muted, &label);
        }
        let unit = say!("picture-time", unit);
        frame.scene.text(self.left + self.width / 2.0, top + size * 2.45, Anchor::Middle, ink.muted, &unit);
        frame.y += size * 3.3;
    }

    fn ticks(&self, frame: &Frame) -> (Vec<Tick>, &'static str) {
        let Interval { start, end } = self.window;
        let largest = start.0.unsigned_abs().max(end.0.unsigned_abs()) as i64;
        let unit = UNITS.into_iter().find(|&(_, ns)| largest / 2 >= ns).unwrap_or(UNITS[3]);
        let length = self.window.length().0.max(1);
        let gap = frame.scene.size * 2.0;
        for step in steps() {
            let room = step as f64 / length as f64 * self.width;
            let first = start.0.div_euclid(step) + i64::from(start.0.rem_euclid(step) != 0);
            let last = end.0.div_euclid(step);
            // No label of the window is longer than that of one of its ends.
            let widest =
                [first, last].map(|at| frame.scene.width_of(&label(at.saturating_mul(step), step, unit.1)));
            if room < widest[0].max(widest[1]) + gap {
                continue;
            }
            let tick = |at: i64| Tick { x: self.x(at * step), label: label(at * step, step, unit.1) };
            return ((first..=last).map(tick).collect(), unit.0);
        }
        (Vec::new(), unit.0)
    }
}

/// 1, 2, 5, 10, 20, 50 and so on.
fn steps() -> impl Iterator<Item = i64> {
    (0..18).flat_map(|power| [1, 2, 5].map(|factor| factor * 10_i64.pow(power)))
}

/// `at` in a unit of `unit` nanoseconds, with as many decimals as `step` needs.
fn label(at: i64, step: i64, unit: i64) -> String {
    let decimals = (0..).take_while(|&digits| step % (unit / 10_i64.pow(digits)).max(1) != 0).count();
    let text = format!("{:.*}", decimals, at as f64 / unit as f64);
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, whole) = whole.split_at(usize::from(whole.starts_with('-')));
    let grouped = steplens_messages::grouped(whole.parse().unwrap_or_default());
    if rest.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        assert_eq!(label(1_500_000, 500_000, 1_000_000), "1.5");
        assert_eq!(label(20_000_000, 10_000_000, 1_000_000), "20");
        assert_eq!(label(-1_250_000, 50_000, 1_000_000), "-1.25");
        assert_eq!(label(1_234_000_000_000, 1_000_000_000, 1_000_000_000), "1,234");
        assert_eq!(label(0, 100, 1_000), "0.0");
    }
}
