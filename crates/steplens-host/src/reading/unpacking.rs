//! Unpacks packed files on a separate thread, while the opener reads the unpacked bytes.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use steplens_formats::Opener;
use steplens_formats::unpack::{Packing, Stopped, Unpacker};

/// How many bytes are passed on at once: few enough to stay in the cache that two cores share.
const PIECE_BYTES: usize = 256 << 10;
/// The most pieces that wait for the opener.
const MOST_WAITING: usize = 8;
const PACKED_BYTES: usize = 128 << 10;

/// The bytes of a file or of standard input, counted.
pub(crate) struct Source {
    from: Box<dyn Read + Send>,
    at: u64,
}

impl Source {
    pub(crate) fn new(from: Box<dyn Read + Send>) -> Self {
        Self { from, at: 0 }
    }

    /// How many bytes were read.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Reads the next bytes into `slice`: at least `at_least`, unless the end comes before. Returns how many.
    pub(crate) fn fill(&mut self, slice: &mut [u8], at_least: usize) -> io::Result<usize> {
        let mut filled = 0;
        while filled < at_least {
            match self.from.read(&mut slice[filled..]) {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    self.at += count as u64;
                }
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
        Ok(filled)
    }
}

/// Unpacked bytes, in order.
struct Piece {
    unpacked: Vec<u8>,
    /// The place in the packed file up to which it is unpacked.
    at: u64,
}

/// Passes the content of a packed file to `opener`. The file begins with `head` and continues in `source`. `passed` receives the
/// place in the packed file, and the bytes since the last call; it returns whether to continue.
pub(crate) fn open(
    source: &mut Source,
    head: &[u8],
    packing: Packing,
    opener: &mut Opener,
    mut passed: impl FnMut(&mut Opener, u64, u64) -> bool,
) -> io::Result<()> {
    opener.expect_unpacked(packing);
    let unpacker = Unpacker::new(packing, opener.limits().memory_bytes);
    let (full, pieces) = sync_channel(MOST_WAITING);
    let (used, empty) = channel();
    let worker = Worker { full, empty, piece: Vec::new(), is_wanted: true };
    thread::scope(|scope| {
        let unpacking = scope.spawn(move || worker.unpack(source, head, unpacker));
        let mut before = 0;
        for Piece { mut unpacked, at } in pieces {
            opener.push(&unpacked);
            opener.pass_over(at - before);
            if !passed(opener, at, at - before) {
                // Dropping `pieces` ends the worker.
                break;
            }
            before = at;
            unpacked.clear();
            // After its last piece, the worker does not take buffers back; then sending fails, which is fine.
            _ = used.send(unpacked);
        }
        match unpacking.join() {
            Ok(result) => {
                result.map(|packing| packing.err().into_iter().for_each(|why| opener.unpacking_stopped(why)))
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The unpacking side.
struct Worker {
    full: SyncSender<Piece>,
    /// Used buffers, to be filled again.
    empty: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    is_wanted: bool,
}

impl Worker {
    /// The outer result is that of reading, the inner one that of unpacking.
    fn unpack(
        mut self,
        source: &mut Source,
        head: &[u8],
        mut unpacker: Unpacker,
    ) -> io::Result<Result<(), Stopped>> {
        let mut at = head.len() as u64;
        unpacker.push(head, |unpacked| self.take(unpacked, at));
        let mut packed = vec![0; PACKED_BYTES];
        while self.is_wanted {
            let count = source.fill(&mut packed, 1)?;
            if count == 0 {
                break;
            }
            // The unpacked content of these bytes is sent before they count as read.
            unpacker.push(&packed[..count], |unpacked| self.take(unpacked, at));
            at += count as u64;
        }
        let result = unpacker.finish(|unpacked| self.take(unpacked, at));
        self.hand_over(at);
        Ok(result)
    }

    fn take(&mut self, unpacked: &[u8], at: u64) {
        // A packed slice may grow a thousandfold, so its content is passed on in pieces of limited size.
        for part in unpacked.chunks(PIECE_BYTES) {
            self.piece.extend_from_slice(part);
            if self.piece.len() >= PIECE_BYTES {
                self.hand_over(at);
            }
        }
    }

    fn hand_over(&mut self, at: u64) {
        let next = self.empty.try_recv().unwrap_or_default();
        let unpacked = std::mem::replace(&mut self.piece, next);
        self.is_wanted &= self.full.send(Piece { unpacked, at }).is_ok();
    }
}
