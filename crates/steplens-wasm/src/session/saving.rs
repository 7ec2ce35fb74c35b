//! What is open as a file of another tool, written piece by piece; the page keeps what each piece wrote.

use super::{Session, error, not_open};
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::Trace;
use steplens_core::base::pace::{Pace, Parts, Work};
use steplens_core::model::file::FileReport;
use steplens_export::pickle::runs;
use steplens_export::tables::stream::write_rows;
use steplens_export::{Format, LeftOut};
use steplens_formats::export::{self, Contents, Options};
use steplens_formats::session::{self, Shown};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The word of the format that is no other tool's.
const SESSION: &str = "session";
/// The word of the format whose rows are packed by another module, `steplens-parquet-wasm`.
const PARQUET: &str = "parquet";
/// A session is whole before it is written, in pieces of this size. More rows than any piece has.
const PIECE: usize = 1 << 20;

/// A file that is being written.
pub(super) struct Saving {
    work: Work<io::Result<LeftOut>>,
    written: Written,
    left_out: LeftOut,
}

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

/// A session, whole. By the same path as one that is written in pieces, so that it is compiled once.
pub(super) fn session_of(trace: &Arc<Trace>, files: Vec<FileReport>, shown: Shown) -> Vec<u8> {
    session_work(Arc::clone(trace), files, shown).end()
}

fn session_work(trace: Arc<Trace>, files: Vec<FileReport>, shown: Shown) -> Work<Vec<u8>> {
    Work::new(|pace| async move { session::paced(&trace, &files, &shown, &pace).await })
}

/// The same within other work, of which it is the first of `shares`.
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

/// A session that is whole before it is written.
async fn write_session(work: Work<Vec<u8>>, out: &mut dyn Write, pace: &Pace) -> io::Result<LeftOut> {
    for piece in session_within(work, pace, 1).await.chunks(PIECE) {
        out.write_all(piece)?;
        pace.worked(PIECE).await;
    }
    Ok(LeftOut::default())
}

/// The data of a page to share, whose session is still to be made.
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

/// What files are called without their folders, which do not concern whom an export is sent to.
fn own_names(files: &[FileReport]) -> Vec<String> {
    files.iter().map(|file| file.name.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

impl Session {
    /// Begins a file that `write` writes.
    fn begin<W: Future<Output = io::Result<LeftOut>> + 'static>(
        &mut self,
        write: impl FnOnce(Rc<Pace>, Written) -> W,
    ) {
        let written = Written::default();
        let out = written.clone();
        self.saving =
            Some(Saving { work: Work::new(|pace| write(pace, out)), written, left_out: LeftOut::default() });
    }

    /// Begins what stands in the place for data of a page to share: `trace`, opened as `options` say, which shows `view`.
    pub(super) fn begin_shared(
        &mut self,
        trace: Arc<Trace>,
        files: Vec<FileReport>,
        view: String,
        options: Options,
    ) {
        let name = export::session_name(&files);
        let contents = Contents { view, options, name, ..Contents::default() };
        // View and patterns are in the note next to it, where exports have always had them.
        let work = session_work(trace, files, Shown::default());
        self.begin(|pace, mut out| async move { write_shared(work, contents, &mut out, &pace).await });
    }
}

#[wasm_bindgen]
impl Session {
    /// Begins a file of `format`, a word of the program's `--format`: of what is shown, or as a session of all that was opened, which shows `view` with these
    /// patterns for communication. Of `parquet` it gives the rows of the tables, which another module packs. Returns what its name ends in.
    #[wasm_bindgen(js_name = beginSaving)]
    pub fn begin_saving(
        &mut self,
        format: &str,
        view: String,
        communication: Vec<String>,
    ) -> Result<String, JsValue> {
        if format == SESSION {
            let (trace, files) = (Arc::clone(self.viewing()?.opened()), self.files()?.to_vec());
            let work = session_work(trace, files, Shown { view, communication });
            self.begin(|pace, mut out| async move { write_session(work, &mut out, &pace).await });
            return Ok("steplens".to_owned());
        }
        if format == PARQUET {
            let study = Rc::clone(self.study()?);
            self.begin(|pace, mut out| async move {
                write_rows(&study, &mut out, &pace).await.map(|()| LeftOut::default())
            });
            return Ok("zip".to_owned());
        }
        let format = Format::by_word(format).ok_or_else(|| error("bad-option", format))?;
        let study = Rc::clone(self.study()?);
        let ending = format.ending(&study);
        let runs = match format {
            Format::TensorflowTracer => runs(&study, self.whole()?, &own_names(self.files()?)),
            _ => Vec::new(),
        };
        self.begin(|pace, mut out| async move { format.write(&study, &runs, &mut out, &pace).await });
        Ok(ending.to_owned())
    }

    /// Does one piece of it. Returns whether more is to be done.
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

    /// Takes what was written since this was last asked.
    #[wasm_bindgen(js_name = takeSaved)]
    pub fn take_saved(&mut self) -> Result<Uint8Array, JsValue> {
        let mut written = self.saving.as_ref().ok_or_else(not_open)?.written.0.borrow_mut();
        let bytes = Uint8Array::from(&**written);
        written.clear();
        Ok(bytes)
    }

    /// How many rows are written, and of how many; then what could not be: arrows, inputs, and of the fields of `Lost` each in turn.
    #[wasm_bindgen(js_name = savingFigures)]
    pub fn saving_figures(&self) -> Result<Vec<f64>, JsValue> {
        let saving = self.saving.as_ref().ok_or_else(not_open)?;
        let (Parts { done, of }, LeftOut { arrows, inputs, lost }) = (saving.work.parts(), saving.left_out);
        let left_out = [arrows, inputs, lost.categories, lost.calls, lost.devices, lost.runs, lost.cut];
        Ok([f64::from(done), f64::from(of)].into_iter().chain(left_out.map(|count| count as f64)).collect())
    }

    /// Forgets it, whole or not.
    #[wasm_bindgen(js_name = endSaving)]
    pub fn end_saving(&mut self) {
        self.saving = None;
    }
}
