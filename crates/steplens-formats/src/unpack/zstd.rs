//! Zstd, unpacked while the file is read, block by block. A block has at most 128 KiB, packed and unpacked.
//!
//! The layout is that of RFC 8878. Frames follow one another, and some must be skipped. The decoder keeps as much of its output as
//! the frame may refer back to: its window.

use super::Stopped;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, Write};
use steplens_messages::say;

/// The largest window that is unpacked: the default limit of the program `zstd`.
const MAX_WINDOW_BYTES: usize = 128 << 20;
const MAX_BLOCK_BYTES: usize = 128 << 10;
/// How many bytes are taken before blocks are searched.
const PACKED_SLICE_BYTES: usize = 64 << 10;

const MAGIC: u32 = 0xfd2f_b528;
/// The last four bits of the first byte may have any value.
const SKIPPED_MAGIC: u32 = 0x184d_2a50;

/// An empty last block and a checksum that is not read: it makes the decoder give out the content of its window.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Unpacks slices of a stream of frames.
pub(crate) struct Unzstd {
    max_window_bytes: usize,
    decoder: FrameDecoder,
    /// The beginning of a head or block that is not complete yet.
    held: Vec<u8>,
    state: State,
    failed: Option<Stopped>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    BetweenFrames,
    Blocks { has_checksum: bool },
    Skipping { left: u64 },
}

/// Passes on what the decoder writes.
struct Out<F>(F);

impl<F: FnMut(&[u8])> Write for Out<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.0)(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Unzstd {
    /// An unpacker whose window may use `memory_bytes`.
    pub(crate) fn new(memory_bytes: usize) -> Self {
        Self {
            max_window_bytes: memory_bytes.min(MAX_WINDOW_BYTES),
            decoder: FrameDecoder::new(),
            held: Vec::new(),
            state: State::BetweenFrames,
            failed: None,
        }
    }

    /// Unpacks `packed` and calls `sink` with the output. After damage everything is ignored.
    pub(crate) fn push(&mut self, packed: &[u8], mut sink: impl FnMut(&[u8])) {
        for slice in packed.chunks(PACKED_SLICE_BYTES) {
            if self.failed.is_some() {
                return;
            }
            self.held.extend_from_slice(slice);
            let held = std::mem::take(&mut self.held);
            let mut rest = held.as_slice();
            while self.failed.is_none()
                && let Some(taken) = self.step(rest, &mut sink)
            {
                rest = &rest[taken..];
            }
            let taken = held.len() - rest.len();
            self.held = held;
            self.held.drain(..taken);
        }
    }

    /// Passes on the rest of the output.
    pub(crate) fn finish(&mut self, mut sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        if self.state != State::BetweenFrames || !self.held.is_empty() {
            self.fail(say!("zstd-no-last-block"));
        }
        if self.failed.is_some() && matches!(self.state, State::Blocks { .. }) {
            _ = self.decoder.decode_blocks(&LAST_BLOCK[..], BlockDecodingStrategy::UptoBlocks(1));
            self.hand_on(&mut sink);
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Processes the start of `bytes` and returns how many bytes that was; `None` if more bytes are needed, or if they are invalid.
    fn step(&mut self, bytes: &[u8], sink: &mut impl FnMut(&[u8])) -> Option<usize> {
        match self.state {
            State::BetweenFrames => self.begin_frame(bytes),
            State::Blocks { has_checksum } => self.block(bytes, has_checksum, sink),
            State::Skipping { left } => {
                let taken = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
                let left = left - taken as u64;
                self.state = if left > 0 { State::Skipping { left } } else { State::BetweenFrames };
                (taken > 0).then_some(taken)
            }
        }
    }

    fn begin_frame(&mut self, bytes: &[u8]) -> Option<usize> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let magic = u32::from_le_bytes(*magic);
        if magic & !15 == SKIPPED_MAGIC {
            let length = u32::from_le_bytes(*rest.first_chunk()?);
            if length > 0 {
                self.state = State::Skipping { left: u64::from(length) };
            }
            return Some(8);
        }
        if magic != MAGIC {
            self.fail(say!("zstd-no-frame"));
            return None;
        }
        // The bits of the descriptor say which fields follow, and how long they are.
        let descriptor = *rest.first()?;
        let is_single_segment = descriptor & 0x20 != 0;
        let dictionary_id = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let content_size = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
        let length = 5 + usize::from(!is_single_segment) + dictionary_id + content_size;
        let head = bytes.get(..length)?;
        // A decoder that is reused would reserve the window that a frame claims, before it has any content.
        self.decoder = FrameDecoder::new();
        self.decoder.set_max_window_size(self.max_window_bytes as u64);
        match self.decoder.reset(head) {
            Ok(()) => self.state = State::Blocks { has_checksum: descriptor & 4 != 0 },
            Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                self.refuse(say!("zstd-window", size = requested.div_ceil(1 << 20)));
            }
            Err(FrameDecoderError::DictNotProvided { .. }) => {
                self.refuse(say!("zstd-dictionary").to_owned());
            }
            Err(_) => self.fail(say!("zstd-bad-head")),
        }
        Some(length)
    }

    fn block(&mut self, bytes: &[u8], has_checksum: bool, sink: &mut impl FnMut(&[u8])) -> Option<usize> {
        let &[a, b, c] = bytes.first_chunk()?;
        let head = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, is_repeated, size) = (head & 1 == 1, head >> 1 & 3 == 1, (head >> 3) as usize);
        if size > MAX_BLOCK_BYTES {
            self.fail(say!("zstd-long-block"));
            return None;
        }
        let packed = if is_repeated { 1 } else { size };
        let length = 3 + packed + if is_last && has_checksum { 4 } else { 0 };
        let block = bytes.get(..length)?;
        if self.decoder.decode_blocks(block, BlockDecodingStrategy::UptoBlocks(1)).is_err() {
            self.fail(say!("zstd-bad-block"));
            return None;
        }
        self.hand_on(sink);
        if is_last {
            self.state = State::BetweenFrames;
            let wanted = self.decoder.get_checksum_from_data();
            if wanted.is_some() && wanted != self.decoder.get_calculated_checksum() {
                self.fail(say!("zstd-checksum"));
            }
        }
        Some(length)
    }

    fn hand_on(&mut self, sink: &mut impl FnMut(&[u8])) {
        // Writing to a closure cannot fail.
        _ = self.decoder.collect_to_writer(Out(sink));
    }

    fn fail(&mut self, why: &str) {
        self.failed.get_or_insert_with(|| Stopped {
            code: "zstd-damaged",
            packing: "zstd",
            why: why.to_owned(),
        });
    }

    fn refuse(&mut self, why: String) {
        self.failed.get_or_insert(Stopped { code: "zstd-refused", packing: "zstd", why });
    }
}
