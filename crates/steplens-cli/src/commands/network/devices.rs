//! How much of its communication each device hid behind compute.

use crate::commands::Out;
use crate::render::table::{ALWAYS, Kind, Table};
use crate::render::{Screen, units};
use std::io;
use steplens_formats::json::Network;

pub(super) fn write(out: &mut Out, screen: Screen, network: &Network<'_>, labels: &[&str]) -> io::Result<()> {
    use std::io::Write;
    writeln!(
        out,
        "{}",
        screen.title("communication", "exposed: while the device neither computed nor copied")
    )?;
    let mut table = Table::default()
        .column("device", Kind::Name(18), ALWAYS)
        .column("communication", Kind::Figure, 2)
        .column("hidden", Kind::Figure, 1)
        .column("exposed", Kind::Figure, ALWAYS)
        .column("of it", Kind::Figure, 3);
    for own in &network.devices {
        table.row([
            labels[own.device as usize].to_owned().into(),
            units::duration(own.communication_ns).into(),
            units::duration(own.hidden_ns).into(),
            units::duration(own.exposed_ns).into(),
            units::share(own.exposed_ns, own.communication_ns).into(),
        ]);
    }
    table.write(out, screen)
}
