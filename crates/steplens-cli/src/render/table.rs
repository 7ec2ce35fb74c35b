//! Tables: columns as wide as they need, and as many as fit.

use super::color::Tint;
use super::names::{shortened, shortened_within};
use super::{Screen, bar};
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// The space between two columns.
const GUTTER: usize = 2;

/// What a column contains. This decides its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Words, aligned left.
    Text,
    /// Names that may be shortened to at least this width, keeping their end.
    Name(usize),
    /// Names of devices and tasks, which may be shortened to at least this width, in their middle.
    Location(usize),
    /// Figures, aligned right.
    Figure,
    /// Bars as wide as there is room for, between these two widths.
    Bar(usize, usize),
}

/// The rank of a column that always stays.
pub(crate) const ALWAYS: u8 = u8::MAX;

struct Column {
    title: Cow<'static, str>,
    kind: ColumnKind,
    /// If there is no room, the columns with the lowest rank are left out first.
    rank: u8,
}

/// One cell.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Text(String, Tint),
    /// How a bar divides into compute, copy, communication and idle.
    Bar(bar::Amounts),
    /// How much of a bar is filled, from 0 to 1.
    Level(f64, Tint),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text, Tint::Plain)
    }
}

impl Cell {
    /// The text of the cell in a column of `width`, and its width on the screen.
    fn painted(&self, screen: Screen, width: usize, kind: ColumnKind) -> (String, usize) {
        match self {
            Self::Bar(amounts) => (bar::draw(&bar::divided(*amounts, width), screen.palette), width),
            Self::Level(share, tint) => {
                let text = bar::level(*share, width);
                (screen.palette.paint(&text, *tint), text.width())
            }
            Self::Text(text, tint) => {
                let text = match kind {
                    ColumnKind::Location(_) => shortened_within(text, width),
                    _ => shortened(text, width),
                };
                (screen.palette.paint(&text, *tint), text.width())
            }
        }
    }
}

enum Row {
    Heading(String),
    Cells(Vec<Cell>),
}

/// A table that is being filled.
#[derive(Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Table {
    pub(crate) fn column(mut self, title: impl Into<Cow<'static, str>>, kind: ColumnKind, rank: u8) -> Self {
        self.columns.push(Column { title: title.into(), kind, rank });
        self
    }

    /// Adds a line above the rows that follow. It does not affect the widths of columns.
    pub(crate) fn heading(&mut self, text: String) {
        self.rows.push(Row::Heading(text));
    }

    /// Adds a row, with one cell for each column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
    }

    /// Writes the table. Columns in which no row has a value are left out.
    pub(crate) fn write(&self, out: &mut impl Write, screen: Screen) -> io::Result<()> {
        let widths = self.widths(screen.width);
        let columns = self.columns.iter().zip(&widths).enumerate();
        let shown: Vec<(usize, &Column, usize)> = columns
            .filter_map(|(place, (column, width))| width.map(|width| (place, column, width)))
            .collect();
        if shown.iter().any(|(_, column, _)| !column.title.is_empty()) {
            let mut line = Line::default();
            for (_, column, width) in &shown {
                let title = (screen.muted(&column.title), column.title.width());
                line.add(title, *width, column.kind);
            }
            writeln!(out, "{}", line.text)?;
        }
        for row in &self.rows {
            match row {
                Row::Heading(text) => writeln!(out, "{}", screen.strong(&shortened(text, screen.width)))?,
                Row::Cells(cells) => {
                    let mut line = Line::default();
                    for (place, column, width) in &shown {
                        let cell = cells.get(*place).map(|cell| cell.painted(screen, *width, column.kind));
                        line.add(cell.unwrap_or_default(), *width, column.kind);
                    }
                    writeln!(out, "{}", line.text)?;
                }
            }
        }
        Ok(())
    }

    /// How many columns with values there is no room for.
    pub(crate) fn left_out(&self, screen: Screen) -> usize {
        let widths = self.widths(screen.width).into_iter().enumerate();
        widths.filter(|&(place, width)| width.is_none() && self.natural_width(place).is_some()).count()
    }

    /// The width of each column; `None` for columns that are left out.
    fn widths(&self, room: usize) -> Vec<Option<usize>> {
        let natural: Vec<_> = (0..self.columns.len()).map(|place| self.natural_width(place)).collect();
        let mut widths = natural.clone();
        let least: Vec<usize> =
            self.columns.iter().zip(&natural).map(|(column, width)| column.least(*width)).collect();
        // Columns are left out until the others fit with their least widths.
        loop {
            let smallest: Vec<_> =
                widths.iter().zip(&least).map(|(width, least)| width.map(|_| *least)).collect();
            let shown = (0..widths.len()).filter(|&place| widths[place].is_some());
            let lowest = shown.min_by_key(|&place| (self.columns[place].rank, usize::MAX - place));
            match lowest.filter(|&place| total(&smallest) > room && self.columns[place].rank < ALWAYS) {
                Some(place) => widths[place] = None,
                None => break,
            }
        }
        // Then bars are narrowed by what is missing, and after them names, the widest first.
        while total(&widths) > room {
            let shrinkable =
                (0..widths.len()).filter(|&place| widths[place].is_some_and(|width| width > least[place]));
            let is_bar = |place: usize| matches!(self.columns[place].kind, ColumnKind::Bar(..));
            match shrinkable.max_by_key(|&place| (is_bar(place), widths[place], place)) {
                Some(place) => widths[place] = widths[place].map(|width| width - 1),
                None => break,
            }
        }
        widths
    }

    /// The width of a column without a limit; `None` if no row has a value in it.
    fn natural_width(&self, place: usize) -> Option<usize> {
        let column = &self.columns[place];
        if let ColumnKind::Bar(_, most) = column.kind {
            return Some(most);
        }
        let length = |row: &Row| match row {
            Row::Cells(cells) => match cells.get(place) {
                Some(Cell::Text(text, _)) => text.width(),
                _ => 0,
            },
            Row::Heading(_) => 0,
        };
        let longest = self.rows.iter().map(length).max().filter(|&longest| longest > 0)?;
        Some(longest.max(column.title.width()))
    }
}

impl Column {
    /// The least width of a column.
    fn least(&self, natural: Option<usize>) -> usize {
        let natural = natural.unwrap_or(0);
        match self.kind {
            ColumnKind::Name(least) | ColumnKind::Location(least) => least.min(natural),
            ColumnKind::Bar(least, _) => least,
            ColumnKind::Text | ColumnKind::Figure => natural,
        }
    }
}

fn total(widths: &[Option<usize>]) -> usize {
    let shown = widths.iter().flatten();
    shown.clone().sum::<usize>() + GUTTER * shown.count().saturating_sub(1)
}

/// A line that never ends in spaces.
#[derive(Default)]
struct Line {
    text: String,
    /// Spaces that are written only if another text follows.
    pending: usize,
}

impl Line {
    /// Adds a text with its width on the screen to a column of `width`.
    fn add(&mut self, (text, length): (String, usize), width: usize, kind: ColumnKind) {
        let padding = width.saturating_sub(length);
        let before = if kind == ColumnKind::Figure { padding } else { 0 };
        if length > 0 {
            self.text.extend(std::iter::repeat_n(' ', self.pending + before));
            self.text.push_str(&text);
            self.pending = padding - before + GUTTER;
        } else {
            self.pending += width + GUTTER;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::When;
    use crate::render::color::Palette;

    fn text(table: &Table, width: usize) -> String {
        let mut out = Vec::new();
        let palette = Palette::new(When::Never);
        table.write(&mut out, Screen { width, palette }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_align_shrink_and_give_way() {
        let mut table = Table::default()
            .column("name", ColumnKind::Name(7), ALWAYS)
            .column("", ColumnKind::Bar(4, 8), ALWAYS)
            .column("empty", ColumnKind::Figure, 9)
            .column("ops", ColumnKind::Figure, 1);
        let row = |name: &str, amounts, ops: &str| {
            [name.to_owned().into(), Cell::Bar(amounts), String::new().into(), ops.to_owned().into()]
        };
        table.heading("worker 0".to_owned());
        table.row(row("scope/Conv2D", [1, 0, 0, 0, 0, 0, 0, 1], "12"));
        table.row(row("a", [1, 0, 0, 0, 0, 0, 0, 0], "3,456"));
        let wide = [
            "name                      ops",
            "worker 0",
            "scope/Conv2D  ████····     12",
            "a             ████████  3,456",
        ];
        assert_eq!(text(&table, 80).lines().collect::<Vec<_>>(), wide);
        let narrow = ["name             ops", "worker 0", "…Conv2D  ██··     12", "a        ████  3,456"];
        assert_eq!(text(&table, 20).lines().collect::<Vec<_>>(), narrow);
        // The column with the lowest rank is left out first; then names and bars have their least widths.
        assert_eq!(text(&table, 13).lines().nth(3), Some("a        ████"));
    }
}
