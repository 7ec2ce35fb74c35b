//! The opcodes that the writer uses, with their names in Python's `pickle.py`.

pub(super) const PROTO: u8 = 0x80;
pub(super) const GLOBAL: u8 = b'c';
pub(super) const EMPTY_TUPLE: u8 = b')';
pub(super) const TUPLE1: u8 = 0x85;
pub(super) const TUPLE3: u8 = 0x87;
pub(super) const REDUCE: u8 = b'R';
pub(super) const NEWOBJ: u8 = 0x81;
pub(super) const BUILD: u8 = b'b';
pub(super) const EMPTY_DICT: u8 = b'}';
pub(super) const EMPTY_LIST: u8 = b']';
pub(super) const MARK: u8 = b'(';
pub(super) const SETITEMS: u8 = b'u';
pub(super) const APPEND: u8 = b'a';
pub(super) const BININT: u8 = b'J';
pub(super) const LONG1: u8 = 0x8a;
pub(super) const NEWFALSE: u8 = 0x89;
pub(super) const BINUNICODE: u8 = b'X';
pub(super) const BINUNICODE8: u8 = 0x8d;
pub(super) const SHORT_BINBYTES: u8 = b'C';
pub(super) const BINBYTES: u8 = b'B';
pub(super) const BINBYTES8: u8 = 0x8e;
pub(super) const STOP: u8 = b'.';
