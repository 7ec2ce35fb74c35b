//! The inputs of the program, and its messages when it cannot read one.

use crate::common::{fixture, folder, output, run, run_metadata, run_with_input, steplens};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

fn ops(json: &str) -> Option<u64> {
    serde_json::from_str::<serde_json::Value>(json).ok()?["ops"].as_u64()
}

#[test]
fn standard_input_plain_and_packed() {
    let plain = fixture("mnist-adam.pb");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&plain).unwrap();
    let whole = ops(&output(&["summary", "--json", "mnist-adam.pb"]));
    for (input, format) in [(plain, "run-metadata"), (packed.finish().unwrap(), "run-metadata.gz")] {
        let said = run_with_input(&mut steplens(["summary", "--json", "worker=-"]), &input);
        assert_eq!((said.code, ops(&said.out)), (0, whole));
        assert!(said.out.contains(&format!(r#""name":"worker","format":"{format}""#)), "{}", said.out);
    }
}

#[test]
fn packed_files_say_the_same_each_time_whatever_the_threads_do() {
    let folder = folder("packed");
    let plain = fixture("mnist-adam.pb");
    let gzip = |bytes: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    let packed = gzip(&plain);
    let (first, second) = plain.split_at(plain.len() / 3);
    let files = [
        ("whole", packed.clone(), 79, &[][..]),
        ("members", [gzip(first), gzip(second)].concat(), 79, &[]),
        ("garbage", [&packed[..], b"more"].concat(), 79, &["gzip-damaged"]),
        ("cut", packed[..packed.len() - 1].to_vec(), 79, &["gzip-damaged"]),
        ("zstd", fixture("containers/mnist-adam.pb.zst"), 79, &[]),
    ];
    for (name, bytes, ops, codes) in files {
        fs::write(folder.join(name), &bytes).unwrap();
        let summary =
            || run(steplens(["summary", "--json", &format!("{name}={name}")]).current_dir(&folder)).out;
        let said = summary();
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        let file = &json["files"][0];
        assert_eq!(
            (json["ops"].as_u64(), file["bytes"].as_u64()),
            (Some(ops), Some(bytes.len() as u64)),
            "{name}"
        );
        let problems = file["problems"].as_array().unwrap();
        let found: Vec<_> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
        assert_eq!(found, codes, "{name}");
        for _ in 0..5 {
            assert_eq!(summary(), said, "{name}");
        }
        let through_input =
            run_with_input(&mut steplens(["summary", "--json", &format!("{name}=-")]), &bytes);
        assert_eq!(through_input.out, said, "{name} through standard input");
    }
}

#[test]
fn a_folder_is_its_files_in_order() {
    let folder = folder("a_folder");
    for name in ["t10.pb", "t9.pb", ".hidden.pb"] {
        fs::write(folder.join(name), fixture("multidev.pb")).unwrap();
    }
    fs::write(folder.join("notes.txt"), "{}").unwrap();
    fs::create_dir(folder.join("more")).unwrap();
    let said = run(steplens(["summary", "--json", "run=."]).current_dir(&folder));
    assert_eq!((said.code, said.err.as_str(), ops(&said.out)), (0, "", Some(134)));
    let summary: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let names: Vec<_> =
        summary["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["run/notes.txt", "run/t9.pb", "run/t10.pb"]);
    // In text output, problems are printed next to the text.
    let said = run(steplens(["summary", "."]).current_dir(&folder));
    assert_eq!(said.code, 0);
    assert!(said.err.contains("notes.txt: 1 problem\n  1 × other-json: "), "{}", said.err);
    let said = run(steplens(["summary", "more"]).current_dir(&folder));
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.starts_with("steplens: more is an empty folder. "), "{}", said.err);
}

#[test]
fn a_file_whose_name_has_an_equals_sign_is_a_file() {
    let folder = folder("equals");
    fs::write(folder.join("lr=0.1.pb"), fixture("multidev.pb")).unwrap();
    let said = run(steplens(["summary", "--json", "lr=0.1.pb"]).current_dir(&folder));
    assert!(said.out.contains(r#""name":"lr=0.1.pb""#), "{}", said.err);
}

#[test]
fn what_cannot_be_used_is_said_in_one_sentence() {
    let folder = folder("unusable");
    fs::write(folder.join("empty.pb"), "").unwrap();
    fs::write(folder.join("page.html"), "<!doctype html>").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["summary", "nothing.pb"], "nothing.pb cannot be opened: no such file or folder"),
        (&["ops", "empty.pb"], "empty.pb is empty. Record the step again. [empty-file]"),
        (&["transfers", "page.html"], "page.html is HTML or XML, not a trace. "),
        (&["summary", "-"], "- is empty. "),
        (&["summary", "-", "-"], "standard input (-) can be read once only. "),
        (
            &["summary", "--communication", "(", "empty.pb"],
            "--communication: the pattern `(` is not a regular expression",
        ),
    ];
    for (arguments, sentence) in cases {
        let said = run(steplens(arguments).current_dir(&folder));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}");
        assert!(said.err.starts_with(&format!("steplens: {sentence}")), "{arguments:?}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
}

#[test]
fn wrong_usage_is_told_apart_from_nothing() {
    for arguments in [
        &["summary"][..],
        &["no-such-command"],
        &["summary", "--json", "--csv", "ps4w.pb"],
        &["ops", "--sort", "x", "a"],
    ] {
        let said = run(&mut steplens(arguments));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}");
        assert!(said.err.contains("Usage") || said.err.contains("--help"), "{}", said.err);
    }
    for arguments in [["--version"], ["--help"]] {
        assert_eq!(run(&mut steplens(arguments)).code, 0);
    }
}

#[test]
fn one_unusable_file_leaves_the_others_shown() {
    let folder = folder("one_unusable");
    fs::write(folder.join("good.pb"), fixture("multidev.pb")).unwrap();
    fs::write(folder.join("bad.pb"), "").unwrap();
    for form in ["--json", "--csv", "--color=never"] {
        let said = run(steplens(["summary", form, "good.pb", "bad.pb"]).current_dir(&folder));
        assert_eq!(said.code, 2);
        assert!(said.out.contains("CPU:3"), "{}", said.out);
        assert!(said.err.starts_with("steplens: bad.pb is empty. "), "{}", said.err);
    }
}

#[test]
fn a_file_cut_short_is_shown_and_its_problem_told() {
    let whole = fixture("mnist-adam.pb");
    let said = run_with_input(&mut steplens(["summary", "-"]), &whole[..whole.len() / 8]);
    assert_eq!(said.code, 0);
    assert!(
        said.err.starts_with("steplens: -: 1 problem\n  1 × truncated: the file ends at byte "),
        "{}",
        said.err
    );
    assert!(said.out.contains("1 problem"), "{}", said.out);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let many: Vec<_> = (0..20_000).map(|_| ("op", "op = Mul(x)")).collect();
    let folder = folder("enough");
    fs::write(folder.join("many.pb"), run_metadata("/device:CPU:0", &many)).unwrap();
    for arguments in [["ops", "many.pb", "--all"], ["ops", "many.pb", "--csv"], ["ops", "many.pb", "--json"]]
    {
        let mut command = steplens(arguments);
        command.current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        // The reading end is closed now, long before all output is written.
        let rest = child.wait_with_output().unwrap();
        assert_eq!((rest.status.code(), rest.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}
