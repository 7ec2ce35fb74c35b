//! `steplens picture`: SVG and PNG of every kind, in both themes and languages, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{folder, output, run, run_metadata, run_with_input, steplens};
use std::fs;

const KINDS: [&str; 6] = ["view", "split", "waterfall", "matrix", "memory", "critical-path"];

/// Width and height of a PNG, and whether it has more than one colour.
fn png(path: &std::path::Path) -> (u32, u32) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert!(bytes.len() > 2_000, "an empty picture of {} bytes", bytes.len());
    (number(16), number(20))
}

#[test]
fn every_kind_is_drawn_as_pixels_of_the_chosen_width() {
    let folder = folder("every_kind_is_drawn");
    for kind in KINDS {
        let out = folder.join(format!("{kind}.png"));
        let arguments = ["picture", "ps4w.pb", "--of", kind, "--width", "600", "--theme", "dark", "-o"];
        let said = run(steplens(arguments).arg(&out));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{kind}");
        assert_eq!(png(&out).0, 1200, "{kind}");
        let said = run(steplens(arguments).arg(&out).args(["--scale", "1"]));
        assert_eq!((said.code, png(&out).0), (0, 600), "{kind}");
    }
}

/// The bars stand one below the other, with the figures of `steplens compare`.
#[test]
fn two_traces_are_drawn_as_bars_that_add_up() {
    let picture = |more: &[&str]| {
        output(&[&["picture", "ps4w.pb", "ps4w-later.pb", "--of", "comparison", "-o", "-"], more].concat())
    };
    let drawn = picture(&[]);
    let bars = output(&["compare", "ps4w.pb", "ps4w-later.pb", "--csv"]);
    let count = bars.lines().count() - 1;
    assert_eq!(drawn.matches("the other way").count(), bars.matches("the other way").count());
    let first = bars.lines().nth(1).unwrap();
    assert!(drawn.contains(">+7.081 ms</text>") && first.contains("7.081 ms longer"), "{first}");
    // A text and a figure for each bar.
    let ms = drawn.matches(" ms</text>").count() + drawn.matches(" µs</text>").count();
    // Bars of less than the picture shows stand together.
    assert!(ms > 1 && ms <= count + 1, "{ms} {count}");
    assert!(picture(&["--language", "zh-CN"]).contains("差异从何而来"));
    let same = output(&["picture", "ps4w.pb", "ps4w.pb", "--of", "comparison", "-o", "-"]);
    assert!(same.contains("Both steps take the same time"), "{same}");
    let one = run(&mut steplens(["picture", "ps4w.pb", "--of", "comparison", "-o", "-"]));
    assert_eq!(one.code, 2);
    assert!(one.err.contains("two traces"), "{}", one.err);
}

#[test]
fn texts_are_texts_or_outlines() {
    let picture =
        |more: &[&str]| output(&[&["picture", "ps4w.pb", "--of", "split", "-o", "-"], more].concat());
    let text = picture(&[]);
    assert!(text.contains(">worker 0</text>") && text.contains("font-family=\"Helvetica,Arial,"));
    let outlines = picture(&["--text", "outlines"]);
    assert!(!outlines.contains("<text") && !outlines.contains("worker 0") && outlines.contains("<path"));
    let chinese = picture(&["--language", "zh-CN"]);
    assert!(chinese.contains("未掩盖通信") && !chinese.contains("exposed communication"));
    let bare = picture(&["--no-heading"]);
    assert!(text.matches("<text").count() == bare.matches("<text").count() + 2);
}

#[test]
fn devices_and_window_say_what_is_drawn_of_all_that_is_read() {
    let picture = |more: &[&str]| output(&[&["picture", "ps4w.pb", "-o", "-", "--of"], more].concat());
    let worker = picture(&["view", "--devices", "worker.*task:2"]);
    assert!(worker.contains(">worker 2</text>") && !worker.contains(">worker 1</text>"));
    let part = picture(&["waterfall", "--window", "10ms..60ms"]);
    assert!(part.contains(">50.00 ms</text>") && part.contains("10.00 ms to 60.00 ms of 339.0 ms"));
    // A selection has no critical path of its own: the picture shows the path of the whole step.
    assert!(picture(&["critical-path", "--devices", "ps"]).contains(">ps 0</text>"));
}

#[test]
fn what_cannot_be_drawn_is_refused_in_a_sentence() {
    let folder = folder("refused_pictures");
    let refused = |more: &[&str]| {
        let said = run(&mut steplens([&["picture", "ps4w.pb", "--of", "view"], more].concat()));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{more:?}");
        said.err
    };
    assert!(refused(&["-o", "x.jpg"]).contains(".svg or .png"));
    assert!(refused(&["-o", "-", "--devices", "tpu9"]).contains("tpu9"));
    assert!(refused(&["-o", "-", "--window", "9..1"]).contains("9..1"));
    assert!(refused(&["-o", "-", "--width", "3"]).contains("320..=10000"));
    let large = folder.join("large.png");
    assert!(
        refused(&["-o", large.to_str().unwrap(), "--width", "10000", "--scale", "8"]).contains("--scale")
    );
    assert!(!large.exists());
    // The input is never overwritten, whatever its name.
    let input = folder.join("trace.svg");
    let trace = run_metadata("/device:CPU:0", &[("a", "a = Mul(b)")]);
    fs::write(&input, &trace).unwrap();
    let said = run(steplens(["picture", "--of", "view"]).arg(&input).arg("-o").arg(&input));
    assert_eq!((said.code, fs::read(&input).unwrap()), (2, trace));
}

#[test]
fn a_picture_is_drawn_of_standard_input_and_of_chinese_names() {
    let trace = run_metadata("/device:CPU:0", &[("梯度/卷积", "梯度/卷积 = Conv2D(a)")]);
    let said = run_with_input(&mut steplens(["picture", "-", "--of", "view", "-o", "-"]), &trace);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains(">梯度/卷积</text>"));
    // If no font on the machine has these characters, the program says so and still writes the picture.
    let out = folder("chinese_names").join("view.png");
    let said = run_with_input(steplens(["picture", "-", "--of", "view", "-o"]).arg(&out), &trace);
    assert!(said.code == 0 && (said.err.is_empty() || said.err.contains("font")), "{}", said.err);
    assert_eq!(png(&out).0, 2000);
}
