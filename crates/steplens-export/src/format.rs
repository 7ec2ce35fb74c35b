//! The formats that need only a study, each written as one file. The page offers the same ones.

use crate::archive::Zip;
use crate::pickle::{self, Run};
use crate::run_metadata::{Lost, RunMetadata};
use crate::{chakra, chrome, csv, perfetto, timeline};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::base::pace::Pace;

/// A format that is written as one file; a format of several files becomes a ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
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

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Timeline,
        Self::Chrome,
        Self::Perfetto,
        Self::Csv,
        Self::Chakra,
        Self::RunMetadata,
        Self::Tfvis,
        Self::TensorflowTracer,
    ];

    /// The word for this format on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Chrome => "chrome",
            Self::Perfetto => "perfetto",
            Self::Csv => "csv",
            Self::Chakra => "chakra",
            Self::RunMetadata => "run-metadata",
            Self::Tfvis => "tfvis",
            Self::TensorflowTracer => "tensorflow-tracer",
        }
    }

    /// The format with this word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// The extension of the file name, without the dot.
    pub fn ending(self, study: &Study) -> &'static str {
        match self {
            Self::Timeline | Self::Chrome => "json",
            Self::Perfetto => "perfetto-trace",
            Self::Chakra if chakra::files(study) == 1 => "et",
            Self::Chakra | Self::Csv => "zip",
            Self::RunMetadata => "pb",
            Self::Tfvis | Self::TensorflowTracer => "pickle",
        }
    }

    /// Writes what `study` shows, in pieces. `runs` are the runs for [`Format::TensorflowTracer`].
    pub async fn write(
        self,
        study: &Study,
        runs: &[Run],
        out: &mut dyn Write,
        pace: &Pace,
    ) -> io::Result<LeftOut> {
        let mut left_out = LeftOut::default();
        match self {
            Self::Timeline => {
                let options = timeline::Options { show_dataflow: true, show_memory: false };
                timeline::paced(study.trace(), options, out, pace).await?;
            }
            Self::Chrome => left_out.arrows = chrome::paced(study, out, pace).await?.backwards,
            Self::Perfetto => left_out.arrows = perfetto::paced(study, out, pace).await?.backwards,
            Self::Csv => {
                let mut zip = Zip::new(out);
                csv::paced(study, &mut zip, pace).await?;
                zip.finish()?;
            }
            Self::Chakra if chakra::files(study) != 1 => {
                let mut zip = Zip::new(out);
                left_out.inputs = chakra::paced(study, &mut zip, pace).await?.backwards;
                zip.finish()?;
            }
            Self::Chakra => left_out.inputs = chakra::paced(study, &mut Only(out), pace).await?.backwards,
            Self::RunMetadata | Self::Tfvis | Self::TensorflowTracer => {
                let own = RunMetadata::paced(study.trace(), pace).await;
                left_out.lost = own.lost();
                match self {
                    Self::Tfvis => pickle::tfvis_paced(&own, out, pace).await?,
                    Self::TensorflowTracer => {
                        pickle::session_paced(study.trace(), &own, runs, out, pace).await?;
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

/// Takes the only file of the export, whatever its name.
struct Only<'o>(&'o mut dyn Write);

impl Write for Only<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl crate::archive::Archive for Only<'_> {
    fn begin_file(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }
}
