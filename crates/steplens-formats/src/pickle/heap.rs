//! The values of a pickle: texts, classes by name, and objects as the list of what was put into them.
//!
//! Everything is identified by a number, so that the same object may be in many places, even in itself.

use super::pages::Pages;

/// A value in eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A mark on the stack; in an object, the key of items without one.
    Mark,
    None,
    /// A whole number that is not negative.
    Int(u32),
    /// A text or bytes.
    Text(u32),
    Class(u32),
    Object(u32),
    /// Bytes that were read as a RunMetadata: the number of the run.
    Run(u32),
    /// Any value that is not needed: fractions, truth values, negative and large numbers.
    Other,
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    List,
    Tuple,
    Dict,
    /// The result of a call that was not made: of a class, or of something else.
    Instance(Value),
}

/// An object. Lists and tuples are chains of values. Dicts and instances are chains of keys and values; the arguments, state and
/// items of an instance have [`Value::Mark`] as key.
#[derive(Clone, Copy)]
struct Object {
    kind: ObjectKind,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy)]
struct Link {
    value: Value,
    next: u32,
}

/// Values that will be put into an object together.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    first: u32,
    last: u32,
}

impl Default for Chain {
    fn default() -> Self {
        Self { first: END, last: END }
    }
}

/// The index after the last link.
const END: u32 = u32::MAX;
/// How much of a text is kept. Longer texts are feeds that contain whole arrays.
pub(super) const MAX_TEXT_BYTES: usize = 4 << 10;
/// How many entries are searched for a key. One large dict may be in many places, and would be searched in each.
const SMALL: usize = 64;

/// All values of a file.
#[derive(Default)]
pub(super) struct Heap {
    objects: Pages<Object>,
    links: Pages<Link>,
    /// The start of each text, and its length.
    texts: Pages<(u32, u32)>,
    bytes: Vec<u8>,
    /// Module and name.
    classes: Pages<(Value, Value)>,
}

impl Heap {
    /// Stores up to [`MAX_TEXT_BYTES`] of a text.
    pub(super) fn text(&mut self, text: &[u8]) -> Value {
        let text = &text[..text.len().min(MAX_TEXT_BYTES)];
        let Ok(start) = u32::try_from(self.bytes.len()) else { return Value::Other };
        self.bytes.extend_from_slice(text);
        self.texts.push((start, text.len() as u32));
        Value::Text(self.texts.len() as u32 - 1)
    }

    /// The bytes of a text; empty for other values.
    pub(super) fn bytes_of(&self, value: Value) -> &[u8] {
        let Value::Text(index) = value else { return &[] };
        let Some((start, length)) = self.texts.get(index as usize) else { return &[] };
        self.bytes.get(start as usize..start as usize + length as usize).unwrap_or_default()
    }

    pub(super) fn class(&mut self, module: Value, name: Value) -> Value {
        self.classes.push((module, name));
        Value::Class(self.classes.len() as u32 - 1)
    }

    /// Module and name of a class.
    pub(super) fn class_of(&self, value: Value) -> Option<(&[u8], &[u8])> {
        let Value::Class(index) = value else { return None };
        let (module, name) = self.classes.get(index as usize)?;
        Some((self.bytes_of(module), self.bytes_of(name)))
    }

    pub(super) fn classes(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.classes.len()).filter_map(|index| self.class_of(Value::Class(index as u32)))
    }

    pub(super) fn object(&mut self, kind: ObjectKind) -> Value {
        self.objects.push(Object { kind, first: END, last: END });
        Value::Object(self.objects.len() as u32 - 1)
    }

    pub(super) fn objects(&self) -> usize {
        self.objects.len()
    }

    pub(super) fn kind(&self, value: Value) -> Option<ObjectKind> {
        let Value::Object(index) = value else { return None };
        self.objects.get(index as usize).map(|object| object.kind)
    }

    /// Appends `item` to an object; ignored for other values.
    pub(super) fn append(&mut self, object: Value, item: Value) {
        let mut chain = Chain::default();
        self.prepend(&mut chain, item);
        self.attach(object, chain);
    }

    /// Puts `item` at the front of `chain`.
    pub(super) fn prepend(&mut self, chain: &mut Chain, item: Value) {
        let link = self.links.len() as u32;
        if link != END {
            self.links.push(Link { value: item, next: chain.first });
            chain.first = link;
            chain.last = if chain.last == END { link } else { chain.last };
        }
    }

    /// Appends all of `chain` to an object.
    pub(super) fn attach(&mut self, object: Value, chain: Chain) {
        let Value::Object(index) = object else { return };
        let Some(object) = self.objects.get_mut(index as usize).filter(|_| chain.first != END) else {
            return;
        };
        let before = std::mem::replace(&mut object.last, chain.last);
        if before == END {
            object.first = chain.first;
        }
        if let Some(before) = self.links.get_mut(before as usize) {
            before.next = chain.first;
        }
    }

    /// Whether the object's items have keys.
    pub(super) fn has_keys(&self, object: Value) -> bool {
        matches!(self.kind(object), Some(ObjectKind::Dict | ObjectKind::Instance(_)))
    }

    /// Appends an item to a list, or to an object that stands for one.
    pub(super) fn add_item(&mut self, object: Value, item: Value) {
        if self.has_keys(object) {
            self.append(object, Value::Mark);
        }
        self.append(object, item);
    }

    /// Adds an entry to a dict, or to an object that stands for one.
    pub(super) fn add_entry(&mut self, object: Value, key: Value, value: Value) {
        if self.has_keys(object) {
            self.append(object, key);
        }
        self.append(object, value);
    }

    /// The content of an object: items, or keys and values in turn.
    pub(super) fn items(&self, object: Value) -> impl Iterator<Item = Value> {
        let first = match object {
            Value::Object(index) => self.objects.get(index as usize).map_or(END, |object| object.first),
            _ => END,
        };
        let mut next = first;
        std::iter::from_fn(move || {
            let link = self.links.get(next as usize)?;
            next = link.next;
            Some(link.value)
        })
    }

    /// The keys and values of an object; items have [`Value::Mark`] as key.
    pub(super) fn entries(&self, object: Value) -> impl Iterator<Item = (Value, Value)> {
        let has_keys = self.has_keys(object);
        let mut items = self.items(object);
        std::iter::from_fn(move || {
            let first = items.next()?;
            if has_keys { Some((first, items.next()?)) } else { Some((Value::Mark, first)) }
        })
    }

    /// The value of `key` in a small dict.
    pub(super) fn get(&self, dict: Value, key: &[u8]) -> Option<Value> {
        let is_key = |own: Value| matches!(own, Value::Text(_)) && self.bytes_of(own) == key;
        self.entries(dict).take(SMALL).find(|&(own, _)| is_key(own)).map(|(_, value)| value)
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.objects.heap_bytes()
            + self.links.heap_bytes()
            + self.texts.heap_bytes()
            + self.classes.heap_bytes()
            + self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_hold_what_was_put_into_them() {
        let mut heap = Heap::default();
        let (key, list) = (heap.text(b"runs"), heap.object(ObjectKind::List));
        let dict = heap.object(ObjectKind::Dict);
        for number in 0..3 {
            heap.add_item(list, Value::Int(number));
        }
        heap.add_item(list, list);
        heap.add_entry(dict, key, list);
        heap.add_entry(dict, Value::Int(7), Value::None);
        assert!(heap.items(list).eq([Value::Int(0), Value::Int(1), Value::Int(2), list]));
        assert!(heap.entries(dict).eq([(key, list), (Value::Int(7), Value::None)]));
        assert_eq!((heap.get(dict, b"runs"), heap.get(dict, b"run")), (Some(list), None));
        assert_eq!((heap.items(key).count(), heap.bytes_of(list)), (0, &[][..]));
        let long = heap.text(&[b'x'; 5_000]);
        assert_eq!(heap.bytes_of(long).len(), MAX_TEXT_BYTES);
    }
}
