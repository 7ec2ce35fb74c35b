//! Cuts a text to its beginning or end, within a number of columns.

use unicode_width::UnicodeWidthStr;

/// The longest beginning of `text` that takes at most `width` columns.
pub(super) fn head(text: &str, width: usize) -> &str {
    let ends = text.char_indices().map(|(at, char)| at + char.len_utf8());
    let fitting = ends.take_while(|&end| text[..end].width() <= width);
    &text[..fitting.last().unwrap_or(0)]
}

/// The longest end of `text` that takes at most `width` columns.
pub(super) fn tail(text: &str, width: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let fitting = starts.take_while(|&start| text[start..].width() <= width);
    &text[fitting.last().unwrap_or(text.len())..]
}
