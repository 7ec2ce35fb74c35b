//! No output costs a file that was there: whatever a command writes, it refuses to write over what it reads, and what stood in the
//! place stays until the new file is complete.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{Said, fixture, folder, run, steplens};
use crate::schemas::is_thorough;
use std::fs;
use std::path::{Path, PathBuf};

/// A command that writes one file, of `IN` to `OUT`; the ending that `OUT` needs.
type Writing = (&'static [&'static str], &'static str);

const ONE_FILE: [Writing; 14] = [
    (&["export", "IN", "--format", "timeline", "-o", "OUT"], ".json"),
    (&["export", "IN", "--format", "chrome", "-o", "OUT"], ".json"),
    (&["export", "IN", "--format", "perfetto", "-o", "OUT"], ".pftrace"),
    (&["export", "IN", "--format", "run-metadata", "-o", "OUT"], ".pb"),
    (&["export", "IN", "--format", "tfvis", "-o", "OUT"], ".pickle"),
    (&["export", "IN", "--format", "tensorflow-tracer", "-o", "OUT"], ".pickle"),
    (&["export", "IN", "--format", "session", "-o", "OUT"], ".steplens"),
    (&["export", "IN", "--format", "csv", "-o", "OUT"], ".zip"),
    (&["picture", "IN", "--of", "view", "-o", "OUT"], ".svg"),
    (&["picture", "IN", "--of", "memory", "-o", "OUT"], ".png"),
    (&["report", "IN", "-o", "OUT"], ".html"),
    (&["baseline", "IN", "-o", "OUT"], ".baseline"),
    (&["check", "IN", "--max-step", "1s", "--junit", "OUT"], ".xml"),
    (&["check", "IN", "--max-step", "1s", "--markdown", "OUT"], ".md"),
];
const FOLDERS: [&str; 3] = ["csv", "parquet", "chakra"];

fn arguments(words: &[&str], input: &Path, output: &Path) -> Vec<PathBuf> {
    let path = |word: &&str| match *word {
        "IN" => input.to_owned(),
        "OUT" => output.to_owned(),
        word => PathBuf::from(word),
    };
    words.iter().map(path).collect()
}

fn write(words: &[&str], input: &Path, output: &Path) -> Said {
    run(&mut steplens(arguments(words, input, output)))
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_input_is_refused_by_any_name() {
    let folder = folder("outputs-inputs");
    let bytes = fixture("mnist-adam.pb");
    for (place, (words, ending)) in ONE_FILE.iter().enumerate() {
        let own = folder.join(place.to_string());
        fs::create_dir_all(own.join("below")).unwrap();
        let input = own.join(format!("in{ending}"));
        fs::write(&input, &bytes).unwrap();
        let mut others = vec![input.clone(), own.join(format!("below/../in{ending}"))];
        let hard = own.join(format!("hard{ending}"));
        fs::hard_link(&input, &hard).unwrap();
        others.push(hard);
        #[cfg(unix)]
        {
            let soft = own.join(format!("soft{ending}"));
            std::os::unix::fs::symlink(&input, &soft).unwrap();
            others.push(soft);
        }
        for other in others {
            for (input, output) in [(&input, &other), (&other, &input)] {
                let said = write(words, input, output);
                assert_eq!((said.code, said.out.as_str()), (2, ""), "{words:?} {other:?} {}", said.err);
                assert!(said.err.contains(" is an input. Give the output another name"), "{}", said.err);
            }
        }
        assert!(fs::read(&input).unwrap() == bytes, "{words:?}");
    }
}

/// What a check compares with is an input, too.
#[test]
fn a_baseline_is_not_written_over() {
    let folder = folder("outputs-baseline");
    let (input, base) = (folder.join("in.pb"), folder.join("base"));
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    fs::write(&base, fixture("mnist-adam.pb")).unwrap();
    for option in ["--junit", "--markdown"] {
        let said = run(steplens(["check", "--baseline"]).arg(&base).arg(&input).arg(option).arg(&base));
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(said.err.contains(" is an input. Give the output another name"), "{}", said.err);
    }
    assert!(fs::read(&base).unwrap() == fixture("mnist-adam.pb"));
}

/// What the shell hands over on standard input is an input, too.
#[cfg(unix)]
#[test]
fn standard_input_is_not_written_over() {
    let folder = folder("outputs-stdin");
    let input = folder.join("in.pb");
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    let mut command = steplens(["export", "-", "--format", "run-metadata", "-o"]);
    let said = run(command.arg(&input).stdin(fs::File::open(&input).unwrap()));
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains(" is an input. Give the output another name"), "{}", said.err);
    assert!(fs::read(&input).unwrap() == fixture("mnist-adam.pb"));
}

/// A new file has the permissions of the one that it replaces, takes the place that links lead to, and leaves nothing beside it.
#[cfg(unix)]
#[test]
fn a_file_is_replaced_in_its_place() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("outputs-place");
    let input = folder.join("in.pb");
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    for (words, ending) in ONE_FILE {
        let own = folder.join(format!("own{ending}"));
        fs::create_dir_all(own.join("real")).unwrap();
        let (real, link) = (own.join(format!("real/out{ending}")), own.join(format!("link{ending}")));
        symlink(format!("real/out{ending}"), &link).unwrap();
        let said = write(words, &input, &link);
        assert_eq!(said.code, 0, "{words:?} {}", said.err);
        let first = fs::read(&real).unwrap();
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(write(words, &input, &link).code, 0, "{words:?}");
        // A page is redacted with another key each time.
        assert!(fs::read(&real).unwrap() == first || ending == ".html", "{words:?}");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640, "{words:?}");
        assert!(link.is_symlink());
        assert_eq!(names(&own.join("real")), [format!("out{ending}")], "{words:?}");
        fs::remove_dir_all(own).unwrap();
    }
}

/// Killed at any moment, a command leaves the old file or the whole new one, and nothing beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_command_leaves_the_old_or_the_new_file() {
    use std::process::Stdio;
    use std::thread;
    use std::time::{Duration, Instant};
    let folder = folder("outputs-killed");
    let input = folder.join("in.pb");
    fs::write(&input, fixture("ps4w-later.pb")).unwrap();
    for (words, ending) in ONE_FILE {
        let own = folder.join(format!("own{ending}"));
        fs::create_dir_all(&own).unwrap();
        let out = own.join(format!("out{ending}"));
        // Hidden texts are hashed with a key that is drawn each time.
        let command = || {
            let mut command = steplens(arguments(words, &input, &out));
            command.env("STEPLENS_REDACTION_KEY", "0123456789abcdef0123456789abcdef");
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let begun = Instant::now();
        assert!(command().status().unwrap().success(), "{words:?}");
        let usual = begun.elapsed();
        let new = fs::read(&out).unwrap();
        for kill in (1..=20).filter(|kill| is_thorough() || kill % 3 == 0) {
            fs::write(&out, "old").unwrap();
            let mut child = command().spawn().unwrap();
            thread::sleep(Duration::from_nanos((usual.as_nanos() * kill / 20) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
            let left = fs::read(&out).unwrap();
            assert!(left == b"old" || left == new, "{words:?}: {} bytes after kill {kill}", left.len());
            // A file that is replaced has a name beside it for one call of the system.
            let beside = names(&own);
            let is_own = |name: &String| *name == format!("out{ending}") || name.ends_with(".unfinished");
            assert!(beside.iter().all(is_own), "{words:?}: {beside:?}");
            beside.iter().filter(|name| name.ends_with(".unfinished")).for_each(|name| {
                fs::remove_file(own.join(name)).unwrap();
            });
        }
    }
}

/// Without room for the file, the old one stays, and nothing beside it. A limit on the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder("outputs-full");
    let input = folder.join("in.pb");
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    let limited = |words: &[&str], out: &Path| {
        let program = steplens(arguments(words, &input, out));
        // Blocks of 512 bytes. The signal is ignored, so that writing fails.
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]);
        shell.arg(program.get_program()).args(program.get_args());
        shell.current_dir(program.get_current_dir().unwrap());
        run(&mut shell)
    };
    for (words, ending) in ONE_FILE.into_iter().filter(|(words, _)| words[0] != "check") {
        let own = folder.join(format!("own{ending}"));
        fs::create_dir_all(&own).unwrap();
        let out = own.join(format!("out{ending}"));
        fs::write(&out, "old").unwrap();
        let said = limited(words, &out);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{words:?} {}", said.err);
        assert!(said.err.contains(" cannot be written: "), "{words:?} {}", said.err);
        assert_eq!(fs::read(&out).unwrap(), b"old", "{words:?}");
        assert_eq!(names(&own), [format!("out{ending}")], "{words:?}");
    }
    for format in FOLDERS {
        let own = folder.join(format);
        assert_eq!(write(&["export", "IN", "--format", format, "-o", "OUT"], &input, &own).code, 0);
        let before: Vec<_> = names(&own);
        before.iter().for_each(|name| fs::write(own.join(name), "old").unwrap());
        let said = limited(&["export", "IN", "--format", format, "-o", "OUT"], &own);
        assert_eq!(said.code, 2, "{format} {}", said.err);
        assert_eq!(names(&own), before, "{format}");
        assert!(before.iter().all(|name| fs::read(own.join(name)).unwrap() == b"old"), "{format}");
        let fresh = folder.join("fresh").join(format);
        assert_eq!(limited(&["export", "IN", "--format", format, "-o", "OUT"], &fresh).code, 2, "{format}");
        assert!(!folder.join("fresh").exists(), "{format}");
    }
}

/// A folder that may not be written, and a file that may not.
#[cfg(target_os = "linux")]
#[test]
fn what_may_not_be_written_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("outputs-forbidden");
    let input = folder.join("in.pb");
    fs::write(&input, fixture("mnist-adam.pb")).unwrap();
    let forbid = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    for (words, ending) in ONE_FILE {
        for is_folder in [true, false] {
            let own = folder.join(format!("own{ending}{is_folder}"));
            fs::create_dir_all(&own).unwrap();
            let out = own.join(format!("out{ending}"));
            fs::write(&out, "old").unwrap();
            forbid(&out, if is_folder { 0o666 } else { 0o444 });
            forbid(&own, if is_folder { 0o555 } else { 0o777 });
            let program = steplens(arguments(words, &input, &out));
            let mut command = match is_root {
                // What root may write says nothing.
                true => {
                    let mut nobody = std::process::Command::new("setpriv");
                    nobody.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
                    nobody.arg(program.get_program()).args(program.get_args());
                    nobody.current_dir(program.get_current_dir().unwrap());
                    nobody
                }
                false => program,
            };
            let said = run(&mut command);
            assert_eq!(said.code, 2, "{words:?} {}", said.err);
            assert!(said.err.contains(" cannot be written: "), "{words:?} {}", said.err);
            assert_eq!(fs::read(&out).unwrap(), b"old", "{words:?}");
            assert_eq!(names(&own), [format!("out{ending}")], "{words:?}");
            forbid(&own, 0o777);
        }
    }
}
