//! How the time of each device divides: a bar for each, whose parts add up to the window exactly.

use super::Options;
use super::colors::{self, Ink, ON_MARK, Rgb};
use super::frame::Frame;
use super::rows::{LabelColumn, device_labels};
use super::scene::Anchor;
use super::view::category_words;
use steplens_core::timeline::split::Split;
use steplens_core::{Category, Study};
use steplens_messages::say;
use steplens_report::figures;

/// Where the axis of shares has a mark, in hundredths.
const MARKS: [i64; 6] = [0, 20, 40, 60, 80, 100];

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let window = options.window(study);
    // Of Python's frames and annotations alone it would be said that the device is idle.
    let works = |split: &Split| split.busy.0 > 0;
    let devices = options.devices(study);
    let labels = device_labels(study, &devices);
    let split_of = |&device| study.split(Some(device), window);
    let mut rows: Vec<(String, Split)> = labels.into_iter().zip(devices.iter().map(split_of)).collect();
    rows.retain(|(_, split)| works(split));
    if window.length().0 <= 0 || rows.is_empty() {
        return frame.nothing(say!("picture-no-ops"));
    }
    if rows.len() > 1 && study.counted().count() > 1 && options.devices.is_empty() {
        rows.insert(0, (say!("picture-mean", count = study.counted().count()), study.step_split(window)));
    }
    let ink = options.theme.ink();
    let occurs = |own: &&Part| rows.iter().any(|(_, split)| own.of(split) > 0);
    let parts = parts(ink);
    let shown: Vec<&Part> = parts.iter().filter(occurs).collect();
    frame.legend(&shown.iter().map(|part| (part.fill, part.word.to_owned())).collect::<Vec<_>>());

    let size = frame.scene.size;
    let column = LabelColumn::of(frame, rows.iter().map(|row| row.0.as_str()));
    let (left, width) = (column.left, frame.right() - column.left - size);
    let (tall, pitch) = (size * 1.7, size * 2.1);
    let x = |share: f64| left + share * width;
    let (top, bottom) = (frame.y, frame.y + pitch * rows.len() as f64 + size * 0.3);
    for mark in MARKS {
        frame.scene.rect(x(mark as f64 / 100.0) - 0.5, top, 1.0, bottom - top, ink.grid);
    }
    for (label, split) in &rows {
        let middle = frame.y + pitch / 2.0;
        column.draw(frame, middle, label, true);
        let mut before = 0;
        for part in &shown {
            let own = part.of(split);
            let (from, to) = [before, before + own].map(|at| x(at as f64 / window.length().0 as f64)).into();
            before += own;
            frame.scene.rect(from, middle - tall / 2.0, to - from, tall, part.fill);
            let text = figures::share(own, window.length().0);
            if own > 0 && frame.scene.width_of(&text) + size * 0.6 <= to - from {
                let fill = if part.category.is_some() { ON_MARK } else { ink.text };
                frame.scene.text((from + to) / 2.0, middle, Anchor::Middle, fill, &text);
            }
        }
        frame.y += pitch;
    }
    frame.y = bottom;
    frame.scene.rect(left, frame.y, width, 1.0, ink.muted);
    for mark in MARKS {
        let at = x(mark as f64 / 100.0);
        frame.scene.rect(at - 0.5, frame.y, 1.0, size * 0.4, ink.muted);
        frame.scene.text(at, frame.y + size * 1.05, Anchor::Middle, ink.muted, &mark.to_string());
    }
    let unit = say!("picture-share", length = figures::duration(window.length().0));
    frame.scene.text(left + width / 2.0, frame.y + size * 2.45, Anchor::Middle, ink.muted, &unit);
    frame.y += size * 3.3;
}

/// A part of a window.
struct Part {
    category: Option<Category>,
    fill: Rgb,
    word: &'static str,
}

impl Part {
    fn of(&self, split: &Split) -> i64 {
        self.category.map_or(split.idle.0, |category| split.part(category).0)
    }
}

/// What a window divides into, in order of priority.
fn parts(ink: &Ink) -> [Part; Category::PARTS + 1] {
    let exposed = [
        category_words()[0],
        say!("steps-exposed-input"),
        say!("steps-exposed-copy"),
        say!("steps-exposed-communication"),
        say!("steps-exposed-launch"),
        say!("steps-exposed-allocation"),
        say!("steps-exposed-waiting"),
    ];
    std::array::from_fn(|at| match exposed.get(at) {
        Some(&word) => Part { category: Some(Category::ALL[at]), fill: colors::of(Category::ALL[at]), word },
        None => Part { category: None, fill: ink.idle, word: say!("title-idle") },
    })
}
