//! Gzip, unpacked while the file is read.

use super::Stopped;
use flate2::write::MultiGzDecoder;
use std::io::{self, Write};

/// Unpacks slices of a gzip stream of one or more members and passes the output on.
pub(crate) struct Gunzip {
    decoder: MultiGzDecoder<Out>,
    failed: Option<Stopped>,
}

impl Default for Gunzip {
    fn default() -> Self {
        Self { decoder: MultiGzDecoder::new(Out::default()), failed: None }
    }
}

/// Receives the decoder's output until the caller takes it. At most one buffer of the decoder (32 KiB) arrives at a time, and
/// [`Gunzip::push`] passes small slices in, so that a bomb cannot fill the memory.
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

/// How many packed bytes are unpacked at once. Deflate expands them at most 1,032 times, to 4 MiB.
const PACKED_SLICE_BYTES: usize = 4 << 10;

impl Gunzip {
    /// Unpacks `packed` and calls `sink` with the output. After damage everything is ignored.
    pub(crate) fn push(&mut self, packed: &[u8], mut sink: impl FnMut(&[u8])) {
        for slice in packed.chunks(PACKED_SLICE_BYTES) {
            if self.failed.is_some() {
                return;
            }
            let result = self.decoder.write_all(slice);
            self.hand_on(result, &mut sink);
        }
    }

    /// Passes on the rest of the output.
    pub(crate) fn finish(&mut self, mut sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        if self.failed.is_none() {
            let result = self.decoder.try_finish();
            self.hand_on(result, &mut sink);
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    fn hand_on(&mut self, result: io::Result<()>, sink: &mut impl FnMut(&[u8])) {
        if result.is_err() {
            // The decoder still has output from before the damage. It fails again here, which gives no new information.
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
