//! `steplens index`: every trace of a folder as one dataset.

use crate::args;
use crate::render::{units, visible};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, process, thread};
use steplens_host::failure::Failure;
use steplens_host::fleet::damage::CODE;
use steplens_host::fleet::dataset::Known;
use steplens_host::fleet::index::{Done, Index, Indexed};
use steplens_host::fleet::opening::{failure, open, options};
use steplens_host::progress::{Progress, STOPPED, Stop, TO_END};
use steplens_messages::{choose_language, language, say};
use steplens_report::fleet::{FaultyFile, IndexAnswer, State};

/// How many files of a kind are listed one by one.
const MOST_LISTED: usize = 5;

pub(super) fn run(args: &args::Index) -> Result<(), Failure> {
    if !args.folder.is_dir() {
        let folder = args.folder.to_string_lossy().into_owned();
        return Err(Failure::Sentence(say!("fleet-no-folder", folder = visible(&folder))));
    }
    let options = options(args.path.as_deref(), &args.communication, &args.tables)?;
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.jobs.filter(|&jobs| jobs > 0).unwrap_or_else(cores);
    let stop = Stop::default();
    let open = open(&options.communication, args.memory, threads, &stop)?;
    let pressed = stop.clone();
    // Without the handler Ctrl+C ends the program all the same: then the part that is being made is lost.
    let scratch = Arc::new(OnceLock::<PathBuf>::new());
    let unfinished = Arc::clone(&scratch);
    let _ = ctrlc::set_handler(move || {
        pressed.stop();
        thread::sleep(TO_END);
        // What cannot be removed now goes when the dataset is opened again.
        let _ = unfinished.get().map(fs::remove_dir_all);
        // If standard error cannot be written, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {}", say!("fleet-stopped"));
        process::exit(STOPPED);
    });
    let index = Index {
        folder: &args.folder,
        dataset: &args.output,
        options: &options,
        threads,
        prunes: args.prune,
        open: &open,
        is_stopped: &|| stop.is_wanted(),
        scratch: &scratch,
    };
    let mut progress = None;
    let shown = language();
    // A dataset is read by scripts, whatever the language of who makes it.
    choose_language(["en"]);
    let done = index.run(&mut |done: Done| {
        let progress = progress.get_or_insert_with(|| Progress::of_reading(Some(done.of_bytes)));
        progress.add(done.bytes - progress.done());
    });
    choose_language([shown]);
    drop(progress);
    let indexed = done.map_err(|why| failure(&args.output, why))?;
    if args.json {
        return write_json(&indexed);
    }
    write_text(&indexed, &args.output)
}

fn write_json(indexed: &Indexed) -> Result<(), Failure> {
    let faulty = |own: &&Known| own.state != State::Whole.word();
    let answer = IndexAnswer {
        schema: IndexAnswer::SCHEMA,
        read: indexed.done.files,
        read_bytes: indexed.done.bytes,
        new: indexed.new,
        changed: indexed.changed,
        gone: indexed.gone,
        files: indexed.known.len(),
        ops: indexed.known.iter().map(|own| own.ops).sum(),
        runs: runs(indexed),
        faults: indexed
            .known
            .iter()
            .filter(faulty)
            .map(|own| FaultyFile {
                run: &own.run,
                file: &own.source.file,
                state: &own.state,
                code: own.problem.as_ref().map(|(code, _)| code.as_str()),
                what: own.problem.as_ref().map(|(_, what)| what.as_str()),
            })
            .chain(indexed.damaged.iter().map(|own| FaultyFile {
                run: &own.run,
                file: &own.file,
                state: State::Unreadable.word(),
                code: Some(CODE),
                what: Some(&own.what),
            }))
            .collect(),
    };
    Ok(writeln!(io::stdout(), "{}", answer.to_text())?)
}

fn runs(indexed: &Indexed) -> Vec<&str> {
    let mut runs: Vec<&str> = indexed.known.iter().map(|own| own.run.as_str()).collect();
    runs.dedup();
    runs
}

fn write_text(indexed: &Indexed, dataset: &Path) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let known = &indexed.known;
    let now = match indexed.done.files {
        0 => "0".to_owned(),
        files => format!("{files} · {}", units::bytes(indexed.done.bytes)),
    };
    let size = units::bytes(known.iter().map(|own| own.source.bytes).sum());
    let ops = units::count(known.iter().map(|own| own.ops).sum());
    writeln!(
        out,
        "{}",
        say!("fleet-indexed", count = known.len(), runs = runs(indexed).len(), ops, size, now)
    )?;
    let mut by_state: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
    for own in known.iter().filter(|own| own.state != State::Whole.word()) {
        by_state.entry(&own.state).or_default().push(own);
    }
    for (state, own) in by_state {
        let words = match state {
            "damaged" => say!("fleet-state-damaged"),
            "no-trace" => say!("fleet-state-no-trace"),
            _ => say!("fleet-state-unreadable"),
        };
        writeln!(out, "{}", say!("fleet-faults", count = own.len(), state = words))?;
        for own in own.iter().take(MOST_LISTED) {
            let (code, what) = own.problem.as_ref().map_or(("", ""), |(code, what)| (code, what));
            let file = &own.source.file;
            let line = if what.contains(file.as_str()) { what.to_owned() } else { format!("{file}: {what}") };
            writeln!(out, "  {} [{}]", visible(&line), visible(code))?;
        }
        if own.len() > MOST_LISTED {
            let dataset = dataset.to_string_lossy();
            let more = say!("fleet-more", count = own.len() - MOST_LISTED, dataset = visible(&dataset));
            writeln!(out, "  {more}")?;
        }
    }
    for own in &indexed.damaged {
        writeln!(out, "{} [{CODE}]", visible(&own.what))?;
    }
    if indexed.held > 0 {
        writeln!(out, "{}", say!("fleet-held", count = indexed.held))?;
    }
    if indexed.gone > 0 {
        writeln!(out, "{}", say!("fleet-gone", count = indexed.gone))?;
    }
    if known.iter().all(|own| own.ops == 0) && indexed.damaged.is_empty() {
        let folder = dataset.to_string_lossy();
        return Err(Failure::Unusable("no-traces", say!("fleet-empty", folder = visible(&folder))));
    }
    Ok(())
}
