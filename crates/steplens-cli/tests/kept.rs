//! What a session keeps about how it was shown applies to every command, unless an option says otherwise, and is not lost in
//! another file.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::shared_page::{element, read_page, session, write_page};
use crate::common::{folder, output, parse_csv, run, steplens};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use steplens_report::answers::NAMES;

/// The key of both steps together; a step, its clocks and a repair; the visible window, a mark, and a tab.
const VIEW: &str = "k=8202.805456734&step=2&clocks=estimated&fix=far-ops&w=1000,5000&n=500000000,500000010,my%20mark&tab=memory";
const OPTIONS: [&str; 8] =
    ["--step", "2", "--clocks", "estimated", "--repair", "far-ops", "--communication", "MatMul"];
const FILES: [&str; 2] = ["ps4w.pb", "ps4w-later.pb"];
const TEMPLATE: &str =
    "<!doctype html><title>Steplens</title><!--steplens:data--><script id=\"app\">1</script>";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A session of two steps with this view, and patterns next to it.
fn saved(folder: &Path, view: &str) -> PathBuf {
    let path = folder.join("saved.steplens");
    let export =
        ["export", "--format", "session", "--view", view, "--communication", "MatMul", "-o", text(&path)];
    output(&[&export[..], &FILES].concat());
    path
}

/// The JSON output of a command, without the files that it read.
fn said(command: &str, arguments: &[&str]) -> Value {
    let out = output(&[&[command, "--json"], arguments].concat());
    let mut value: Value = serde_json::from_str(&out).unwrap();
    value.as_object_mut().unwrap().remove("files");
    value
}

#[test]
fn every_command_says_what_the_page_showed() {
    let folder = folder("kept-commands");
    let saved = saved(&folder, VIEW);
    let of_files = |command, options: &[&str]| said(command, &[&FILES[..], options].concat());
    let of_saved = |command, options: &[&str]| said(command, &[&[text(&saved)], options].concat());
    // The doctor is about what was opened, and not only about what is shown.
    for &command in NAMES.iter().filter(|&&name| name != "doctor") {
        assert_eq!(of_saved(command, &[]), of_files(command, &OPTIONS), "{command}");
        assert_eq!(of_saved(command, &["--as-recorded"]), of_files(command, &[]), "{command}");
    }
    // An option replaces the kept value of the same kind.
    let without = |left_out: usize, own: &[&'static str]| {
        let mut options = OPTIONS.to_vec();
        options.splice(left_out..left_out + 2, own.iter().copied());
        of_files("summary", &options)
    };
    assert_eq!(of_saved("summary", &["--step", "1"]), without(0, &["--step", "1"]));
    assert_eq!(of_saved("summary", &["--clocks", "recorded"]), without(2, &[]));
    assert_eq!(of_saved("summary", &["--communication", "Relu"]), without(6, &["--communication", "Relu"]));
    assert_ne!(of_saved("summary", &["--step", "1"]), of_saved("summary", &[]));
    // Together with other files, the session is one trace of several.
    assert_eq!(
        said("summary", &[text(&saved), "multidev.pb"])["step"],
        said("summary", &["ps4w.pb", "ps4w-later.pb", "multidev.pb"])["step"]
    );
}

#[test]
fn a_shared_page_opens_as_it_was_shared() {
    let folder = folder("kept-page");
    write_page(&folder.join("page.html"), TEMPLATE);
    let page = folder.join("shared.html");
    let mut report = steplens(["report", "--include", "all", "-o", text(&page)]);
    let report = run(report.args(FILES).args(OPTIONS).env("STEPLENS_PAGE", folder.join("page.html")));
    assert_eq!(report.code, 0, "{}", report.err);
    for command in ["summary", "ops", "transfers"] {
        let of_files = said(command, &[&FILES[..], &OPTIONS].concat());
        assert_eq!(said(command, &[text(&page)]), of_files, "{command}");
    }
    assert_eq!(said("summary", &[text(&page), "--as-recorded"]), said("summary", &FILES));
}

#[test]
fn patterns_that_the_user_set_on_the_page_count() {
    let folder = folder("kept-patterns");
    // The patterns that the page put into the view replace those of the session: another one, none, or one that is invalid.
    for (words, wanted) in
        [("com=Relu", vec!["--communication", "Relu"]), ("com=%0A", vec![]), ("com=(", vec![])]
    {
        let saved = saved(&folder, &format!("k=8202.805456734&{words}"));
        let wanted = said("summary", &[&FILES[..], &wanted].concat());
        assert_eq!(said("summary", &[text(&saved)]), wanted, "{words}");
    }
}

/// The note of the page that `report` writes, and the session in the page.
fn report(folder: &Path, arguments: &[&str]) -> (Value, Vec<u8>) {
    write_page(&folder.join("page.html"), TEMPLATE);
    let mut command = steplens(["report", "-o", "out.html"]);
    command.args(arguments).env("STEPLENS_PAGE", folder.join("page.html")).current_dir(folder);
    let said = run(&mut command);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{arguments:?}");
    let page = read_page(&folder.join("out.html"));
    (serde_json::from_str(element(&page, r#"id="steplens-export">"#)).unwrap(), session(&page))
}

#[test]
fn a_report_of_a_session_opens_as_the_session_does() {
    let folder = folder("kept-report");
    let saved = saved(&folder, VIEW);
    let view_of = |arguments: &[&str]| {
        let (note, session) = report(&folder, &[&[text(&saved)], arguments].concat());
        (note["view"].as_str().unwrap().to_owned(), note["options"]["communication"].clone(), session)
    };
    let (view, communication, session) = view_of(&["--include", "all"]);
    assert_eq!((view.as_str(), communication), (VIEW, serde_json::json!(["MatMul"])));
    // The page contains the trace itself, without the corrections of the view.
    fs::write(folder.join("inside.steplens"), session).unwrap();
    assert_eq!(said("summary", &[text(&folder.join("inside.steplens"))]), said("summary", &FILES));
    // For another step, kept places in time mean nothing; marks do.
    let (view, ..) = view_of(&["--include", "all", "--step", "1"]);
    assert_eq!(view, VIEW.replace("step=2", "step=1").replace("&w=1000,5000", ""));
    let (view, ..) = view_of(&["--include", "all", "--clocks", "recorded", "--op-time", "gpu"]);
    assert_eq!(view, VIEW.replace("&clocks=estimated", "&time=gpu").replace("&w=1000,5000", ""));
    assert_eq!(view_of(&["--include", "all", "--as-recorded"]).0, "");
    assert_eq!(view_of(&["--include", "all", "--view", "#k=1.2"]).0, "k=1.2");
    // A redacted page keeps everything except texts. The patterns have already decided its categories.
    let (view, communication, session) = view_of(&[]);
    assert_eq!((view.as_str(), communication), (&*VIEW.replace("my%20mark", ""), serde_json::json!([])));
    fs::write(folder.join("inside.steplens"), session).unwrap();
    let figures = |file: &str, more: &[&str]| {
        let summary = said("summary", &[&[file], more].concat());
        (summary["step"].clone(), summary["ops"].clone(), summary["transferred_bytes"].clone())
    };
    let options = ["--step", "2", "--clocks", "estimated", "--repair", "far-ops"];
    assert_eq!(figures(text(&folder.join("inside.steplens")), &options), figures(text(&saved), &[]));
}

#[test]
fn a_session_of_a_session_is_the_same_file() {
    let folder = folder("kept-session");
    let saved = saved(&folder, VIEW);
    let again = folder.join("again.steplens");
    let export = |more: &[&str]| {
        output(&[&["export", text(&saved), "--format", "session", "-o", text(&again)], more].concat());
        fs::read(&again).unwrap()
    };
    assert!(export(&[]) == fs::read(&saved).unwrap());
    // What an option corrects is corrected in the file, and the rest of what was kept stays.
    export(&["--step", "2"]);
    assert_eq!(said("summary", &[text(&again)])["step"], said("summary", &[text(&saved)])["step"]);
    assert_eq!(said("summary", &[text(&again)])["ops"], 4_027);
    let view = report(&folder, &[text(&again), "--include", "all"]).0["view"].as_str().unwrap().to_owned();
    assert!(
        view.starts_with("k=4027.") && view.contains("my%20mark") && view.ends_with("&tab=memory"),
        "{view}"
    );
    assert!(!view.contains("step=") && !view.contains("w="), "{view}");
}

/// Formats that do not need the order of the file, which a session does not have.
#[test]
fn other_formats_hold_what_was_shown() {
    let folder = folder("kept-formats");
    let saved = saved(&folder, VIEW);
    for format in ["csv", "chrome", "perfetto"] {
        let export = |inputs: &[&str], name: &str| {
            let out = folder.join(format!("{format}-{name}"));
            output(&[&["export", "--format", format, "-o", text(&out)], inputs].concat());
            fs::read(if format == "csv" { out.join("ops.csv") } else { out }).unwrap()
        };
        let own = export(&[text(&saved)], "saved");
        assert!(own == export(&[&FILES[..], &OPTIONS].concat(), "files"), "{format}");
    }
    let sheet = fs::read_to_string(folder.join("csv-saved/ops.csv")).unwrap();
    assert_eq!(parse_csv(&sheet).len(), 4_028);
}
