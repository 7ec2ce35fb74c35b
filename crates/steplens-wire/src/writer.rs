//! A writer of protobuf, field by field, in any order.

/// A message that is being built.
#[derive(Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// What was written so far.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The same bytes, to be handed over.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    /// Takes back everything that was written.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a number, enum or flag.
    #[inline]
    pub fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3);
        self.varint(value);
    }

    /// Adds an `int64`. A negative value takes ten bytes.
    #[inline]
    pub fn signed(&mut self, field: u32, value: i64) {
        self.number(field, value as u64);
    }

    /// Adds a `fixed64`.
    #[inline]
    pub fn fixed(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3 | 1);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a `double`.
    #[inline]
    pub fn double(&mut self, field: u32, value: f64) {
        self.fixed(field, value.to_bits());
    }

    /// Adds a text.
    #[inline]
    pub fn text(&mut self, field: u32, text: &str) {
        self.data(field, text.as_bytes());
    }

    /// Adds a message inside this one. It is built in place, without an allocation.
    #[inline]
    pub fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message)) {
        let at = self.begin(field);
        fill(self);
        self.end(at);
    }

    /// Begins a message inside this one: writes its head with one byte for the length, and returns the place of this byte. It is
    /// separate from `message`, so that it is compiled only once.
    fn begin(&mut self, field: u32) -> usize {
        self.varint(u64::from(field) << 3 | 2);
        self.0.push(0);
        self.0.len() - 1
    }

    #[inline(never)]
    fn end(&mut self, at: usize) {
        let length = self.0.len() - at - 1;
        if length < 0x80 {
            self.0[at] = length as u8;
            return;
        }
        // The length needs more bytes than the one that was reserved.
        let mut head = Message::default();
        head.varint(length as u64);
        self.0.splice(at..=at, head.0);
    }

    /// Adds a number unless it is 0. Protobuf reads a missing number as 0.
    #[inline]
    pub fn some_number(&mut self, field: u32, value: u64) {
        if value != 0 {
            self.number(field, value);
        }
    }

    /// Adds an `int64` unless it is 0.
    #[inline]
    pub fn some_signed(&mut self, field: u32, value: i64) {
        self.some_number(field, value as u64);
    }

    /// Adds a text unless it is empty.
    #[inline]
    pub fn some_text(&mut self, field: u32, text: &str) {
        if !text.is_empty() {
            self.text(field, text);
        }
    }

    /// Adds the head of a message. The caller writes its bytes next.
    #[inline]
    pub fn head(&mut self, field: u32, bytes: u64) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes);
    }

    /// Adds all fields of another message.
    #[inline]
    pub fn append(&mut self, fields: &Message) {
        self.0.extend_from_slice(&fields.0);
    }

    /// Adds bytes, or a message that is already encoded.
    #[inline]
    pub fn data(&mut self, field: u32, data: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(data.len() as u64);
        self.0.extend_from_slice(data);
    }

    /// Adds a number without a field.
    #[inline]
    pub fn varint(&mut self, value: u64) {
        push_varint(&mut self.0, value);
    }
}

/// Adds a number in as many bytes as it needs.
#[inline]
pub fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_within_messages_have_their_lengths() {
        for bytes in [0, 1, 120, 127, 128, 129, 16_383, 16_384, 70_000] {
            let text = "x".repeat(bytes);
            let (mut within, mut plain, mut inner) =
                (Message::default(), Message::default(), Message::default());
            within.message(7, |message| message.message(1, |message| message.some_text(2, &text)));
            let mut innermost = Message::default();
            innermost.some_text(2, &text);
            inner.data(1, innermost.bytes());
            plain.data(7, inner.bytes());
            assert_eq!(within.bytes(), plain.bytes(), "{bytes}");
            let mut head = Message::default();
            head.head(7, inner.bytes().len() as u64);
            assert!(plain.bytes().starts_with(head.bytes()));
        }
    }
}
