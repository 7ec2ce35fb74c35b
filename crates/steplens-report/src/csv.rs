//! Sheets of CSV (RFC 4180): one header row, LF line ends, empty cells where nothing is known.

use csv::{ErrorKind, Terminator, Writer, WriterBuilder};
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// Writes a sheet with a row for each of `$rows`, from the one list of its columns: the name of each, and what its cells hold.
macro_rules! sheet {
    ($out:expr, $row:pat in $rows:expr, { $($column:ident: $cell:expr,)* }) => {{
        let mut sheet = $crate::csv::Sheet::new($out, &[$(stringify!($column)),*])?;
        for $row in $rows {
            $(sheet.cell($cell)?;)*
            sheet.end()?;
        }
        sheet.finish()
    }};
}

pub(crate) use sheet;

/// A sheet that is being written, cell by cell.
pub(crate) struct Sheet<W: Write> {
    out: Writer<W>,
    /// A buffer for figures, which is reused.
    figure: String,
}

impl<W: Write> Sheet<W> {
    /// A sheet with `header` as the names of its columns.
    pub(crate) fn new(out: W, header: &[&str]) -> io::Result<Self> {
        let mut out = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(out);
        out.write_record(header).map_err(io_error)?;
        Ok(Self { out, figure: String::new() })
    }

    /// Writes a text. If a spreadsheet would take it for a formula, it gets an apostrophe in front, because names in a trace may be
    /// hostile.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            return self.out.write_field(format!("'{text}")).map_err(io_error);
        }
        self.out.write_field(text).map_err(io_error)
    }

    pub(crate) fn cell(&mut self, cell: impl Cell) -> io::Result<()> {
        cell.write(self)
    }

    pub(crate) fn figures<T: Display>(&mut self, figures: impl IntoIterator<Item = T>) -> io::Result<()> {
        figures.into_iter().try_for_each(|figure| self.maybe(Some(figure)))
    }

    pub(crate) fn maybe(&mut self, figure: Option<impl Display>) -> io::Result<()> {
        self.figure.clear();
        if let Some(figure) = figure {
            // Writing to a string cannot fail.
            let _ = write!(self.figure, "{figure}");
        }
        self.out.write_field(&self.figure).map_err(io_error)
    }

    /// Ends a row.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.out.write_record(None::<&[u8]>).map_err(io_error)
    }

    /// Ends the sheet, and writes its last rows.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What a cell may hold.
pub(crate) trait Cell {
    /// Writes the cell.
    fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()>;
}

impl Cell for &str {
    fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()> {
        sheet.text(self)
    }
}

impl Cell for &String {
    fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()> {
        sheet.text(self)
    }
}

impl Cell for String {
    fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()> {
        sheet.text(&self)
    }
}

/// Empty where nothing is known.
impl<T: Cell> Cell for Option<T> {
    fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()> {
        match self {
            Some(cell) => cell.write(sheet),
            None => sheet.text(""),
        }
    }
}

macro_rules! figures {
    ($($figure:ty)*) => {$(
        impl Cell for $figure {
            fn write<W: Write>(self, sheet: &mut Sheet<W>) -> io::Result<()> {
                sheet.maybe(Some(self))
            }
        }
    )*};
}

figures! { bool u32 u64 usize i64 f64 }

/// The error of the writer below, so that callers can distinguish a closed pipe from a full disk.
fn io_error(why: csv::Error) -> io::Error {
    match why.into_kind() {
        ErrorKind::Io(why) => why,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(fill: impl FnOnce(&mut Sheet<&mut Vec<u8>>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        let mut sheet = Sheet::new(&mut out, &["head"; 7]).unwrap();
        fill(&mut sheet).and_then(|()| sheet.end()).and_then(|()| sheet.finish()).unwrap();
        String::from_utf8(out).unwrap().split_once('\n').unwrap().1.to_owned()
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let cells = sheet(|sheet| {
            for text in ["plain", "", "a,b", "say \"x\"", "two\nlines"] {
                sheet.text(text)?;
            }
            sheet.maybe(None::<i64>)?;
            sheet.figures([-1])
        });
        assert_eq!(cells, "plain,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,-1\n");
    }

    #[test]
    fn text_is_never_a_formula() {
        let cells = sheet(|sheet| {
            ["=1+1", "+a", "-b", "@c", "=\",x", "a=b", "\tx"]
                .into_iter()
                .try_for_each(|text| sheet.text(text))
        });
        assert_eq!(cells, "'=1+1,'+a,'-b,'@c,\"'=\"\",x\",a=b,'\tx\n");
    }
}
