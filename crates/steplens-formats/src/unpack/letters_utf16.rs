//! The encoding of traces in pages that version 0.1.0 shared, which are UTF-16: each unit has two bytes.
//!
//! Some units are not preserved by HTML: halves of surrogate pairs, NUL, CR, `<`, and those that are not valid in text. Such a unit
//! and the byte after it are encoded as a whole surrogate pair, which has 20 bits: 12 for the number of the unit, 8 for the byte.

const SURROGATES: u16 = 0xd800;
const SURROGATE_COUNT: u16 = 0x800;
/// The other units that are not preserved; the last three are byte order marks and noncharacters.
const LOST: [u16; 6] = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff];
/// Instead of the number of a unit: the pair has only the byte.
const ALONE: u16 = 0xfff;

/// Reads units one by one.
#[derive(Default)]
pub(super) struct Decoder {
    /// The first half of a surrogate pair.
    first: Option<u16>,
}

impl Decoder {
    /// Takes a unit and adds the bytes that it completes; `None` if the unit is never written.
    pub(super) fn take(&mut self, unit: u16, bytes: &mut Vec<u8>) -> Option<()> {
        match (self.first.take(), unit) {
            (Some(first), 0xdc00..=0xdfff) => {
                let bits = u32::from(first & 0x3ff) << 10 | u32::from(unit & 0x3ff);
                let number = (bits >> 8) as u16;
                if number < SURROGATE_COUNT {
                    bytes.extend((SURROGATES + number).to_le_bytes());
                } else if number != ALONE {
                    bytes.extend(LOST.get(usize::from(number - SURROGATE_COUNT))?.to_le_bytes());
                }
                bytes.push(bits as u8);
            }
            (Some(_), _) | (None, 0xdc00..=0xdfff) => return None,
            (None, 0xd800..=0xdbff) => self.first = Some(unit),
            (None, _) => bytes.extend(unit.to_le_bytes()),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let (mut decoder, mut read) = (Decoder::default(), Vec::new());
            assert!(letters.encode_utf16().all(|unit| decoder.take(unit, &mut read).is_some()));
            assert_eq!(read, bytes, "{letters:?}");
        }
        // A pair that is never written.
        let mut decoder = Decoder::default();
        let mut read = Vec::new();
        let taken: Vec<_> = "\u{90600}".encode_utf16().map(|unit| decoder.take(unit, &mut read)).collect();
        assert_eq!(taken, [Some(()), None]);
    }
}
