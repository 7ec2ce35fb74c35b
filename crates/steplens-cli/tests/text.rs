//! The text for people, for real files, against golden files. `STEPLENS_BLESS=1` writes them again.

use crate::common::{run, steplens};
use crate::places::root;
use std::{env, fs};

/// Prints the output of `commands` and compares it with the golden file called `name`.
fn check(name: &str, commands: &[(usize, &str)]) {
    let mut got = String::new();
    for (columns, command) in commands {
        let said = run(steplens(command.split(' ')).env("COLUMNS", columns.to_string()));
        assert_eq!(said.code, 0, "{command}: {}", said.err);
        got += &format!("$ COLUMNS={columns} steplens {command}\n{}\n", said.out);
        let too_wide = said
            .out
            .lines()
            .filter(|line| !line.contains('\x1b'))
            .find(|line| line.chars().count() > *columns);
        assert!(too_wide.is_none() || *columns < 80, "{command} is wider than {columns}: {too_wide:?}");
        assert!(!said.out.lines().any(|line| line.ends_with(' ')), "{command}: spaces at the end of a line");
    }
    let path = root().join("crates/steplens-cli/tests/golden").join(name);
    if env::var_os("STEPLENS_BLESS").is_some() {
        return fs::write(path, got).expect("golden files can be written");
    }
    let want = fs::read_to_string(&path).unwrap_or_default();
    assert!(got == want, "{name} differs; STEPLENS_BLESS=1 writes it anew. Got:\n{got}");
}

#[test]
fn four_workers_and_a_parameter_server() {
    check(
        "ps4w.txt",
        &[
            (100, "summary ps4w.pb"),
            (80, "summary ps4w.pb"),
            (100, "ops ps4w.pb --limit 10"),
            (200, "ops ps4w.pb --limit 5 --sort bytes"),
            (100, "transfers ps4w.pb --limit 10"),
            (200, "transfers ps4w.pb --limit 10 --sort delayed"),
            (80, "transfers ps4w.pb --limit 3 --sort unused"),
            (80, "ops ps4w.pb --limit 3 --sort queue"),
        ],
    );
}

#[test]
fn several_steps() {
    check(
        "steps.txt",
        &[
            (100, "steps ps4w.pb ps4w-later.pb"),
            (100, "steps ps4w.pb ps4w-later.pb --steps-by together"),
            (100, "steps chrome/timeline-concat.ctf.json"),
            (100, "summary ps4w.pb ps4w-later.pb --step 2"),
            (100, "critical-path ps4w.pb ps4w-later.pb --steps all --limit 5"),
            (80, "critical-path ps4w.pb ps4w-later.pb --steps 2 --limit 3"),
            (100, "scheduling mnist-adam.pb --threads 2 --tiny 5us --limit 3"),
        ],
    );
}

#[test]
fn two_traces_compared() {
    check(
        "compare.txt",
        &[
            (100, "compare ps4w.pb ps4w-later.pb --limit 5"),
            (80, "compare ps4w.pb ps4w-skewed.pb --limit 3"),
            (100, "compare ps4w.pb ps4w.pb"),
            (100, "compare ps4w-later.pb multidev.pb --limit 3"),
            (79, "compare ps4w.pb ps4w-later.pb --csv"),
        ],
    );
}

#[test]
fn what_would_help() {
    check(
        "what-if.txt",
        &[
            (100, "what-if ps4w.pb --limit 3"),
            (100, "what-if ps4w.pb --op type:.*Conv.*=0.5 --limit 3"),
            (100, "what-if ps4w.pb --link ps:0->worker:1=0.5"),
            (80, "what-if ps4w.pb --network 0 --threads 2"),
            (80, "what-if ps4w.pb --hide communication"),
            (80, "what-if ps4w.pb --order better"),
            (80, "what-if ps4w.pb --half . --merge ."),
            (80, "what-if ps4w.pb --like-peers worker:1"),
            (80, "what-if ps4w.pb --device worker:0=2"),
            (80, "what-if ps4w.pb --csv --op type:.*Conv.*=0.5"),
        ],
    );
}

#[test]
fn what_matters_most() {
    check(
        "findings.txt",
        &[(100, "findings ps4w.pb"), (80, "findings multidev.pb"), (100, "findings gpu/kernels.pb")],
    );
}

#[test]
fn what_the_doctor_finds() {
    check(
        "doctor.txt",
        &[
            (100, "doctor ps4w.pb"),
            (100, "doctor ps4w.pb ps4w.pb"),
            (80, "doctor ps4w.pb ps4w.pb --repair repeated-ops"),
            (100, "steps ps4w.pb ps4w.pb --repair repeated-ops"),
        ],
    );
}

#[test]
fn one_small_step() {
    check(
        "mnist-adam.txt",
        &[
            (100, "summary mnist-adam.pb"),
            (80, "ops mnist-adam.pb --sort queue --limit 5"),
            (100, "transfers mnist-adam.pb"),
            (80, "summary mnist-adam.pb --color always"),
        ],
    );
}

#[test]
fn a_while_loop() {
    check(
        "lstm-while.txt",
        &[(100, "summary lstm-while.pb"), (80, "ops lstm-while.pb --sort start --limit 10")],
    );
}

#[test]
fn gpus_with_streams() {
    // These samples must not be copied into the project, so a golden file must not contain their names either.
    let Some(samples) = crate::samples::sample_folder("gpu") else { return };
    let print =
        |command: &str| run(steplens(command.split(' ')).current_dir(&samples).env("COLUMNS", "150")).out;
    let summary = print("summary gpu-mnist.pb");
    assert!(
        summary.contains("\nlocalhost 0\n  CPU:0 ")
            && summary.contains("\n  GPU:0 dispatch ")
            && summary.contains("\nno task\n  GPU 0, 4 streams ")
            && summary.contains("\n    memcpy "),
        "{summary}"
    );
    assert!(
        summary.contains("memcpy and stream:all repeat ops of a GPU’s streams: each op counts once")
            && summary.contains('▚'),
        "{summary}"
    );
    // What `stream:all` repeats is in the full list only.
    assert!(!print("ops gpu-mnist.pb --limit 300").contains("stream:all"));
    assert!(print("ops gpu-mnist.pb --all").contains("stream:all"));
}

#[test]
fn several_files_and_patterns() {
    check(
        "several.txt",
        &[
            (80, "summary first=ps4w.pb ps4w-later.pb"),
            (80, "summary multidev.pb --communication MatMul --communication ^Relu$"),
        ],
    );
}

#[test]
fn all_shows_every_op() {
    for command in ["ops multidev.pb --all", "ops multidev.pb --all --sort name"] {
        let said = run(&mut steplens(command.split(' ')));
        let (_, list) = said.out.split_once("  name\n").unwrap();
        assert_eq!(list.lines().count(), 67, "{command}");
    }
}

#[test]
fn the_documentation_shows_real_output() {
    let root = root();
    let document = fs::read_to_string(root.join("docs/program.md")).unwrap();
    let blocks: Vec<_> = document.split("```console\n$ steplens ").skip(1).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let (command, rest) = block.split_once('\n').unwrap();
        let (shown, _) = rest.split_once("```").unwrap();
        let said = run(steplens(command.split(' ')).current_dir(&root).env("COLUMNS", "80"));
        assert!(
            said.out == shown,
            "docs/program.md shows something else for `steplens {command}`:\n{}",
            said.out
        );
    }
}

#[test]
fn a_column_without_a_figure_is_not_shown() {
    for (devices, wanted) in [("ps", ["received"].as_slice()), ("worker", &["received", "sent"])] {
        let said = run(steplens(["summary", "ps4w.pb", "--devices", devices]).env("COLUMNS", "120"));
        let head = said.out.lines().find(|line| line.starts_with("device ")).unwrap();
        let shown: Vec<&str> =
            head.split_whitespace().filter(|word| ["received", "sent"].contains(word)).collect();
        assert_eq!(shown, wanted, "{head}");
    }
}
