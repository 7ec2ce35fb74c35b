//! TensorBoard event files, written as a test reads, and looked into without the product's reader.

use crate::wire::{put_bytes, put_varint};
use crc::{CRC_32_ISCSI, Crc};
use std::ops::Range;

/// A record around `data`, as TFRecord frames it.
pub fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    [&length[..], &checksum(&length), data, &checksum(data)].concat()
}

/// An `Event` of a step at a time (in seconds from 1970), with `rest` behind these.
pub fn event(step: u64, wall_time: f64, rest: &[u8]) -> Vec<u8> {
    let mut event = vec![0x09];
    event.extend_from_slice(&wall_time.to_le_bytes());
    if step > 0 {
        event.push(0x10);
        put_varint(&mut event, step);
    }
    event.extend_from_slice(rest);
    event
}

/// A field with its length before it.
pub fn field(number: u32, value: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    put_bytes(&mut field, number, value);
    field
}

/// `Event.tagged_run_metadata`.
pub fn tagged(tag: &str, run_metadata: &[u8]) -> Vec<u8> {
    field(8, &[field(1, tag.as_bytes()), field(2, run_metadata)].concat())
}

/// `Event.summary` with one value whose tensor is a text, as TensorFlow 2 writes it: `plugin` stands behind it.
pub fn summary(tag: &str, plugin: &str, text: &[u8]) -> Vec<u8> {
    let tensor = [vec![0x08, 7], field(2, b""), field(8, text)].concat();
    let metadata = field(1, &field(1, plugin.as_bytes()));
    field(5, &field(1, &[field(1, tag.as_bytes()), field(8, &tensor), field(9, &metadata)].concat()))
}

/// Where the data of each record lie in a file that is whole.
pub fn records(file: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(length) = file[at..].first_chunk() {
        let data = at + 12..at + 12 + u64::from_le_bytes(*length) as usize;
        at = data.end + 4;
        found.push(data);
    }
    found
}

/// Sets the checksums of all records right; a length that reaches beyond the file is shortened to fit.
pub fn set_checksums(file: &mut [u8]) {
    let mut rest = file;
    while let Some((head, after)) = rest.split_first_chunk_mut::<12>() {
        let Some(room) = after.len().checked_sub(4) else { return };
        let length = head.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
        let length = usize::try_from(length).unwrap_or(usize::MAX).min(room);
        head[..8].copy_from_slice(&(length as u64).to_le_bytes());
        let of_length = checksum(&head[..8]);
        head[8..].copy_from_slice(&of_length);
        let (data, after) = after.split_at_mut(length);
        let (of_data, after) = after.split_at_mut(4);
        of_data.copy_from_slice(&checksum(data));
        rest = after;
    }
}

/// The masked CRC-32C.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let crc = Crc::<u32>::new(&CRC_32_ISCSI).checksum(bytes);
    crc.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}
