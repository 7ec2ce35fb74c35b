//! The tokens of JSON in memory, for events that are complete and for their arguments.

/// A place in `bytes`, behind which eight bytes or more must follow what is read.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// The quote of a key, or the end of an object, which may follow its last comma.
    pub(super) fn key_or_end(&mut self) -> Option<u8> {
        self.next().filter(|first| matches!(first, b'"' | b'}'))
    }

    /// Takes the first byte of the next token.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        // White space, or a byte order mark.
        if byte <= b' ' || byte > 0x7f { self.after_space() } else { Some(byte) }
    }

    /// Like `next`, if the byte that was taken may be white space.
    #[inline]
    pub(super) fn after_space(&mut self) -> Option<u8> {
        const SPACES: u64 = 0x2020_2020_2020_2020;
        self.at -= 1;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0xef | 0xbb | 0xbf) {
                return Some(byte);
            }
            loop {
                let others = self.word()? ^ SPACES;
                if others != 0 {
                    self.at += (others.trailing_zeros() / 8) as usize;
                    break;
                }
                self.at += 8;
            }
        }
    }

    /// The next eight bytes, the first byte lowest.
    #[inline(always)]
    pub(super) fn word(&self) -> Option<u64> {
        self.bytes.get(self.at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
    }

    /// A text up to its quote, which is taken, too; and whether it has a backslash.
    #[inline]
    pub(super) fn text(&mut self) -> Option<(&'a [u8], bool)> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // The lowest set bit marks the first zero byte; higher bits may be wrong.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
        let start = self.at;
        let mut escaped = false;
        loop {
            let word = self.word()?;
            let found = zeros(word ^ (ONES * b'"' as u64))
                | zeros(word ^ (ONES * b'\\' as u64))
                | zeros(word ^ (ONES * b'\n' as u64));
            if found == 0 {
                self.at += 8;
                continue;
            }
            self.at += (found.trailing_zeros() / 8) as usize;
            match *self.bytes.get(self.at)? {
                b'"' => {
                    let raw = self.bytes.get(start..self.at)?;
                    self.at += 1;
                    return Some((raw, escaped));
                }
                b'\\' => {
                    escaped = true;
                    self.at += 2;
                }
                _ => return None,
            }
        }
    }

    /// A number or a word.
    #[inline]
    pub(super) fn bare(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        while IN_WORD[usize::from(*self.bytes.get(self.at)?)] {
            self.at += 1;
        }
        self.bytes.get(start..self.at).filter(|raw| !raw.is_empty())
    }

    /// Skips a value that is not needed, up to the bracket that closes it.
    pub(super) fn skip(&mut self) -> Option<()> {
        let mut open = 1_u64;
        while open > 0 {
            match self.next()? {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                b':' | b',' => {}
                b'"' => _ = self.text()?,
                _ => {
                    self.at -= 1;
                    self.bare()?;
                }
            }
        }
        Some(())
    }
}

/// Whether a byte belongs to a number or a word.
const IN_WORD: [bool; 256] = {
    let mut belongs = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        belongs[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'+' | b'-' | b'.' | b'_');
        byte += 1;
    }
    belongs
};
