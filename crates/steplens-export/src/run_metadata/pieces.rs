//! A message that is too large for memory, piece by piece: heads of the messages around, and messages that are whole.

use crate::buffer;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint, key_len, message};
use std::io::{self, Write};

/// Where the pieces go.
pub(super) struct Pieces<'o> {
    /// Nothing is written without it, only counted.
    out: Option<&'o mut dyn Write>,
    held: Vec<u8>,
    /// The bytes of all pieces.
    pub(super) bytes: u64,
}

impl<'o> Pieces<'o> {
    /// Pieces that are only counted.
    pub(super) fn counted() -> Self {
        Self { out: None, held: Vec::new(), bytes: 0 }
    }

    /// Pieces for `out`. The last ones go there in [`end`](Self::end).
    pub(super) fn written(out: &'o mut dyn Write) -> Self {
        Self { out: Some(out), held: Vec::new(), bytes: 0 }
    }

    /// Adds the head of a message of `bytes` bytes.
    pub(super) fn head(&mut self, field: u32, bytes: u64) {
        encode_key(field, WireType::LengthDelimited, &mut self.held);
        encode_varint(bytes, &mut self.held);
    }

    /// Adds a whole message.
    pub(super) fn message(&mut self, field: u32, piece: &impl Message) -> io::Result<()> {
        let Some(out) = &mut self.out else {
            self.bytes += message::encoded_len(field, piece) as u64;
            return Ok(());
        };
        message::encode(field, piece, &mut self.held);
        buffer::hand_over(&mut self.held, *out)
    }

    /// Adds the fields of a small message.
    pub(super) fn fields(&mut self, fields: &impl Message) -> io::Result<()> {
        match self.out {
            Some(_) => Ok(fields.encode(&mut self.held)?),
            None => {
                self.bytes += fields.encoded_len() as u64;
                Ok(())
            }
        }
    }

    /// Hands the last pieces over.
    pub(super) fn end(mut self) -> io::Result<()> {
        self.out.map_or(Ok(()), |out| buffer::flush(&mut self.held, out))
    }
}

/// How many bytes a message of `bytes` bytes takes inside another message.
pub(super) fn with_head(field: u32, bytes: u64) -> u64 {
    (key_len(field) + encoded_len_varint(bytes)) as u64 + bytes
}
