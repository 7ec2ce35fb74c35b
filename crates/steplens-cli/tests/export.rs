//! `steplens export`: every format of every fixture, all kinds of inputs and outputs, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{
    Said, fixture, fixtures, folder, parse_csv, run, run_metadata, run_with_input, steplens,
};
use crate::schemas::is_thorough;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const ONE_FILE: [&str; 7] =
    ["timeline", "chrome", "perfetto", "run-metadata", "tfvis", "tensorflow-tracer", "session"];
const SEVERAL: [&str; 3] = ["csv", "parquet", "chakra"];

fn all() -> impl Iterator<Item = &'static str> {
    ONE_FILE.into_iter().chain(SEVERAL)
}

fn export(input: impl AsRef<Path>, format: &str, output: impl AsRef<Path>) -> Said {
    let command = [
        Path::new("export"),
        input.as_ref(),
        Path::new("--format"),
        Path::new(format),
        Path::new("-o"),
        output.as_ref(),
    ];
    run(&mut steplens(command))
}

/// Every fixture that the program opens, by name.
fn traces() -> Vec<String> {
    let mut traces = Vec::new();
    for below in ["", "chrome", "containers", "gpu", "threads"] {
        for entry in fs::read_dir(fixtures().join(below)).unwrap() {
            let path = Path::new(below).join(entry.unwrap().file_name()).to_str().unwrap().to_owned();
            // Left out: descriptions of the traces, a list of pickles, and a recording without an op.
            let is_none = [".md", ".py", ".tf2"].iter().any(|end| path.ends_with(end))
                || (below != "chrome" && (path.ends_with(".json") || path.ends_with(".json.gz")));
            // The large ones are like others: of one trace in several containers one is enough.
            let is_like_others =
                fixtures().join(&path).metadata().unwrap().len() > 150_000 && path != "ps4w.pb";
            if !is_none && fixtures().join(&path).is_file() && (is_thorough() || !is_like_others) {
                traces.push(path);
            }
        }
    }
    traces.sort();
    assert!(traces.len() > 30, "{traces:?}");
    traces
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

/// The files of a ZIP, from the list at its end.
fn unzipped(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize, bytes: usize| {
        zip[at..at + bytes].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let record = number(zip.len() - 22 - 20 + 8, 8);
    let mut at = number(record + 48, 8);
    let mut files = Vec::new();
    for _ in 0..number(record + 32, 8) {
        let name = number(at + 28, 2);
        let own = String::from_utf8(zip[at + 46..at + 46 + name].to_vec()).unwrap();
        let place = number(at + 46 + name + 20, 8);
        let start = place + 30 + number(place + 26, 2) + number(place + 28, 2);
        let mut bytes = Vec::new();
        flate2::read::DeflateDecoder::new(&zip[start..]).read_to_end(&mut bytes).unwrap();
        files.push((own, bytes));
        at += 46 + name + number(at + 30, 2);
    }
    files.sort();
    files
}

fn ops(path: impl AsRef<Path>) -> u64 {
    let said = run(&mut steplens([Path::new("summary"), path.as_ref(), Path::new("--json")]));
    assert_eq!(said.code, 0, "{}", said.err);
    serde_json::from_str::<serde_json::Value>(&said.out).unwrap()["ops"].as_u64().unwrap()
}

#[test]
fn every_format_of_every_fixture_is_written() {
    let folder = folder("export-all");
    for trace in traces() {
        let wanted = ops(&trace);
        for format in all() {
            let output = folder.join(format);
            let said = export(&trace, format, &output);
            assert_eq!(said.code, 0, "{trace} as {format}: {}", said.err);
            assert!(said.out.contains(format), "{trace} as {format} says: {}", said.out);
            match format {
                "csv" => {
                    let sheet = fs::read_to_string(output.join("ops.csv")).unwrap();
                    assert_eq!(parse_csv(&sheet).len() as u64, wanted + 1, "{trace}");
                }
                "chrome" | "session" => assert_eq!(ops(&output), wanted, "{trace} as {format}"),
                // Without its category, a former range counts as work.
                "run-metadata" | "tfvis" | "tensorflow-tracer" if !said.err.contains("the categories of") => {
                    assert_eq!(ops(&output), wanted, "{trace} as {format}");
                }
                _ => {}
            }
        }
        // Chakra writes one file for each task, so files of a trace with more tasks would stay in the folder.
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
    }
}

#[test]
fn standard_output_gets_the_bytes_of_the_file() {
    let folder = folder("export-stdout");
    for format in all() {
        let name = if SEVERAL.contains(&format) { format!("{format}.zip") } else { format.to_owned() };
        let (output, pipe) = (folder.join(&name), folder.join(format!("{format}.pipe")));
        assert_eq!(export("multidev.pb", format, &output).code, 0);
        let mut command = steplens(["export", "multidev.pb", "--format", format, "-o", "-"]);
        let status = command.stdout(File::create(&pipe).unwrap()).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((status.status.code(), status.stderr.as_slice()), (Some(0), &b""[..]), "{format}");
        let (file, stdout) = (fs::read(&output).unwrap(), fs::read(&pipe).unwrap());
        assert!(!file.is_empty() && file == stdout, "{format}: {} and {} bytes", file.len(), stdout.len());
    }
}

#[test]
fn a_zip_holds_the_files_of_the_folder() {
    let folder = folder("export-zip");
    for format in SEVERAL {
        let (plain, zip) = (folder.join(format), folder.join(format!("{format}.ZIP")));
        for output in [&plain, &zip] {
            assert_eq!(export("ps4w.pb", format, output).code, 0);
        }
        let files = files(&plain);
        assert!(files.len() > 4, "{format}");
        assert!(files == unzipped(&fs::read(zip).unwrap()), "{format}");
    }
}

#[test]
fn standard_input_folders_and_several_files_are_inputs() {
    let folder = folder("export-inputs");
    let of_input = |input: &[u8], format: &str, name: &str| {
        let output = folder.join(name);
        let mut command = steplens(["export", "-", "--format", format, "-o"]);
        let said = run_with_input(command.arg(&output), input);
        assert_eq!(said.code, 0, "{}", said.err);
        output
    };
    let bytes = fixture("mnist-adam.pb");
    for format in ["timeline", "chrome", "perfetto"] {
        let direct = folder.join(format!("direct-{format}"));
        assert_eq!(export("mnist-adam.pb", format, &direct).code, 0);
        let piped = of_input(&bytes, format, format);
        assert!(fs::read(direct).unwrap() == fs::read(piped).unwrap(), "{format}");
    }
    for format in SEVERAL {
        let direct = folder.join(format!("direct-{format}"));
        assert_eq!(export("mnist-adam.pb", format, &direct).code, 0);
        assert!(files(&direct) == files(&of_input(&bytes, format, format)), "{format}");
    }
    let inputs = folder.join("traces");
    fs::create_dir_all(inputs.join("below")).unwrap();
    fs::write(inputs.join("a.pb"), run_metadata("/job:a/task:0/device:CPU:0", &[("x", "x = Mul(y)")]))
        .unwrap();
    fs::write(inputs.join("below/b.pb"), run_metadata("/job:b/task:0/device:CPU:0", &[("z", "z = Mul(x)")]))
        .unwrap();
    for format in all() {
        assert_eq!(export(&inputs, format, folder.join(format!("folder-{format}"))).code, 0, "{format}");
    }
    assert_eq!(files(&folder.join("folder-chakra")).len(), 2, "one for each task");
    let sheet = fs::read_to_string(folder.join("folder-csv/ops.csv")).unwrap();
    assert_eq!(parse_csv(&sheet).len(), 3);

    let named = ["export", "w0=ps4w.pb", "w1=multidev.pb", "--format", "csv", "-o"];
    let output = folder.join("named");
    let said = run(steplens(named).arg(&output));
    assert_eq!(said.code, 0, "{}", said.err);
    let rows = parse_csv(&fs::read_to_string(output.join("ops.csv")).unwrap());
    assert_eq!(rows.len() as u64, ops("ps4w.pb") + ops("multidev.pb") + 1);
}

/// A folder keeps its other files, and new files replace old ones with the same name.
#[test]
fn a_folder_is_filled_again() {
    let folder = folder("export-again");
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("ops.csv"), "old").unwrap();
    assert_eq!(export("mnist-adam.pb", "csv", &folder).code, 0);
    let first = files(&folder);
    assert_eq!(export("mnist-adam.pb", "csv", &folder).code, 0);
    assert!(first == files(&folder), "the same bytes again");
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(first.len(), 7);
}

fn refused(said: &Said, sentence: &str) {
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(said.err.contains(sentence), "{}", said.err);
}

#[test]
fn what_cannot_be_written_is_said_and_does_not_stay() {
    let folder = folder("export-refused");
    let file = folder.join("file");
    fs::write(&file, "mine").unwrap();
    for format in all() {
        // A folder that does not exist, below a path that is a file.
        let said = export("multidev.pb", format, file.join("below"));
        refused(&said, " cannot be written: ");
    }
    for format in ONE_FILE {
        refused(&export("multidev.pb", format, folder.join("none/out")), "no such file");
        refused(&export("multidev.pb", format, &folder), " cannot be written: ");
    }
    for format in SEVERAL {
        refused(&export("multidev.pb", format, &file), " cannot be written: ");
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(files(&folder).len(), 1, "nothing was left");
}

/// On a full disk, unfinished files do not stay; a device does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let folder = folder("export-full");
    let full = folder.join("full");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    for format in ONE_FILE {
        refused(&export("ps4w.pb", format, &full), " cannot be written: ");
        assert!(full.exists(), "{format}: a device is no file of ours");
    }
    for format in all() {
        let mut command = steplens(["export", "ps4w.pb", "--format", format, "-o", "-"]);
        let ended =
            command.stdout(File::create("/dev/full").unwrap()).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{format}: {err}");
        assert!(err.contains(" cannot be written: "), "{format}: {err}");
    }
    // There is no room for the third file. The two files before it do not stay.
    let several = folder.join("several");
    fs::create_dir_all(&several).unwrap();
    std::os::unix::fs::symlink("/dev/full", several.join("edges.csv")).unwrap();
    refused(&export("ps4w.pb", "csv", &several), " cannot be written: ");
    let left: Vec<_> = fs::read_dir(&several).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["edges.csv"]);
}

/// Ctrl+C while the third file is written: the two files before it do not stay; the pipe does.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_export_leaves_nothing() {
    let folder = folder("export-stopped");
    let (several, pipe) = (folder.join("several"), folder.join("several/edges.csv"));
    fs::create_dir_all(&several).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = steplens(["export", "ps4w.pb", "--format", "csv", "-o"]);
    let child = command.arg(&several).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening the pipe returns when the program opens it too. Then the program waits, because it writes more than the pipe can hold
    // and nobody reads.
    let reader = File::open(&pipe).unwrap();
    let names = || -> Vec<_> {
        let mut names: Vec<_> =
            fs::read_dir(&several).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["edges.csv"], "files without names until all are complete");
    let stop = std::process::Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
    assert!(stop.success());
    let ended = child.wait_with_output().unwrap();
    drop(reader);
    assert_eq!((ended.status.code(), ended.stdout.len(), ended.stderr.len()), (Some(130), 0, 0));
    assert_eq!(names(), ["edges.csv"]);
}

#[test]
fn what_run_metadata_cannot_say_is_said() {
    let folder = folder("export-lost");
    let said = export("containers/gpu.xplane.pb", "run-metadata", folder.join("out.pb"));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("steplens: not written: the categories of "), "{}", said.err);
    assert!(said.err.contains("steplens: not written: which call launched "), "{}", said.err);
    let said = export("ps4w.pb", "run-metadata", folder.join("own.pb"));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
}

/// When nobody reads the output any more, the program ends without a message.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    for format in all() {
        let mut command = steplens(["export", "ps4w.pb", "--format", format, "-o", "-"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(ended.stderr).unwrap(), "", "{format}");
    }
}

#[test]
fn inputs_are_never_written_over() {
    let folder = folder("export-over");
    let input = folder.join("ops.csv");
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    for format in ONE_FILE {
        refused(&export(&input, format, &input), " is an input. Give the output another name");
    }
    // One file of the export has the name of the input, however the path is written.
    refused(&export(&input, "csv", &folder), " is an input. Give the output another name");
    refused(
        &export(&input, "csv", folder.join("../export-over")),
        " is an input. Give the output another name",
    );
    assert!(fs::read(&input).unwrap() == fixture("mnist-adam.pb"));
    assert_eq!(files(&folder).len(), 1);
}

#[test]
fn usage_is_explained() {
    let unknown = run(&mut steplens(["export", "multidev.pb", "--format", "otlp", "-o", "x"]));
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    for format in all() {
        assert!(unknown.err.contains(format), "{}", unknown.err);
    }
    let nowhere = run(&mut steplens(["export", "multidev.pb", "--format", "csv"]));
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.contains("--output"), "{}", nowhere.err);
    let shapeless = run(&mut steplens(["export", "multidev.pb", "-o", "x"]));
    assert_eq!(shapeless.code, 2);
    assert!(shapeless.err.contains("--format"), "{}", shapeless.err);
    let missing: PathBuf = folder("export-usage").join("out");
    for format in all() {
        let said = export("no-such-file.pb", format, &missing);
        assert_eq!(said.code, 2);
        assert!(said.err.contains("no-such-file.pb"), "{}", said.err);
        let said = export("README.md", format, &missing);
        assert_eq!((said.code, missing.exists()), (2, false), "{}", said.err);
    }
}

/// The readable part of a damaged trace is exported, and standard error reports the problems.
#[test]
fn a_damaged_trace_is_exported_and_its_problems_are_said() {
    let folder = folder("export-damaged");
    let cut = folder.join("cut.pb");
    let whole = fixture("ps4w.pb");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    for format in all() {
        let said = export(&cut, format, folder.join(format));
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.err.contains("cut.pb"), "{format}: {}", said.err);
    }
    assert!(ops(folder.join("session")) > 100);
}
