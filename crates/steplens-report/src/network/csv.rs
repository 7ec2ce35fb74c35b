//! The devices that communicate as CSV.

use super::Network;
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 9] = [
    "device",
    "communication_ns",
    "hidden_ns",
    "exposed_ns",
    "idle_before_ns",
    "longest_tensor",
    "longest_is_gradient",
    "longest_source",
    "longest_waited_ns",
];

impl Network<'_> {
    /// Writes the devices of `steplens.network/1`, one per row. Links are in the sheet of `transfers`.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sheet = Sheet::new(out, &COLUMNS)?;
        for share in &self.devices {
            sheet.text(share.name)?;
            sheet.figures([
                share.communication_ns,
                share.hidden_ns,
                share.exposed_ns,
                share.idle_before_ns,
            ])?;
            let longest = share.longest.as_ref();
            sheet.text(longest.map_or("", |longest| longest.tensor))?;
            sheet.maybe(longest.map(|longest| longest.is_gradient))?;
            sheet.text(longest.and_then(|longest| longest.source).unwrap_or_default())?;
            sheet.maybe(longest.map(|longest| longest.waited_ns))?;
            sheet.end()?;
        }
        sheet.finish()
    }
}
