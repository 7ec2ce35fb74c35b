//! Follows a folder: lists it, and reads what is new.

use super::folder::Folder;
use std::io;
use steplens_core::watched::Watched;
use steplens_formats::watched::Reader;

/// How often files may grow while they are read, before that is left for the next look.
const MOST_ROUNDS: usize = 1_000;

/// A folder and what is known of it.
#[derive(Debug)]
pub struct Watch {
    folder: Folder,
    reader: Reader,
}

impl Watch {
    /// Nothing is read yet.
    pub fn new(folder: Folder) -> Self {
        Self { folder, reader: Reader::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// What is known.
    pub fn watched(&self) -> &Watched {
        self.reader.watched()
    }

    /// Reads what is new.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed. A file that cannot be read is a problem of the folder, and tried again at the next look.
    pub fn look(&mut self) -> io::Result<()> {
        self.reader.begin(self.folder.entries()?);
        for _ in 0..MOST_ROUNDS {
            let wants = self.reader.wants();
            if wants.is_empty() {
                break;
            }
            for want in wants {
                match self.folder.read(&want.path, want.from, want.to) {
                    Ok(bytes) => self.reader.read(&want.path, want.from, &bytes),
                    Err(why) if why.kind() == io::ErrorKind::NotFound => self.reader.unread(&want.path, None),
                    Err(why) => self.reader.unread(&want.path, Some(&why.to_string())),
                }
            }
        }
        Ok(())
    }
}
