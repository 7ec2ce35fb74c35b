//! The screen: the width of the text, and its colours.

use super::color::{Palette, Tint};
use super::units;
use crate::args::When;
use std::env;
use std::io::{self, Write};
use steplens_messages::{Message, say};
use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width if neither `COLUMNS` nor the terminal says it.
const USUAL_WIDTH: usize = 100;
/// The smallest width at which text can be aligned.
const LEAST_WIDTH: usize = 40;

/// The layout of text for people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) palette: Palette,
}

impl Screen {
    /// The screen behind standard output. `COLUMNS` takes precedence over what the terminal reports.
    pub(crate) fn new(color: When) -> Self {
        let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let seen = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns));
        let width: usize = said.or_else(seen).unwrap_or(USUAL_WIDTH);
        Self { width: width.max(LEAST_WIDTH), palette: Palette::new(color) }
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.palette.paint(text, Tint::Strong)
    }

    pub(crate) fn muted(self, text: &str) -> String {
        self.palette.paint(text, Tint::Muted)
    }

    /// Writes the title of a part of the text, with an explanation if there is room.
    pub(crate) fn title(self, title: &str, explanation: &str) -> String {
        if title.width() + explanation.width() + 2 > self.width {
            return self.strong(title);
        }
        format!("{}  {}", self.strong(title), self.muted(explanation))
    }

    /// Writes a sentence in as many lines as needed, each after `indent`.
    pub(crate) fn sentence(self, text: &str, indent: &str) -> String {
        let lines = wrapped(words(text), self.width.saturating_sub(indent.len()));
        lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
    }

    /// Writes the most important sentence, in as many lines as needed.
    pub(crate) fn strong_sentence(self, text: &str) -> String {
        let lines = wrapped(words(text), self.width);
        lines.iter().map(|line| self.strong(line)).collect::<Vec<_>>().join("\n")
    }

    /// Writes a verdict: its first sentence, `main`, is the most important one.
    pub(crate) fn verdict(self, verdict: &str, main: &str) -> String {
        let (main, more) =
            (self.strong_sentence(main), verdict.strip_prefix(main).unwrap_or_default().trim());
        if more.is_empty() { main } else { format!("{main}\n{}", self.sentence(more, "")) }
    }

    /// Writes a remark in as many lines as needed.
    pub(crate) fn note(self, text: &str) -> String {
        let lines = wrapped(words(text), self.width);
        lines.iter().map(|line| self.muted(line)).collect::<Vec<_>>().join("\n")
    }

    /// Says how many of `count` rows are left out, where only the first `limit` are listed; `rows` is their message.
    pub(crate) fn write_more(
        self,
        out: &mut impl Write,
        count: usize,
        limit: usize,
        rows: &Message,
    ) -> io::Result<()> {
        if count <= limit {
            return Ok(());
        }
        let more = units::plural(count - limit, rows);
        writeln!(out, "{}", self.note(&say!("more-all-or-limit", more)))
    }

    /// Writes facts side by side, in as many lines as needed. The first is the most important one.
    pub(crate) fn facts(self, facts: &[String]) -> String {
        let text = wrapped(facts.iter().map(|fact| (" · ", fact.as_str())), self.width).join("\n");
        let first = facts.first().map_or("", String::as_str);
        self.strong(first) + &text[first.len()..]
    }
}

/// Breaks `parts` into lines of at most `width` columns. Each part comes with the separator between it and the part before it.
fn wrapped<'a>(parts: impl Iterator<Item = (&'a str, &'a str)>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (between, part) in parts {
        match lines.last_mut() {
            Some(line) if line.width() + between.width() + part.width() <= width => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// The units after which a line may break: words, and single letters in scripts without spaces.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(' ').flat_map(|word| {
        let mut breaks: Vec<usize> = vec![0];
        let letters = word.char_indices().zip(word.chars().skip(1));
        breaks.extend(
            letters
                .filter(|&((_, before), after)| may_end_between(before, after))
                .map(|((at, before), _)| at + before.len_utf8()),
        );
        breaks.push(word.len());
        let pieces: Vec<_> = breaks.windows(2).map(|ends| &word[ends[0]..ends[1]]).collect();
        pieces.into_iter().enumerate().map(|(place, piece)| (if place == 0 { " " } else { "" }, piece))
    })
}

/// Whether a line may break between two letters without a space between them. It may at a wide letter (Chinese, Japanese, Korean),
/// but no line begins with a closing sign or ends with an opening one.
fn may_end_between(before: char, after: char) -> bool {
    let is_wide = |letter: char| letter.width() == Some(2);
    let closes = |letter: char| "，。：；、！？）”’》】…".contains(letter) || ",.:;!?)]}%".contains(letter);
    let opens = |letter: char| "（“‘《【".contains(letter) || "([{".contains(letter);
    (is_wide(before) || is_wide(after)) && !closes(after) && !opens(before)
}

#[cfg(test)]
mod tests {
    use super::{words, wrapped};

    fn lines(text: &str, width: usize) -> Vec<String> {
        wrapped(words(text), width)
    }

    #[test]
    fn a_line_ends_at_a_space() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a-word-without-spaces is kept", 9), ["a-word-without-spaces", "is kept"]);
    }

    #[test]
    fn chinese_ends_a_line_between_letters_but_not_before_a_closing_sign() {
        assert_eq!(lines("训练步在等什么", 8), ["训练步在", "等什么"]);
        // A line of 12 columns would break before the comma, so the letter before it moves too.
        assert_eq!(lines("时钟各不相同，要对齐", 12), ["时钟各不相", "同，要对齐"]);
        assert_eq!(lines("时钟（已校正）", 6), ["时钟", "（已校", "正）"]);
        assert_eq!(lines("在 worker 0 上 12 ms", 12), ["在 worker 0", "上 12 ms"]);
        assert_eq!(lines("算子Conv2D运行", 10), ["算子Conv2D", "运行"]);
    }

    #[test]
    fn no_line_is_wider_than_it_may_be_and_nothing_is_lost() {
        let text =
            "各任务的时钟相差 12 ms：对齐需要调整 2 个任务，/job:worker/replica:0/task:1（也可能更少）。";
        for width in 34..60 {
            let lines = lines(text, width);
            assert!(lines.iter().all(|line| unicode_width::UnicodeWidthStr::width(line.as_str()) <= width));
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
    }
}
