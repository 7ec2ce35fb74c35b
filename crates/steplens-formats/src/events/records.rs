//! TFRecord framing, in slices of any size: a length, its checksum, that many bytes, their checksum.
//!
//! After a length that does not match its checksum, the start of the next record is not known. It is taken to be where twelve bytes
//! match each other again; the chance that other bytes do so is one in four billion.

use crate::crc32c::Crc32c;

/// A length and its checksum.
const HEAD_BYTES: u64 = 12;
const FOOT_BYTES: u32 = 4;

/// The next piece of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// The data of a record starts here, after bytes that belong to no record.
    Begin { length: u64, lost: u64 },
    /// Some of the record's data.
    Data(&'a [u8]),
    /// The end of the record, and whether its data matches its checksum.
    End { is_intact: bool },
}

/// What a file ends inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing: after a record, or before the first.
    Whole,
    /// This many bytes that belong to no record.
    Lost(u64),
    /// The length of a record or its checksum.
    InHead,
    /// The data of a record, or the checksum after it.
    InRecord,
}

/// Divides a file into its records.
pub(super) struct Records {
    crc32c: Crc32c,
    at: u64,
    state: State,
}

enum State {
    /// The last twelve bytes as a length and its checksum, and how many bytes were taken since the last record.
    Head {
        length: u64,
        checksum: u32,
        taken: u64,
    },
    Data {
        left: u64,
        crc: u32,
    },
    Foot {
        crc: u32,
        checksum: u32,
        taken: u32,
    },
}

const NEXT_RECORD: State = State::Head { length: 0, checksum: 0, taken: 0 };

impl Records {
    pub(super) fn new() -> Self {
        Self { crc32c: Crc32c::new(), at: 0, state: NEXT_RECORD }
    }

    /// The offset of the next byte.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Takes some of `bytes`; `None` if all of them are taken.
    pub(super) fn next<'a>(&mut self, bytes: &mut &'a [u8]) -> Option<Piece<'a>> {
        loop {
            match &mut self.state {
                // Nearly always a record follows the last one directly, and its head is within one slice.
                State::Head { taken: 0, .. } if let Some(length) = whole_head(&self.crc32c, bytes) => {
                    take(bytes, HEAD_BYTES, &mut self.at);
                    self.state = State::Data { left: length, crc: u32::MAX };
                    return Some(Piece::Begin { length, lost: 0 });
                }
                State::Head { length, checksum, taken } => {
                    let byte = take(bytes, 1, &mut self.at).first()?;
                    *length = *length >> 8 | u64::from(*checksum as u8) << 56;
                    *checksum = *checksum >> 8 | u32::from(*byte) << 24;
                    *taken += 1;
                    if *taken >= HEAD_BYTES && self.crc32c.of_length(*length) == *checksum {
                        let (length, lost) = (*length, *taken - HEAD_BYTES);
                        self.state = State::Data { left: length, crc: u32::MAX };
                        return Some(Piece::Begin { length, lost });
                    }
                }
                State::Data { left: 0, crc } => {
                    self.state = State::Foot { crc: Crc32c::masked(*crc), checksum: 0, taken: 0 };
                }
                State::Data { left, crc } => {
                    let data = take(bytes, *left, &mut self.at);
                    if data.is_empty() {
                        return None;
                    }
                    *left -= data.len() as u64;
                    *crc = self.crc32c.update(*crc, data);
                    return Some(Piece::Data(data));
                }
                State::Foot { crc, checksum, taken: FOOT_BYTES } => {
                    let is_intact = crc == checksum;
                    self.state = NEXT_RECORD;
                    return Some(Piece::End { is_intact });
                }
                State::Foot { checksum, taken: taken @ 0, .. } if let Some(whole) = bytes.first_chunk() => {
                    take(bytes, u64::from(FOOT_BYTES), &mut self.at);
                    (*checksum, *taken) = (u32::from_le_bytes(*whole), FOOT_BYTES);
                }
                State::Foot { checksum, taken, .. } => {
                    let byte = take(bytes, 1, &mut self.at).first()?;
                    *checksum = *checksum >> 8 | u32::from(*byte) << 24;
                    *taken += 1;
                }
            }
        }
    }

    /// What the file ends inside of if no byte follows.
    pub(super) fn end(&self) -> End {
        match self.state {
            State::Head { taken: 0, .. } => End::Whole,
            State::Head { taken: 1..HEAD_BYTES, .. } => End::InHead,
            State::Head { taken, .. } => End::Lost(taken),
            State::Data { .. } | State::Foot { .. } => End::InRecord,
        }
    }
}

/// The length at the start of `bytes`, if its checksum matches.
fn whole_head(crc32c: &Crc32c, bytes: &[u8]) -> Option<u64> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = u64::from_le_bytes(*length);
    let checksum = u32::from_le_bytes(*rest.first_chunk()?);
    (crc32c.of_length(length) == checksum).then_some(length)
}

/// Takes up to `count` of `bytes`.
fn take<'a>(bytes: &mut &'a [u8], count: u64, at: &mut u64) -> &'a [u8] {
    let count = usize::try_from(count).map_or(bytes.len(), |count| count.min(bytes.len()));
    let (taken, rest) = bytes.split_at(count);
    *bytes = rest;
    *at += count as u64;
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(data: &[u8]) -> Vec<u8> {
        let crc = Crc32c::new();
        let length = data.len() as u64;
        let checksum = Crc32c::masked(crc.update(u32::MAX, data));
        [&length.to_le_bytes()[..], &crc.of_length(length).to_le_bytes(), data, &checksum.to_le_bytes()]
            .concat()
    }

    /// The records of a file as (`lost` bytes, data, whether it is intact); and what the file ends inside of.
    fn read(file: &[u8], slice: usize) -> (Vec<(u64, Vec<u8>, bool)>, End) {
        let mut records = Records::new();
        let (mut found, mut data, mut lost_before) = (Vec::new(), Vec::new(), 0);
        for mut bytes in file.chunks(slice) {
            while let Some(piece) = records.next(&mut bytes) {
                match piece {
                    Piece::Begin { lost, .. } => lost_before = lost,
                    Piece::Data(bytes) => data.extend_from_slice(bytes),
                    Piece::End { is_intact } => {
                        found.push((lost_before, std::mem::take(&mut data), is_intact))
                    }
                }
            }
        }
        assert_eq!(records.at(), file.len() as u64);
        (found, records.end())
    }

    #[test]
    fn records_come_back_whatever_the_slices() {
        let file = [record(b"first"), record(b""), record(&[7; 300])].concat();
        let wanted = vec![(0, b"first".to_vec(), true), (0, vec![], true), (0, vec![7; 300], true)];
        for slice in [1, 5, 13, 1000] {
            assert_eq!(read(&file, slice), (wanted.clone(), End::Whole));
        }
    }

    #[test]
    fn damage_costs_the_record_that_it_is_in() {
        let parts = [record(b"first"), record(b"second"), record(b"third")];
        let length = parts[0].len();
        for at in 0..parts[1].len() {
            let mut file = parts.concat();
            file[length + at] ^= 0x20;
            let (found, end) = read(&file, 7);
            assert_eq!((&found[0], end), (&(0, b"first".to_vec(), true), End::Whole), "byte {at}");
            if at < 12 {
                assert_eq!(found[1..], [(parts[1].len() as u64, b"third".to_vec(), true)], "byte {at}");
            } else {
                assert!(!found[1].2 && found[2] == (0, b"third".to_vec(), true), "byte {at}");
            }
        }
    }

    #[test]
    fn files_that_end_early() {
        let file = record(b"data");
        let ends: Vec<_> = (0..=file.len()).map(|cut| read(&file[..cut], 100).1).collect();
        assert_eq!(ends[0], End::Whole);
        assert!(ends[1..12].iter().all(|&end| end == End::InHead));
        assert!(ends[12..file.len()].iter().all(|&end| end == End::InRecord));
        assert_eq!(ends[file.len()], End::Whole);
        assert_eq!(read(&[9; 40], 100), (vec![], End::Lost(40)));
    }
}
