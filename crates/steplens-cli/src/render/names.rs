//! Shortens names for a terminal. The ends stay, because names differ there.

use super::cpp;
use super::ends::{head, tail};
use super::units::UNKNOWN;
use std::borrow::Cow;
use steplens_core::Study;
use steplens_report::names::kernel_label;
use unicode_width::UnicodeWidthStr;

/// What the step that a table numbers from 1 is called.
pub(crate) fn step_label(study: &Study, number: usize) -> String {
    let called = number.checked_sub(1).and_then(|row| study.step_called(row));
    called.map_or_else(|| UNKNOWN.to_owned(), |called| called.to_string())
}

pub(crate) use steplens_report::names::{accelerator_label, device_label, place_label, task_label, visible};

/// At most `width` columns of `text`, keeping its end: `…/b2a/Conv2D`. Scopes are cut first, then the beginning. For a C++ function
/// the name is kept, and what tells one kernel from another.
pub(crate) fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let label = kernel_label(text);
    if label.width() <= width {
        return label;
    }
    if let Some(function) = cpp::shortened(&label, width) {
        return Cow::Owned(function);
    }
    if label != text {
        return Cow::Owned(format!("{}…", head(&label, width.saturating_sub(1))));
    }
    let tail = tail(text, width.saturating_sub(1));
    // A scope boundary is a better place to cut, unless too much would be lost.
    let scope = tail.find('/').filter(|&at| at * 2 < tail.len()).unwrap_or(0);
    Cow::Owned(format!("…{}", &tail[scope..]))
}

/// At most `width` columns of the name of a device or task, keeping both ends, because such names differ at both:
/// `/job:worker…/task:0`.
pub(crate) fn shortened_within(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    // The end contains the number, so it gets the extra column if the width is odd.
    let kept = width.saturating_sub(1);
    Cow::Owned(format!("{}…{}", head(text, kept / 2), tail(text, kept - kept / 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_keep_their_end() {
        assert_eq!(shortened("inception/b2a/Conv2D", 20), "inception/b2a/Conv2D");
        assert_eq!(shortened("inception/b2a/Conv2D", 14), "…/b2a/Conv2D");
        assert_eq!(shortened("gradients", 5), "…ents");
        assert_eq!(shortened("é/中/x", 3), "…/x");
        assert_eq!(shortened("abc", 0), "…");
        let kernel = "void a::reduce_all_of_it<4>(float*)";
        assert_eq!([shortened(kernel, 20), shortened(kernel, 10)], ["reduce_all_of_it", "reduce_al…"]);
        // A wide letter takes two columns, and an accent none.
        assert_eq!([shortened("中中中中", 5), shortened("中中中中", 4)], ["…中中", "…中"]);
        assert_eq!(shortened("e\u{301}e\u{301}", 2), "e\u{301}e\u{301}");
    }

    #[test]
    fn places_keep_both_ends() {
        assert_eq!(shortened_within("worker 0", 8), "worker 0");
        assert_eq!(shortened_within("/job:ps/replica:0/task:0", 16), "/job:ps…0/task:0");
        assert_eq!(shortened_within("/job:worker/replica:0/task:0", 16), "/job:wo…0/task:0");
        assert_eq!(shortened_within("é中x", 2), "…x");
        assert_eq!([shortened_within("abc", 1), shortened_within("abc", 0)], ["…", "…"]);
    }
}
