//! What the analyses say, as CSV (RFC 4180): one header row, LF line ends, empty cells where nothing is known.

use std::io::{self, Write};

/// Writes one row of cells.
pub fn write_row<'a>(out: &mut impl Write, cells: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
    for (column, cell) in cells.into_iter().enumerate() {
        if column > 0 {
            out.write_all(b",")?;
        }
        if cell.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            out.write_all(cell.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}
