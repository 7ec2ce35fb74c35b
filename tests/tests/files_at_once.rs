//! Files that openers of their own have read, appended to one another, are the trace that one opener makes of all: to the last byte of its session.

use std::fs;
use std::path::PathBuf;
use steplens_core::{CategoryRules, Selection};
use steplens_formats::{Limits, Opener, session};
use steplens_tests::fixtures::{chrome_traces, fixtures_and_samples};
use steplens_tests::samples::sample_folder;

struct Given {
    name: String,
    bytes: Vec<u8>,
    process: Option<&'static str>,
}

fn read(opener: &mut Opener, file: &Given) {
    opener.begin_file(&file.name);
    file.process.into_iter().for_each(|process| opener.name_process(process));
    opener.push(&file.bytes);
    opener.end_file();
}

fn opener(selection: &Selection, limits: Limits) -> Opener {
    Opener::new(CategoryRules::default(), limits).select(selection.clone())
}

/// The session of what was opened, its shown view and what the files have of each device; or why nothing was.
fn said(opener: Opener) -> (Vec<u8>, String) {
    match opener.finish() {
        Ok(opened) => (
            session::write(&opened.trace, &opened.files),
            format!("{:?} {:?} {:?}", opened.shown, opened.found, opened.files),
        ),
        Err(why) => (Vec::new(), why.to_string()),
    }
}

fn check(what: &str, files: &[&Given], selection: &Selection) {
    let mut one = opener(selection, Limits::default());
    files.iter().for_each(|file| read(&mut one, file));
    let mut all = opener(selection, Limits::default());
    let template = all.apart(files.len()).expect("nothing was read yet");
    for file in files {
        let mut own = template.apart(1).expect("nothing was read yet");
        read(&mut own, file);
        assert!(all.append(own), "{what}: there is room");
    }
    let (one, all) = (said(one), said(all));
    assert!(one.1 == all.1, "{what}\none thread: {:.2000}\nseveral:    {:.2000}", one.1, all.1);
    assert!(one.0 == all.0, "{what}: sessions of {} and {} bytes differ", one.0.len(), all.0.len());
}

fn given(name: &str, bytes: Vec<u8>) -> Given {
    Given { name: name.to_owned(), bytes, process: None }
}

/// Every fixture next to the ones after it: formats, graphs, counters and sessions meet in all orders.
#[test]
fn fixtures_in_threes_are_what_one_opener_reads() {
    let mut all: Vec<Given> = fixtures_and_samples()
        .into_iter()
        .chain(chrome_traces())
        .map(|own| given(&own.name, own.bytes))
        .collect();
    let sessions: Vec<Given> = all
        .iter()
        .step_by(5)
        .filter_map(|own| {
            let opened = Opener::open_bytes(&own.name, &own.bytes, CategoryRules::default()).ok()?;
            Some(given(&format!("{}.steplens", own.name), session::write(&opened.trace, &opened.files)))
        })
        .collect();
    all.extend(sessions);
    all.push(given("nothing.txt", b"no trace at all".to_vec()));
    let count = all.len();
    let everything = Selection::default();
    for first in 0..count {
        let files = [first, (first + 7) % count, (first + 1) % count].map(|place| &all[place]);
        let names = files.map(|file| file.name.as_str()).join(" + ");
        check(&names, &files, &everything);
    }
}

#[test]
fn a_selection_and_names_of_processes_hold_for_each_file() {
    let mut files: Vec<Given> =
        fixtures_and_samples().into_iter().take(6).map(|own| given(&own.name, own.bytes)).collect();
    let selection = Selection::new(Some("CPU"), None).expect("an expression");
    check("devices", &files.iter().collect::<Vec<_>>(), &selection);
    for (file, name) in files.iter_mut().zip(["trainer0", "trainer1", "pserver0", "pserver1"]) {
        file.process = Some(name);
    }
    check("processes", &files.iter().collect::<Vec<_>>(), &Selection::default());
}

/// The ranks and workers of other people's jobs, each folder as one trace.
#[test]
fn ranks_of_other_people_are_what_one_opener_reads() {
    for folder in ["real/megatron-tp8", "real/dlrm-8", "../cases"].into_iter().filter_map(sample_folder) {
        let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
        paths.sort();
        let files: Vec<Given> = paths
            .iter()
            .map(|path| given(&path.display().to_string(), fs::read(path).expect("it is readable")))
            .collect();
        check(&folder.display().to_string(), &files.iter().collect::<Vec<_>>(), &Selection::default());
    }
}

/// What one opener could not hold is not taken from several.
#[test]
fn several_openers_hold_no_more_than_one() {
    let all = fixtures_and_samples();
    let file = all.iter().map(|own| given(&own.name, own.bytes.clone())).max_by_key(|own| own.bytes.len());
    let file = file.expect("a fixture");
    let limits = Limits { memory_bytes: 64 << 10 };
    let mut all = opener(&Selection::default(), limits);
    let mut own = all.apart(2).expect("nothing was read yet");
    read(&mut own, &file);
    assert!(!all.append(own));
    all.restart();
    read(&mut all, &file);
    let mut one = opener(&Selection::default(), limits);
    read(&mut one, &file);
    assert!(said(all) == said(one));
}
