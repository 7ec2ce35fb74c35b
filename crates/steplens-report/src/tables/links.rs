//! What went between each pair of devices.

use super::{Give, columns};
use std::io;
use steplens_core::Study;
use steplens_core::transfers::links::{Between, Load, Matrix};

columns! { LinkRow {
    /// The device that sent.
    source: text => |row| row.source.into();
    /// The device that received.
    destination: text => |row| row.destination.into();
    /// How many transfers there were.
    transfers: count => |row| row.load.count.into();
    /// Their sizes together.
    bytes: size => |row| row.load.bytes.into();
    /// Of how many of them sending and receipt are known.
    timed_transfers: count => |row| row.load.timed.into();
    /// The sizes of these together.
    timed_bytes: size => |row| row.load.timed_bytes.into();
    /// When at least one of these was in transit.
    busy_ns: length => |row| row.load.busy.into();
} }

struct LinkRow<'s> {
    source: &'s str,
    destination: &'s str,
    load: Load,
}

pub(super) fn rows(study: &Study, give: &mut Give<'_>) -> io::Result<()> {
    let matrix = Matrix::summed(study.trace(), study.transfers(), Between::Devices);
    let place = |row: u32| matrix.places.get(row as usize).copied().unwrap_or_default();
    for link in &matrix.links {
        let row =
            LinkRow { source: place(link.source), destination: place(link.destination), load: link.load };
        give.row(&VALUES, &row)?;
    }
    Ok(())
}
