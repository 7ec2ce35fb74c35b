//! The waterfall: what the observed path spent its time on, kind after kind, so that the parts visibly add up to the window.

use super::Options;
use super::axis::TimeAxis;
use super::frame::Frame;
use super::path::{fill_of, segments, sums, word_of};
use super::rows::LabelColumn;
use super::scene::Anchor;
use steplens_core::base::order;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{Interval, Study, Timestamp};
use steplens_messages::say;
use steplens_report::figures;

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let by_kind = sums(&segments(study, options.window(study)));
    let total: i64 = by_kind.iter().sum();
    if total <= 0 {
        return frame.nothing(say!("picture-no-path"));
    }
    let ink = options.theme.ink();
    let mut kinds: Vec<SegmentKind> =
        SegmentKind::ALL.into_iter().filter(|&kind| by_kind[kind as usize] > 0).collect();
    order::by_number(&mut kinds, |kind| (-by_kind[kind as usize], 0));
    let whole = say!("picture-whole-path");
    let size = frame.scene.size;
    let figures_of = |length: i64| [figures::duration(length), figures::share(length, total)];
    let texts: Vec<[String; 2]> =
        kinds.iter().map(|&kind| by_kind[kind as usize]).chain([total]).map(figures_of).collect();
    let widest =
        |at: usize| texts.iter().map(|text| frame.scene.width_of(&text[at])).fold(0.0, f64::max) + size;
    let (lengths, shares) = (widest(0), widest(1));
    let column = LabelColumn::of(frame, kinds.iter().map(|&kind| word_of(kind)).chain([whole]));
    let all = Interval { start: Timestamp(0), end: Timestamp(total) };
    let time: TimeAxis = column.time(frame, all, lengths + shares);
    let (tall, pitch) = (size * 1.5, size * 2.2);
    let (top, bottom) = (frame.y, frame.y + pitch * texts.len() as f64);
    time.grid(frame, top, bottom);
    let mut before = 0;
    let rows = kinds.iter().map(|&kind| (word_of(kind), fill_of(kind, ink), by_kind[kind as usize]));
    for (row, (word, fill, length)) in rows.chain([(whole, ink.muted, total)]).enumerate() {
        let middle = top + pitch * (row as f64 + 0.5);
        let is_whole = row == kinds.len();
        let start = if is_whole { 0 } else { before };
        let (from, to) = (time.x(start), time.x(start + length));
        before += length;
        if is_whole {
            frame.scene.rect(frame.margin, top + pitch * row as f64, frame.room(), 1.0, ink.line);
        } else {
            // Each part begins where the one before it ends.
            frame.scene.rect(to - 0.5, middle, 1.0, pitch, ink.muted);
        }
        frame.scene.rect(from, middle - tall / 2.0, (to - from).max(0.75), tall, fill);
        column.draw(frame, middle, word, true);
        let [duration, share] = &texts[row];
        frame.scene.text(frame.right() - shares, middle, Anchor::End, ink.text, duration);
        frame.scene.text(frame.right(), middle, Anchor::End, ink.muted, share);
    }
    frame.y = bottom;
    time.draw(frame);
}
