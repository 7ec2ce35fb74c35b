//! Several files in one output: the trait for a sink that takes files one after another, and a ZIP that is written as a stream.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::{self, Write};

/// A sink that takes files one after another.
pub trait Archive: Write {
    /// Begins the next file. Everything written from now on goes into it.
    fn begin_file(&mut self, name: &str) -> io::Result<()>;
}

impl<A: Archive + ?Sized> Archive for &mut A {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        (**self).begin_file(name)
    }
}

/// A ZIP of deflated files. The sizes stand after each file, so that they need not be known beforehand. They have 64 bits, so that
/// no file is too large.
pub struct Zip<W: Write> {
    out: Counting<W>,
    /// The file that is being written.
    file: Option<File>,
    done: Vec<File>,
    /// The encoder of the current file. Its buffer holds the compressed bytes that are not written yet.
    encoder: DeflateEncoder<Vec<u8>>,
}

struct File {
    name: Name,
    at: u64,
    crc: Crc,
    packed: u64,
    size: u64,
}

/// The name of a file. A ZIP has 16 bits for its length, in every version.
struct Name {
    bytes: Vec<u8>,
    length: u16,
}

impl Name {
    fn new(name: &str) -> io::Result<Self> {
        let bytes = name.as_bytes().to_vec();
        let length = u16::try_from(bytes.len()).map_err(|_| {
            let said =
                format!("the name of a file in a ZIP takes {} bytes, and may take {}", bytes.len(), u16::MAX);
            io::Error::new(io::ErrorKind::InvalidInput, said)
        })?;
        Ok(Self { bytes, length })
    }
}

struct Counting<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Counting<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// Version 4.5 of the format: sizes of 64 bits.
const VERSION: u16 = 45;
/// Bit 3: the sizes come after the file. Bit 11: names are UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
const DEFLATED: u16 = 8;
/// 1980-01-01, the first day that a ZIP can hold. A fixed date makes the same trace give the same bytes.
const DATE: u16 = 1 << 5 | 1;
/// The id of the extra field for sizes of 64 bits.
const ZIP64: u16 = 1;

fn encoder() -> DeflateEncoder<Vec<u8>> {
    DeflateEncoder::new(Vec::new(), Compression::fast())
}

impl<W: Write> Zip<W> {
    /// A ZIP that is written to `out`.
    pub fn new(out: W) -> Self {
        Self { out: Counting { out, bytes: 0 }, file: None, done: Vec::new(), encoder: encoder() }
    }

    /// Writes the list of files at the end. A ZIP without it cannot be read.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_file()?;
        let start = self.out.bytes;
        for file in &self.done {
            let mut entry = Entry::new(0x0201_4b50);
            entry.u16(VERSION).u16(VERSION).u16(FLAGS).u16(DEFLATED).u16(0).u16(DATE);
            entry.u32(file.crc.sum()).u32(u32::MAX).u32(u32::MAX);
            entry.u16(file.name.length).u16(28).u16(0).u16(0).u16(0).u32(0).u32(u32::MAX);
            entry.bytes(&file.name.bytes);
            entry.u16(ZIP64).u16(24).u64(file.size).u64(file.packed).u64(file.at);
            self.out.put(&entry.0)?;
        }
        let (end, files) = (self.out.bytes, self.done.len() as u64);
        let mut last = Entry::new(0x0606_4b50);
        last.u64(44).u16(VERSION).u16(VERSION).u32(0).u32(0);
        last.u64(files).u64(files).u64(end - start).u64(start);
        last.u32(0x0706_4b50).u32(0).u64(end).u32(1);
        last.u32(0x0605_4b50).u16(0).u16(0).u16(u16::MAX).u16(u16::MAX).u32(u32::MAX).u32(u32::MAX).u16(0);
        self.out.put(&last.0)?;
        self.out.out.flush()
    }

    fn end_file(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let rest = std::mem::replace(&mut self.encoder, encoder()).finish()?;
        self.out.put(&rest)?;
        file.packed += rest.len() as u64;
        let mut after = Entry::new(0x0807_4b50);
        after.u32(file.crc.sum()).u64(file.packed).u64(file.size);
        self.out.put(&after.0)?;
        self.done.push(file);
        Ok(())
    }
}

impl<W: Write> Archive for Zip<W> {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        let name = Name::new(name)?;
        self.end_file()?;
        let at = self.out.bytes;
        let mut head = Entry::new(0x0403_4b50);
        head.u16(VERSION).u16(FLAGS).u16(DEFLATED).u16(0).u16(DATE).u32(0).u32(u32::MAX).u32(u32::MAX);
        head.u16(name.length).u16(20).bytes(&name.bytes);
        head.u16(ZIP64).u16(16).u64(0).u64(0);
        self.out.put(&head.0)?;
        self.file = Some(File { name, at, crc: Crc::new(), packed: 0, size: 0 });
        Ok(())
    }
}

impl<W: Write> Write for Zip<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else { return Err(io::Error::other("no file was begun")) };
        file.crc.update(bytes);
        file.size += bytes.len() as u64;
        self.encoder.write_all(bytes)?;
        let packed = self.encoder.get_mut();
        self.out.put(packed)?;
        file.packed += packed.len() as u64;
        packed.clear();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.out.flush()
    }
}

/// A record of the archive: a signature, then little-endian numbers.
struct Entry(Vec<u8>);

impl Entry {
    fn new(signature: u32) -> Self {
        Self(signature.to_le_bytes().to_vec())
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_zip_cannot_hold_is_refused() {
        for (length, fits) in [(usize::from(u16::MAX), true), (usize::from(u16::MAX) + 1, false)] {
            let mut zip = Zip::new(Vec::new());
            let begun = zip.begin_file(&"n".repeat(length));
            assert_eq!(
                begun.map_err(|error| error.kind()),
                if fits { Ok(()) } else { Err(io::ErrorKind::InvalidInput) }
            );
        }
    }
}
