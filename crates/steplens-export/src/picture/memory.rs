//! Memory over time: the bytes that are alive, for each device and allocator, each on a scale of its own.

use super::Options;
use super::frame::Frame;
use super::rows::{LabelColumn, device_labels};
use super::scene::{Anchor, Outline};
use std::cmp::Reverse;
use steplens_core::memory::{Account, Reading};
use steplens_core::timeline::in_flight::STRIP_COLUMN_PX;
use steplens_core::{Bytes, Study, Timestamp};
use steplens_messages::{Argument, message, say};
use steplens_report::figures;
use steplens_report::memory::rests_on;
use steplens_report::names::visible;

/// More accounts than this are no picture any more: those with the highest peaks are shown, and the rest is counted below.
const MOST_ACCOUNTS: usize = 40;
/// Columns are half a pixel wide.
const SHARPER: f64 = STRIP_COLUMN_PX / 0.5;

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let window = options.window(study);
    // The best reading that there is; two are never mixed.
    let found = Reading::ALL.into_iter().find(|&reading| !study.memory(reading).accounts.is_empty());
    let Some(reading) = found.filter(|_| window.length().0 > 0) else {
        return frame.nothing(say!("picture-no-memory"));
    };
    let is_wanted = |account: &&Account| {
        options.devices.is_empty() || account.device.is_none_or(|device| options.devices.contains(&device))
    };
    let mut accounts: Vec<&Account> = study.memory(reading).accounts.iter().filter(is_wanted).collect();
    let more = accounts.len().saturating_sub(MOST_ACCOUNTS);
    if more > 0 {
        accounts.sort_by_key(|account| Reverse(account.peak().0));
        accounts.truncate(MOST_ACCOUNTS);
        accounts.sort_by_key(|&a| a.device);
    }
    if accounts.is_empty() {
        return frame.nothing(say!("picture-no-memory"));
    }
    let ink = options.theme.ink();
    let size = frame.scene.size;
    let names: Vec<[String; 2]> = accounts
        .iter()
        .map(|account| {
            let device = account.device.and_then(|device| device_labels(study, &[device]).pop());
            let device = device.unwrap_or_else(|| say!("picture-all-devices").to_owned());
            [device, visible(study.trace().text(account.allocator)).into_owned()]
        })
        .collect();
    let column = LabelColumn::of(frame, names.iter().flatten().map(String::as_str));
    // Bytes stand between the names and the plot.
    let scales: Vec<(Bytes, [String; 2])> = accounts
        .iter()
        .map(|account| {
            let top = round_up(account.peak().0.0);
            (Bytes(top), [top / 2, top].map(figures::bytes))
        })
        .collect();
    let widest =
        scales.iter().flat_map(|scale| &scale.1).map(|text| frame.scene.width_of(text)).fold(0.0, f64::max);
    let mut time = column.time(frame, window, 0.0);
    time.left += widest + size * 0.4;
    time.width = (frame.right() - time.left).max(1.0);

    let tall = match accounts.len() {
        1 => size * 14.0,
        2..=6 => size * 7.0,
        _ => size * 4.5,
    };
    let pitch = tall + size * 1.6;
    for ((account, name), (top_bytes, scale)) in accounts.iter().zip(&names).zip(&scales) {
        let (top, bottom) = (frame.y + size * 0.8, frame.y + size * 0.8 + tall);
        frame.scene.rect(time.left, top, time.width, tall, ink.band);
        time.grid(frame, top, bottom);
        column.draw(frame, top + size * 0.1, &name[0], true);
        column.draw(frame, top + size * 1.4, &name[1], false);
        for (share, text) in [(0.5, scale[0].as_str()), (1.0, scale[1].as_str()), (0.0, "0")] {
            let y = bottom - share * tall;
            frame.scene.rect(time.left, y - 0.5, time.width, 1.0, ink.grid);
            frame.scene.text(time.left - size * 0.4, y, Anchor::End, ink.muted, text);
        }
        let height = |bytes: Bytes| bytes.0 as f64 / top_bytes.0.max(1) as f64 * tall;
        let columns = account.curve.strip(window, time.width * SHARPER);
        let heights: Vec<f64> = columns.iter().map(|&bytes| height(bytes)).collect();
        let (mut area, mut edge) = (Outline::default(), Outline::default());
        area.columns(time.left, bottom, STRIP_COLUMN_PX / SHARPER, &heights);
        frame.scene.path(&area, ink.accent.over(ink.band, 0.35));
        // A line along the top of the area.
        let line = (size * 0.1).max(1.0);
        let mut before = 0.0;
        for (at, run) in runs(&heights) {
            let (px, height) = (STRIP_COLUMN_PX / SHARPER, heights[at]);
            let x = time.left + at as f64 * px;
            let wide = if height > 0.0 { run as f64 * px } else { 0.0 };
            edge.rect(x, bottom - height - line / 2.0, wide, line);
            let (low, high) = (height.min(before), height.max(before));
            edge.rect(x - line / 2.0, bottom - high - line / 2.0, line, high - low + line);
            before = height;
        }
        frame.scene.path(&edge, ink.accent);
        let (peak, at) = account.peak();
        if at == Timestamp(i64::MIN) || (at >= window.start && at < window.end) {
            let x = time.x(at.0);
            let text = say!("picture-peak", bytes = figures::bytes(peak.0));
            let half = frame.scene.width_of(&text) / 2.0;
            let x_text =
                x.clamp(time.left + half.min(time.width / 2.0), (frame.right() - half).max(time.left + half));
            frame.scene.rect(
                x - size * 0.2,
                bottom - height(peak) - size * 0.2,
                size * 0.4,
                size * 0.4,
                ink.text,
            );
            frame.scene.text(x_text, top - size * 0.55, Anchor::Middle, ink.text, &text);
        }
        frame.y += pitch;
    }
    frame.y += size * 0.2;
    time.draw(frame);
    frame.note(rests_on(reading));
    if more > 0 {
        let count = Argument::Grouped(more as u64);
        frame.note(&message!("picture-more-accounts", count).text(&[("count", count)]));
    }
}

/// Where runs of the same height begin, and how long they are.
fn runs(heights: &[f64]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    heights.chunk_by(|a, b| (a - b).abs() < 0.005).map(move |run| {
        at += run.len();
        (at - run.len(), run.len())
    })
}

/// The next of 1, 2, 3, 4, 6, 8 times a power of two's power: a round end of a scale of bytes.
fn round_up(bytes: u64) -> u64 {
    let unit = 1_u64 << (bytes.max(1).ilog2() / 10 * 10);
    let steps = [
        1, 2, 4, 6, 8, 10, 16, 20, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512, 640, 800, 1024,
    ];
    steps.into_iter().map(|step| unit.saturating_mul(step)).find(|&own| own >= bytes).unwrap_or(bytes)
}
