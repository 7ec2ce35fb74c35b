//! Parquet for the page, in a module of its own with its own memory: rows of tables go in, a ZIP comes out.
//!
//! The core of the page gives the rows (`steplens_export::tables::stream`). The library that packs them is a fifth of the core's weight, and only who saves
//! Parquet needs it: so the hosted page loads this module then, and shared pages do not have it.
//!
//! What must never be here: a trace, logic.

use js_sys::Error;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use steplens_export::archive::Zip;
use steplens_export::parquet::ParquetFiles;
use steplens_export::tables::stream::RowReader;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// What was written and not taken yet.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A ZIP of Parquet files in the making.
#[wasm_bindgen]
pub struct ParquetZip {
    rows: RowReader,
    files: Option<ParquetFiles<Zip<Written>>>,
    written: Written,
}

#[wasm_bindgen]
impl ParquetZip {
    /// One without files.
    #[wasm_bindgen(constructor)]
    pub fn begun() -> Self {
        let written = Written::default();
        let files = Some(ParquetFiles::new(Zip::new(written.clone())));
        Self { rows: RowReader::default(), files, written }
    }

    /// Adds the rows in the next piece of what the core gave. Returns what is written by now.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<u8>, JsValue> {
        if let Some(files) = &mut self.files {
            self.rows.read(piece, files).map_err(failed)?;
        }
        Ok(self.take())
    }

    /// Ends the ZIP; returns the rest of it.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsValue> {
        if let Some(files) = self.files.take() {
            files.finish().and_then(Zip::finish).map_err(failed)?;
        }
        Ok(self.take())
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.written.0.borrow_mut())
    }
}

fn failed(why: io::Error) -> JsValue {
    Error::new(&why.to_string()).into()
}
