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

#[cfg(test)]
mod tests {
    use super::encode;

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
        }
    }
}
