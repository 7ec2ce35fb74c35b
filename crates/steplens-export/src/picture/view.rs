//! The timeline: a band for each device, its ops in lanes, its transfers as one band of how many are in flight. Marks and strips are those of
//! the page's canvas.

use super::axis::TimeAxis;
use super::colors::{self, HIDDEN_SHARE, ON_MARK, Rgb};
use super::frame::Frame;
use super::keyed::Keyed;
use super::rows::{LabelColumn, device_labels};
use super::scene::{Anchor, Outline};
use super::{Options, width};
use steplens_core::marks::{Look, Mark, MarksQuery};
use steplens_core::questions::strips;
use steplens_core::search::matches::Matches;
use steplens_core::timeline::colors::{COLORS, ColorBy, FLIGHT_PARTS};
use steplens_core::timeline::grouping::GroupKind;
use steplens_core::{DeviceId, Interval, LaneId, Study};
use steplens_messages::{Argument, message, say};
use steplens_report::figures;
use steplens_report::names::{kernel_label, visible};

/// Marks are asked for at twice the width: paper and screens show half a pixel.
const SHARPER: f64 = 2.0;
/// As many as the page asks for.
const MOST_MARKS: usize = 12_000;
const MOST_LABELS: usize = 1500;
/// More devices than this are no picture any more: the rest is counted below it.
const MOST_DEVICES: usize = 200;

/// How tall a lane of ops, a lane of communication, and the band of transfers are, at the least size of texts; the tallest first.
const PITCHES: [[f64; 3]; 9] = [
    [18.0, 14.0, 17.0],
    [16.0, 13.0, 14.0],
    [15.0, 9.0, 13.0],
    [13.0, 7.0, 12.0],
    [9.0, 5.0, 9.0],
    [6.0, 3.0, 8.0],
    [4.0, 2.0, 8.0],
    [3.0, 1.5, 8.0],
    [2.0, 1.0, 8.0],
];
/// Of the width: lanes get thinner before a picture gets taller than this.
const TALL: f64 = 0.8;
/// How tall a row of marks is at the least, in pixels: paper and screens show half of one.
const THIN: f64 = 1.0 / SHARPER;
/// Of the width: no picture is taller than about this. Lanes without end, such as those of a million ops at one time, share pixels.
const TALLEST: f64 = 6.0;
/// A group with more lanes than this is as thin as communication is.
const FEW_LANES: usize = 6;

/// Where a mark is drawn: the rectangle of the picture that stands for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkBox {
    /// The mark.
    pub mark: Mark,
    /// Its left edge in pixels of the picture.
    pub x: f64,
    /// Its top.
    pub y: f64,
    /// How wide it is.
    pub width: f64,
    /// How tall.
    pub height: f64,
    /// Its colour.
    pub fill: Rgb,
}

/// Marks that are thinner than any screen or paper shows: those of a million lanes share rows of pixels, and take no more of the file than these.
struct ThinRows(Keyed<i64, Vec<(f64, f64)>>);

impl Default for ThinRows {
    fn default() -> Self {
        Self(Keyed::new())
    }
}

impl ThinRows {
    fn add(&mut self, own: &MarkBox) {
        self.0.entry((own.y / THIN).floor() as i64).push((own.x, own.x + own.width));
    }

    /// In each row once what any of its marks covers.
    fn draw(self, outline: &mut Outline) {
        for (row, mut spans) in self.0 {
            spans.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut covered: Vec<(f64, f64)> = Vec::new();
            for (from, to) in spans {
                match covered.last_mut() {
                    Some(last) if from <= last.1 => last.1 = last.1.max(to),
                    _ => covered.push((from, to)),
                }
            }
            for (from, to) in covered {
                outline.rect(from, row as f64 * THIN, to - from, THIN);
            }
        }
    }
}

/// A contiguous run of lanes that are as tall as each other.
struct Group {
    name: String,
    first: LaneId,
    lanes: usize,
    y: f64,
    pitch: f64,
}

struct Band {
    device: DeviceId,
    label: String,
    y: f64,
    height: f64,
    groups: Vec<Group>,
    transfers: Option<Strip>,
}

/// The transfers of a device, drawn together.
#[derive(Clone, Copy)]
struct Strip {
    y: f64,
    height: f64,
    /// How many at once fill it.
    most: usize,
}

/// The rectangles of the marks of a picture, in the order of drawing.
pub fn mark_boxes(study: &Study, options: &Options<'_>) -> Vec<MarkBox> {
    let mut frame = Frame::of(study, &[], options);
    let plan = Plan::of(&mut frame, study, options);
    plan.boxes(study, &frame)
}

/// Whether a mark is one op, as it is, and not several in a column.
fn is_op(mark: &Mark) -> bool {
    mark.count == 1 && mark.density == u8::MAX
}

/// What is where.
struct Plan {
    bands: Vec<Band>,
    labels: LabelColumn,
    time: TimeAxis,
    more: usize,
    bottom: f64,
}

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let window = options.window(study);
    if study.trace().ops().is_empty() || window.length().0 <= 0 {
        return frame.nothing(say!("picture-no-ops"));
    }
    let legend_y = frame.y;
    // The legend says which colours occur, which is known only when they are drawn; its lines depend on nothing else.
    let mut sketch = Frame::of(study, &[], options);
    let used = used_colors(&Plan::of(&mut sketch, study, options), study, window);
    frame.y = legend_y;
    frame.legend(&legend(study, options, used));
    let plan = Plan::of(frame, study, options);
    plan.draw(frame, study);
}

/// The colours of anything in sight, bit by bit.
fn used_colors(plan: &Plan, study: &Study, window: Interval) -> u32 {
    let trace = study.trace();
    let mut used = 0;
    for band in &plan.bands {
        for op in trace.ops_of(band.device) {
            let own = trace.ops().interval(op);
            if own.start < window.end && own.end > window.start {
                used |= 1 << study.colors().of(trace, op);
            }
        }
    }
    used
}

/// What each colour stands for, of those that are `used`.
fn legend(study: &Study, options: &Options<'_>, used: u32) -> Vec<(Rgb, String)> {
    let (own, ink) = (study.colors(), options.theme.ink());
    let by = own.by();
    let name = |color: usize| match (by, by.bounds()) {
        (ColorBy::Category, _) => category_words()[color.min(steplens_core::Category::COUNT - 1)].to_owned(),
        (_, Some(bounds)) => {
            let bound = |at: usize| figures::duration(bounds[at].0);
            match color {
                0 => format!("< {}", bound(0)),
                _ if color < COLORS - 1 => format!("≥ {}", bound(color - 1)),
                _ => say!("picture-others").to_owned(),
            }
        }
        _ => match own.names().get(color) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => say!("picture-others").to_owned(),
        },
    };
    let colors = (0..COLORS).filter(|color| used >> color & 1 == 1);
    colors.map(|color| (colors::of_mark(ink, by, color as u8, 0), name(color))).collect()
}

/// What categories are called, by priority.
pub(crate) fn category_words() -> [&'static str; 8] {
    [
        say!("category-compute"),
        say!("category-input"),
        say!("category-copy"),
        say!("category-communication"),
        say!("category-launch"),
        say!("category-allocation"),
        say!("category-waiting"),
        say!("category-range"),
    ]
}

impl Plan {
    fn of(frame: &mut Frame, study: &Study, options: &Options<'_>) -> Self {
        let mut devices = options.devices(study);
        let more = devices.len().saturating_sub(MOST_DEVICES);
        devices.truncate(MOST_DEVICES);
        let (window, size) = (options.window(study), frame.scene.size);
        let names = device_labels(study, &devices);
        let bands_at = |pitch: [f64; 3]| {
            let mut y = frame.y;
            let mut bands = Vec::with_capacity(devices.len());
            for (&device, label) in devices.iter().zip(&names) {
                let band = band(study, device, label, window, size, y, pitch);
                y += band.height;
                bands.push(band);
            }
            (bands, y)
        };
        let scale = size / super::LEAST_SIZE;
        let fits = |(_, bottom): &(Vec<Band>, f64)| *bottom <= frame.scene.width * TALL;
        let pitches = PITCHES.map(|pitch| pitch.map(|own| own * scale));
        let (bands, bottom) = pitches.into_iter().map(bands_at).find(fits).unwrap_or_else(|| {
            let thinnest = pitches[PITCHES.len() - 1];
            let found = bands_at(thinnest);
            let share = frame.scene.width * TALLEST / (found.1 - frame.y).max(1.0);
            if share < 1.0 { bands_at(thinnest.map(|own| own * share)) } else { found }
        });
        let named = bands.iter().flat_map(|band| &band.groups).map(|group| group.name.as_str());
        let labels = LabelColumn::of(frame, bands.iter().map(|band| band.label.as_str()).chain(named));
        let time = labels.time(frame, window, 0.0);
        Self { bands, labels, time, more, bottom }
    }

    fn boxes(&self, study: &Study, frame: &Frame) -> Vec<MarkBox> {
        let mut lanes = Vec::new();
        let mut places = Vec::new();
        for group in self.bands.iter().flat_map(|band| &band.groups) {
            for lane in 0..group.lanes {
                lanes.push(LaneId::new(group.first.get() + lane as u32));
                places.push((group.y + lane as f64 * group.pitch, group.pitch));
            }
        }
        let tops = places.iter().map(|place| place.0).chain([f64::INFINITY]);
        let pitches: Vec<f32> =
            tops.clone().zip(tops.skip(1)).map(|(top, next)| ((next - top) * SHARPER) as f32).collect();
        let Interval { start, end } = self.time.window;
        let query = MarksQuery {
            start,
            end,
            width_px: self.time.width * SHARPER,
            lanes: &lanes,
            pitches: &pitches,
            most: MOST_MARKS,
        };
        let none = Matches::default();
        let look = Look { colors: study.colors(), matches: &none, lit: &none };
        let found = study.marks().marks(study.trace(), study.lanes(), look, &query);
        let column = found.column_ns as f64 / self.time.window.length().0.max(1) as f64 * query.width_px;
        let mut boxes = Vec::with_capacity(found.marks.len());
        for mark in found.marks {
            let x0 = f64::from(mark.x0).max(0.0);
            let x1 = f64::from(mark.x1).min(query.width_px);
            // The gaps that the page leaves between ops.
            let gap = if is_op(&mark) { ((x1 - x0 - column.max(2.0)) / 3.0).clamp(0.0, 1.0) } else { 0.0 };
            let row = mark.row as usize;
            let (y, height) = match found.stacks.get(row.wrapping_sub(lanes.len())) {
                Some(rows) => {
                    let (first, last) = (places[rows.start as usize], places[rows.end as usize - 1]);
                    (first.0, last.0 + last.1 - first.0)
                }
                None => places[row],
            };
            let by = study.colors().by();
            let fill = colors::of_mark(frame.scene.ink, by, mark.color, mark.shade);
            if x1 > x0 {
                boxes.push(MarkBox {
                    mark,
                    x: self.time.left + x0 / SHARPER,
                    y,
                    width: (x1 - x0 - gap) / SHARPER,
                    // A line of the ground between lanes that are tall enough.
                    height: if height >= 6.0 { height - 1.0 } else { height },
                    fill: colors::of_density(fill, frame.scene.ink, mark.density),
                });
            }
        }
        boxes
    }

    fn draw(&self, frame: &mut Frame, study: &Study) {
        let (size, ink) = (frame.scene.size, frame.scene.ink);
        let (left, width) = (self.time.left, self.time.width);
        let top = frame.y;
        frame.scene.rect(left, top, width, self.bottom - top, ink.band);
        self.time.grid(frame, top, self.bottom);
        for band in &self.bands {
            frame.scene.rect(frame.margin, band.y + band.height - 1.0, frame.room(), 1.0, ink.line);
            let names = band.groups.iter().filter(|group| !group.name.is_empty());
            let is_named = names.clone().count() > 0;
            let label_y = if is_named { band.y + size * 0.85 } else { band.y + (band.height - 1.0) / 2.0 };
            self.labels.draw(frame, label_y, &band.label, true);
            for group in names.filter(|group| group.pitch * group.lanes as f64 >= size * 1.15) {
                let y = group.y + (group.pitch * group.lanes as f64).min(size * 1.6) / 2.0;
                self.labels.draw(frame, y, &group.name, false);
            }
            if let Some(strip) = band.transfers {
                self.strip(frame, study, band.device, strip);
            }
        }
        let boxes = self.boxes(study, frame);
        // Stacks, columns, ops: an op that is seen by itself is not covered by what is merged around it.
        let lanes = self.bands.iter().flat_map(|band| &band.groups).map(|group| group.lanes as u32).sum();
        let layer = |own: &MarkBox| if own.mark.row >= lanes { 0 } else { 1 + u8::from(is_op(&own.mark)) };
        let mut fills: Keyed<(u8, Rgb), Outline> = Keyed::new();
        let mut thin: Keyed<(u8, Rgb), ThinRows> = Keyed::new();
        for own in &boxes {
            let key = (layer(own), own.fill);
            match own.height < THIN {
                true => thin.entry(key).add(own),
                false => fills.entry(key).rect(own.x, own.y, own.width, own.height),
            }
        }
        for (key, rows) in thin {
            rows.draw(fills.entry(key));
        }
        for ((_, fill), outline) in fills {
            frame.scene.path(&outline, fill);
        }
        let mut drawn = 0;
        for own in boxes.iter().filter(|own| is_op(&own.mark)) {
            let padding = size * 0.35;
            if own.height < size * 1.1 || drawn == MOST_LABELS {
                continue;
            }
            let name = kernel_label(study.title(own.mark.op));
            let name = visible(&name);
            if let Some(label) = width::shortened(&name, own.width - 2.0 * padding, size) {
                frame.scene.text(own.x + padding, own.y + own.height / 2.0, Anchor::Start, ON_MARK, &label);
                drawn += 1;
            }
        }
        frame.y = self.bottom;
        self.time.draw(frame);
        if self.more > 0 {
            let count = Argument::Grouped(self.more as u64);
            frame.note(&message!("picture-more-devices", count).text(&[("count", count)]));
        }
    }

    /// Transfers in flight, as the page's strips have them: what nothing hides stands at the bottom, what is hidden is lighter.
    fn strip(&self, frame: &mut Frame, study: &Study, device: DeviceId, Strip { y, height, most }: Strip) {
        let (window, px) = (self.time.window, self.time.width * SHARPER);
        let columns = strips::strips(study, &[device], window, px);
        let exposed = strips::exposed(study, &[device], window, px);
        let sum = |column: &[f32; FLIGHT_PARTS], to: usize| f64::from(column[COLORS..to].iter().sum::<f32>());
        // The square root: one transfer is to be seen next to a hundred.
        let tall = |column: &[f32; FLIGHT_PARTS]| {
            height * (sum(column, FLIGHT_PARTS) / most.max(1) as f64).sqrt().min(1.0)
        };
        let until = |column: &[f32; FLIGHT_PARTS], part: usize| match sum(column, FLIGHT_PARTS) {
            total if total > 0.0 => tall(column) * sum(column, part + 1) / total,
            _ => 0.0,
        };
        let (ink, by) = (frame.scene.ink, study.colors().by());
        let column_px = steplens_core::timeline::in_flight::STRIP_COLUMN_PX / SHARPER;
        let parts: Vec<usize> =
            (COLORS..FLIGHT_PARTS).rev().filter(|&part| columns.iter().any(|own| own[part] > 0.0)).collect();
        // From the top part down: each covers what is below its own top.
        for is_exposed in [false, true] {
            for &part in &parts {
                let fill = colors::of_mark(ink, by, (part % COLORS) as u8, 0);
                let heights = columns.iter().zip(&exposed).map(|(column, &share)| {
                    let most = if is_exposed { tall(column) * f64::from(share) } else { height };
                    until(column, part).min(most)
                });
                let mut outline = Outline::default();
                outline.columns(self.time.left, y + height, column_px, &heights.collect::<Vec<_>>());
                frame.scene.path(&outline, if is_exposed { fill } else { fill.over(ink.band, HIDDEN_SHARE) });
            }
        }
    }
}

/// The lanes of one device from `y` on.
fn band(
    study: &Study,
    device: DeviceId,
    label: &str,
    window: Interval,
    size: f64,
    y: f64,
    [ops, communication, closed]: [f64; 3],
) -> Band {
    let lanes = study.lanes();
    let padding = size * 0.3;
    let mut next = lanes.of_device(device).next().map_or(0, LaneId::get);
    let all = lanes.groups(device);
    let is_named = all.iter().any(|group| !group.name.is_empty() && group.name != "communication");
    let mut at = y + padding + if is_named { size * 1.4 } else { 0.0 };
    let (mut groups, mut transfers) = (Vec::new(), None);
    for group in all {
        let first = LaneId::new(next);
        next += group.lanes as u32;
        let is_closed = !is_named && group.kind == GroupKind::Communication && group.lanes > 1;
        if is_closed {
            transfers = Some(group.lanes);
            continue;
        }
        // Down to the last lane in use: a group is filled from the top.
        let used =
            |lane: &usize| lanes.is_used(study.trace(), LaneId::new(first.get() + *lane as u32), window);
        let shown = (0..group.lanes).rev().find(used).map_or(1, |last| last + 1).min(group.lanes);
        if shown == 0 {
            continue;
        }
        let is_tall = shown <= FEW_LANES || (group.kind == GroupKind::Ops && group.name.is_empty());
        let pitch = if is_tall { ops } else { communication };
        // A name needs its line.
        let pitch = if is_named { pitch.max(size * 1.2 / shown as f64) } else { pitch };
        let name = if is_named { visible(&group.name).into_owned() } else { String::new() };
        groups.push(Group { name, first, lanes: shown, y: at, pitch });
        at += shown as f64 * pitch + padding * 0.7;
    }
    let transfers = transfers.map(|most| {
        let strip = Strip { y: at, height: closed, most };
        at += closed + padding * 0.7;
        strip
    });
    let height = (at - padding * 0.7 + padding + 1.0 - y).max(size * 1.6);
    Band { device, label: label.to_owned(), y, height, groups, transfers }
}
