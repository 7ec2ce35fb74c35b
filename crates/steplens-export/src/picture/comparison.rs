//! Where the difference of two steps comes from: a bar for each cause, which begins where the one before it ends, so that they visibly
//! add up.

use super::axis::TimeAxis;
use super::colors::{HUE, Rgb};
use super::frame::{Frame, caption};
use super::scene::Anchor;
use super::{Options, width};
use steplens_core::compare::Comparison;
use steplens_core::model::file::FileReport;
use steplens_core::{Interval, Timestamp};
use steplens_messages::say;
use steplens_report::compare::Compare;
use steplens_report::figures;
use steplens_report::names::visible;

/// What makes B longer, and what makes it shorter: orange and blue, which all kinds of colour blindness tell apart.
const LONGER: Rgb = HUE[3];
const SHORTER: Rgb = HUE[0];

/// The waterfall of a comparison as SVG. `files` are those of A and of B; of `options`, kind, window and devices are of no meaning.
pub fn svg_of_two(found: &Comparison<'_>, files: [&[FileReport]; 2], options: &Options<'_>) -> String {
    let answer = Compare::new(found);
    let names = [say!("compare-of-a"), say!("compare-of-b")];
    let mut parts = Vec::new();
    for ((name, side), files) in names.into_iter().zip(found.sides).zip(files) {
        parts.push(format!("{name}: {}", caption(side.study, files, options).join(", ")));
    }
    let mut frame = Frame::titled(say!("picture-comparison"), &parts, options);
    frame.note(&answer.sentence);
    answer.not_comparable.iter().for_each(|row| frame.note(&row.sentence));
    if answer.waterfall.is_empty() {
        frame.nothing(say!("picture-no-difference"));
        return frame.finish();
    }
    frame.y += frame.scene.size * 0.5;
    draw(&mut frame, &answer);
    frame.legend(&[
        (LONGER, say!("picture-longer").to_owned()),
        (SHORTER, say!("picture-shorter").to_owned()),
    ]);
    frame.finish()
}

fn draw(frame: &mut Frame, answer: &Compare<'_>) {
    let (size, ink) = (frame.scene.size, frame.scene.ink);
    // From 0, the end of A's step, to the end of B's; sums between them may go beyond both.
    let mut ends = vec![0];
    for row in &answer.waterfall {
        ends.push(ends.last().copied().unwrap_or(0_i64).saturating_add(row.difference_ns));
    }
    let (least, most) = (ends.iter().min().copied().unwrap_or(0), ends.iter().max().copied().unwrap_or(0));
    let window = Interval { start: Timestamp(least), end: Timestamp(most.max(least.saturating_add(1))) };
    let texts: Vec<String> = answer.waterfall.iter().map(|row| signed(row.difference_ns)).collect();
    let reserved = texts.iter().map(|text| frame.scene.width_of(text)).fold(0.0, f64::max) + size;
    let time = TimeAxis { window, left: frame.margin, width: (frame.room() - reserved).max(1.0) };
    let (tall, pitch) = (size * 1.2, size * 3.2);
    let (top, bottom) = (frame.y, frame.y + pitch * texts.len() as f64);
    time.grid(frame, top, bottom);
    for (row, bar) in answer.waterfall.iter().enumerate() {
        let (before, after) = (ends[row], ends[row + 1]);
        let words = width::shortened_within(&visible(&bar.sentence), frame.room(), size);
        let y = top + pitch * row as f64;
        // Each begins where the one before it ends.
        if row + 1 < texts.len() {
            frame.scene.rect(time.x(after) - 0.5, y + size * 2.1, 1.0, pitch, ink.line);
        }
        frame.scene.text(frame.margin, y + size * 0.8, Anchor::Start, ink.text, &words);
        let middle = y + size * 2.1;
        let (from, to) = (time.x(before.min(after)), time.x(before.max(after)));
        let fill = if bar.difference_ns > 0 { LONGER } else { SHORTER };
        frame.scene.rect(from, middle - tall / 2.0, (to - from).max(0.75), tall, fill);
        frame.scene.text(frame.right(), middle, Anchor::End, ink.text, &texts[row]);
    }
    frame.y = bottom;
    time.draw(frame);
}

/// A difference with its sign.
fn signed(difference: i64) -> String {
    format!("{}{}", if difference > 0 { "+" } else { "" }, figures::duration(difference))
}
