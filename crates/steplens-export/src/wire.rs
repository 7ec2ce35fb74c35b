//! Protobuf, written field by field.

/// A message in the making.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Numbers, enums and flags.
    pub(crate) fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3);
        self.varint(value);
    }

    /// `int64`: below zero it takes ten bytes.
    pub(crate) fn signed(&mut self, field: u32, value: i64) {
        self.number(field, value as u64);
    }

    /// `fixed64`.
    pub(crate) fn fixed(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3 | 1);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, field: u32, text: &str) {
        self.data(field, text.as_bytes());
    }

    pub(crate) fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message::default();
        fill(&mut inner);
        self.data(field, &inner.0);
    }

    /// The fields of another message.
    pub(crate) fn append(&mut self, fields: &Message) {
        self.0.extend_from_slice(&fields.0);
    }

    /// Bytes, or a message that is there already.
    pub(crate) fn data(&mut self, field: u32, data: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(data.len() as u64);
        self.0.extend_from_slice(data);
    }

    pub(crate) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
