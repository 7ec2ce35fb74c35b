//! The observed critical path: what the step waited for at each moment, on the device where it was.

use super::axis::TimeAxis;
use super::colors::{self, Ink, ON_MARK, Rgb};
use super::frame::Frame;
use super::keyed::Keyed;
use super::rows::{LabelColumn, device_labels};
use super::scene::{Anchor, Outline};
use super::{Options, width};
use steplens_core::base::order;
use steplens_core::causality::observed::{Segment, SegmentKind};
use steplens_core::{Category, DeviceId, Interval, Study};
use steplens_messages::{Argument, message, say};
use steplens_report::figures;
use steplens_report::names::{kernel_label, visible};

/// More devices than this are no picture any more: the rest is counted below it.
const MOST_DEVICES: usize = 60;
/// Segments shorter than this share a column.
const COLUMN_PX: f64 = 0.5;

/// How a kind of segment looks: as the category does that it is of. Of two kinds that are of one, the second is lighter.
pub(crate) fn fill_of(kind: SegmentKind, ink: &Ink) -> Rgb {
    let (category, is_second) = match kind {
        SegmentKind::Compute => (Category::Compute, false),
        SegmentKind::Copy => (Category::Copy, false),
        SegmentKind::Transit => (Category::Communication, false),
        SegmentKind::SenderQueue => (Category::Communication, true),
        SegmentKind::Producer => (Category::Waiting, false),
        SegmentKind::Behind => (Category::Waiting, true),
        SegmentKind::Launching => (Category::Launch, false),
        SegmentKind::Starting => (Category::Launch, true),
        SegmentKind::Allocating => (Category::Allocation, false),
        SegmentKind::Input => (Category::Input, false),
        SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps => (Category::Waiting, true),
        SegmentKind::Gap => return ink.idle,
    };
    let fill = colors::of(category);
    if is_second { fill.over(ink.background, 0.55) } else { fill }
}

/// What kinds of segments are called.
pub(crate) fn word_of(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Compute => say!("path-compute"),
        SegmentKind::Copy => say!("path-copy"),
        SegmentKind::Transit => say!("path-transit"),
        SegmentKind::SenderQueue => say!("path-sender-queue"),
        SegmentKind::Producer => say!("path-producer"),
        SegmentKind::Behind => say!("path-behind"),
        SegmentKind::Launching => say!("path-launching"),
        SegmentKind::Allocating => say!("path-allocating"),
        SegmentKind::Input => say!("path-input"),
        SegmentKind::Starting => say!("path-starting"),
        SegmentKind::HostBetweenOps => say!("path-host-between-ops"),
        SegmentKind::PythonBetweenOps => say!("path-python-between-ops"),
        SegmentKind::Gap => say!("path-gap"),
    }
}

/// The path within the window.
pub(crate) fn segments(study: &Study, window: Interval) -> Vec<Segment> {
    let all = study.causes().observed.segments.iter();
    let within = all.map(|own| Segment { interval: own.interval.clamp_to(window), ..*own });
    within.filter(|own| own.interval.length().0 > 0).collect()
}

/// How long each kind is.
pub(crate) fn sums(segments: &[Segment]) -> [i64; SegmentKind::ALL.len()] {
    let mut sums = [0; SegmentKind::ALL.len()];
    segments.iter().for_each(|own| sums[own.kind as usize] += own.interval.length().0);
    sums
}

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let window = options.window(study);
    let segments = segments(study, window);
    if segments.is_empty() {
        return frame.nothing(say!("picture-no-path"));
    }
    let ink = options.theme.ink();
    let by_kind = sums(&segments);
    let total: i64 = by_kind.iter().sum();
    let mut kinds: Vec<SegmentKind> =
        SegmentKind::ALL.into_iter().filter(|&kind| by_kind[kind as usize] > 0).collect();
    order::by_number(&mut kinds, |kind| (-by_kind[kind as usize], 0));
    let named = |&kind: &SegmentKind| {
        let share = figures::share(by_kind[kind as usize], total);
        (fill_of(kind, ink), say!("picture-part", name = word_of(kind), share))
    };
    frame.legend(&kinds.iter().map(named).collect::<Vec<_>>());

    // The devices that the path leads through; of too many those where it is longest.
    let mut of_device: Keyed<DeviceId, i64> = Keyed::new();
    for own in &segments {
        *of_device.entry(study.trace().device_of(own.op)) += own.interval.length().0;
    }
    let length = |device: DeviceId| of_device.get(device).copied().unwrap_or(0);
    let is_wanted = |device: &DeviceId| options.devices.is_empty() || options.devices.contains(device);
    let mut devices: Vec<DeviceId> = of_device.keys().filter(is_wanted).collect();
    order::by_number(&mut devices, |device| (-length(device), 0));
    let more = devices.len().saturating_sub(MOST_DEVICES);
    devices.truncate(MOST_DEVICES);
    let place = |device: DeviceId| options.devices.iter().position(|&own| own == device);
    order::by_number(&mut devices, |device| (place(device).unwrap_or(device.index()) as i64, 0));
    let labels = device_labels(study, &devices);
    let size = frame.scene.size;
    let sum = say!("picture-whole-path");
    let lengths: Vec<String> = devices.iter().map(|device| figures::duration(length(*device))).collect();
    let reserved = lengths.iter().map(|text| frame.scene.width_of(text)).fold(0.0, f64::max) + size * 0.8;
    let column = LabelColumn::of(frame, labels.iter().map(String::as_str).chain([sum]));
    let time = column.time(frame, window, reserved);
    let (tall, pitch) = (size * 1.7, size * 2.3);
    let (top, bottom) = (frame.y, frame.y + pitch * (devices.len() as f64 + 1.3));
    frame.scene.rect(time.left, top, time.width, bottom - top, ink.band);
    time.grid(frame, top, bottom);

    let middle_of = |row: usize| top + pitch * (row as f64 + 1.8);
    let row_of = |own: &Segment| {
        let device = study.trace().device_of(own.op);
        devices.iter().position(|&other| other == device)
    };
    connectors(frame, &time, &segments, row_of, middle_of);
    column.draw(frame, top + pitch * 0.5, sum, true);
    draw_row(frame, &time, study, &segments, top + pitch * 0.5 - tall / 2.0, tall, false);
    frame.scene.rect(frame.margin, top + pitch * 1.12, frame.room(), 1.0, ink.line);
    for (row, (label, length)) in labels.iter().zip(&lengths).enumerate() {
        let middle = middle_of(row);
        column.draw(frame, middle, label, true);
        let own: Vec<Segment> = segments.iter().filter(|own| row_of(own) == Some(row)).copied().collect();
        draw_row(frame, &time, study, &own, middle - tall / 2.0, tall, true);
        frame.scene.text(frame.right(), middle, Anchor::End, ink.text, length);
    }
    frame.y = bottom;
    time.draw(frame);
    if more > 0 {
        let count = Argument::Grouped(more as u64);
        frame.note(&message!("picture-more-devices", count).text(&[("count", count)]));
    }
}

/// Where the path goes from one device to another.
fn connectors(
    frame: &mut Frame,
    time: &TimeAxis,
    segments: &[Segment],
    row_of: impl Fn(&Segment) -> Option<usize>,
    middle_of: impl Fn(usize) -> f64,
) {
    let mut outline = Outline::default();
    let mut last = (f64::NEG_INFINITY, 0, 0);
    for pair in segments.windows(2) {
        let (Some(from), Some(to)) = (row_of(&pair[0]), row_of(&pair[1])) else { continue };
        let (low, high, x) = (from.min(to), from.max(to), time.x(pair[1].interval.start.0));
        // Lines that nobody can tell apart are one.
        if low == high || (x - last.0 < 1.0 && low >= last.1 && high <= last.2) {
            continue;
        }
        last = (x, low, high);
        outline.rect(x - 0.4, middle_of(low), 0.8, middle_of(high) - middle_of(low));
    }
    let muted = frame.scene.ink.muted;
    frame.scene.path(&outline, muted);
}

/// Segments one by one; those that are too short share columns, each of the kind that it has most of.
fn draw_row(
    frame: &mut Frame,
    time: &TimeAxis,
    study: &Study,
    segments: &[Segment],
    y: f64,
    tall: f64,
    has_labels: bool,
) {
    let (size, ink) = (frame.scene.size, frame.scene.ink);
    let mut outlines: Keyed<SegmentKind, Outline> = Keyed::new();
    let mut columns: Keyed<i64, [f64; SegmentKind::ALL.len()]> = Keyed::new();
    let mut labels = Vec::new();
    for own in segments {
        let (from, to) = (time.x(own.interval.start.0), time.x(own.interval.end.0));
        if to - from < COLUMN_PX {
            columns.entry((from / COLUMN_PX) as i64)[own.kind as usize] += to - from;
            continue;
        }
        let gap = ((to - from - 2.0) / 3.0).clamp(0.0, 0.5);
        outlines.entry(own.kind).rect(from, y, to - from - gap, tall);
        let fitted = if has_labels {
            width::shortened(&visible(&kernel_label(study.title(own.op))), to - from - size * 0.7, size)
        } else {
            Some(word_of(own.kind).to_owned())
                .filter(|word| frame.scene.width_of(word) + size * 0.7 <= to - from)
        };
        labels.extend(fitted.map(|label| (from + size * 0.35, own.kind, label)));
    }
    for (column, of_kind) in columns {
        let most = (0..of_kind.len()).max_by(|&a, &b| of_kind[a].total_cmp(&of_kind[b])).unwrap_or(0);
        outlines.entry(SegmentKind::ALL[most]).rect(column as f64 * COLUMN_PX, y, COLUMN_PX, tall);
    }
    for (kind, outline) in outlines {
        frame.scene.path(&outline, fill_of(kind, ink));
    }
    for (x, kind, label) in labels {
        let fill =
            if kind == SegmentKind::Gap || fill_of(kind, ink).0 < 0x80_0000 { ink.text } else { ON_MARK };
        frame.scene.text(x, y + tall / 2.0, Anchor::Start, fill, &label);
    }
}
