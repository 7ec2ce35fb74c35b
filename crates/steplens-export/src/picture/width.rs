//! How wide texts are, without measuring fonts: for each character at least what the widest of the usual fonts takes.
//!
//! A label is fitted by these widths, so that it is never cut whichever font shows it. Hundredths of the font's size.

/// Of the characters from space to `~`: the larger of Liberation Sans (which has the widths of Arial and Helvetica) and DejaVu Sans.
const ASCII: [u8; 95] = [
    32, 41, 46, 84, 64, 96, 90, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67,
    62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98,
    64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
];

/// Of everything else; ideographs are as wide as they are tall, and a little more in some fonts.
const OTHER: u32 = 104;

/// The width of `char`, in hundredths of the font's size.
fn of_char(char: char) -> u32 {
    match char {
        ' '..='~' => u32::from(ASCII[char as usize - 32]),
        '\u{a0}' | '·' => 32,
        '–' | 'µ' => 64,
        '→' | '×' => 100,
        _ => OTHER,
    }
}

/// The width of `text` at a font size of `size`.
pub fn of(text: &str, size: f64) -> f64 {
    f64::from(text.chars().map(of_char).sum::<u32>()) * size / 100.0
}

const ELLIPSIS: char = '…';
/// Fewer characters of a name say nothing.
const LEAST_CHARS: usize = 3;

/// The longest telling form of a name that takes at most `room`: the whole, then without its first scopes (`…/b2a/Conv2D`), then as much of
/// its last part as there is room for. `None` where not even three of its characters fit.
pub fn shortened(name: &str, room: f64, size: f64) -> Option<String> {
    let fits = |text: &str| of(text, size) <= room;
    // No character is narrower than this; a name that is longer than all room is not measured to its end.
    let most = (room / (0.28 * size)).max(0.0) as usize + 1;
    if name.len() <= 4 * most && fits(name) {
        return (!name.is_empty()).then(|| name.to_owned());
    }
    let from = tail(name, most);
    let mut slashes = from.match_indices('/').map(|(at, _)| at);
    if let Some(scoped) =
        slashes.by_ref().map(|at| format!("{ELLIPSIS}{}", &from[at..])).find(|own| fits(own))
    {
        return Some(scoped);
    }
    let last = &name[name.rfind('/').map_or(0, |at| at + 1)..];
    if last.len() <= 4 * most && !last.is_empty() && fits(last) {
        return Some(last.to_owned());
    }
    let kept = head(last, room - of("…", size), size);
    (kept.chars().count() >= LEAST_CHARS).then(|| format!("{kept}{ELLIPSIS}"))
}

/// Shortens the name of a device or a file in its middle, because such names differ at both ends: `/job:worker…/task:0`.
pub fn shortened_within(name: &str, room: f64, size: f64) -> String {
    let most = (room / (0.28 * size)).max(0.0) as usize + 1;
    if name.len() <= 4 * most && of(name, size) <= room {
        return name.to_owned();
    }
    let room = (room - of("…", size)).max(0.0);
    let begin = head(name, room / 2.0, size);
    let rest = tail(&name[begin.len()..], most);
    let mut wide = 0.0;
    let ends = rest.char_indices().rev().take_while(|(_, char)| {
        wide += f64::from(of_char(*char)) * size / 100.0;
        wide <= room - of(begin, size)
    });
    let end = ends.last().map_or(rest.len(), |(at, _)| at);
    format!("{begin}{ELLIPSIS}{}", &rest[end..])
}

/// The longest beginning of `text` that takes at most `room`.
fn head(text: &str, room: f64, size: f64) -> &str {
    let mut wide = 0.0;
    let ends = text.char_indices().take_while(|(_, char)| {
        wide += f64::from(of_char(*char)) * size / 100.0;
        wide <= room
    });
    &text[..ends.last().map_or(0, |(at, char)| at + char.len_utf8())]
}

/// The last `most` characters of `text`.
fn tail(text: &str, most: usize) -> &str {
    &text[text.char_indices().rev().take(most).last().map_or(text.len(), |(at, _)| at)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_telling_end() {
        let fitted = |name: &str, chars: f64| shortened(name, chars * 6.4, 10.0);
        assert_eq!(fitted("net/b2a/Conv2D", 20.0).as_deref(), Some("net/b2a/Conv2D"));
        assert_eq!(fitted("inception/b2a/Conv2D", 14.0).as_deref(), Some("…/b2a/Conv2D"));
        assert_eq!(fitted("a/Conv2DBackprop", 6.5).as_deref(), Some("Conv…"));
        assert_eq!(fitted("gradients", 2.0), None);
        assert_eq!(shortened("", 100.0, 10.0), None);
    }

    #[test]
    fn what_is_fitted_takes_no_more_than_its_room() {
        let long = "ab/çé中".repeat(20_000);
        for name in ["/job:worker/replica:0/task:12/device:CPU:0", "梯度/卷积/权重", "a", "", &long] {
            for room in [0.0, 9.0, 33.3, 150.0, 1e4] {
                let within = shortened_within(name, room, 11.0);
                assert!(of(&within, 11.0) <= room.max(of("…", 11.0)), "{room} {within}");
                if let Some(own) = shortened(name, room, 11.0) {
                    assert!(of(&own, 11.0) <= room, "{room} {own}");
                }
            }
        }
    }
}
