//! For the Python package: traces opened from files as a command opens them, and files written as a command writes them. So both mean the
//! same by a folder, a packed file, a kept view and every option.

use crate::export::{self, left_out};
use crate::failure::Failure;
use crate::fleet::damage::damaged;
use crate::fleet::dataset::{Manifest, read_manifest};
use crate::fleet::index;
use crate::fleet::opening as fleets;
use crate::fleet::views::views;
use crate::options as args;
use crate::outputs::Output;
use crate::picture::{self, Form};
use crate::progress::Progress;
use crate::reading::at_once;
use crate::reading::input::{Input, inputs};
use crate::reading::loaded::{Loaded, is_named};
use crate::reading::opening;
use crate::shared::{Shared, hiding, only_traces};
use crate::sides::{self, Compared};
use clap::ValueEnum;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use steplens_core::model::file::FileReport;
use steplens_core::model::problem::Problem;
use steplens_core::redact::Included;
use steplens_core::{CategoryRules, Study, Trace};
use steplens_export::picture::{LEAST_WIDTH, MOST_WIDTH};
use steplens_export::{Format, timeline};
use steplens_formats::{Opener, session};
use steplens_messages::say;
use steplens_report::options::BadOption;
use steplens_report::question;

pub use crate::fleet::Piece;
pub use crate::fleet::dataset::Run;
pub use crate::fleet::member::SourceFile;
pub use crate::fleet::part::about as about_table;
pub use crate::fleet::questions::{Asked, Question};
pub use crate::progress::Stop;
pub use steplens_report::fleet::FleetTable;

/// What went wrong: a stable code (`docs/problems.md`), and a sentence that says what is wrong, what to do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable; programs read this.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl Fault {
    /// A file that could not be read.
    pub const NOT_READ: &str = "file-not-read";
    /// A file that could not be written.
    pub const NOT_WRITTEN: &str = "file-not-written";
    /// The work ended early because its [`Stop`] said so.
    pub const STOPPED: &str = "stopped";

    fn of(why: Failure, otherwise: &'static str) -> Self {
        let (code, message) = match why {
            Failure::Option(name, why) => (BadOption::CODE, format!("{name}: {why}")),
            Failure::Unusable(code, why) => (code, why),
            Failure::Stopped => (Self::STOPPED, String::new()),
            other => (otherwise, other.to_string()),
        };
        Self { code, message }
    }

    fn reading(why: Failure) -> Self {
        Self::of(why, Self::NOT_READ)
    }

    /// A failure of writing.
    pub fn not_written(why: Failure) -> Self {
        Self::of(why, Self::NOT_WRITTEN)
    }

    /// Of work that `stop` may have ended: then that is why.
    fn writing(why: Failure, stop: &Stop) -> Self {
        Self::of(if stop.is_wanted() { Failure::Stopped } else { why }, Self::NOT_WRITTEN)
    }
}

impl From<BadOption> for Fault {
    fn from(BadOption(message): BadOption) -> Self {
        Self { code: BadOption::CODE, message }
    }
}

/// What a command's options choose, in their words. The default is what the program does without options.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Regular expressions: what also counts as communication.
    pub communication: Vec<String>,
    /// A regular expression: only devices whose names match are read.
    pub devices: Option<String>,
    /// `START..END`: only ops in this window are read.
    pub window: Option<String>,
    /// How much memory the ops may take, in MiB.
    pub memory: Option<usize>,
    /// The place of a step, from 1; none for all.
    pub step: Option<usize>,
    /// What makes a step.
    pub rule: Option<String>,
    /// Findings of the doctor to repair.
    pub repairs: Vec<String>,
    /// What counts as the duration of ops that launched kernels.
    pub op_time: Option<String>,
    /// How clocks are aligned.
    pub clocks: Vec<String>,
    /// Not as a session kept it to be shown.
    pub as_recorded: bool,
}

impl Choices {
    fn files(&self) -> Result<args::Files, Failure> {
        let rule = |word: &String| {
            let unknown = |_| Failure::Option("rule", say!("bad-step-rule", word));
            args::Rule::from_str(word, false).map_err(unknown)
        };
        let repair = |word: &String| {
            let unknown = |_| Failure::Option("repairs", say!("bad-repair", word));
            args::Repair::from_str(word, false).map_err(unknown)
        };
        let op_time = |word: &String| {
            let unknown = |_| Failure::Option("op_time", say!("bad-op-time", word));
            args::LastsAs::from_str(word, false).map_err(unknown)
        };
        Ok(args::Files {
            files: Vec::new(),
            reading: args::Reading {
                communication: self.communication.clone(),
                devices: self.devices.clone(),
                steps_by: self.rule.as_ref().map(rule).transpose()?,
                repair: self.repairs.iter().map(repair).collect::<Result<_, _>>()?,
                op_time: self.op_time.as_ref().map(op_time).transpose()?,
                clocks: self.clocks.clone(),
                as_recorded: self.as_recorded,
                memory: self.memory,
            },
            window: self.window.clone(),
            step: self.step,
        })
    }
}

/// Files that were read as one trace. Any thread may have it.
pub struct Opened {
    /// Without the user's patterns, with the order of the files: what was opened once is exported as anything.
    trace: Arc<Trace>,
    shown: session::Shown,
    files: Vec<FileReport>,
    inputs: Vec<Input>,
    window: Option<Range<i64>>,
}

impl Opened {
    /// Reads files and folders, each a path or `NAME=PATH`, until `stop` says otherwise.
    pub fn read(paths: &[OsString], choices: &Choices, stop: &Stop) -> Result<Self, Fault> {
        let read = || {
            let files = choices.files()?;
            // They are applied to what is shown.
            opening::rules(&files)?;
            let inputs = inputs(paths)?;
            let window = opening::window(&files, &inputs)?;
            let mut opener = opener_of(&files, window.clone())?;
            at_once::open_each(&inputs, &mut opener, &mut Progress::until(stop))?;
            Self::finished(opener, inputs, window)
        };
        read().map_err(Fault::reading)
    }

    /// What is wrong with the files, and is no note of an intact one: each file with its problem, and whether the user named that
    /// file itself and nothing in it was usable.
    pub fn problems(&self) -> impl Iterator<Item = (&FileReport, &Problem, bool)> {
        self.files.iter().flat_map(|file| {
            let is_unusable = file.is_unreadable() && is_named(&self.inputs, file);
            let problems = file.problems.iter().filter(|problem| !problem.is_note());
            problems.map(move |problem| (file, problem, is_unusable))
        })
    }

    fn finished(opener: Opener, inputs: Vec<Input>, window: Option<Range<i64>>) -> Result<Self, Failure> {
        let opened = opening::finish(opener, &inputs)?;
        let (trace, files, shown) = (Arc::new(opened.trace), opened.files, opened.shown);
        Ok(Self { trace, shown, files, inputs, window })
    }

    /// What `choices` show of it. `devices`, `window` and `memory` were chosen when it was opened.
    pub fn show(self: &Arc<Self>, choices: &Choices) -> Result<Shown, Fault> {
        let show = || {
            let options = choices.files()?;
            let ruled = self.trace.with_patterns(&opening::rules(&options)?);
            let trace = Arc::clone(&self.trace);
            let loaded =
                Loaded::show(&options, trace, &ruled, &self.shown, self.files.clone(), &self.inputs)?;
            Ok(Shown { opened: Arc::clone(self), options, loaded })
        };
        show().map_err(Fault::reading)
    }
}

/// Reads as one trace what is not only files: `begin`, `push` and `end` for each thing, or `path`; then `finish`.
pub struct Opening {
    opener: Opener,
    inputs: Vec<Input>,
}

impl Opening {
    /// A window cannot be chosen: it counts from the first start, which nobody knows before.
    pub fn new(choices: &Choices) -> Result<Self, Fault> {
        let opener = || {
            let files = choices.files()?;
            opening::rules(&files)?;
            match files.window {
                Some(_) => Err(Failure::Option("window", say!("option-window-input").to_owned())),
                None => opener_of(&files, None),
            }
        };
        let opener = opener().map_err(Fault::reading)?;
        Ok(Self { opener, inputs: Vec::new() })
    }

    /// Starts the next thing, called `name`, of the process that the user calls so.
    pub fn begin(&mut self, name: &str, process: Option<&str>) {
        self.opener.begin_file(name);
        process.into_iter().for_each(|process| self.opener.name_process(process));
        let (name, process) = (name.to_owned(), process.map(str::to_owned));
        self.inputs.push(Input { name, process, path: None, folder: None });
    }

    /// Takes its next bytes; gives whether it wants more.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.opener.push(bytes);
        self.opener.wants_more()
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.opener.end_file();
    }

    /// Reads a file or folder, a path or `NAME=PATH`, until `stop` says otherwise.
    pub fn path(&mut self, path: OsString, stop: &Stop) -> Result<(), Fault> {
        let read = || {
            let inputs = inputs(&[path])?;
            at_once::open_each(&inputs, &mut self.opener, &mut Progress::until(stop))?;
            self.opener.end_file();
            self.inputs.extend(inputs);
            Ok(())
        };
        read().map_err(Fault::reading)
    }

    /// Builds the trace.
    pub fn finish(self) -> Result<Opened, Fault> {
        Opened::finished(self.opener, self.inputs, None).map_err(Fault::reading)
    }
}

fn opener_of(files: &args::Files, window: Option<Range<i64>>) -> Result<Opener, Failure> {
    opening::opener(files, window, CategoryRules::default()).map(Opener::keep_file_order)
}

/// What is shown of a trace. It stays on the thread that made it.
pub struct Shown {
    opened: Arc<Opened>,
    options: args::Files,
    loaded: Loaded,
}

/// A picture that is wanted, in the words of `steplens picture`.
#[derive(Clone, Debug)]
pub struct PictureChoices {
    /// What is drawn.
    pub of: String,
    /// `svg` or `png`.
    pub form: String,
    /// In pixels, 96 to an inch.
    pub width: u32,
    /// `light` or `dark`.
    pub theme: String,
    /// `text` or `outlines`.
    pub text: String,
    /// Of PNG: how many pixels each of the width has.
    pub scale: u32,
    /// The language of its texts.
    pub language: Option<String>,
    /// Whether it has a title and a caption.
    pub has_heading: bool,
    /// A regular expression: the devices that are drawn.
    pub devices: Option<String>,
    /// `START..END`, counted as the axis of the picture is.
    pub window: Option<String>,
}

impl Shown {
    /// Its analyses.
    pub fn study(&self) -> &Study {
        &self.loaded.study
    }

    /// What questions are asked about.
    pub fn answers(&self) -> question::Shown<'_> {
        self.loaded.shown()
    }

    /// The page `template` with the trace inside, as `steplens report` writes it: texts are hidden but for the kinds that `include` names.
    pub fn page(&self, template: &[u8], include: &[String], view: &str) -> Result<Vec<u8>, Fault> {
        let page = || {
            let include =
                include.iter().map(|word| word_of("include", word)).collect::<Result<Vec<_>, _>>()?;
            self.page_with(template, hiding::included(&include), view)
        };
        page().map_err(Fault::not_written)
    }

    /// The page with every text, for who has the trace anyway.
    pub fn own_page(&self, template: &[u8]) -> Result<Vec<u8>, Fault> {
        self.page_with(template, Included::ALL, "").map_err(Fault::not_written)
    }

    fn page_with(&self, template: &[u8], included: Included, view: &str) -> Result<Vec<u8>, Failure> {
        let Opened { trace, shown, files, inputs, window } = &*self.opened;
        let (trace, files) = only_traces(Trace::clone(trace), files.clone());
        let shared = Shared { trace: Arc::new(trace), files, shown, inputs, window: window.clone() };
        shared.page(&self.options, template, included, view)
    }

    /// `steplens.compare/1`: how another trace differs from this one, aligned at the op of this name.
    pub fn compare(&self, other: &Self, align: Option<&str>) -> Result<String, Fault> {
        let compare = || {
            let [a, b] = [self, other].map(|own| Compared::of(own.loaded.again(), &own.options, None));
            sides::json(&a?, &b?, align)
        };
        compare().map_err(|why| Fault::of(why, BadOption::CODE))
    }

    /// Writes a page or a picture to a file that is no input.
    pub fn write(&self, content: &[u8], path: &Path) -> Result<(), Fault> {
        let write = || Output::at(path, &self.opened.inputs)?.write_bytes(content).map(drop);
        write().map_err(Fault::not_written)
    }

    /// Writes it in another tool's format, until `stop` says otherwise: then nothing stays. Gives sentences that say what the format
    /// could not hold.
    pub fn export(
        &self,
        format: &str,
        output: &Path,
        timeline: timeline::Options,
        stop: &Stop,
    ) -> Result<Vec<String>, Fault> {
        let export = || {
            let unknown = || unknown("format", format, Format::ALL.map(Format::word));
            let format = Format::by_word(format).ok_or_else(unknown)?;
            let output = Output::at(output, &self.opened.inputs)?;
            let wanted = export::Wanted { files: &self.options, format, output, timeline, view: "" };
            let written = wanted.write(&self.loaded, Progress::until(stop))?;
            Ok(left_out::notes(written.left_out))
        };
        export().map_err(|why| Fault::writing(why, stop))
    }

    /// A picture as the bytes of a file, and what is to be said of it.
    pub fn picture(&self, wanted: &PictureChoices) -> Result<(Vec<u8>, Option<String>), Fault> {
        let draw = || {
            for (name, value, allowed) in
                [("width", wanted.width, LEAST_WIDTH..=MOST_WIDTH), ("scale", wanted.scale, 1..=8)]
            {
                if !allowed.contains(&value) {
                    let (from, to) = (allowed.start(), allowed.end());
                    return Err(Failure::Option(name, say!("option-range", value, from, to)));
                }
            }
            let languages: Vec<_> = steplens_messages::languages().collect();
            if let Some(own) = wanted.language.as_deref().filter(|own| !languages.contains(own)) {
                return Err(unknown("language", own, languages));
            }
            let form = match wanted.form.as_str() {
                "svg" => Form::Svg,
                "png" => Form::Png,
                other => return Err(unknown("form", other, ["svg", "png"])),
            };
            let picture::Drawing { bytes, note } = picture::Wanted {
                of: word_of("of", &wanted.of)?,
                form,
                width: wanted.width,
                theme: word_of("theme", &wanted.theme)?,
                text: word_of("text", &wanted.text)?,
                scale: wanted.scale,
                language: wanted.language.as_deref(),
                has_heading: wanted.has_heading,
                devices: wanted.devices.as_deref(),
                window: wanted.window.as_deref(),
            }
            .draw(&self.loaded)?;
            Ok((bytes, note))
        };
        draw().map_err(|why| Fault::of(why, BadOption::CODE))
    }
}

/// The value of an option that is one of some words.
fn word_of<T: ValueEnum>(option: &'static str, word: &str) -> Result<T, Failure> {
    let all = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
    T::from_str(word, false).map_err(|_| unknown(option, word, names))
}

fn unknown(option: &'static str, word: &str, words: impl IntoIterator<Item = impl Into<String>>) -> Failure {
    let words: Vec<String> = words.into_iter().map(Into::into).collect();
    Failure::Option(option, say!("option-word", word, words = words.join(", ")))
}

/// A file of a fleet: its run, and the rows that it has in each table of a dataset.
pub struct FleetFile {
    /// Its run: the column `run`.
    pub run: String,
    /// Its rows.
    pub tables: Vec<(FleetTable, Piece)>,
}

/// How the files of a fleet are read.
#[derive(Clone, Debug, Default)]
pub struct FleetChoices {
    /// The pattern of paths.
    pub path: Option<String>,
    /// Regular expressions: what also counts as communication.
    pub communication: Vec<String>,
    /// The tables that are wanted; all without any.
    pub tables: Vec<String>,
    /// How much memory the ops of a file may take, in MiB.
    pub memory: Option<usize>,
}

/// The files below `folder`, in the order in which they are indexed.
pub fn fleet_files(folder: &Path) -> Result<Vec<SourceFile>, Fault> {
    index::files(folder, folder).map_err(|why| Fault::reading(fleets::failure(folder, why)))
}

/// The statements that make a view of DuckDB for each table of a dataset.
pub fn fleet_views(dataset: &Path) -> Result<Vec<String>, Fault> {
    let views = read_manifest(dataset).and_then(|manifest| views(dataset, &manifest, &damaged(dataset)?));
    views.map_err(|why| Fault::reading(fleets::failure(dataset, why)))
}

/// The manifest of a dataset that another engine writes, as `steplens index` writes it.
pub fn fleet_manifest(
    dataset: &Path,
    folder: &Path,
    choices: &FleetChoices,
    runs: Vec<Run>,
) -> Result<String, Fault> {
    let made = || -> Result<String, Failure> {
        let options = fleets::options(choices.path.as_deref(), &choices.communication, &choices.tables)?;
        Ok(Manifest::new(dataset, folder, &options, runs).to_text()?)
    };
    made().map_err(Fault::reading)
}

/// What `steplens index` reads of one file below `folder`. A file that cannot be read is a row of the sources.
pub fn fleet_file(folder: &Path, source: &SourceFile, choices: &FleetChoices) -> Result<FleetFile, Fault> {
    let read = || {
        let options = fleets::options(choices.path.as_deref(), &choices.communication, &choices.tables)?;
        // Who reads a fleet with Python reads it on all cores.
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let open = fleets::open(&options.communication, choices.memory, cores, &Stop::default())?;
        let facts = index::facts_of(folder, &source.file, &options);
        let tables: Vec<FleetTable> =
            options.tables.iter().filter_map(|name| FleetTable::by_name(name)).collect();
        let tables = index::tables_of(folder, source, &facts, &tables, &open)?;
        Ok(FleetFile { run: facts.run, tables })
    };
    read().map_err(Fault::reading)
}
