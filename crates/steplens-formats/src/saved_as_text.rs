//! Binary files that a program read and wrote as text: each byte that is no UTF-8 became U+FFFD, and nothing brings it back.

use crate::error::ReadErrorKind;
use crate::reader::Found;
use steplens_messages::say;

/// The number of bytes that are looked at: a protobuf of that length has bytes that are no UTF-8.
const LOOKED_AT: usize = 4 << 10;
/// U+FFFD, as UTF-8.
const REPLACED: &[u8] = "\u{fffd}".as_bytes();
/// Names may have one U+FFFD of their own.
const LEAST: usize = 2;

/// The first bytes of a file.
#[derive(Default)]
pub(crate) struct Beginning {
    bytes: Vec<u8>,
}

impl Beginning {
    /// Takes the next slice.
    pub(crate) fn push(&mut self, slice: &[u8]) {
        let room = LOOKED_AT - self.bytes.len();
        if room > 0 {
            self.bytes.extend_from_slice(&slice[..room.min(slice.len())]);
        }
    }

    /// Says of a damaged file that it was saved as text, if it was.
    pub(crate) fn judge(&self, mut found: Found) -> Found {
        let Some((count, first)) = self.replaced() else { return found };
        let nothing = match &mut found {
            Found::Trace(found) => {
                let has_problem = found.problems.as_slice().iter().any(|problem| !problem.is_note());
                if has_problem || found.stopped_at.is_some() {
                    found.problems.add_many("saved-as-text", count, first, || say!("saved-as-text", count));
                }
                found.nothing.as_mut()
            }
            Found::Nothing(nothing) => Some(nothing),
            Found::Session(_) => None,
        };
        if let Some(ReadErrorKind::NoOpsReadable { offset, what, .. }) = nothing {
            (*offset, *what) = (first, say!("got-text").to_owned());
        }
        found
    }

    /// How many bytes were replaced, and the place of the first; `None` if it was not saved as text.
    fn replaced(&self) -> Option<(u64, u64)> {
        // A text has no such bytes, whatever it was saved as.
        let is_binary = self.bytes.iter().any(|byte| *byte < b'\t');
        let is_text = match std::str::from_utf8(&self.bytes) {
            Ok(_) => true,
            // A letter that the last byte cuts.
            Err(error) => error.error_len().is_none(),
        };
        let mut places = self.bytes.windows(REPLACED.len()).enumerate().filter(|(_, own)| *own == REPLACED);
        let first = places.next()?.0;
        let count = 1 + places.count();
        (is_binary && is_text && count >= LEAST).then_some((count as u64, first as u64))
    }
}
