//! Labels as patterns: `a = Mul(b, ^c)` is `\0 = \0(\0, ^\0)` with the words `a`, `Mul`, `b` and `c`.
//!
//! Many labels share a pattern, and nearly all of their words are strings anyway: names, op types, devices.

use super::codec::{unzigzag, zigzag};

/// Stands for a word. A label that contains this byte is stored unchanged.
pub(super) const WORD: u8 = 0;

/// Splits `label`: appends its words and returns its pattern; `None` if it can only be stored unchanged.
pub(super) fn split<'a>(label: &'a str, words: &mut Vec<&'a str>) -> Option<String> {
    if label.as_bytes().contains(&WORD) {
        return None;
    }
    let is_between = |letter: char| matches!(letter, ' ' | '(' | ')' | '[' | ']' | ',' | '=' | '^');
    let mut pattern = String::new();
    let mut rest = label;
    while let Some(letter) = rest.chars().next() {
        let (taken, after) = if is_between(letter) {
            pattern.push(letter);
            rest.split_at(1)
        } else {
            pattern.push(char::from(WORD));
            let (word, after) = rest.split_at(rest.find(is_between).unwrap_or(rest.len()));
            words.push(word);
            (word, after)
        };
        debug_assert!(!taken.is_empty());
        rest = after;
    }
    Some(pattern)
}

/// Predicts which of a node's suggested words (its name, its op type, its inputs) comes next in its label.
///
/// Labels have them in that order, with a few left out or moved.
#[derive(Default)]
pub(super) struct Expected {
    next: usize,
}

/// How far from the expected place a word is searched: enough for words that were moved, and never n².
const MAX_LOOK: usize = 256;

impl Expected {
    /// The code of `word`: 0 if it is not suggested, otherwise at least 1, by its distance from the expected place.
    pub(super) fn code(&mut self, word: u64, suggested: &[u64]) -> u64 {
        let distance = |place: usize| place as i64 - self.next as i64;
        let ahead = (self.next..suggested.len()).take(MAX_LOOK);
        let behind = (0..self.next.min(suggested.len())).rev().take(MAX_LOOK);
        let Some(place) = ahead.chain(behind).find(|&place| suggested[place] == word) else {
            return 0;
        };
        let distance = distance(place);
        self.next = place + 1;
        1 + zigzag(distance)
    }

    /// The place for a code above 0, if it is valid.
    pub(super) fn place(&mut self, code: u64, suggested: usize) -> Option<usize> {
        let distance = unzigzag(code.checked_sub(1)?);
        let place = usize::try_from(distance.checked_add(self.next as i64)?).ok()?;
        self.next = place.checked_add(1)?;
        (place < suggested).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_its_pattern_with_its_words() {
        for (label, pattern, count) in [
            ("[mklcpu 0.4MB] a/é = Mul(b:1, ^c)", "[\0 \0] \0 = \0(\0, ^\0)", 6),
            ("", "", 0),
            (" = (", " = (", 0),
        ] {
            let mut words = Vec::new();
            assert_eq!(split(label, &mut words).as_deref(), Some(pattern));
            assert_eq!(words.len(), count);
            let mut words = words.into_iter();
            let mut joined = String::new();
            for letter in pattern.chars() {
                if letter == '\0' { joined += words.next().unwrap() } else { joined.push(letter) }
            }
            assert_eq!(joined, label);
        }
        assert_eq!(split("a\0b", &mut Vec::new()), None);
    }

    #[test]
    fn words_are_found_near_their_place() {
        let suggested = [7, 8, 9, 10];
        let (mut writer, mut reader) = (Expected::default(), Expected::default());
        for (word, code) in [(7, 1), (9, 3), (8, 4), (5, 0), (10, 3)] {
            assert_eq!(writer.code(word, &suggested), code);
            if code > 0 {
                assert_eq!(reader.place(code, 4).map(|place| suggested[place]), Some(word));
            }
        }
        assert_eq!(reader.place(u64::MAX, 4), None);
        assert_eq!(reader.place(3, 4), None);
    }
}
