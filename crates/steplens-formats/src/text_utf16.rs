//! Bytes as text within a UTF-16 HTML file: a letter is two bytes, and all of them are 1.6 % more.
//!
//! A letter is two bytes as one unit of UTF-16LE, so that a file holds them as they are. Some units would not come back: half of a
//! surrogate pair, what HTML changes (NUL, CR), `<`, which may end the element, and those that no text holds. Such a unit and the byte that
//! follows are a whole surrogate pair, which has 20 bits: 12 for the number of the unit, 8 for the byte.
//! `www/src/engine/text_utf16.ts` reads it, and does the same for the page's own parts when it is built.

const SURROGATES: u16 = 0xd800;
const SURROGATE_COUNT: u16 = 0x800;
/// The other units that do not come back; the last three are byte order marks and what is no character.
const LOST: [u16; 6] = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff];
/// In place of a unit's number: there is only the byte.
const ALONE: u16 = 0xfff;

/// `text` in UTF-16LE.
pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The text of a file in UTF-16LE.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks();
    char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit)))
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The number of a unit that does not come back.
fn number_of(unit: u16) -> Option<u16> {
    match unit.checked_sub(SURROGATES) {
        Some(number @ ..SURROGATE_COUNT) => Some(number),
        _ => LOST.iter().position(|&lost| lost == unit).map(|at| SURROGATE_COUNT + at as u16),
    }
}

/// The letters of `bytes`, in UTF-16LE.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut letters = Vec::new();
    let taken = encode_whole_units(bytes, &mut letters);
    bytes[taken..].iter().for_each(|&byte| put_pair(&mut letters, ALONE, byte));
    letters
}

/// Adds the letters of `bytes` to `letters`, and returns how many bytes they hold: where more follow, the last two may have to wait for it. What is written
/// so, and the rest by [`encode`], has the same letters wherever it was cut.
pub(crate) fn encode_whole_units(bytes: &[u8], letters: &mut Vec<u8>) -> usize {
    letters.reserve(bytes.len() + bytes.len() / 32 + 8);
    let mut rest = bytes;
    while let [low, high, after @ ..] = rest {
        let unit = [*low, *high];
        rest = match (number_of(u16::from_le_bytes(unit)), after) {
            (None, _) => {
                letters.extend(unit);
                after
            }
            (Some(number), [next, after @ ..]) => {
                put_pair(letters, number, *next);
                after
            }
            (Some(_), []) => break,
        };
    }
    bytes.len() - rest.len()
}

/// A surrogate pair of the number of a unit that does not come back, and a byte.
fn put_pair(letters: &mut Vec<u8>, number: u16, byte: u8) {
    let bits = u32::from(number) << 8 | u32::from(byte);
    for half in [SURROGATES | (bits >> 10) as u16, 0xdc00 | (bits & 0x3ff) as u16] {
        letters.extend(half.to_le_bytes());
    }
}

/// What [`encode`] wrote, as a text; nothing of what follows a character that it never writes.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        let Some(bits) = u32::from(letter).checked_sub(0x10000) else {
            bytes.extend((u32::from(letter) as u16).to_le_bytes());
            continue;
        };
        let [number, byte] = [(bits >> 8) as u16, (bits & 0xff) as u16];
        match number.checked_sub(SURROGATE_COUNT) {
            None => bytes.extend((SURROGATES + number).to_le_bytes()),
            Some(at) => match LOST.get(usize::from(at)) {
                Some(unit) => bytes.extend(unit.to_le_bytes()),
                None if number == ALONE => {}
                None => break,
            },
        }
        bytes.push(byte as u8);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, encode_whole_units, text_of};

    fn there_and_back(bytes: &[u8]) -> String {
        let text = text_of(&encode(bytes));
        let is_kept = |letter| !matches!(letter, '\0' | '\r' | '<' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
        assert!(text.chars().all(is_kept), "{text:?}");
        assert_eq!(decode(&text), bytes);
        text
    }

    /// The same as in `text_utf16.test.ts`.
    #[test]
    fn letters() {
        let cases: [(&[u8], &str); 9] = [
            (&[], ""),
            (&[0x61], "\u{10ff61}"),
            (&[0x61, 0x62], "\u{6261}"),
            (&[0x61, 0x62, 0xff], "\u{6261}\u{10ffff}"),
            (&[0x3c, 0x00], "\u{10ff3c}\u{10ff00}"),
            (&[0x3c, 0x00, 0x41, 0x42, 0x43], "\u{90241}\u{4342}"),
            (&[0x00, 0xd8, 0xff, 0xff, 0xdf, 0x00], "\u{100ff}\u{8ff00}"),
            (
                &[0, 0, 0, 0x0d, 0, 1, 0xff, 0xfe, 2, 0xfe, 0xff, 3, 0xff, 0xff, 4],
                "\u{90000}\u{90101}\u{90302}\u{90403}\u{90504}",
            ),
            (&[7, 0, 0, 9, 200, 6], "\u{7}\u{900}\u{6c8}"),
        ];
        for (bytes, letters) in cases {
            assert_eq!(there_and_back(bytes), letters, "{bytes:?}");
        }
    }

    #[test]
    fn every_unit_comes_back() {
        for unit in 0..=u16::MAX {
            let [low, high] = unit.to_le_bytes();
            for bytes in [&[low, high][..], &[low, high, high], &[7, 9, low, high, 3, 5, low, high]] {
                there_and_back(bytes);
            }
        }
    }

    #[test]
    fn any_bytes_come_back_from_pieces() {
        let bytes: Vec<u8> = (0..200_usize).map(|at| (at * at * 31 % 233 + at % 3 * 216) as u8).collect();
        for cut in 0..bytes.len() {
            let (before, after) = bytes.split_at(cut);
            let joined = there_and_back(before) + &there_and_back(after);
            assert_eq!(decode(&joined), bytes);
            let mut letters = Vec::new();
            let taken = encode_whole_units(before, &mut letters);
            letters.extend(encode(&bytes[taken..]));
            assert_eq!(letters, encode(&bytes), "cut at {cut}");
        }
        // What follows a pair that is never written is not read.
        assert_eq!(decode("ab\u{90600}c"), [b'a', 0, b'b', 0]);
    }
}
