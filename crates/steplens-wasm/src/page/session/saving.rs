//! Saves the open trace as a file of another tool, written in pieces. The page collects the bytes of each piece.

use super::{Session, error, not_open};
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::Trace;
use steplens_core::base::pace::{Pace, Parts, Work};
use steplens_core::model::file::FileReport;
use steplens_export::tables::stream::write_rows;
use steplens_export::{Format, LeftOut};
use steplens_formats::export::{self, Contents, Options};
use steplens_formats::session::{self, Shown};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A session is made as a whole and then written in pieces of this size. As an amount of work it exceeds any piece, so that the
/// work pauses after each.
const PIECE: usize = 1 << 20;

/// A file that is being written.
pub(super) struct Saving {
    work: Work<io::Result<LeftOut>>,
    written: Written,
    left_out: LeftOut,
}

/// Bytes that were written and not taken yet.
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

/// A whole session. It uses the same code as a session in pieces, so that this is compiled only once.
pub(super) fn session_of(trace: &Arc<Trace>, files: Vec<FileReport>, shown: Shown) -> Vec<u8> {
    session_work(Arc::clone(trace), files, shown).end()
}

fn session_work(trace: Arc<Trace>, files: Vec<FileReport>, shown: Shown) -> Work<Vec<u8>> {
    Work::new(|pace| async move { session::paced(&trace, &files, &shown, &pace).await })
}

/// Makes a session within other work. It is the first of `shares` equal shares.
async fn session_within(mut work: Work<Vec<u8>>, pace: &Pace, shares: u32) -> Vec<u8> {
    loop {
        if let Some(bytes) = work.go_on() {
            return bytes;
        }
        let Parts { done, of } = work.parts();
        pace.did(done, of * shares);
        pace.worked(PIECE).await;
    }
}

/// Makes a whole session first, and then writes it.
async fn write_session(work: Work<Vec<u8>>, out: &mut dyn Write, pace: &Pace) -> io::Result<LeftOut> {
    for piece in session_within(work, pace, 1).await.chunks(PIECE) {
        out.write_all(piece)?;
        pace.worked(PIECE).await;
    }
    Ok(LeftOut::default())
}

/// Writes the data of a page to share, and makes its session first.
async fn write_shared(
    work: Work<Vec<u8>>,
    mut contents: Contents,
    out: &mut dyn Write,
    pace: &Pace,
) -> io::Result<LeftOut> {
    contents.session = session_within(work, pace, 2).await;
    export::write_data(&contents, out, pace).await?;
    Ok(LeftOut::default())
}

/// The names of the files without their folders, which the receiver of an export should not see.
fn own_names(files: &[FileReport]) -> Vec<String> {
    files.iter().map(|file| file.name.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

impl Session {
    /// Begins a file whose bytes come from `write`.
    fn begin<W: Future<Output = io::Result<LeftOut>> + 'static>(
        &mut self,
        write: impl FnOnce(Rc<Pace>, Written) -> W,
    ) {
        let written = Written::default();
        let out = written.clone();
        self.saving =
            Some(Saving { work: Work::new(|pace| write(pace, out)), written, left_out: LeftOut::default() });
    }

    /// Begins the data of a page to share: `trace`, opened as `options` say, which shows `view`.
    pub(super) fn begin_shared(
        &mut self,
        trace: Arc<Trace>,
        files: Vec<FileReport>,
        view: String,
        options: Options,
    ) {
        let name = export::session_name(&files);
        let contents = Contents { view, options, name, ..Contents::default() };
        // View and patterns go into the note next to the session, where exports have always had them.
        let work = session_work(trace, files, Shown::default());
        self.begin(|pace, mut out| async move { write_shared(work, contents, &mut out, &pace).await });
    }
}

#[wasm_bindgen]
impl Session {
    /// Begins a file in `format`, a word of the command line's `--format`. A session holds everything that was opened, and shows
    /// `view` with these patterns for communication; other formats hold what is shown. For `parquet`, the bytes are the rows of the
    /// tables, which another module packs. Returns the end of the file's name, without the first dot.
    #[wasm_bindgen(js_name = beginSaving)]
    pub fn begin_saving(
        &mut self,
        format: &str,
        view: String,
        communication: Vec<String>,
    ) -> Result<String, JsValue> {
        let format = Format::by_word(format).ok_or_else(|| error("bad-option", format))?;
        let ending = match format {
            Format::Own(own) => {
                let study = Rc::clone(self.study()?);
                let extras = own.extras(&study, self.whole()?, &own_names(self.files()?));
                let ending = own.ending(&study);
                self.begin(|pace, mut out| async move {
                    own.write_as_one(&study, &extras, &mut out, &pace).await
                });
                ending
            }
            Format::Parquet => {
                let study = Rc::clone(self.study()?);
                self.begin(|pace, mut out| async move {
                    write_rows(&study, &mut out, &pace).await.map(|()| LeftOut::default())
                });
                format.facts().ending
            }
            Format::Session => {
                let (trace, files) = (Arc::clone(self.viewing()?.opened()), self.files()?.to_vec());
                let work = session_work(trace, files, Shown { view, communication, ..Shown::default() });
                self.begin(|pace, mut out| async move { write_session(work, &mut out, &pace).await });
                format.facts().ending
            }
        };
        Ok(ending.to_owned())
    }

    /// Does one piece of the saving. Returns whether there is more to do.
    #[wasm_bindgen(js_name = saveOne)]
    pub fn save_one(&mut self) -> Result<bool, JsValue> {
        let saving = self.saving.as_mut().ok_or_else(not_open)?;
        match saving.work.go_on() {
            None => Ok(true),
            Some(Ok(left_out)) => {
                saving.left_out = left_out;
                Ok(false)
            }
            Some(Err(why)) => Err(error("not-saved", &why.to_string())),
        }
    }

    /// Takes the bytes that were written since the last call.
    #[wasm_bindgen(js_name = takeSaved)]
    pub fn take_saved(&mut self) -> Result<Uint8Array, JsValue> {
        let mut written = self.saving.as_ref().ok_or_else(not_open)?.written.0.borrow_mut();
        let bytes = Uint8Array::from(&**written);
        written.clear();
        Ok(bytes)
    }

    /// The rows written, the rows in total, and then what could not be written: arrows, inputs, and each field of `Lost` in turn.
    #[wasm_bindgen(js_name = savingFigures)]
    pub fn saving_figures(&self) -> Result<Vec<f64>, JsValue> {
        let saving = self.saving.as_ref().ok_or_else(not_open)?;
        let (Parts { done, of }, LeftOut { arrows, inputs, lost }) = (saving.work.parts(), saving.left_out);
        let left_out = [arrows, inputs, lost.categories, lost.calls, lost.devices, lost.runs, lost.cut];
        Ok([f64::from(done), f64::from(of)].into_iter().chain(left_out.map(|count| count as f64)).collect())
    }

    /// Drops the file, whether it is finished or not.
    #[wasm_bindgen(js_name = endSaving)]
    pub fn end_saving(&mut self) {
        self.saving = None;
    }
}
