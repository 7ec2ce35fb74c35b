//! The matrix of traffic: bytes from each place to each other one, and their sums.

use super::colors::{self, ON_MARK};
use super::frame::Frame;
use super::rows::{LabelColumn, labels};
use super::scene::Anchor;
use super::{Options, width};
use steplens_core::base::order;
use steplens_core::transfers::links::{Between, Load, Matrix, Route};
use steplens_core::{Category, Study};
use steplens_messages::{Argument, message, say};
use steplens_report::figures;

/// More places than this have no room on paper: those with the most bytes are shown, and the rest is counted below.
const MOST_PLACES: usize = 25;
/// Of a cell without bytes that were recorded.
const UNKNOWN: &str = figures::UNKNOWN;

pub(crate) fn draw(frame: &mut Frame, study: &Study, options: &Options<'_>) {
    let window = Some(options.window(study)).filter(|&window| window != study.trace().span());
    let within =
        |between| Matrix::within(study.trace(), study.transfers(), &Route { between, ..Route::ALL }, window);
    // Within a single task there are only the links between its devices.
    let by_task = within(Between::Tasks);
    let is_by_task = by_task.links.iter().any(|link| link.source != link.destination);
    let matrix = if is_by_task { by_task } else { within(Between::Devices) };
    if matrix.links.is_empty() {
        return frame.nothing(say!("picture-no-transfers"));
    }
    let names = labels(&matrix.places, &matrix.places);
    let ink = options.theme.ink();
    let size = frame.scene.size;
    let all = say!("all-places");
    let column = LabelColumn::of(frame, names.iter().map(String::as_str).chain([all]));
    let room = frame.right() - column.left;
    // A column is as wide as its name is tall, at least.
    let most_places = MOST_PLACES.min((room / (size * 1.3)) as usize).max(2) - 1;
    let (sources, more_sources) = kept(&matrix.sent, most_places);
    let (destinations, more_destinations) = kept(&matrix.received, most_places);
    let cell = |load: Option<&Load>| match load {
        None => String::new(),
        Some(load) if load.timed == 0 && load.bytes.0 == 0 => UNKNOWN.to_owned(),
        Some(load) => figures::bytes(load.bytes.0),
    };
    let load_of = |from: usize, to: usize| {
        let found = matrix
            .links
            .binary_search_by_key(&(from as u32, to as u32), |link| (link.source, link.destination));
        found.ok().map(|row| &matrix.links[row].load)
    };
    let columns = destinations.len() as f64 + 1.0;
    // Few columns are not stretched over all of a wide picture.
    let wide = (room / columns).min(size * 11.0);
    let headed = |text: &str| frame.scene.width_of(text) + size * 0.6 <= wide;
    let is_upright = !destinations.iter().map(|&to| names[to].as_str()).chain([all]).all(headed);
    let tall = if is_upright {
        let longest = destinations.iter().map(|&to| frame.scene.width_of(&names[to])).fold(0.0, f64::max);
        longest.max(frame.scene.width_of(all)).min(size * 14.0)
    } else {
        size * 1.2
    };
    let corner = say!("picture-from-to");
    frame.scene.text(
        column.left,
        frame.y + size * 0.6,
        Anchor::Start,
        ink.muted,
        &fitted(corner, room, size),
    );
    let top = frame.y + size * 1.8;
    for (at, text) in destinations.iter().map(|&to| names[to].as_str()).chain([all]).enumerate() {
        let x = column.left + wide * (at as f64 + 0.5);
        if is_upright {
            let text = width::shortened_within(text, tall, size);
            frame.scene.upright_text(x, top + tall, Anchor::Start, ink.text, &text);
        } else {
            frame.scene.text(x, top + tall / 2.0, Anchor::Middle, ink.text, text);
        }
    }
    let pitch = size * 2.2;
    let body = top + tall + size * 0.6;
    let most = matrix.links.iter().map(|link| link.load.bytes.0).max().unwrap_or(0).max(1);
    let heat = colors::of(Category::Communication);
    let mut has_dropped = false;
    let rows = sources.iter().map(|&from| (names[from].as_str(), Some(from))).chain([(all, None)]);
    for (row, (name, from)) in rows.enumerate() {
        let y = body + pitch * row as f64;
        if from.is_none() {
            frame.scene.rect(frame.margin, y, column.left - frame.margin + wide * columns, 1.0, ink.muted);
        }
        column.draw(frame, y + pitch / 2.0, name, true);
        for (at, to) in destinations.iter().map(|&to| Some(to)).chain([None]).enumerate() {
            let load = match (from, to) {
                (Some(from), Some(to)) => load_of(from, to),
                (Some(from), None) => matrix.sent.get(from),
                (None, Some(to)) => matrix.received.get(to),
                (None, None) => Some(&matrix.all),
            };
            let x = column.left + wide * at as f64;
            let is_sum = from.is_none() || to.is_none();
            let share = load.map_or(0.0, |load| load.bytes.0 as f64 / most as f64);
            if !is_sum {
                let fill =
                    if load.is_some() { heat.over(ink.background, 0.12 + 0.88 * share) } else { ink.band };
                frame.scene.rect(x + 0.5, y + 0.5, wide - 1.0, pitch - 1.0, fill);
            }
            let text = cell(load);
            let fits = frame.scene.width_of(&text) + size * 0.4 <= wide;
            has_dropped |= !fits;
            if fits {
                let is_bright = options.theme == super::Theme::Light || share > 0.4;
                let fill = if is_sum || !is_bright { ink.text } else { ON_MARK };
                frame.scene.text(x + wide / 2.0, y + pitch / 2.0, Anchor::Middle, fill, &text);
            }
        }
    }
    frame.scene.rect(
        column.left + wide * (columns - 1.0) - 0.5,
        body,
        1.0,
        pitch * (sources.len() as f64 + 1.0),
        ink.muted,
    );
    frame.y = body + pitch * (sources.len() as f64 + 1.0) + size * 0.8;
    if has_dropped {
        frame.note(&say!("picture-no-room", most = figures::bytes(most)));
    }
    let more = more_sources.max(more_destinations);
    if more > 0 {
        let count = Argument::Grouped(more as u64);
        frame.note(&message!("picture-more-places", count).text(&[("count", count)]));
    }
}

fn fitted(text: &str, room: f64, size: f64) -> String {
    width::shortened_within(text, room, size)
}

/// Of the places that have anything, in natural order, those with the most bytes; and how many others there are.
fn kept(loads: &[Load], most: usize) -> (Vec<usize>, usize) {
    let mut used: Vec<usize> = (0..loads.len()).filter(|&place| loads[place].count > 0).collect();
    let more = used.len().saturating_sub(most);
    used.sort_by(|&a, &b| loads[b].bytes.cmp(&loads[a].bytes));
    used.truncate(most);
    order::by_number(&mut used, |place| (place as i64, 0));
    (used, more)
}
