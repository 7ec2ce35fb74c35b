//! Bytes as text within a UTF-8 HTML file: seven bits a byte, a seventh more, where base64 takes a third.
//!
//! A letter is the seven bits as a character of ASCII. Three of them would not come back: NUL, CR, and `<`, which may end the element. For
//! one of these a character of two bytes, from U+0080, has its number and the seven bits that follow, so that it costs no more.
//! `www/src/engine/text128.ts` does the same, and reads it.

const LOST: [u8; 3] = [0x00, 0x0d, 0x3c];
const TWO_BYTES: u32 = 0x80;
/// In place of a number: the text ends with the letter whose number comes in the low bits.
const AT_END: usize = LOST.len();

/// `bytes` in letters.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut sevens = sevens(bytes);
    let mut text = String::with_capacity(bytes.len() / 7 * 8 + 8);
    while let Some(seven) = sevens.next() {
        let Some(number) = LOST.iter().position(|&lost| lost == seven) else {
            text.push(char::from(seven));
            continue;
        };
        let (high, low) = match sevens.next() {
            Some(next) => (number, next),
            None => (AT_END, number as u8),
        };
        text.extend(char::from_u32(TWO_BYTES + ((high as u32) << 7 | u32::from(low))));
    }
    text
}

/// The bits of `bytes`, seven at a time, with zeros after the last.
fn sevens(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.chunks(7).flat_map(|group| {
        let bits = group.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        let bits = bits << (8 * (7 - group.len()));
        let count = (group.len() * 8).div_ceil(7);
        (0..count).map(move |place| (bits >> (49 - 7 * place)) as u8 & 0x7f)
    })
}

/// What [`encode`] wrote; nothing of what follows a character that it never writes.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    let mut take = |seven: u8| {
        (bits, count) = (bits << 7 | u32::from(seven), count + 7);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    };
    for letter in text.chars().map(u32::from) {
        match letter.checked_sub(TWO_BYTES) {
            None => take(letter as u8),
            Some(two) => {
                let (number, low) = ((two >> 7) as usize, (two & 0x7f) as usize);
                let at_end = if number == AT_END { LOST.get(low) } else { None };
                let Some(&lost) = LOST.get(number).or(at_end) else { break };
                take(lost);
                if number != AT_END {
                    take(low as u8);
                }
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    /// The same as in `text128.test.ts`.
    #[test]
    fn letters() {
        let cases: [(&[u8], &str); 6] = [
            (&[], ""),
            (&[0x02], "\u{1}\u{200}"),
            (&[0x00], "\u{80}"),
            (&[0x78], "\u{180}"),
            (
                &[255, 255, 255, 255, 255, 255, 255, 1],
                "\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{c0}",
            ),
            (&[7, 0, 0, 9, 200, 6], "\u{3}@\u{80}N \u{c}"),
        ];
        for (bytes, letters) in cases {
            assert_eq!(encode(bytes), letters, "{bytes:?}");
            assert_eq!(decode(letters), bytes);
        }
    }

    #[test]
    fn any_bytes_come_back() {
        for length in 0..200_usize {
            let bytes: Vec<u8> = (0..length).map(|at| (at * at * 31 + length) as u8).collect();
            assert_eq!(decode(&encode(&bytes)), bytes);
        }
        assert_eq!(decode("a\u{7fff}b"), [0_u8; 0]);
    }
}
