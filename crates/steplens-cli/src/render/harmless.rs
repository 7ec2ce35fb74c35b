//! Makes JSON or CSV safe for a terminal: control characters are escaped, so that they cannot control it.

use std::io::{self, Write};

/// Passes bytes on, with control characters except line ends as `\u001b`: JSON allows this form, and a person can read it.
pub(crate) struct Harmless<W> {
    out: W,
    /// Whether the byte before was the first of the two bytes that encode U+0080 to U+00BF in UTF-8.
    after_c2: bool,
}

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, after_c2: false }
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut shown = Vec::with_capacity(bytes.len() + 8);
        for &byte in bytes {
            let is_c1 = self.after_c2 && byte < 0xa0;
            if self.after_c2 && !is_c1 {
                shown.push(0xc2);
            }
            self.after_c2 = byte == 0xc2;
            match byte {
                0xc2 => {}
                _ if is_c1 || (byte.is_ascii_control() && byte != b'\n') => write!(shown, "\\u{byte:04x}")?,
                _ => shown.push(byte),
            }
        }
        self.out.write_all(&shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        let mut harmless = Harmless::new(Vec::new());
        for byte in "a\x1b[2Jé\u{9b}\u{a0}\n中".bytes() {
            harmless.write_all(&[byte]).unwrap();
        }
        assert_eq!(String::from_utf8(harmless.out).unwrap(), "a\\u001b[2Jé\\u009b\u{a0}\n中");
    }
}
