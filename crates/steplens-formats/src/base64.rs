//! Bytes as text in a shared page: base64 (RFC 4648), the simplest encoding that all tools for editing, mailing, comparing,
//! scanning and serving HTML preserve.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes `bytes`. The letters of several pieces can be joined if all pieces except the last are multiples of three bytes.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut letters = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        let own = [18, 12, 6, 0].map(|shift| LETTERS[bits >> shift & 63]);
        letters.extend_from_slice(&own[..=group.len()]);
        letters.extend_from_slice(&b"=="[..3 - group.len()]);
    }
    letters
}

/// Reads letters one by one.
#[derive(Default)]
pub(crate) struct Decoder {
    bits: u32,
    held: u32,
}

impl Decoder {
    /// Takes a letter and returns the byte that it completes. White space and padding are ignored; other characters are an error.
    pub(crate) fn take(&mut self, letter: u8) -> Result<Option<u8>, ()> {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' | b' ' | b'\t' | b'\n' | b'\r' => return Ok(None),
            _ => return Err(()),
        };
        self.bits = self.bits << 6 | u32::from(six);
        self.held += 6;
        if self.held < 8 {
            return Ok(None);
        }
        self.held -= 8;
        let byte = (self.bits >> self.held) as u8;
        self.bits &= (1 << self.held) - 1;
        Ok(Some(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_standard_come_and_go() {
        // The examples of RFC 4648, section 10, and bytes of every value.
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let cases: [(&[u8], &str); 6] = [
            (b"", ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (&[0xfb, 0xff, 0xbf], "+/+/"),
        ];
        for (bytes, letters) in cases {
            assert_eq!(String::from_utf8(encode(bytes)).unwrap(), letters);
        }
        for length in 0..=all.len() {
            let letters = encode(&all[..length]);
            let mut decoder = Decoder::default();
            let read: Vec<u8> = letters
                .iter()
                .flat_map(|&letter| [decoder.take(letter).unwrap(), decoder.take(b'\n').unwrap()])
                .flatten()
                .collect();
            assert_eq!(read, all[..length]);
        }
        assert!(Decoder::default().take(b'<').is_err());
    }
}
