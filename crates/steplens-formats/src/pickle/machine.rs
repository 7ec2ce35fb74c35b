//! The stack machine: the effect of each opcode on the values, without calling anything.

use super::heap::{Chain, Heap, ObjectKind, Value};
use super::opcode::*;
use super::pages::Pages;
use super::runs::Message;

/// How many bytes of memory the values of a pickle may use for each of its bytes. A list of small numbers uses as much. A pickle
/// that constantly uses more, such as empty lists in a list, is made to fill the memory. Searching the values needs half as much in
/// addition.
const MEMORY_PER_BYTE: u64 = 6;
/// This much memory is always allowed, so that small pickles may be unusual.
const MEMORY_ALWAYS: u64 = 32 << 10;
/// How many values below the top are searched to find out where bytes belong.
const CONTEXT: usize = 8;

/// A fault after which a pickle cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// An opcode needs a value that does not exist.
    NoValue,
    /// The values need more memory than is allowed.
    TooMuch,
}

/// The effect of an opcode outside of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Nothing,
    /// The end of a pickle.
    Stopped,
    /// Bytes that are not in the file.
    BufferElsewhere,
    /// A value is requested from the memo that was never stored there.
    NotInMemo,
}

/// What the next bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// The state of an object of a generated class: they are this message.
    State(Message),
    /// Something else: their content decides.
    Bytes,
    /// They are a text.
    Text,
}

#[derive(Default)]
pub(super) struct Machine {
    pub(super) heap: Heap,
    pub(super) stack: Pages<Value>,
    memo: Pages<Value>,
    /// The results of the earlier pickles in the file.
    pub(super) roots: Pages<Value>,
}

impl Machine {
    /// Executes an opcode with at most a number after it.
    pub(super) fn step(&mut self, opcode: u8, number: u64) -> Result<Event, Fault> {
        match opcode {
            MARK => self.push(Value::Mark),
            STOP => {
                let root = self.pop()?;
                self.roots.push(root);
                self.clear();
                return Ok(Event::Stopped);
            }
            POP => _ = self.stack.pop().ok_or(Fault::NoValue)?,
            POP_MARK => _ = self.cut_at_mark()?,
            DUP => {
                let top = self.stack.last().ok_or(Fault::NoValue)?;
                self.push(top);
            }
            NONE => self.push(Value::None),
            BININT1 | BININT2 => self.push(Value::Int(number as u32)),
            BININT => {
                self.push(i32::try_from(number).map_or(Value::Other, |number| Value::Int(number as u32)))
            }
            NEWTRUE | NEWFALSE | BINFLOAT | EXT1 | EXT2 | EXT4 => self.push(Value::Other),
            BINPERSID => {
                self.pop()?;
                self.push(Value::Other);
            }
            NEXT_BUFFER => {
                self.push(Value::Other);
                return Ok(Event::BufferElsewhere);
            }
            EMPTY_LIST | EMPTY_SET => self.push_object(ObjectKind::List),
            EMPTY_DICT => self.push_object(ObjectKind::Dict),
            EMPTY_TUPLE => self.push_object(ObjectKind::Tuple),
            LIST | FROZENSET => self.collect(ObjectKind::List)?,
            DICT => self.collect(ObjectKind::Dict)?,
            TUPLE => self.collect(ObjectKind::Tuple)?,
            TUPLE1 => self.gather(1)?,
            TUPLE2 => self.gather(2)?,
            TUPLE3 => self.gather(3)?,
            APPEND => {
                let item = self.pop()?;
                self.heap.add_item(self.top()?, item);
            }
            APPENDS | ADDITEMS => {
                let object = self.below_mark()?;
                let has_keys = self.heap.has_keys(object);
                let chain = self.take_items(|heap, chain, item| {
                    heap.prepend(chain, item);
                    if has_keys {
                        heap.prepend(chain, Value::Mark);
                    }
                })?;
                self.heap.attach(object, chain);
            }
            SETITEM => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.heap.add_entry(self.top()?, key, value);
            }
            SETITEMS => {
                let dict = self.below_mark()?;
                let chain = self.take_items(Heap::prepend)?;
                self.heap.attach(dict, chain);
            }
            BUILD => {
                let state = self.pop()?;
                self.heap.add_item(self.top()?, state);
            }
            STACK_GLOBAL => {
                let (name, module) = (self.pop()?, self.pop()?);
                let class = self.heap.class(module, name);
                self.push(class);
            }
            REDUCE | NEWOBJ => {
                let (arguments, callable) = (self.pop()?, self.pop()?);
                self.call(callable, arguments);
            }
            NEWOBJ_EX => {
                let (named, arguments, class) = (self.pop()?, self.pop()?, self.pop()?);
                self.call(class, arguments);
                self.heap.add_item(self.top()?, named);
            }
            OBJ => {
                self.collect(ObjectKind::List)?;
                let arguments = self.pop()?;
                let class = self.heap.items(arguments).next().ok_or(Fault::NoValue)?;
                self.call(class, arguments);
            }
            BINGET | LONG_BINGET => return Ok(self.get(number)),
            BINPUT | LONG_BINPUT => self.put(number)?,
            MEMOIZE => self.put(self.memo.len() as u64)?,
            // Versions and frames only help to read ahead; the bytes of a buffer stay where they are.
            _ => {}
        }
        Ok(Event::Nothing)
    }

    /// Executes an opcode with lines or counted bytes after it that are kept.
    pub(super) fn step_with(&mut self, opcode: u8, kept: &[u8]) -> Result<Event, Fault> {
        match opcode {
            STRING | BINSTRING | SHORT_BINSTRING | UNICODE | BINUNICODE | SHORT_BINUNICODE | BINUNICODE8
            | BINBYTES | SHORT_BINBYTES | BINBYTES8 | BYTEARRAY8 => {
                let text = self.heap.text(kept);
                self.push(text);
            }
            INT | LONG => self.push(number_of(kept).map_or(Value::Other, Value::Int)),
            LONG1 | LONG4 => self.push(little_endian(kept).map_or(Value::Other, Value::Int)),
            GET => return Ok(self.get(number_of(kept).map_or(u64::MAX, u64::from))),
            PUT => self.put(number_of(kept).map_or(u64::MAX, u64::from))?,
            GLOBAL | INST => {
                let mut lines = kept.splitn(2, |&byte| byte == b'\n');
                let mut line = || self.heap.text(lines.next().unwrap_or_default().trim_ascii_end());
                let (module, name) = (line(), line());
                let class = self.heap.class(module, name);
                if opcode == INST {
                    self.collect(ObjectKind::List)?;
                    let arguments = self.pop()?;
                    self.call(class, arguments);
                } else {
                    self.push(class);
                }
            }
            _ => self.push(Value::Other),
        }
        Ok(Event::Nothing)
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Fails if the values and `more` use more memory than `bytes` bytes of a pickle may.
    pub(super) fn check(&self, more: usize, bytes: u64, memory_limit: usize) -> Result<(), Fault> {
        let allowed =
            bytes.saturating_mul(MEMORY_PER_BYTE).saturating_add(MEMORY_ALWAYS).min(memory_limit as u64);
        let held = self.heap_bytes() + more;
        if held as u64 > allowed { Err(Fault::TooMuch) } else { Ok(()) }
    }

    /// What the bytes of the current opcode are. `is_text` if the opcode is for texts, which are bytes only if they are about to be
    /// encoded.
    pub(super) fn context(&self, is_text: bool) -> Context {
        let below =
            |depth: usize| self.stack.len().checked_sub(depth + 1).and_then(|index| self.stack.get(index));
        let mut values = (0..CONTEXT).map_while(below).peekable();
        let mut is_encoded = !is_text;
        while let Some(value) = values.next_if(|&value| value == Value::Mark || self.is_conversion(value)) {
            is_encoded |= value != Value::Mark;
        }
        if !is_encoded {
            return Context::Text;
        }
        if values.next().is_none_or(|key| self.heap.bytes_of(key) != b"serialized") {
            return Context::Bytes;
        }
        while values
            .next_if(|&value| value == Value::Mark || self.heap.kind(value) == Some(ObjectKind::Dict))
            .is_some()
        {}
        let message = match values.next().and_then(|object| self.heap.kind(object)) {
            Some(ObjectKind::Instance(class)) => self.message_of(class),
            _ => None,
        };
        message.map_or(Context::Bytes, Context::State)
    }

    /// The message for which `class` is the generated class, in any module of TensorFlow.
    fn message_of(&self, class: Value) -> Option<Message> {
        let name = match class {
            Value::Class(_) => self.heap.class_of(class)?.1,
            _ => self.heap.bytes_of(class).rsplit(|&byte| byte == b'.').next()?,
        };
        match name {
            b"RunMetadata" => Some(Message::RunMetadata),
            b"StepStats" => Some(Message::StepStats),
            _ => None,
        }
    }

    /// Whether `value` is a function that only converts its first argument to bytes.
    pub(super) fn is_conversion(&self, value: Value) -> bool {
        matches!(self.heap.class_of(value), Some((b"_codecs", b"encode") | (_, b"bytes" | b"bytearray")))
    }

    /// Stands for the result of a call: an object of the called class, or of the class that a function for making objects gets.
    fn call(&mut self, callable: Value, arguments: Value) {
        if self.is_conversion(callable) {
            let first = self.heap.items(arguments).next();
            return self.push(first.unwrap_or(Value::Other));
        }
        let given = self.heap.items(arguments).take(2).find(|&value| self.message_of(value).is_some());
        self.push_object(ObjectKind::Instance(given.unwrap_or(callable)));
        if let Some(made) = self.stack.last() {
            self.heap.add_item(made, arguments);
        }
    }

    fn push_object(&mut self, kind: ObjectKind) {
        let object = self.heap.object(kind);
        self.push(object);
    }

    fn pop(&mut self) -> Result<Value, Fault> {
        self.stack.pop().filter(|&value| value != Value::Mark).ok_or(Fault::NoValue)
    }

    fn top(&self) -> Result<Value, Fault> {
        self.stack.last().filter(|&value| value != Value::Mark).ok_or(Fault::NoValue)
    }

    /// The index of the topmost mark.
    pub(super) fn mark(&self) -> Option<usize> {
        (0..self.stack.len()).rev().find(|&index| self.stack.get(index) == Some(Value::Mark))
    }

    fn below_mark(&self) -> Result<Value, Fault> {
        let below = self.mark().and_then(|mark| mark.checked_sub(1));
        below
            .and_then(|below| self.stack.get(below))
            .filter(|&value| value != Value::Mark)
            .ok_or(Fault::NoValue)
    }

    fn cut_at_mark(&mut self) -> Result<usize, Fault> {
        let mark = self.mark().ok_or(Fault::NoValue)?;
        self.stack.truncate(mark);
        Ok(mark)
    }

    /// Removes everything above the topmost mark, and the mark, from the stack.
    fn take_items(&mut self, take: impl FnMut(&mut Heap, &mut Chain, Value)) -> Result<Chain, Fault> {
        let mark = self.mark().ok_or(Fault::NoValue)?;
        let chain = self.take_from(mark + 1, take);
        self.stack.pop();
        Ok(chain)
    }

    /// Removes everything from `base` on from the stack. Works from the top down, so that nothing is stored twice.
    pub(super) fn take_from(
        &mut self,
        base: usize,
        mut take: impl FnMut(&mut Heap, &mut Chain, Value),
    ) -> Chain {
        let mut chain = Chain::default();
        while self.stack.len() > base
            && let Some(item) = self.stack.pop()
        {
            take(&mut self.heap, &mut chain, item);
        }
        chain
    }

    /// Makes an object of everything above the topmost mark.
    fn collect(&mut self, kind: ObjectKind) -> Result<(), Fault> {
        let chain = self.take_items(Heap::prepend)?;
        let object = self.heap.object(kind);
        self.heap.attach(object, chain);
        self.push(object);
        Ok(())
    }

    /// Makes a tuple of the topmost `count` values.
    fn gather(&mut self, count: usize) -> Result<(), Fault> {
        let first = self.stack.len().checked_sub(count).ok_or(Fault::NoValue)?;
        let tuple = self.heap.object(ObjectKind::Tuple);
        for index in first..self.stack.len() {
            let item = self.stack.get(index).filter(|&item| item != Value::Mark).ok_or(Fault::NoValue)?;
            self.heap.append(tuple, item);
        }
        self.stack.truncate(first);
        self.push(tuple);
        Ok(())
    }

    fn get(&mut self, number: u64) -> Event {
        let kept = usize::try_from(number).ok().and_then(|number| self.memo.get(number));
        self.push(kept.filter(|&kept| kept != Value::Mark).unwrap_or(Value::Other));
        if kept.is_some() { Event::Nothing } else { Event::NotInMemo }
    }

    /// Stores the top under `number` in the memo. Python counts up, so a number far beyond the last one is not by Python.
    fn put(&mut self, number: u64) -> Result<(), Fault> {
        let top = self.top()?;
        let number = usize::try_from(number).ok().filter(|&number| number <= self.memo.len() + MAX_MEMO_GAP);
        let number = number.ok_or(Fault::TooMuch)?;
        while self.memo.len() <= number {
            self.memo.push(Value::Other);
        }
        if let Some(place) = self.memo.get_mut(number) {
            *place = top;
        }
        Ok(())
    }

    /// Removes everything that only the last pickle could refer to.
    pub(super) fn clear(&mut self) {
        self.stack.truncate(0);
        self.memo.truncate(0);
    }

    /// Memory in use by the values, in bytes.
    fn heap_bytes(&self) -> usize {
        self.heap.heap_bytes() + self.stack.heap_bytes() + self.memo.heap_bytes() + self.roots.heap_bytes()
    }
}

/// How far a number in the memo may be beyond the earlier ones, because some that were stored may have been removed.
const MAX_MEMO_GAP: usize = 1 << 10;

/// A whole decimal number, with or without Python 2's `L`. `00` and `01` are truth values.
fn number_of(line: &[u8]) -> Option<u32> {
    let digits = line.trim_ascii();
    let digits = digits.strip_suffix(b"L").unwrap_or(digits);
    let is_truth = digits.len() == 2 && digits.starts_with(b"0");
    std::str::from_utf8(digits).ok().filter(|_| !is_truth)?.parse().ok()
}

/// A whole number in two's complement, the lowest byte first.
fn little_endian(bytes: &[u8]) -> Option<u32> {
    let (digits, rest) = bytes.split_at(bytes.len().min(4));
    let is_negative = bytes.last().is_some_and(|&last| last >= 0x80);
    let mut number = [0; 4];
    number[..digits.len()].copy_from_slice(digits);
    (!is_negative && rest.iter().all(|&byte| byte == 0)).then_some(u32::from_le_bytes(number))
}
