//! How much of its communication each device overlapped with compute.

use super::Section;
use super::waits::tensor_name;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::units;
use std::io::{self, Write};
use steplens_messages::say;

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    if section.network.devices.is_empty() {
        return writeln!(out, "{}", say!("no-communication"));
    }
    let about = say!("communication-about");
    writeln!(out, "{}", section.screen.title(say!("title-communication"), about))?;
    let mut table = Table::default()
        .column(say!("title-device"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-communication"), ColumnKind::Figure, 2)
        .column(say!("title-hidden"), ColumnKind::Figure, 1)
        .column(say!("title-exposed"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-of-the-span"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-idle-before-send"), ColumnKind::Figure, 3)
        .column(say!("title-longest-wait"), ColumnKind::Figure, 5)
        .column(say!("title-for"), ColumnKind::Name(20), 4);
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
