//! How much of its communication each device hid behind compute.

use super::Section;
use super::waits::tensor_name;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::units;
use std::io::{self, Write};

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    if section.network.devices.is_empty() {
        return writeln!(out, "No op of this trace communicates.");
    }
    let about = "exposed: while the device neither computed nor copied";
    writeln!(out, "{}", section.screen.title("communication", about))?;
    let mut table = Table::default()
        .column("device", ColumnKind::Location(8), ALWAYS)
        .column("communication", ColumnKind::Figure, 2)
        .column("hidden", ColumnKind::Figure, 1)
        .column("exposed", ColumnKind::Figure, ALWAYS)
        .column("of the span", ColumnKind::Figure, ALWAYS)
        .column("idle before send", ColumnKind::Figure, 3)
        .column("longest wait", ColumnKind::Figure, 5)
        .column("for", ColumnKind::Name(20), 4);
    for own in &section.network.devices {
        let longest = own.longest.as_ref();
        table.row([
            section.labels.get(own.device as usize).copied().unwrap_or_default().to_owned().into(),
            units::duration(own.communication_ns).into(),
            units::duration(own.hidden_ns).into(),
            units::duration(own.exposed_ns).into(),
            units::share(own.exposed_ns, section.network.span_ns).into(),
            units::duration(own.idle_before_ns).into(),
            units::maybe_duration(longest.map(|longest| longest.waited_ns)).into(),
            longest
                .map_or_else(String::new, |longest| tensor_name(longest.tensor, longest.is_gradient))
                .into(),
        ]);
    }
    table.write(out, section.screen)
}
