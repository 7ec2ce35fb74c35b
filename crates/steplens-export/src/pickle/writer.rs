//! Writes Python values opcode by opcode. It uses no memo: a pickle may hold equal values twice.

use super::opcodes::*;
use crate::buffer;
use std::io::{self, Write};
use time::{Duration, UtcDateTime};

/// A pickle that is being written.
pub(super) struct Pickle<'a> {
    out: &'a mut dyn Write,
    code: Vec<u8>,
}

impl<'a> Pickle<'a> {
    /// Begins a pickle whose longest byte string has `longest` bytes.
    pub(super) fn new(out: &'a mut dyn Write, longest: u64) -> Self {
        let protocol = if u32::try_from(longest).is_ok() { 3 } else { 4 };
        Self { out, code: vec![PROTO, protocol] }
    }

    /// The sink, for bytes that come between opcodes. Call [`flush`](Self::flush) first.
    pub(super) fn sink(&mut self) -> &mut dyn Write {
        self.out
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        buffer::flush(&mut self.code, self.out)
    }

    /// Passes the buffered bytes to the sink, if there are enough of them.
    pub(super) fn hand_over(&mut self) -> io::Result<()> {
        buffer::hand_over(&mut self.code, self.out)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.code.push(STOP);
        self.flush()
    }

    /// Writes a class of a module.
    pub(super) fn class(&mut self, module: &str, name: &str) {
        self.code.push(GLOBAL);
        for text in [module, name] {
            self.code.extend_from_slice(text.as_bytes());
            self.code.push(b'\n');
        }
    }

    /// Calls the preceding class without arguments.
    pub(super) fn call(&mut self) {
        self.code.extend([EMPTY_TUPLE, REDUCE]);
    }

    /// Makes an object of the preceding class without calling its `__init__`.
    pub(super) fn new_object(&mut self) {
        self.code.extend([EMPTY_TUPLE, NEWOBJ]);
    }

    /// Sets the preceding dict as the state of the object before it.
    pub(super) fn build(&mut self) {
        self.code.push(BUILD);
    }

    /// Begins a dict. Its keys and values follow.
    pub(super) fn begin_dict(&mut self) {
        self.code.push(EMPTY_DICT);
        self.mark();
    }

    /// The keys and values that follow belong to the preceding dict.
    pub(super) fn mark(&mut self) {
        self.code.push(MARK);
    }

    /// Ends the keys and values.
    pub(super) fn end_items(&mut self) {
        self.code.push(SETITEMS);
    }

    /// Writes an empty list.
    pub(super) fn list(&mut self) {
        self.code.push(EMPTY_LIST);
    }

    /// Appends the preceding value to the list before it.
    pub(super) fn append(&mut self) {
        self.code.push(APPEND);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text_head(text.len() as u64);
        self.code.extend_from_slice(text.as_bytes());
    }

    /// Writes the opcode and length of a text. The long form belongs to protocol 4, but Python reads every opcode that it knows,
    /// whichever protocol the pickle names at its beginning.
    fn text_head(&mut self, length: u64) {
        match u32::try_from(length) {
            Ok(length) => {
                self.code.push(BINUNICODE);
                self.code.extend(length.to_le_bytes());
            }
            Err(_) => {
                self.code.push(BINUNICODE8);
                self.code.extend(length.to_le_bytes());
            }
        }
    }

    pub(super) fn integer(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value) => {
                self.code.push(BININT);
                self.code.extend(value.to_le_bytes());
            }
            Err(_) => {
                self.code.extend([LONG1, 8]);
                self.code.extend(value.to_le_bytes());
            }
        }
    }

    pub(super) fn no(&mut self) {
        self.code.push(NEWFALSE);
    }

    /// Writes the opcode and length of a byte string. The bytes follow, and go directly to the sink.
    pub(super) fn bytes_head(&mut self, length: u64) {
        match u32::try_from(length) {
            Ok(length) => {
                self.code.push(BINBYTES);
                self.code.extend(length.to_le_bytes());
            }
            Err(_) => {
                self.code.push(BINBYTES8);
                self.code.extend(length.to_le_bytes());
            }
        }
    }

    /// Writes a `timedelta` of whole microseconds.
    pub(super) fn duration(&mut self, ns: i64) {
        let seconds = ns.div_euclid(1_000_000_000);
        self.class("datetime", "timedelta");
        self.integer(seconds.div_euclid(SECONDS_OF_DAY));
        self.integer(seconds.rem_euclid(SECONDS_OF_DAY));
        self.integer(ns.rem_euclid(1_000_000_000) / 1_000);
        self.code.extend([TUPLE3, REDUCE]);
    }

    /// Writes a `datetime` in UTC, in whole microseconds. Its state is ten bytes.
    pub(super) fn date(&mut self, unix_ns: i64) {
        // 64 bits of nanoseconds reach from 1677 to 2262, and `time` from -9999 to 9999.
        let at = UtcDateTime::UNIX_EPOCH + Duration::nanoseconds(unix_ns);
        let [high, low] = (at.year() as u16).to_be_bytes();
        let [_, micros @ ..] = at.microsecond().to_be_bytes();
        self.class("datetime", "datetime");
        self.code.extend([SHORT_BINBYTES, 10, high, low, at.month().into(), at.day()]);
        self.code.extend([at.hour(), at.minute(), at.second()]);
        self.code.extend(micros);
        self.code.extend([TUPLE1, REDUCE]);
    }
}

const SECONDS_OF_DAY: i64 = 86_400;

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are from `date -u -d @SECONDS`.
    #[test]
    fn days_have_their_dates() {
        for (seconds, date) in [
            (0_i64, [7, 178, 1, 1, 0, 0, 0]),
            (-1, [7, 177, 12, 31, 23, 59, 59]),
            (951_782_400, [7, 208, 2, 29, 0, 0, 0]),
            (1_700_000_000, [7, 231, 11, 14, 22, 13, 20]),
            (4_107_456_000, [8, 52, 2, 28, 0, 0, 0]),
            (-4_611_686_018, [7, 31, 11, 12, 0, 6, 22]),
        ] {
            let mut out = Vec::new();
            let mut pickle = Pickle::new(&mut out, 0);
            pickle.date(seconds * 1_000_000_000 + 7_000);
            pickle.finish().unwrap();
            let at = out.windows(2).position(|bytes| bytes == [SHORT_BINBYTES, 10]).unwrap() + 2;
            assert_eq!((&out[at..at + 7], &out[at + 7..at + 10]), (&date[..], &[0, 0, 7][..]), "{seconds}");
        }
    }

    #[test]
    fn what_32_bits_do_not_hold_is_written_longer() {
        let written = |write: &dyn Fn(&mut Pickle<'_>)| {
            let mut out = Vec::new();
            let mut pickle = Pickle::new(&mut out, 0);
            write(&mut pickle);
            pickle.finish().unwrap();
            out[2..out.len() - 1].to_vec()
        };
        assert_eq!(written(&|pickle| pickle.integer(i64::from(i32::MIN))), [BININT, 0, 0, 0, 0x80]);
        assert_eq!(written(&|pickle| pickle.integer(1 << 31)), [LONG1, 8, 0, 0, 0, 0x80, 0, 0, 0, 0]);
        assert_eq!(
            written(&|pickle| pickle.integer(-(1 << 31) - 1))[2..],
            [0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff]
        );
        assert_eq!(
            written(&|pickle| pickle.text_head(u64::from(u32::MAX))),
            [BINUNICODE, 0xff, 0xff, 0xff, 0xff]
        );
        assert_eq!(written(&|pickle| pickle.text_head(1 << 32)), [BINUNICODE8, 0, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn long_bytes_take_protocol_4() {
        for (length, protocol, opcode) in [(u64::from(u32::MAX), 3, BINBYTES), (1 << 32, 4, BINBYTES8)] {
            let mut out = Vec::new();
            let mut pickle = Pickle::new(&mut out, length);
            pickle.bytes_head(length);
            pickle.finish().unwrap();
            assert_eq!(out[..3], [PROTO, protocol, opcode]);
        }
    }
}
