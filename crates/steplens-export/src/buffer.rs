//! Bytes on their way to a sink: they wait until there are enough of them, because a sink may be slow to call.

use std::io::{self, Write};

/// How many bytes wait before they go to the sink.
pub(crate) const FULL: usize = 1 << 16;

/// Hands all `bytes` over to the sink, if there are enough of them.
#[inline]
pub(crate) fn hand_over(bytes: &mut Vec<u8>, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    if bytes.len() >= FULL { flush(bytes, out) } else { Ok(()) }
}

/// Hands all `bytes` over to the sink.
pub(crate) fn flush(bytes: &mut Vec<u8>, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    out.write_all(bytes)?;
    bytes.clear();
    Ok(())
}
