//! Ctrl+C at any moment of reading, unpacking and analysing a large file ends a command before its answer, with what was there before still there.
//! The moments are times of the processor. So is what a command may still take: 0.2 s in a thorough run, and 1 s in a quick one, because a busy
//! machine wakes the thread that ends the program late, and the others work on until then.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixture, folder, steplens};
use crate::schemas::is_thorough;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// In hundredths of a second, which are Linux's ticks; one is lost at either end.
const MOST_TICKS: u64 = 20 + 2;
const MOST_TICKS_IF_BUSY: u64 = 100 + 2;
/// Who hangs has failed.
const MOST_WAITING: Duration = Duration::from_secs(60);

/// A RunMetadata of at least `bytes` bytes, plain and packed: a recorded step again and again.
fn large(folder: &Path, bytes: usize) -> [PathBuf; 2] {
    let step = fixture("ps4w.pb");
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    member.write_all(&step).unwrap();
    let member = member.finish().unwrap();
    [("in.pb", step.as_slice()), ("in.pb.gz", member.as_slice())].map(|(name, one)| {
        let path = folder.join(name);
        let mut file = BufWriter::new(File::create(&path).unwrap());
        (0..bytes.div_ceil(step.len())).for_each(|_| file.write_all(one).unwrap());
        file.into_inner().unwrap();
        path
    })
}

/// The state of a process and its ticks of the processor, until someone has waited for it.
fn state(id: u32) -> (char, u64) {
    let said = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = said.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |place: usize| fields[place].parse::<u64>().unwrap();
    (fields[0].chars().next().unwrap(), ticks(11) + ticks(12))
}

/// Waits until the process has ended or used `ticks`; whether it goes on, and its ticks.
fn wait(id: u32, ticks: u64) -> (bool, u64) {
    let step = Duration::from_millis(1);
    let mut waited = Duration::ZERO;
    loop {
        let (state, used) = state(id);
        if state == 'Z' || used >= ticks {
            return (state != 'Z', used);
        }
        assert!(waited < MOST_WAITING, "it has used {used} ticks, and does not go on");
        thread::sleep(step);
        waited += step;
    }
}

/// What shells report for a program that Ctrl+C ended.
const STOPPED: i32 = 130;
const SIGINT: i32 = 2;

/// The command, where the tests were started by a shell that had them ignore interrupts, as it does in the background.
fn hears_interrupts(command: &Command) -> Command {
    let mut hears = Command::new("env");
    hears.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => hears.env(name, value),
            None => hears.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        hears.current_dir(folder);
    }
    hears
}

/// Starts the command and interrupts it after `ticks`; false if it ended by itself.
fn interrupted(command: &mut Command, ticks: u64) -> bool {
    let mut child = hears_interrupts(command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (goes_on, _) = wait(child.id(), ticks);
    if goes_on {
        let stop = Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
        assert!(stop.success());
        let (_, before) = state(child.id());
        let (_, after) = wait(child.id(), u64::MAX);
        let took = after - before;
        let most = if is_thorough() { MOST_TICKS } else { MOST_TICKS_IF_BUSY };
        assert!(took <= most, "{command:?} took {took} ticks after tick {ticks}");
    }
    let status = child.wait().unwrap();
    // Until it has a handler, the signal itself ends it.
    status.code() == Some(STOPPED) || status.signal() == Some(SIGINT)
}

/// The names below a folder, with what the files hold.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        if entry.is_dir() {
            found
                .extend(content(&entry).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.push((name, fs::read(entry).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn ctrl_c_ends_a_command_at_any_moment() {
    let folder = folder("cancel");
    let inputs = large(&folder, if is_thorough() { 1 << 30 } else { 8 << 20 });
    let moments: &[u64] = match is_thorough() {
        true => &[1, 5, 20, 50, 100, 200, 400, 800, 1_600, 3_200],
        false => &[2, 5, 15],
    };
    let commands: [&[&str]; 8] = [
        &["summary", "IN"],
        &["findings", "IN"],
        &["export", "IN", "--format", "session", "-o", "out"],
        &["export", "IN", "--format", "csv", "-o", "tables"],
        &["picture", "IN", "--of", "view", "-o", "out.svg"],
        &["report", "IN", "-o", "out.html"],
        &["baseline", "IN", "-o", "out"],
        &["check", "IN", "--max-step", "1s", "--junit", "out"],
    ];
    let mut in_time = 0;
    for input in &inputs {
        for words in commands {
            let own = folder.join("own");
            fs::create_dir_all(own.join("tables")).unwrap();
            for name in ["out", "out.svg", "out.html", "tables/ops.csv"] {
                fs::write(own.join(name), "old").unwrap();
            }
            let before = content(&own);
            let words =
                words.iter().map(|&word| if word == "IN" { input.as_os_str() } else { word.as_ref() });
            let words: Vec<_> = words.collect();
            // The last moments of a command may come before it hears of the interrupt: then its answer is there, whole.
            let whole = folder.join("whole");
            fs::create_dir_all(whole.join("tables")).unwrap();
            steplens(&words).current_dir(&whole).output().unwrap();
            let after = content(&whole);
            for &ticks in moments {
                if !interrupted(steplens(&words).current_dir(&own), ticks) {
                    break;
                }
                in_time += 1;
                let left = content(&own);
                let is_old_or_new = left.iter().all(|file| before.contains(file) || after.contains(file));
                let is_there = |name: &str| left.iter().any(|(left, _)| left == name);
                assert!(is_old_or_new, "{words:?} left something after tick {ticks}");
                assert!(
                    before.iter().all(|(name, _)| is_there(name)),
                    "{words:?} lost a file after tick {ticks}"
                );
            }
            fs::remove_dir_all(&own).unwrap();
            fs::remove_dir_all(&whole).unwrap();
        }
    }
    assert!(in_time > commands.len(), "only {in_time} were interrupted");
}

/// A dataset that was being made holds whole parts only, and the same command goes on from there.
#[test]
fn ctrl_c_ends_an_index_at_any_moment() {
    let folder = folder("cancel-index");
    let traces = folder.join("traces");
    fs::create_dir_all(&traces).unwrap();
    large(&traces, if is_thorough() { 1 << 29 } else { 20 << 20 });
    fs::write(traces.join("a.pb"), fixture("mnist-adam.pb")).unwrap();
    let index = |dataset: &Path| {
        let mut command = steplens(["index", "--jobs", "1"]);
        command.arg(&traces).arg("-o").arg(dataset);
        command
    };
    let mut in_time = 0;
    for ticks in if is_thorough() { vec![2, 10, 40, 100, 300, 1_000] } else { vec![3, 30] } {
        let dataset = folder.join(ticks.to_string());
        in_time += usize::from(interrupted(&mut index(&dataset), ticks));
        if dataset.exists() {
            let left = content(&dataset);
            assert!(!left.iter().any(|(name, _)| name.starts_with("_unfinished")), "after tick {ticks}");
        }
    }
    assert!(in_time > 0, "none was interrupted");
}
