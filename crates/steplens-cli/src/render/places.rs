//! Labels for the devices of a trace, as short as possible while they stay distinct.

use super::names::{device_label, place_label, task_label};
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::model::device::task_of;
use steplens_core::{StringId, Study};

/// The label of every device that the trace names, including those that only sent.
pub(crate) struct Places {
    labels: BTreeMap<StringId, String>,
}

impl Places {
    pub(crate) fn of(study: &Study) -> Self {
        let trace = study.trace();
        let own = trace.devices().ids().map(|id| trace.devices().get(id).name);
        let ends =
            study.transfers().rows().iter().flat_map(|transfer| [transfer.source, transfer.destination]);
        let names: BTreeSet<StringId> = own.chain(ends).collect();
        let mut of_task: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for &name in &names {
            *of_task.entry(task_of(trace.text(name))).or_default() += 1;
        }
        let tasks = of_task.keys().flatten().count();
        let label = |text: &str| match task_of(text) {
            // With one task, labels do not name the task; with one device in a task, they do not name the device.
            Some(_) if tasks == 1 => device_label(text),
            Some(task) if of_task.get(&Some(task)) == Some(&1) => task_label(task),
            Some(_) => place_label(text),
            None => device_label(text),
        };
        Self { labels: names.iter().map(|&name| (name, label(trace.text(name)))).collect() }
    }

    /// The labels of the devices, by their ids.
    pub(crate) fn of_devices(&self, study: &Study) -> Vec<&str> {
        let devices = study.trace().devices();
        devices.ids().map(|id| self.label(devices.get(id).name)).collect()
    }

    /// The label of the device with this name.
    pub(crate) fn label(&self, name: StringId) -> &str {
        self.labels.get(&name).map_or("", String::as_str)
    }
}
