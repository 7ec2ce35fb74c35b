//! The list of formats: the word, the order, the files and the writer of each. The program's `--format`, the page's dialog and the
//! names of its files are made from it.

use crate::archive::{Archive, Zip};
use crate::pickle::{self, Run};
use crate::run_metadata::{Lost, RunMetadata};
use crate::{chakra, chrome, csv, perfetto, timeline};
use std::io::{self, Write};
use std::sync::Arc;
use steplens_core::base::pace::Pace;
use steplens_core::{Study, Trace};

/// A format of the program and of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What this crate writes, because it needs only a study.
    Own(Own),
    /// Every table as Parquet: `parquet/` writes it, where that feature is asked for.
    Parquet,
    /// A Steplens session: `steplens-formats` writes it.
    Session,
}

/// A format that this crate writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// Chrome trace JSON as `timeline.py` writes it, with arrows.
    Timeline,
    /// Chrome trace JSON.
    Chrome,
    /// Perfetto's own format.
    Perfetto,
    /// Every table as a CSV file.
    Csv,
    /// Execution traces for ASTRA-sim.
    Chakra,
    /// TensorFlow's own `RunMetadata`.
    RunMetadata,
    /// A pickle of the `RunMetadata`, for tfvis.
    Tfvis,
    /// A session of tensorflow-tracer: one pickled `RunMetadata` for each run.
    TensorflowTracer,
}

/// What is true of a format wherever it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The word for it on the command line. Its texts on the page are the messages `format-WORD` and `format-WORD-about`.
    pub word: &'static str,
    /// What the page puts behind the name of the trace. An extension that only this format has needs no other word.
    pub ending: &'static str,
    /// Whether it is several files, which become a folder or a ZIP.
    pub has_several_files: bool,
    /// Whether it has the blocks of the opened file, so that the opener must keep them.
    pub is_in_order_of_file: bool,
}

impl Facts {
    const fn one(word: &'static str, ending: &'static str) -> Self {
        Self { word, ending, has_several_files: false, is_in_order_of_file: false }
    }

    const fn several(word: &'static str, ending: &'static str) -> Self {
        Self { has_several_files: true, ..Self::one(word, ending) }
    }

    const fn in_order_of_file(word: &'static str, ending: &'static str) -> Self {
        Self { is_in_order_of_file: true, ..Self::one(word, ending) }
    }
}

impl Format {
    /// All formats, in the order in which the program lists them.
    pub const ALL: [Self; 10] = [
        Self::Own(Own::Timeline),
        Self::Own(Own::Chrome),
        Self::Own(Own::Perfetto),
        Self::Own(Own::Csv),
        Self::Parquet,
        Self::Own(Own::Chakra),
        Self::Own(Own::RunMetadata),
        Self::Own(Own::Tfvis),
        Self::Own(Own::TensorflowTracer),
        Self::Session,
    ];

    /// The same ones in the order of the page: the one that Steplens opens again as it was, then viewers, then programs of their own.
    pub const ON_THE_PAGE: [Self; Self::ALL.len()] = [
        Self::Session,
        Self::Own(Own::Chrome),
        Self::Own(Own::Perfetto),
        Self::Own(Own::Timeline),
        Self::Own(Own::RunMetadata),
        Self::Own(Own::Tfvis),
        Self::Own(Own::TensorflowTracer),
        Self::Own(Own::Csv),
        Self::Parquet,
        Self::Own(Own::Chakra),
    ];

    /// What is true of this format.
    pub const fn facts(self) -> Facts {
        match self {
            Self::Own(Own::Timeline) => Facts::in_order_of_file("timeline", "timeline.json"),
            Self::Own(Own::Chrome) => Facts::one("chrome", "chrome.json"),
            Self::Own(Own::Perfetto) => Facts::one("perfetto", "perfetto-trace"),
            Self::Own(Own::Csv) => Facts::several("csv", "csv.zip"),
            Self::Parquet => Facts::several("parquet", "parquet.zip"),
            Self::Own(Own::Chakra) => Facts::several("chakra", "chakra.zip"),
            Self::Own(Own::RunMetadata) => Facts::in_order_of_file("run-metadata", "run-metadata.pb"),
            Self::Own(Own::Tfvis) => Facts::in_order_of_file("tfvis", "tfvis.pickle"),
            Self::Own(Own::TensorflowTracer) => {
                Facts::in_order_of_file("tensorflow-tracer", "tensorflow-tracer.pickle")
            }
            Self::Session => Facts::one("session", "steplens"),
        }
    }

    /// The word for this format on the command line.
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// The format with this word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }
}

/// What some formats need beyond a study.
pub struct Extras {
    /// For [`Own::Timeline`].
    pub timeline: timeline::Options,
    /// The runs for [`Own::TensorflowTracer`].
    pub runs: Vec<Run>,
}

/// What the format could not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Transfers whose arrow would point backwards.
    pub arrows: u64,
    /// Inputs whose maker began after their reader.
    pub inputs: u64,
    /// What `RunMetadata` has no fields for.
    pub lost: Lost,
}

impl Own {
    /// All that this crate writes.
    pub fn all() -> impl Iterator<Item = Self> {
        Format::ALL.into_iter().filter_map(|format| match format {
            Format::Own(own) => Some(own),
            Format::Parquet | Format::Session => None,
        })
    }

    /// What the page puts behind the name of the trace that `study` is of.
    pub fn ending(self, study: &Study) -> &'static str {
        match self.is_several(study) {
            false if self == Self::Chakra => "chakra.et",
            _ => Format::Own(self).facts().ending,
        }
    }

    /// Whether it is several files of `study`: Chakra has one for each task.
    fn is_several(self, study: &Study) -> bool {
        Format::Own(self).facts().has_several_files && !(self == Self::Chakra && chakra::files(study) == 1)
    }

    /// What this format needs beyond `study`, whose trace was `whole` when it was opened, from files with these names. The timeline
    /// has arrows and no memory, as `timeline.py` makes it unless it is asked for something else.
    pub fn extras(self, study: &Study, whole: &Arc<Trace>, files: &[String]) -> Extras {
        let runs = match self {
            Self::TensorflowTracer => pickle::runs(study, whole, files),
            _ => Vec::new(),
        };
        Extras { timeline: timeline::Options { show_dataflow: true, show_memory: false }, runs }
    }

    /// Writes what `study` shows as one file, in pieces. Several files become a ZIP.
    pub async fn write_as_one(
        self,
        study: &Study,
        extras: &Extras,
        out: &mut dyn Write,
        pace: &Pace,
    ) -> io::Result<LeftOut> {
        if !self.is_several(study) {
            return self.write(study, extras, &mut Only(out), pace).await;
        }
        let mut zip = Zip::new(out);
        let left_out = self.write(study, extras, &mut zip, pace).await?;
        zip.finish()?;
        Ok(left_out)
    }

    /// Writes what `study` shows, in pieces. A format of one file begins none, so `out` must have begun it.
    pub async fn write(
        self,
        study: &Study,
        extras: &Extras,
        out: &mut dyn Archive,
        pace: &Pace,
    ) -> io::Result<LeftOut> {
        let mut left_out = LeftOut::default();
        match self {
            Self::Timeline => timeline::paced(study.trace(), extras.timeline, out, pace).await?,
            Self::Chrome => left_out.arrows = chrome::paced(study, out, pace).await?.backwards,
            Self::Perfetto => left_out.arrows = perfetto::paced(study, out, pace).await?.backwards,
            Self::Csv => csv::paced(study, out, pace).await?,
            Self::Chakra => left_out.inputs = chakra::paced(study, out, pace).await?.backwards,
            Self::RunMetadata | Self::Tfvis | Self::TensorflowTracer => {
                let own = RunMetadata::paced(study.trace(), pace).await;
                left_out.lost = own.lost();
                match self {
                    Self::Tfvis => pickle::tfvis_paced(&own, out, pace).await?,
                    Self::TensorflowTracer => {
                        pickle::session_paced(study.trace(), &own, &extras.runs, out, pace).await?;
                        // A session keeps a name and a date for each run, so none are lost.
                        left_out.lost.runs = 0;
                    }
                    _ => own.write_paced(out, pace).await?,
                }
            }
        }
        Ok(left_out)
    }
}

/// Takes the only file of an export, whatever its name.
pub struct Only<'o>(pub &'o mut dyn Write);

impl Write for Only<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Archive for Only<'_> {
    fn begin_file(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }
}
