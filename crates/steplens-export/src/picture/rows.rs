//! Rows of devices or other things: what each is called, at the left of the plot.

use super::axis::TimeAxis;
use super::frame::Frame;
use super::keyed::Keyed;
use super::scene::Anchor;
use super::width;
use steplens_core::model::device::task_of;
use steplens_core::{DeviceId, Interval, Study};
use steplens_report::names::{device_label, place_label, task_label};

/// Labels take at most this share of the width.
const MOST: f64 = 0.3;

/// What to call each of `devices`, as short as it stays clear among all of the trace.
pub(crate) fn device_labels(study: &Study, devices: &[DeviceId]) -> Vec<String> {
    let trace = study.trace();
    let name = |id: DeviceId| trace.text(trace.devices().get(id).name);
    let all: Vec<&str> = trace.devices().ids().map(name).collect();
    labels(&devices.iter().map(|&id| name(id)).collect::<Vec<_>>(), &all)
}

/// What to call each of `names`, which are of devices or of tasks, among `all`.
pub(crate) fn labels(names: &[&str], all: &[&str]) -> Vec<String> {
    let mut of_task: Keyed<Option<&str>, usize> = Keyed::new();
    all.iter().for_each(|name| *of_task.entry(task_of(name)) += 1);
    let tasks = of_task.keys().flatten().count();
    let label = |name: &str| match task_of(name) {
        Some(task) if task == name => task_label(task),
        // Of one task nobody asks which, of one device in a task neither.
        Some(_) if tasks == 1 => device_label(name),
        Some(task) if of_task.get(Some(task)) == Some(&1) => task_label(task),
        Some(_) => place_label(name),
        None => device_label(name),
    };
    names.iter().map(|name| label(name)).collect()
}

/// A column of labels, and what is right of it.
pub(crate) struct LabelColumn {
    /// Where the plot begins; labels end a little before.
    pub(crate) left: f64,
    room: f64,
}

impl LabelColumn {
    pub(crate) fn of<'a>(frame: &Frame, labels: impl IntoIterator<Item = &'a str>) -> Self {
        let widest = labels.into_iter().map(|label| frame.scene.width_of(label)).fold(0.0, f64::max);
        let room = widest.min(frame.scene.width * MOST);
        Self { left: frame.margin + room + frame.scene.size * 0.7, room }
    }

    /// A label whose middle is at the height `y`.
    pub(crate) fn draw(&self, frame: &mut Frame, y: f64, label: &str, is_strong: bool) {
        let (size, ink) = (frame.scene.size, frame.scene.ink);
        let fill = if is_strong { ink.text } else { ink.muted };
        let label = width::shortened_within(label, self.room, size);
        frame.scene.text(self.left - size * 0.7, y, Anchor::End, fill, &label);
    }

    /// Time from the labels to the right edge, less `reserved` there.
    pub(crate) fn time(&self, frame: &Frame, window: Interval, reserved: f64) -> TimeAxis {
        TimeAxis { window, left: self.left, width: (frame.right() - self.left - reserved).max(1.0) }
    }
}
