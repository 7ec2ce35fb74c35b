//! Several files on the command line: named processes, lists as Paddle writes them, and folders with any files.

#![allow(clippy::unwrap_used, reason = "a test that cannot run the program fails")]

use crate::common::{fixture, folder, run, run_with_input, steplens};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What `steplens summary --json` reports for `arguments` in `folder`: names and formats of the files, and devices with their ops.
fn summary(folder: &Path, arguments: &[&str]) -> (Vec<[String; 2]>, Vec<(String, u64)>) {
    let said = run(steplens(["summary", "--json"].iter().chain(arguments)).current_dir(folder));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{arguments:?}");
    devices_and_problems(&said.out)
}

fn devices_and_problems(json: &str) -> (Vec<[String; 2]>, Vec<(String, u64)>) {
    let summary: Value = serde_json::from_str(json).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = summary["files"].as_array().unwrap().iter();
    let devices = summary["devices"].as_array().unwrap().iter();
    (
        files.map(|file| [text(&file["name"]), text(&file["format"])]).collect(),
        devices.map(|device| (text(&device["name"]), device["ops"].as_u64().unwrap())).collect(),
    )
}

/// A folder with the Paddle profiles and two steps of one process.
fn processes(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    for (file, own) in [("paddle-trainer0", "t0"), ("paddle-trainer1", "t1"), ("paddle-pserver0", "p0")] {
        fs::write(folder.join(own), fixture(&format!("containers/{file}.profile"))).unwrap();
    }
    fs::write(folder.join("mnist.pb"), fixture("mnist-adam.pb")).unwrap();
    folder
}

#[test]
fn paddles_list_is_one_argument_or_several() {
    let folder = processes("paddles_list");
    let one = summary(&folder, &["trainer0=t0,trainer1=t1,pserver0=p0"]);
    let wanted =
        ["/job:pserver/replica:0/task:0", "/job:trainer/replica:0/task:0", "/job:trainer/replica:0/task:1"];
    let devices: Vec<_> = wanted.iter().map(|task| (format!("{task}/device:CPU:0"), 606)).collect();
    assert_eq!(one.1, devices);
    let names: Vec<_> = one.0.iter().map(|[name, format]| (name.as_str(), format.as_str())).collect();
    assert_eq!(names, ["trainer0", "trainer1", "pserver0"].map(|name| (name, "paddle-profile")));
    assert_eq!(summary(&folder, &["trainer0=t0", "trainer1=t1", "pserver0=p0"]), one);
    assert_eq!(summary(&folder, &["trainer0=t0,trainer1=t1", "pserver0=p0"]), one);
    // Without process names, the processes stay separate, and the program says how to name them.
    let said = run(steplens(["summary", "t0", "t1"]).current_dir(&folder));
    assert_eq!(said.code, 0);
    assert!(said.out.contains("process 0") && said.out.contains("process 1"), "{}", said.out);
    assert!(said.err.contains("1 × process-unnamed: ") && said.err.contains("trainer0=FILE"), "{}", said.err);
}

#[test]
fn a_name_keeps_processes_of_any_format_apart() {
    let folder = processes("any_format");
    let mnist = |task: &str| (format!("/job:{task}/device:CPU:0"), 79);
    // Several files of one process are several steps; of two processes, they are two devices.
    assert_eq!(summary(&folder, &["mnist.pb", "mnist.pb"]).1, [(mnist("localhost/replica:0/task:0").0, 158)]);
    let two = summary(&folder, &["worker0=mnist.pb", "worker1=mnist.pb"]).1;
    assert_eq!(two, [mnist("worker/replica:0/task:0"), mnist("worker/replica:0/task:1")]);
    // Devices of a cluster keep their names.
    fs::write(folder.join("ps4w.pb"), fixture("ps4w.pb")).unwrap();
    assert_eq!(summary(&folder, &["master=ps4w.pb"]).1, summary(&folder, &["ps4w.pb"]).1);
    // Text, Chrome traces and XSpace, packed and not packed, and a Paddle profile.
    fs::write(folder.join("a.pbtxt"), fixture("containers/mnist-adam.pbtxt")).unwrap();
    fs::write(folder.join("a.json.gz"), fixture("chrome/multidev.ctf.json.gz")).unwrap();
    fs::write(folder.join("a.xplane.pb"), fixture("containers/tf2.xplane.pb")).unwrap();
    let mixed = summary(&folder, &["a1=a.pbtxt,b-7=a.json.gz,node=a.xplane.pb,t0=t0"]);
    let formats: Vec<_> = mixed.0.iter().map(|[_, format]| format.as_str()).collect();
    assert_eq!(formats, ["run-metadata-text", "chrome-trace.gz", "xspace", "paddle-profile"]);
    let tasks: Vec<_> =
        mixed.1.iter().map(|(device, _)| device.split_inclusive('/').take(4).collect::<String>()).collect();
    let wanted = [
        "/job:a/replica:0/task:1/",
        "/job:b/replica:0/task:7/",
        "/job:node/replica:0/task:0/",
        "/job:t/replica:0/task:0/",
    ];
    assert!(wanted.iter().all(|task| tasks.iter().any(|own| own == task)), "{tasks:?}");
    assert!(tasks.iter().all(|task| wanted.contains(&task.as_str())), "{tasks:?}");
    let ops = |task: &str| {
        mixed.1.iter().filter(|(device, _)| device.starts_with(task)).map(|(_, ops)| ops).sum::<u64>()
    };
    assert_eq!([ops("/job:a/"), ops("/job:b/"), ops("/job:t/")], [79, 67, 606]);
}

#[test]
fn standard_input_may_be_one_of_the_processes() {
    let folder = processes("stdin_process");
    let input = fixture("containers/paddle-trainer1.profile");
    let arguments = ["summary", "--json", "trainer0=t0,trainer1=-"];
    let said = run_with_input(steplens(arguments).current_dir(&folder), &input);
    assert_eq!(said.code, 0, "{}", said.err);
    let (files, devices) = devices_and_problems(&said.out);
    assert_eq!(files.len(), 2);
    assert_eq!(devices[1], ("/job:trainer/replica:0/task:1/device:CPU:0".to_owned(), 606));
}

#[test]
fn a_folder_of_logs_gives_every_trace_in_it() {
    let folder = folder("logs");
    let profile = folder.join("train/plugins/profile/2026_11_21");
    fs::create_dir_all(&profile).unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    fs::write(profile.join("host.xplane.pb"), fixture("containers/tf2.xplane.pb")).unwrap();
    let events = "events.out.tfevents.1795196999.host";
    fs::write(folder.join("train").join(events), fixture(&format!("containers/{events}"))).unwrap();
    for (name, file) in [
        ("a10.pb", "mnist-adam.pb"),
        ("a9.pbtxt", "containers/mnist-adam.pbtxt"),
        ("b.json.gz", "chrome/multidev.ctf.json.gz"),
        ("t0.profile", "containers/paddle-trainer0.profile"),
        (".git/x.pb", "mnist-adam.pb"),
    ] {
        fs::write(folder.join(name), fixture(file)).unwrap();
    }
    // Files that are not traces: a program, an image, a checkpoint, an empty file.
    fs::write(folder.join("train.py"), "import tensorflow as tf\n").unwrap();
    fs::write(folder.join("loss.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    let weights: Vec<u8> = (0..3_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(folder.join("model.ckpt"), &weights).unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    let (files, _) = summary(&folder, &["."]);
    let listed: Vec<_> =
        files.iter().map(|[name, format]| (name.trim_start_matches("./"), format.as_str())).collect();
    let events = format!("train/{events}");
    let wanted = [
        ("a9.pbtxt", "run-metadata-text"),
        ("a10.pb", "run-metadata"),
        ("b.json.gz", "chrome-trace.gz"),
        ("empty", "unreadable"),
        ("loss.png", "unreadable"),
        ("model.ckpt", "unreadable"),
        ("t0.profile", "paddle-profile"),
        (events.as_str(), "event-file"),
        ("train/plugins/profile/2026_11_21/host.xplane.pb", "xspace"),
        ("train.py", "unreadable"),
    ];
    let mut sorted = wanted.to_vec();
    sorted.sort_by_key(|(name, _)| listed.iter().position(|(own, _)| own == name));
    assert_eq!(listed, sorted);
    // The whole size of a file counts, although only the beginning of a checkpoint was read.
    let said = run(steplens(["summary", "--json", "."]).current_dir(&folder));
    assert!(said.out.contains(r#""format":"unreadable","bytes":3000000"#), "{}", said.out);
    // A name belongs to one process. Hidden files and links that lead in circles are ignored.
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, folder.join("train/again")).unwrap();
    let (named, devices) = summary(&folder, &["w3=."]);
    assert_eq!(named.len(), files.len());
    assert!(named.iter().all(|[name, _]| name.starts_with("w3/")), "{named:?}");
    assert!(devices.iter().all(|(device, _)| device.starts_with("/job:w/replica:0/task:3/")), "{devices:?}");
}

#[test]
fn a_folder_without_a_trace_is_told_in_one_sentence() {
    let folder = folder("no_trace");
    fs::create_dir(folder.join("notes")).unwrap();
    for name in ["a.txt", "b.txt", "c.txt"] {
        fs::write(folder.join("notes").join(name), "just text, nothing else at all\n").unwrap();
    }
    let said = run(steplens(["summary", "notes"]).current_dir(&folder));
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    let sentence = "steplens: None of the 3 files in notes is a trace. The first: notes/a.txt is ";
    assert!(said.err.starts_with(sentence) && said.err.lines().count() == 1, "{}", said.err);
    // Next to a trace, such files are only counted, so that they do not fill the screen.
    for number in 0..9 {
        fs::write(folder.join(format!("notes/more{number}.txt")), "<html>").unwrap();
    }
    fs::write(folder.join("a.pb"), fixture("multidev.pb")).unwrap();
    let said = run(steplens(["summary", "a.pb", "notes"]).current_dir(&folder));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.ends_with("steplens: and 7 more files without a trace\n"), "{}", said.err);
}

/// Files are read at once, but not where one of them is standard input: the same session and the same problems come out.
#[test]
fn files_that_are_read_at_once_are_what_one_thread_reads() {
    let folder = folder("at_once");
    for (name, file) in
        [("a.pb", "ps4w.pb"), ("b.pb", "ps4w-later.pb"), ("c.json.gz", "chrome/multidev.ctf.json.gz")]
    {
        fs::write(folder.join(name), fixture(file)).unwrap();
    }
    fs::write(folder.join("text.pb"), "no trace").unwrap();
    let of = |second: &str| {
        let files = ["w0=a.pb", second, "w2=text.pb", "w3=c.json.gz"];
        let arguments = ["export", "--format", "session", "-o", "out.steplens"].into_iter().chain(files);
        let said =
            run(steplens(arguments).current_dir(&folder).stdin(fs::File::open(folder.join("b.pb")).unwrap()));
        (said.code, said.err, fs::read(folder.join("out.steplens")).unwrap())
    };
    let (at_once, one) = (of("w1=b.pb"), of("w1=-"));
    assert!(at_once.2.len() > 10_000 && at_once == one, "{} {}", at_once.1, one.1);
}
