//! Hostile names: they cannot control a terminal, and in a report they stay data.

use crate::common::shared_page::{element, read_page, session, write_page};
use crate::common::{fixture, folder, run, run_metadata, steplens};
use std::fs;
use std::path::Path;

const MARKUP: &str = "</script><img src=x onerror=alert(1)>";
const ESCAPE: &str = "\x1b]0;owned\x07\x1b[2J\u{9b}31m\u{202e}\r\n";

fn hostile() -> Vec<u8> {
    let name = format!("{MARKUP}{ESCAPE}");
    let transfer = format!("[8B] edge_1_{ESCAPE} from /job:{ESCAPE}/task:0/device:CPU:0 to /job:b/task:0");
    run_metadata(
        &format!("/job:{MARKUP}{ESCAPE}/replica:0/task:0/device:CPU:0"),
        &[(&name, &format!("{name} = {ESCAPE}({name})")), ("RecvTensor", &transfer), (&name, "")],
    )
}

#[test]
fn names_never_reach_the_terminal_raw() {
    let folder = folder("hostile_text");
    let file = format!("{}.pb", ESCAPE.replace(['\n', '/'], ""));
    fs::write(folder.join(&file), hostile()).unwrap();
    fs::write(folder.join("bad\x1b[31m.txt"), "{}").unwrap();
    for command in [
        ["summary", "--color=never"],
        ["ops", "--all"],
        ["transfers", "--all"],
        ["network", "--all"],
        ["steps", "--all"],
        ["clocks", "--color=never"],
        ["doctor", "--color=never"],
        ["summary", "--color=always"],
        ["network", "--color=always"],
    ] {
        for inputs in [
            &[file.as_str()][..],
            &[file.as_str(), "bad\x1b[31m.txt"],
            &["."],
            &["missing\x1b[31m"],
            &["bad\x1b[31m.txt"],
        ] {
            let said = run(steplens(command).args(inputs).current_dir(&folder));
            // Colours are the only control sequences, and only if they were asked for.
            let mut text = said.out + &said.err;
            if command[1] == "--color=always" {
                for code in ["0", "1", "38;5;245", "38;5;242", "38;5;74", "38;5;36", "38;5;179"] {
                    text = text.replace(&format!("\x1b[{code}m"), "");
                }
            }
            let raw = text.chars().find(|char| *char != '\n' && (char.is_control() || *char == '\u{202e}'));
            assert_eq!(raw, None, "{command:?} {inputs:?}: {text:?}");
        }
    }
}

/// The smallest possible page, so that this test needs no built one.
const TEMPLATE: &str =
    "<!doctype html><title>Steplens</title><!--steplens:data--><script id=\"app\">1</script>";

fn report(folder: &Path, template: &str, arguments: &[&str]) -> crate::common::Said {
    write_page(&folder.join("page.html"), template);
    run(steplens(["report"])
        .args(arguments)
        .env("STEPLENS_PAGE", folder.join("page.html"))
        .current_dir(folder))
}

#[test]
fn a_report_holds_the_files_as_data() {
    let folder = folder("report");
    let name = "a<img src=x onerror=alert(1)>.pb";
    fs::create_dir(folder.join("private")).unwrap();
    fs::write(folder.join("private").join(name), hostile()).unwrap();
    fs::write(folder.join("private/ps4w.pb"), fixture("ps4w.pb")).unwrap();
    fs::write(folder.join("private/secret.txt"), "not a trace").unwrap();
    let view = "#k=1.2&q=</script>";
    let said = report(
        &folder,
        TEMPLATE,
        &["private", "-o", "out.html", "--view", view, "--include", "all", "--communication", "^<b>"],
    );
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.starts_with("wrote out.html, "), "{}", said.out);
    let page = read_page(&folder.join("out.html"));
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains("private"));
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script>").count(), 3);
    let note: serde_json::Value = serde_json::from_str(element(&page, r#"id="steplens-export">"#)).unwrap();
    assert_eq!(note["schema"], "steplens.export/1");
    assert_eq!(note["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(note["view"], "k=1.2&q=</script>");
    assert_eq!(note["options"]["communication"][0], "^<b>");
    assert_eq!(note["files"].as_array().unwrap().len(), 1);
    assert_eq!(note["files"][0]["name"], format!("{name}.steplens"));
    // The session opens as the trace that it was made from, and does not contain the folder of that trace.
    let session = session(&page);
    assert_eq!(note["files"][0]["bytes"], session.len());
    fs::write(folder.join("shared.steplens"), session).unwrap();
    let summary = |files: &[&str]| {
        let said = run(steplens(["summary", "--json"]).args(files).current_dir(&folder));
        serde_json::from_str::<serde_json::Value>(&said.out).unwrap()
    };
    let shared = summary(&["shared.steplens"]);
    let private = summary(&[&format!("private/{name}"), "private/ps4w.pb"]);
    assert_eq!([&shared["files"][0]["name"], &shared["files"][1]["name"]], [name, "ps4w.pb"]);
    assert_eq!((&shared["devices"], &shared["step"]), (&private["devices"], &private["step"]));
    // Steps keep the files that they came from, even if the step before them was left out.
    let files_of_steps = |files: &[&str]| {
        let said = run(steplens(["steps", "--csv", "--steps-by=file"]).args(files).current_dir(&folder));
        said.out.lines().skip(1).filter_map(|row| Some(row.split(',').next()?.to_owned())).collect::<Vec<_>>()
    };
    let mut files = files_of_steps(&["shared.steplens"]);
    files.sort();
    assert_eq!(files, [name, "ps4w.pb"]);
}

#[test]
fn a_report_opens_at_the_step_that_was_asked_for() {
    let folder = folder("report_step");
    let files = ["ps4w.pb", "ps4w-later.pb"];
    files.iter().for_each(|file| fs::write(folder.join(file), fixture(file)).unwrap());
    let view = |more: &[&str]| {
        let said = report(&folder, TEMPLATE, &[&files[..], &["-o", "out.html"], more].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        let page = read_page(&folder.join("out.html"));
        let note: serde_json::Value =
            serde_json::from_str(element(&page, r#"id="steplens-export">"#)).unwrap();
        note["view"].as_str().unwrap().to_owned()
    };
    assert_eq!(view(&[]), "");
    // The key is that of the whole trace, as on the page.
    assert_eq!(view(&["--step", "2", "--repair", "far-ops"]), "k=8202.805456734&step=2&fix=far-ops");
    assert_eq!(view(&["--step", "2", "--view", "#k=1.2"]), "k=1.2");
}

#[test]
fn a_report_is_refused_where_it_would_be_of_no_use() {
    let folder = folder("no_report");
    fs::write(folder.join("ps4w.pb"), fixture("ps4w.pb")).unwrap();
    fs::write(folder.join("empty.pb"), "").unwrap();
    let cases: [(&str, &[&str], &str); 4] = [
        (TEMPLATE, &["ps4w.pb", "-o", "./ps4w.pb"], "./ps4w.pb is an input. "),
        (TEMPLATE, &["ps4w.pb", "empty.pb", "-o", "out.html"], "empty.pb is empty. "),
        (
            TEMPLATE,
            &["ps4w.pb", "-o", "no/such/folder.html"],
            "no/such/folder.html cannot be written: no such",
        ),
        (
            "<html></html>",
            &["ps4w.pb", "-o", "out.html"],
            "steplens.html has no place for the data of a trace",
        ),
    ];
    for (template, arguments, sentence) in cases {
        let said = report(&folder, template, arguments);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}");
        assert!(said.err.starts_with(&format!("steplens: {sentence}")), "{}", said.err);
        assert!(!folder.join("out.html").exists());
    }
    assert_eq!(fs::read(folder.join("ps4w.pb")).unwrap(), fixture("ps4w.pb"));
    let missing = folder.join("nowhere.html");
    let said = run(steplens(["report", "ps4w.pb", "-o", "-"]).env("STEPLENS_PAGE", missing));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("which STEPLENS_PAGE names, cannot be read: no such file"), "{}", said.err);
}
