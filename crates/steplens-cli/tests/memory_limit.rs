//! The program keeps to half of the memory that there is, whatever becomes of a few bytes: what is beyond is left out, counted and said. A limit
//! on the memory of the process (`ulimit -v`) stands for a small machine.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{Said, fixtures, folder, run, steplens};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The number of equal events: 0.75 million take some 47 MB in columns, and come out of 0.2 MB.
const EVENTS: usize = 750_000;
/// In KiB. Of its sixteenth, not all of the events have room.
const MACHINE: u64 = 400 << 10;

fn bomb(folder: &Path) -> PathBuf {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":5,"dur":1}"#;
    let path = folder.join("bomb.json.gz");
    let mut packed = GzEncoder::new(fs::File::create(&path).unwrap(), Compression::new(3));
    let some = format!("{event},").repeat(10_000);
    packed.write_all(br#"{"traceEvents":["#).unwrap();
    (0..EVENTS / 10_000).for_each(|_| packed.write_all(some.as_bytes()).unwrap());
    packed.write_all(format!("{event}]}}").as_bytes()).unwrap();
    packed.finish().unwrap();
    path
}

/// Runs the program where there is so little memory: what it says, and the most that it held, in KiB.
fn small(words: &[&str], input: &Path, kib: u64) -> (Said, u64) {
    let words = words.iter().map(|&word| if word == "IN" { input.as_os_str() } else { word.as_ref() });
    let program = steplens(words);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kib}; exec \"$@\""), "sh"]);
    shell.arg(program.get_program()).args(program.get_args()).current_dir(input.parent().unwrap());
    let said = ["said.out", "said.err"].map(|name| input.with_file_name(name));
    let [out, err] = said.clone().map(|path| fs::File::create(path).unwrap());
    let mut child = shell.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(most);
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let [out, err] = said.map(|path| fs::read_to_string(path).unwrap());
    (Said { code: ended.code().unwrap_or(-1), out, err }, most)
}

#[test]
fn a_bomb_opens_in_half_of_the_memory() {
    let folder = folder("memory-limit");
    let input = bomb(&folder);
    let commands: [&[&str]; 8] = [
        &["summary", "IN"],
        &["flame", "IN"],
        &["findings", "IN"],
        &["compare", "IN", "IN"],
        &["critical-path", "IN"],
        &["picture", "IN", "--of", "view", "-o", "out.svg"],
        &["export", "IN", "--format", "session", "-o", "out"],
        &["export", "IN", "--format", "parquet", "-o", "out.parquet"],
    ];
    for words in commands {
        let (said, most) = small(words, &input, MACHINE);
        assert_eq!(said.code, 0, "{words:?}: {}", said.err);
        assert!(most > 0 && most < MACHINE / 2, "{words:?} held {most} KiB");
        let left_out = [&said.out, &said.err].into_iter().any(|text| text.contains("memory-limit"));
        assert!(left_out, "{words:?} does not say what it left out: {} {}", said.out, said.err);
    }
    // A picture draws what its pixels can show.
    let drawn = fs::metadata(folder.join("out.svg")).unwrap().len();
    assert!(drawn < 1 << 20, "{drawn} bytes");
}

#[test]
fn a_limit_that_is_asked_for_holds_for_each_of_two_traces() {
    let picture = folder("memory-limit-asked").join("two.svg");
    let commands: [&[&str]; 3] = [
        &["compare"],
        &["check", "--baseline", "ps4w.pb"],
        &["picture", "--of", "comparison", "-o", picture.to_str().unwrap()],
    ];
    for words in commands {
        let files: &[&str] =
            if words.contains(&"--baseline") { &["ps4w-later.pb"] } else { &["ps4w.pb", "ps4w-later.pb"] };
        let mut command = steplens(words);
        let said = run(command.args(["--memory", "0"]).args(files).current_dir(fixtures()));
        for file in ["ps4w.pb", "ps4w-later.pb"] {
            let is_said = said.err.lines().any(|line| line.contains("the 0 MiB of memory allowed were full"));
            assert!(is_said && said.err.contains(&format!("steplens: {file}: ")), "{words:?}: {}", said.err);
        }
    }
}
