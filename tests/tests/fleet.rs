//! A folder of traces as a dataset: whatever happens on the way, it is the same dataset; and its small tables are what the summary says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};
use steplens_core::steps::figures::is_usual;
use steplens_core::{CategoryRules, Study, View};
use steplens_formats::{Limits, Opened, Opener};
use steplens_host::fleet::dataset::{Fault, Options};
use steplens_host::fleet::index::{Index, Indexed, facts_of, tables_of};
use steplens_host::fleet::member::{NotRead, SourceFile};
use steplens_report::fleet::{FleetTable, Member, PathSays, State};
use steplens_report::summary;
use steplens_report::tables::{Column, Value};
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::fleet::{Fleet, STRAGGLER};
use steplens_tests::places::scratch;
use steplens_tests::samples::sample_folder;

/// A row of a table, by its columns.
type Row = BTreeMap<&'static str, String>;

/// An empty folder of the test called `name`.
fn folder(name: &str) -> PathBuf {
    let folder = scratch().join("fleet").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an earlier test's folder goes");
    }
    fs::create_dir_all(&folder).expect("a folder of the build");
    folder
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder of the build");
    fs::write(path, bytes).expect("a file of the build");
}

fn options() -> Options {
    let tables = FleetTable::ALL.map(|table| table.name().to_owned()).to_vec();
    Options { tables, ..Options::default() }
}

fn open(path: &Path, name: &str) -> Result<Opened, NotRead> {
    let failed =
        |why: &dyn std::fmt::Display, code: &str| NotRead { code: code.to_owned(), what: why.to_string() };
    let bytes = fs::read(path).map_err(|why| failed(&why, "input-failed"))?;
    Opener::open_bytes(name, &bytes, CategoryRules::default()).map_err(|why| failed(&why, why.kind.code()))
}

/// Indexes `traces`, and stops after `files` of them.
fn indexed(
    traces: &Path,
    dataset: &Path,
    options: &Options,
    prunes: bool,
    files: usize,
) -> Result<Indexed, Fault> {
    let read = AtomicUsize::new(0);
    let index = Index {
        folder: traces,
        dataset,
        options,
        threads: 2,
        prunes,
        open: &open,
        is_stopped: &|| read.load(Ordering::SeqCst) >= files,
        scratch: &OnceLock::new(),
    };
    index.run(&mut |done| read.store(done.files, Ordering::SeqCst))
}

fn all(traces: &Path, dataset: &Path) -> Indexed {
    indexed(traces, dataset, &options(), false, usize::MAX).expect("the folder can be indexed")
}

/// Every file of a dataset but the manifest, with what is in it.
fn content(dataset: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dataset.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the dataset") {
            let path = entry.expect("its entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "parquet") {
                let name = path.strip_prefix(dataset).expect("it lies below").to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).expect("it can be read"));
            }
        }
    }
    files
}

/// The rows of a table of a dataset, each by its columns.
fn rows(dataset: &Path, table: FleetTable) -> Vec<Row> {
    let columns = table.columns();
    let mut found = Vec::new();
    for (run, part) in steplens_host::fleet::dataset::parts(dataset, table).expect("a dataset") {
        let path = steplens_host::fleet::dataset::part_file(dataset, table, &run, part);
        steplens_export::parquet::rows(fs::File::open(path).expect("a part"), &columns, &mut |row| {
            let mut own: Row = columns.iter().map(|column| column.name).zip(row.iter().map(text)).collect();
            own.insert("run", run.clone());
            found.push(own);
            Ok(())
        })
        .expect("a part of the dataset");
    }
    found
}

fn text(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Nothing => String::new(),
    }
}

fn number(row: &Row, column: &str) -> i64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

/// Three runs of some workers and steps, some files of them damaged.
fn some_traces(name: &str) -> PathBuf {
    let traces = folder(name);
    let fleet = Fleet { workers: 3, steps: 2, layers: 2 };
    let mut last = Vec::new();
    for (path, bytes) in fleet.files() {
        write(&traces.join(path), &bytes);
        last = bytes;
    }
    for (path, bytes, _) in Fleet::damaged(&last) {
        write(&traces.join(path), &bytes);
    }
    write(&traces.join("2026-11-26/a=b %/ps4w.pb"), &fixture("ps4w").bytes);
    traces
}

#[test]
fn a_dataset_is_the_same_wherever_its_making_was_interrupted() {
    let traces = some_traces("interrupted");
    let whole = folder("interrupted-whole");
    let done = all(&traces, &whole);
    assert_eq!((done.done.files, done.new, done.changed, done.gone), (17, 17, 0, 0));
    let expected = content(&whole);
    // Three runs of one part each: monday's faults are in a folder of their own.
    assert_eq!(expected.len(), 4 * FleetTable::ALL.len());
    for stops in [vec![1], vec![3, 1, 8], vec![12]] {
        let dataset = folder("interrupted-part");
        for files in stops {
            let stopped = indexed(&traces, &dataset, &options(), false, files);
            assert!(matches!(stopped, Err(Fault::Stopped)), "{stopped:?}");
            // What a killed process leaves: a part without its sources, and what it was writing.
            write(&dataset.join("ops/run=monday/part-0007.parquet"), b"half of it");
            write(&dataset.join("_unfinished/ops.parquet"), b"half of it");
        }
        all(&traces, &dataset);
        assert!(content(&dataset) == expected, "the same files with the same bytes");
        let again = all(&traces, &dataset);
        assert_eq!(again.done.files, 0, "nothing is read twice");
    }
}

#[test]
fn a_changed_file_changes_its_part_alone_and_a_new_one_none() {
    let traces = some_traces("changed");
    let dataset = folder("changed-dataset");
    all(&traces, &dataset);
    let before = content(&dataset);
    let changed = traces.join("tuesday/worker-1/step-1.pb");
    let other = Fleet { workers: 3, steps: 2, layers: 3 }.files().nth(7).expect("it has 12").1;
    write(&changed, &other);
    fs::File::options()
        .append(true)
        .open(&changed)
        .and_then(|file| file.set_modified(SystemTime::now() + Duration::from_secs(10)))
        .expect("its time can be set");
    let done = all(&traces, &dataset);
    assert_eq!((done.done.files, done.new, done.changed), (1, 0, 1));
    let after = content(&dataset);
    for (name, bytes) in &before {
        assert!(after[name] == *bytes || name.contains("run=tuesday"), "{name}");
    }
    assert!(after["ops/run=tuesday/part-0001.parquet"] != before["ops/run=tuesday/part-0001.parquet"]);
    let fresh = folder("changed-fresh");
    all(&traces, &fresh);
    assert!(content(&fresh) == after, "as if it had never been another file");

    write(&traces.join("monday/worker-9/step-0.pb"), &other);
    let done = all(&traces, &dataset);
    assert_eq!((done.done.files, done.new, done.changed), (1, 1, 0));
    let later = content(&dataset);
    assert!(after.iter().all(|(name, bytes)| later[name] == *bytes), "what was there is as it was");
    assert_eq!(later.len(), after.len() + FleetTable::ALL.len());

    fs::remove_file(traces.join("monday/worker-9/step-0.pb")).expect("it was just written");
    let kept = all(&traces, &dataset);
    assert_eq!((kept.done.files, kept.gone, kept.known.len()), (0, 1, 18));
    let pruned = indexed(&traces, &dataset, &options(), true, usize::MAX).expect("a dataset");
    assert_eq!((pruned.done.files, pruned.known.len()), (0, 17));
    assert!(rows(&dataset, FleetTable::Ops).iter().all(|row| row["file"] != "monday/worker-9/step-0.pb"));
}

#[test]
fn every_file_has_its_state_and_no_fault_reaches_another() {
    let traces = some_traces("states");
    let dataset = folder("states-dataset");
    let done = all(&traces, &dataset);
    let sources = rows(&dataset, FleetTable::Sources);
    assert_eq!(sources.len(), done.known.len());
    let whole = Fleet { workers: 3, steps: 2, layers: 2 }.files().next().expect("it has 12").1;
    for (path, _, state) in Fleet::damaged(&whole) {
        let row = sources.iter().find(|row| row["file"] == path).expect(path);
        assert_eq!((row["state"].as_str(), row["code"].is_empty()), (state, false), "{row:?}");
    }
    let is_whole = |row: &&Row| row["state"] == State::Whole.word();
    assert_eq!(sources.iter().filter(is_whole).count(), 13);
    let ps4w = sources.iter().find(|row| row["file"].ends_with("ps4w.pb")).expect("it was written");
    assert_eq!(
        (ps4w["run"].as_str(), ps4w["ops"].as_str(), ps4w["step_from"].as_str()),
        ("run-2026-11-26/a=b %", "4175", "place")
    );
    let step =
        sources.iter().find(|row| row["file"] == "tuesday/worker-2/step-1.pb").expect("it was written");
    assert_eq!((step["run"].as_str(), step["step_from"].as_str()), ("tuesday", "path"));
    let split = rows(&dataset, FleetTable::Split);
    let own = split.iter().find(|row| row["file"] == step["file"]).expect("it has ops");
    assert_eq!(
        (own["task"].as_str(), own["job"].as_str()),
        ("/job:worker/replica:0/task:2", "/job:worker/replica:0")
    );
    assert_eq!((own["step"].as_str(), own["day"].as_str()), ("1", "2023-11-15"));
}

/// The figures of a unit in a step that the summary has, too.
const FIGURES: [&str; 12] = [
    "window_ns",
    "busy_ns",
    "compute_ns",
    "exposed_input_ns",
    "exposed_copy_ns",
    "exposed_communication_ns",
    "exposed_launch_ns",
    "exposed_allocation_ns",
    "exposed_waiting_ns",
    "idle_ns",
    "communication_ns",
    "overlapped_communication_ns",
];

#[test]
fn devices_and_tasks_of_each_step_are_those_of_the_summary() {
    let own =
        ["ps4w.pb", "multidev.pb", "lstm-while.pb", "gpu/kernels.pb", "chrome/timeline-concat.ctf.json"];
    let own = own.into_iter().chain(["containers/tf2.xplane.pb", "containers/gpu.xplane.pb"]);
    let mut files: Vec<(String, Vec<u8>)> = own.map(|name| (name.to_owned(), bytes_of(name))).collect();
    if let Some(folder) = sample_folder("real") {
        for kind in ["pytorch", "pytorch-ranks", "xspace", "tf2-json"] {
            for entry in fs::read_dir(folder.join(kind)).expect("a folder of samples") {
                let path = entry.expect("its entry").path();
                files.push((path.to_string_lossy().into_owned(), fs::read(&path).expect("a sample")));
            }
        }
    }
    let compared: usize = files.iter().map(|(name, bytes)| compare_with_summary(name, bytes)).sum();
    assert!(compared > 20, "{compared} devices in steps");
}

/// How many devices in steps of a file have the figures of the summary of that step.
fn compare_with_summary(name: &str, bytes: &[u8]) -> usize {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.unpack_here();
    opener.begin_file(name);
    opener.push(bytes);
    let Ok(opened) = opener.finish() else { return 0 };
    let whole = Arc::new(opened.trace);
    let study = Study::new(Arc::clone(&whole));
    let says = PathSays::default();
    let member = Member::new(&study, name, &says);
    let devices = own_rows(FleetTable::Devices, &member);
    let view = View::default();
    let (_, steps) = view.steps(&whole);
    let mut expected: BTreeMap<(usize, String), Vec<i64>> = BTreeMap::new();
    let usual = is_usual(&steps);
    let counts = |&row: &usize| steps.rows().len() == 1 || !usual.contains(&true) || usual[row];
    let with_ops = (0..steps.rows().len()).filter(|&row| steps.rows()[row].ops > 0).filter(counts);
    let with_ops: Vec<usize> = with_ops.collect();
    for &row in &with_ops {
        let step = Study::of_view(&whole, View { step: Some(row), ..View::default() });
        let summary = serde_json::to_value(summary::of(&step, &opened.files)).expect("a summary");
        let alone =
            summary["devices"].as_array().expect("devices").iter().filter(|own| {
                own["accelerator"].is_null() && own["kind"] != "host-profiler" && own["ops"] != 0
            });
        for own in summary["accelerators"].as_array().expect("accelerators").iter().chain(alone) {
            let figures = FIGURES.map(|figure| own[figure].as_i64().expect(figure));
            let ops = own["ops"].as_i64().expect("a number of ops");
            let device = own["name"].as_str().expect("a name").to_owned();
            let own = expected.entry((row, device)).or_insert_with(|| vec![0; FIGURES.len() + 1]);
            own.iter_mut().zip(figures.into_iter().chain([ops])).for_each(|(sum, figure)| *sum += figure);
        }
    }
    // Steps in order of time have numbers in order.
    let mut numbers: Vec<i64> = devices.iter().map(|row| number(row, "step")).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), with_ops.len(), "{name}: {numbers:?}");
    let mut found: BTreeMap<(usize, String), Vec<i64>> = BTreeMap::new();
    for row in &devices {
        let step = numbers.binary_search(&number(row, "step")).expect("it is one of them");
        let key = (with_ops[step], row["device"].clone());
        let own = found.entry(key).or_insert_with(|| vec![0; FIGURES.len() + 1]);
        let figures = FIGURES.into_iter().chain(["ops"]).map(|figure| number(row, figure));
        own.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
    }
    assert_eq!(found, expected, "{name}");
    compare_split(name, &devices, &own_rows(FleetTable::Split, &member));
    found.len()
}

/// Each task has the mean of its devices that count, rounded down, and the rest is idle.
fn compare_split(name: &str, devices: &[Row], split: &[Row]) {
    let mut sums: BTreeMap<(String, i64), (i64, [i64; FIGURES.len()])> = BTreeMap::new();
    for row in devices.iter().filter(|row| row["counted"] == "1") {
        let (count, sum) = sums.entry((row["task"].clone(), number(row, "step"))).or_default();
        *count += 1;
        sum.iter_mut().zip(FIGURES).for_each(|(sum, figure)| *sum += number(row, figure));
    }
    assert_eq!(split.len(), sums.len(), "{name}");
    for row in split {
        let (count, sum) = sums[&(row["task"].clone(), number(row, "step"))];
        assert_eq!(number(row, "devices"), count);
        let mean = |figure: &str| sum[FIGURES.iter().position(|own| *own == figure).expect(figure)] / count;
        for figure in FIGURES.into_iter().filter(|figure| *figure != "idle_ns") {
            assert_eq!(number(row, figure), mean(figure), "{figure} of {row:?}");
        }
        let parts = &FIGURES[2..9];
        let rest = mean("window_ns") - parts.iter().map(|figure| mean(figure)).sum::<i64>();
        assert_eq!(number(row, "idle_ns"), rest, "{row:?}");
        let own = mean("busy_ns") - mean("exposed_communication_ns") - mean("exposed_waiting_ns");
        assert_eq!(number(row, "own_ns"), own);
        assert!((0..=mean("window_ns")).contains(&number(row, "end_ns")), "{row:?}");
    }
}

fn own_rows(table: FleetTable, member: &Member<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    let columns: Vec<Column> = table.columns();
    table
        .rows(member, &mut |row| {
            rows.push(columns.iter().map(|column| column.name).zip(row.iter().map(text)).collect());
            Ok(())
        })
        .expect("rows in memory");
    rows
}

#[test]
fn op_types_and_links_add_up_to_those_of_the_trace() {
    let study = steplens_tests::writer::open(&fixture("ps4w").bytes).trace;
    let study = Study::new(study);
    let says = PathSays::default();
    let member = Member::new(&study, "ps4w.pb", &says);
    let sum = |rows: &[Row], column: &str| rows.iter().map(|row| number(row, column)).sum::<i64>();
    let types = own_rows(FleetTable::OpTypes, &member);
    let lengths = study.trace().ops().ids().map(|op| study.trace().ops().interval(op).length().0);
    assert_eq!((sum(&types, "count"), sum(&types, "total_ns")), (4175, lengths.sum()));
    let links = own_rows(FleetTable::Links, &member);
    assert_eq!((sum(&links, "transfers"), sum(&links, "bytes")), (991, 3_849_228));
    let mut exported = Vec::new();
    steplens_report::tables::Table::Links
        .rows(&study, &mut |row| {
            exported.push(row.iter().map(text).collect::<Vec<_>>());
            Ok(())
        })
        .expect("rows in memory");
    let names = steplens_report::tables::Table::Links.columns();
    let mut ours: Vec<Vec<String>> =
        links.iter().map(|row| names.iter().map(|column| row[column.name].clone()).collect()).collect();
    ours.sort();
    exported.sort();
    assert_eq!(ours, exported);
    let last = own_rows(FleetTable::Stragglers, &member);
    assert_eq!(last.len(), 1);
    assert_eq!(
        (last[0]["task"].as_str(), last[0]["cause"].is_empty()),
        ("/job:worker/replica:0/task:0", false)
    );
}

#[test]
fn a_folder_that_is_no_dataset_and_other_options_are_refused() {
    let traces = some_traces("refused");
    let dataset = folder("refused-dataset");
    write(&dataset.join("thesis.txt"), b"not to be lost");
    let refused = indexed(&traces, &dataset, &options(), false, usize::MAX);
    assert!(matches!(refused, Err(Fault::NotADataset(_))), "{refused:?}");
    fs::remove_file(dataset.join("thesis.txt")).expect("it was just written");
    let few = Options { tables: vec!["sources".to_owned(), "split".to_owned()], ..Options::default() };
    indexed(&traces, &dataset, &few, false, usize::MAX).expect("an empty folder becomes one");
    assert_eq!(content(&dataset).len(), 8, "two tables of four parts");
    let refused = indexed(&traces, &dataset, &options(), false, usize::MAX);
    assert!(matches!(refused, Err(Fault::OtherOption("tables", ..))), "{refused:?}");
    write(&dataset.join("manifest.json"), b"{\"schema\": ");
    let refused = indexed(&traces, &dataset, &few, false, usize::MAX);
    assert!(matches!(refused, Err(Fault::NotADataset(_))), "{refused:?}");
}

#[test]
fn a_dataset_within_the_folder_is_no_source_and_one_file_alone_has_the_same_rows() {
    let traces = some_traces("within");
    let dataset = traces.join("night/dataset");
    all(&traces, &dataset);
    let again = all(&traces, &dataset);
    assert_eq!((again.done.files, again.known.len()), (0, 17));
    let file = "tuesday/worker-1/step-0.pb";
    let source = again.known.iter().find(|own| own.source.file == file).expect("it was read").source.clone();
    let SourceFile { bytes, .. } = source;
    assert!(bytes > 0);
    let facts = facts_of(&traces, file, &options());
    let alone = tables_of(&traces, &source, &facts, &FleetTable::ALL, &open).expect("it can be read");
    for (table, piece) in alone {
        let columns = table.columns();
        let own = (0..piece.rows()).map(|at| {
            let row = columns
                .iter()
                .enumerate()
                .map(|(place, column)| (column.name, text(&piece.value(place, at))));
            row.chain([("run", facts.run.clone())]).collect::<Row>()
        });
        let mut own: Vec<Row> = own.collect();
        let mut there: Vec<Row> =
            rows(&dataset, table).into_iter().filter(|row| row["file"] == file).collect();
        own.sort();
        there.sort();
        assert_eq!(own, there, "{}", table.name());
    }
}

#[test]
fn the_planted_straggler_works_longest_on_the_second_day() {
    let traces = folder("straggler");
    let fleet = Fleet { workers: STRAGGLER + 2, steps: 2, layers: 6 };
    for (path, bytes) in fleet.files() {
        write(&traces.join(path), &bytes);
    }
    let dataset = folder("straggler-dataset");
    all(&traces, &dataset);
    let split = rows(&dataset, FleetTable::Split);
    let longest = |run: &str| {
        // The one that loads input for long is another matter.
        let own = split.iter().filter(|row| row["run"] == run);
        let longest = own.max_by_key(|row| number(row, "compute_ns")).expect("it has steps");
        longest["task"].clone()
    };
    assert_eq!(longest("tuesday"), format!("/job:worker/replica:0/task:{STRAGGLER}"));
    assert_ne!(longest("monday"), longest("tuesday"));
    // Everybody waits in the all-reduce but the last one.
    let waits = rows(&dataset, FleetTable::Collectives);
    assert_eq!(waits.len(), fleet.workers * fleet.steps * 2);
    let of_tuesday = waits.iter().filter(|row| row["run"] == "tuesday" && row["step"] == "1");
    let shortest = of_tuesday.min_by_key(|row| number(row, "length_ns")).expect("it has a collective");
    assert!(shortest["place"] == "1" && shortest["op_type"] == "CollectiveReduce", "{shortest:?}");
}
