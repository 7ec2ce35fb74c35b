//! Seeded damage: the same broken files everywhere.

use crate::cases::seeds;

/// Random numbers: the same everywhere, from a seed.
pub struct Random(fastrand::Rng);

impl Random {
    /// Numbers that follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound.max(1))
    }

    /// Changes `file` in one of the ways that files get damaged.
    pub fn damage(&mut self, file: &mut Vec<u8>, other: &[u8]) {
        if file.is_empty() {
            // Nothing is left to damage: an earlier damage took it all.
            file.push(self.number() as u8);
            return;
        }
        let at = self.below(file.len());
        let length = self.below(40).min(file.len() - at);
        match self.below(9) {
            0..=2 => file[at] ^= 1 << self.below(8),
            3 => file[at..at + length].fill(self.number() as u8),
            4 => file[at] = [0, 0x7f, 0x80, 0xff][self.below(4)],
            5 => drop(file.drain(at..at + length)),
            6 => {
                // A huge length or number where some byte was.
                let huge = [0xff; 9].into_iter().chain([self.number() as u8 & 1]);
                file.splice(at..at + 1, huge);
            }
            7 => {
                let from = self.below(other.len());
                let piece = &other[from..(from + self.below(400)).min(other.len())];
                file.splice(at..at, piece.iter().copied());
            }
            _ => file.truncate(at.max(1)),
        }
    }
}

/// A file made of another by damage.
pub struct Mutant {
    /// What it was made with.
    pub seed: u64,
    /// Which file it was made of.
    pub own: usize,
    /// Its bytes.
    pub file: Vec<u8>,
}

/// One of each of the seeds: it is one of `files` with one to four damages, for which another one lends bytes.
pub fn mutants(files: &[Vec<u8>]) -> impl Iterator<Item = Mutant> {
    seeds().map(|seed| {
        let mut random = Random::new(seed);
        let own = random.below(files.len());
        let mut file = files[own].clone();
        let other = &files[random.below(files.len())];
        for _ in 0..=random.below(4) {
            random.damage(&mut file, other);
        }
        Mutant { seed, own, file }
    })
}
