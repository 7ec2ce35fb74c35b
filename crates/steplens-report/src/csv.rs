//! Rows of CSV (RFC 4180): LF line ends, empty cells where nothing is known.

use std::fmt::Display;
use std::io::{self, Write};

/// A row being written, cell by cell.
pub(crate) struct Row<'a, W> {
    out: &'a mut W,
    is_first: bool,
}

impl<'a, W: Write> Row<'a, W> {
    pub(crate) fn new(out: &'a mut W) -> Self {
        Self { out, is_first: true }
    }

    /// Text with which a spreadsheet would take the cell for a formula gets an apostrophe in front: names in a trace are
    /// hostile.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.separate()?;
        let guarded;
        let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            guarded = format!("'{text}");
            &guarded
        } else {
            text
        };
        if text.contains([',', '"', '\n', '\r']) {
            write!(self.out, "\"{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    pub(crate) fn figures<T: Display>(&mut self, figures: impl IntoIterator<Item = T>) -> io::Result<()> {
        figures.into_iter().try_for_each(|figure| self.maybe(Some(figure)))
    }

    pub(crate) fn maybe(&mut self, figure: Option<impl Display>) -> io::Result<()> {
        self.separate()?;
        figure.map_or(Ok(()), |figure| write!(self.out, "{figure}"))
    }

    fn separate(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_first, false) {
            return Ok(());
        }
        self.out.write_all(b",")
    }

    pub(crate) fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        for text in ["plain", "", "a,b", "say \"x\"", "two\nlines"] {
            row.text(text).unwrap();
        }
        row.maybe(None::<i64>).unwrap();
        row.figures([-1]).unwrap();
        row.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "plain,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,-1\n");
    }

    #[test]
    fn text_is_never_a_formula() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        for text in ["=1+1", "+a", "-b", "@c", "=\",x", "a=b"] {
            row.text(text).unwrap();
        }
        row.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "'=1+1,'+a,'-b,'@c,\"'=\"\",x\",a=b\n");
    }
}
