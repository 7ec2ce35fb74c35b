//! The scripts for shells and the pages for `man`: they cover every command, and the shells accept them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixture, folder, output, run, run_with_input, steplens};
use std::io::Write;
use std::process::{Command, Stdio};
use std::{fs, io};
use steplens_report::answers::NAMES;

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = output(&["--help"]);
    let list = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// Runs a shell on `script`. If there is no such shell, says so and returns `None`.
fn shell(name: &str, options: &[&str], script: &str) -> Option<String> {
    let child = Command::new(name)
        .args(options)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        let mut stderr = io::stderr();
        writeln!(stderr, "NOT TESTED: completions in {name}, which is not installed").unwrap();
        return None;
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let said = child.wait_with_output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&said.stdout).into_owned(), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success() && err.is_empty(), "{name}: {err}");
    Some(out)
}

#[test]
fn every_command_is_in_the_completions_of_every_shell() {
    let commands = commands();
    assert!(commands.len() > NAMES.len(), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = output(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell} does not know {command}");
        }
        assert!(script.contains("op-time") && script.contains("timeline.py"), "{shell}");
    }
    assert_eq!(run(&mut steplens(["completions", "tcsh"])).code, 2);
}

#[test]
fn bash_completes_commands_options_and_values() {
    let script = output(&["completions", "bash"]);
    let completed = |words: &str, count: usize| {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words})\nCOMP_CWORD={count}\n_steplens steplens \"${{COMP_WORDS[{count}]}}\" \
             \"${{COMP_WORDS[{}]}}\"\nprintf '%s ' \"${{COMPREPLY[@]}}\"\n",
            count - 1
        );
        shell("bash", &["--norc", "--noprofile"], &ask)
    };
    let Some(commands) = completed("steplens su", 1) else { return };
    assert_eq!(commands, "summary ");
    assert_eq!(completed("steplens ops --so", 2).unwrap(), "--sort ");
    assert_eq!(completed("steplens ops --sort du", 3).unwrap(), "duration ");
}

#[test]
fn zsh_and_fish_accept_their_scripts() {
    shell("zsh", &["-n"], &output(&["completions", "zsh"]));
    shell("fish", &["--no-execute"], &output(&["completions", "fish"]));
}

#[test]
fn every_command_has_a_manual_page() {
    let whole = output(&["man"]);
    // `help` belongs to clap, and takes no options.
    for command in commands().into_iter().filter(|command| command != "help") {
        let page = output(&["man", &command]);
        let title = format!(".TH steplens-{command} 1 ");
        assert!(page.contains(&title), "{command}: {}", page.lines().take(4).collect::<Vec<_>>().join("\n"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}");
        // In roff, a line may break at a bare hyphen.
        let name = command.replace('-', "\\-");
        assert!(whole.contains(&format!("steplens\\-{name}(1)")), "{command}");
    }
    let said = run(&mut steplens(["man", "nothing"]));
    assert_eq!(said.code, 2);
    assert!(said.err.starts_with("steplens: there is no command nothing. Give one of "), "{}", said.err);
}

#[test]
fn every_command_reads_standard_input_and_folders() {
    let folder = folder("every_command");
    fs::create_dir(folder.join("traces")).unwrap();
    let bytes = fixture("multidev.pb");
    fs::write(folder.join("traces/multidev.pb"), &bytes).unwrap();
    for &command in NAMES {
        let file = run(steplens([command, "--json", "traces/multidev.pb"]).current_dir(&folder));
        let input = run_with_input(&mut steplens([command, "--json", "-"]), &bytes);
        let of_folder = run(steplens([command, "--json", "traces"]).current_dir(&folder));
        assert_eq!((file.code, input.code, of_folder.code), (0, 0, 0), "{command}: {}", input.err);
        assert_eq!(of_folder.out, file.out, "{command}");
        let named = file.out.replace("\"traces/multidev.pb\"", "\"-\"");
        assert_eq!(input.out, named, "{command}");
    }
    for format in ["timeline", "chrome", "perfetto", "session"] {
        let options = ["export", "--format", format, "-o", "-"];
        let said = steplens(options).arg("traces").current_dir(&folder).output().unwrap();
        assert!(said.status.success() && !said.stdout.is_empty(), "{format}");
        let path = folder.join(format);
        let said = run_with_input(steplens(["export", "--format", format, "-", "-o"]).arg(&path), &bytes);
        assert_eq!(said.code, 0, "{format}: {}", said.err);
        assert!(fs::metadata(&path).unwrap().len() > 0, "{format}");
    }
}

#[test]
fn licences_are_listed_with_their_texts() {
    let text = output(&["licences"]);
    for part in [
        "clap 4.",
        "wasm-bindgen 0.2.",
        "@fluent/bundle 0.",
        "Permission is hereby granted",
        "Apache License",
    ] {
        assert!(text.contains(part), "{part}");
    }
}
