//! Gzip, unpacked as it arrives.

use super::Stopped;
use flate2::write::MultiGzDecoder;
use std::io::{self, Write};

/// Unpacks slices of a gzip stream of one or more members and hands on what comes out.
pub(crate) struct Gunzip {
    decoder: MultiGzDecoder<Out>,
    failed: Option<Stopped>,
}

impl Default for Gunzip {
    fn default() -> Self {
        Self { decoder: MultiGzDecoder::new(Out::default()), failed: None }
    }
}

/// Where the decoder puts its output until the caller takes it: at most one of its own buffers (32 KiB) at a time
/// arrives here, and [`Gunzip::push`] feeds it small slices, so that a bomb never swells this buffer.
#[derive(Default)]
struct Out(Vec<u8>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How much packed data is unpacked at once; deflate grows it to at most 1,032 times as much, 4 MiB.
const PACKED_SLICE_BYTES: usize = 4 << 10;

impl Gunzip {
    /// Unpacks `packed` and calls `sink` with what comes out. After damage everything is ignored.
    pub(crate) fn push(&mut self, packed: &[u8], mut sink: impl FnMut(&[u8])) {
        for slice in packed.chunks(PACKED_SLICE_BYTES) {
            if self.failed.is_some() {
                return;
            }
            let result = self.decoder.write_all(slice);
            self.hand_on(result, &mut sink);
        }
    }

    /// Hands on what is left.
    pub(crate) fn finish(&mut self, mut sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        if self.failed.is_none() {
            let result = self.decoder.try_finish();
            self.hand_on(result, &mut sink);
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    fn hand_on(&mut self, result: io::Result<()>, sink: &mut impl FnMut(&[u8])) {
        if result.is_err() {
            // The decoder still holds what it unpacked before the damage; it fails again, and that says no more.
            _ = self.decoder.try_finish();
        }
        let out = &mut self.decoder.get_mut().0;
        sink(out);
        out.clear();
        if let Err(error) = result {
            self.failed = Some(Stopped { code: "gzip-damaged", packing: "gzip", why: error.to_string() });
        }
    }
}
