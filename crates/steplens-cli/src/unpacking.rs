//! Packed files: unpacked on a thread of its own, while the opener reads what came out.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use steplens_formats::Opener;
use steplens_formats::unpack::{Packing, Stopped, Unpacker};

/// How much is handed over at once: it stays in the cache that two cores share.
const PIECE_BYTES: usize = 256 << 10;
/// How many pieces wait for the opener at most.
const MOST_WAITING: usize = 8;
const PACKED_BYTES: usize = 128 << 10;

/// Bytes of a file or of standard input, counted.
pub(crate) struct Source {
    from: Box<dyn Read + Send>,
    at: u64,
}

impl Source {
    pub(crate) fn new(from: Box<dyn Read + Send>) -> Self {
        Self { from, at: 0 }
    }

    /// How many bytes came.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Reads the next bytes into `slice`, as many as `at_least` unless the end comes before; returns how many.
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

/// What came out of some bytes of the file, in order.
struct Piece {
    unpacked: Vec<u8>,
    /// Up to where in the file.
    at: u64,
}

/// Gives `opener` what is in a packed file, which begins with `head` and goes on in `source`. `passed` hears where in the file the opener is, and how
/// far that is from the last place; it says whether to go on.
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
                // Without `pieces` the worker ends.
                break;
            }
            before = at;
            unpacked.clear();
            // After its last piece the worker needs no other.
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

/// The side that unpacks.
struct Worker {
    full: SyncSender<Piece>,
    /// Pieces that were read, to be filled again.
    empty: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    is_wanted: bool,
}

impl Worker {
    /// The first result is that of reading, the second that of unpacking.
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
            // What comes out of these bytes is on the way before they are counted as read.
            unpacker.push(&packed[..count], |unpacked| self.take(unpacked, at));
            at += count as u64;
        }
        let result = unpacker.finish(|unpacked| self.take(unpacked, at));
        self.hand_over(at);
        Ok(result)
    }

    fn take(&mut self, unpacked: &[u8], at: u64) {
        // Of what grows a thousandfold, little is in a piece at once.
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
