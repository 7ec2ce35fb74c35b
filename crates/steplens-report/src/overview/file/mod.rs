//! The file `overview.steplens-fleet`, version 2.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `STPFLEET` |
//! | 4 | the version |
//! | 4 | how long the head is, packed |
//! | 4 | how long it is, unpacked |
//! | 8 | how long all blocks are |
//! | | the head: JSON |
//! | | the blocks, one after the other; the head says where each is |
//!
//! Numbers are little endian. The head and each block are a zlib stream of their own, whose checksum finds what was damaged, so that one
//! plane is read without the others.

mod head;
mod numbers;
mod packing;

pub(crate) use head::{Head, Most, PlaneOf, Row, Run};
pub(crate) use numbers::{f32_bytes, f32s, i64_bytes, i64s, u32_bytes, u32s};
pub(crate) use packing::{Block, Blocks};

use crate::overview::error::{Unreadable, UnreadableKind, damaged};

const MAGIC: &[u8; 8] = b"STPFLEET";
const VERSION: u32 = 2;
/// Before the head.
const FRONT: usize = 28;
/// The most that a head may be, unpacked.
const MOST_HEAD: usize = 128 << 20;

/// The bytes of a file.
pub(crate) fn write(head: &Head, blocks: &Blocks) -> Vec<u8> {
    // Writing to memory succeeds.
    let text = serde_json::to_vec(head).unwrap_or_default();
    let packed = packing::packed(&text);
    let mut file = Vec::with_capacity(FRONT + packed.len() + blocks.bytes().len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&(packed.len() as u32).to_le_bytes());
    file.extend_from_slice(&(text.len() as u32).to_le_bytes());
    file.extend_from_slice(&(blocks.bytes().len() as u64).to_le_bytes());
    file.extend_from_slice(&packed);
    file.extend_from_slice(blocks.bytes());
    file
}

/// The head of a file, and where its blocks begin.
///
/// # Errors
///
/// If it is no such file, or a damaged one.
pub(crate) fn read(file: &[u8]) -> Result<(Head, usize), Unreadable> {
    if !file.starts_with(MAGIC) {
        return Err(match MAGIC.starts_with(file) && !file.is_empty() {
            true => UnreadableKind::Cut { wanted: FRONT as u64, got: file.len() as u64 },
            false => UnreadableKind::Other,
        }
        .into());
    }
    let cut = |wanted: u64| UnreadableKind::Cut { wanted, got: file.len() as u64 };
    let front: &[u8; FRONT] = file.first_chunk().ok_or_else(|| cut(FRONT as u64))?;
    let number = |at: usize| u32::from_le_bytes([front[at], front[at + 1], front[at + 2], front[at + 3]]);
    if number(8) != VERSION {
        return Err(UnreadableKind::Newer { version: number(8) }.into());
    }
    let (packed, length) = (number(12) as usize, number(16) as usize);
    let blocks = u64::from(number(20)) | u64::from(number(24)) << 32;
    let begin = FRONT + packed;
    let wanted = (begin as u64).saturating_add(blocks);
    if wanted != file.len() as u64 {
        return Err(cut(wanted).into());
    }
    if length > MOST_HEAD {
        return Err(damaged("head", length));
    }
    let text = packing::unpacked(&file[FRONT..begin], length, "head")?;
    let head: Head = serde_json::from_slice(&text).map_err(|why| damaged("head", why))?;
    head.check(file.len() - begin)?;
    Ok((head, begin))
}
