//! Values of Python, opcode by opcode. Nothing is remembered to be used again: a pickle may say the same twice.

use super::opcodes::*;
use std::io::{self, Write};
use time::{Duration, UtcDateTime};

/// How many bytes are gathered before the sink gets them.
const FULL: usize = 1 << 16;

/// A pickle in the making.
pub(super) struct Pickle<'a> {
    out: &'a mut dyn Write,
    code: Vec<u8>,
}

impl<'a> Pickle<'a> {
    /// Begins one whose longest bytes are so many.
    pub(super) fn new(out: &'a mut dyn Write, longest: u64) -> Self {
        let protocol = if u32::try_from(longest).is_ok() { 3 } else { 4 };
        Self { out, code: vec![PROTO, protocol] }
    }

    /// Where bytes go that come between opcodes, after a [`flush`](Self::flush).
    pub(super) fn sink(&mut self) -> &mut dyn Write {
        self.out
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.code)?;
        self.code.clear();
        Ok(())
    }

    /// Gives the sink what there is, if that is enough.
    pub(super) fn hand_over(&mut self) -> io::Result<()> {
        if self.code.len() >= FULL { self.flush() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.code.push(STOP);
        self.flush()
    }

    /// A class of a module.
    pub(super) fn class(&mut self, module: &str, name: &str) {
        self.code.push(GLOBAL);
        for text in [module, name] {
            self.code.extend_from_slice(text.as_bytes());
            self.code.push(b'\n');
        }
    }

    /// What the class before gives when it is called without arguments.
    pub(super) fn call(&mut self) {
        self.code.extend([EMPTY_TUPLE, REDUCE]);
    }

    /// An object of the class before, whose `__init__` is not called.
    pub(super) fn new_object(&mut self) {
        self.code.extend([EMPTY_TUPLE, NEWOBJ]);
    }

    /// The dict before is the state of the object before that.
    pub(super) fn build(&mut self) {
        self.code.push(BUILD);
    }

    /// A dict; its keys and values follow.
    pub(super) fn begin_dict(&mut self) {
        self.code.push(EMPTY_DICT);
        self.mark();
    }

    /// The keys and values that follow are those of the dict before.
    pub(super) fn mark(&mut self) {
        self.code.push(MARK);
    }

    /// The keys and values are over.
    pub(super) fn end_items(&mut self) {
        self.code.push(SETITEMS);
    }

    /// An empty list.
    pub(super) fn list(&mut self) {
        self.code.push(EMPTY_LIST);
    }

    /// The value before is the next of the list before that.
    pub(super) fn append(&mut self) {
        self.code.push(APPEND);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text_head(text.len() as u64);
        self.code.extend_from_slice(text.as_bytes());
    }

    /// The long form is one of protocol 4. Python reads every opcode that it knows, whatever the protocol at the beginning.
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

    /// Bytes that come next, past the opcodes.
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

    /// A `timedelta` of whole microseconds.
    pub(super) fn duration(&mut self, ns: i64) {
        let seconds = ns.div_euclid(1_000_000_000);
        self.class("datetime", "timedelta");
        self.integer(seconds.div_euclid(SECONDS_OF_DAY));
        self.integer(seconds.rem_euclid(SECONDS_OF_DAY));
        self.integer(ns.rem_euclid(1_000_000_000) / 1_000);
        self.code.extend([TUPLE3, REDUCE]);
    }

    /// A `datetime` in UTC, in whole microseconds; its state is ten bytes.
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

    /// `date -u -d @SECONDS`.
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
