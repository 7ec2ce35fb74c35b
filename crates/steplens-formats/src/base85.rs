//! Bytes as text within an HTML file: five letters for four bytes, a quarter more, where base64 takes a third.
//!
//! The letters are `(` to `|` of ASCII, but `}` for `<`, so that no text ends or opens an element. Of a group cut short the letters
//! that it lacks are the last ones. `www/src/engine/base85.ts` does the same, and reads it.

const FIRST: u8 = b'(';

/// `bytes` in letters.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 4 * 5 + 5);
    for group in bytes.chunks(4) {
        let mut whole = [0; 4];
        whole[..group.len()].copy_from_slice(group);
        let value = u32::from_be_bytes(whole);
        let letters = [4, 3, 2, 1, 0].map(|place| match FIRST + (value / 85u32.pow(place) % 85) as u8 {
            b'<' => '}',
            code => char::from(code),
        });
        text.extend(&letters[..=group.len()]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::encode;

    /// The same as in `base85.test.ts`.
    #[test]
    fn letters() {
        let cases: [(&[u8], &str); 6] = [
            (&[], ""),
            (&[0, 0, 0, 0], "((((("),
            (&[0, 0, 0, 20], "((((}"),
            (&[255, 255, 255, 255], "z?^4("),
            (&[255], "yy"),
            (&[7, 0, 0, 9, 200, 6], "*=;g8h@K"),
        ];
        for (bytes, letters) in cases {
            assert_eq!(encode(bytes), letters);
        }
    }
}
