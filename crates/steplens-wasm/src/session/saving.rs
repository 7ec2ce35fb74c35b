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
use steplens_export::{Format, LeftOut};
use steplens_formats::session::{self, Shown};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The word of the format that is no other tool's.
const SESSION: &str = "session";
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

#[wasm_bindgen]
impl Session {
    /// Begins a file of `format`, a word of the program's `--format`: of what is shown, or as a session of all that was opened, which shows `view` with these
    /// patterns for communication. Returns what its name ends in.
    #[wasm_bindgen(js_name = beginSaving)]
    pub fn begin_saving(
        &mut self,
        format: &str,
        view: String,
        communication: Vec<String>,
    ) -> Result<String, JsValue> {
        let written = Written::default();
        let mut out = written.clone();
        let (ending, work) = if format == SESSION {
            let (trace, files) = (Arc::clone(self.opened.as_ref().ok_or_else(not_open)?), self.files.clone());
            let write = |pace: Rc<Pace>| async move {
                let mut work = session_work(trace, files, Shown { view, communication });
                let bytes = loop {
                    if let Some(bytes) = work.go_on() {
                        break bytes;
                    }
                    let Parts { done, of } = work.parts();
                    pace.did(done, of);
                    pace.worked(PIECE).await;
                };
                for piece in bytes.chunks(PIECE) {
                    out.write_all(piece)?;
                    pace.worked(PIECE).await;
                }
                Ok(LeftOut::default())
            };
            ("steplens", Work::new(write))
        } else {
            let format = Format::by_word(format).ok_or_else(|| error("bad-option", format))?;
            let study = Rc::clone(self.study()?);
            let ending = format.ending(&study);
            (ending, Work::new(|pace| async move { format.write(&study, &mut out, &pace).await }))
        };
        self.saving = Some(Saving { work, written, left_out: LeftOut::default() });
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
