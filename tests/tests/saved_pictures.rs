//! Pictures to save: valid SVG of every fixture, with the page's marks and colours, and no text that is cut, too small or over another.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use steplens_core::model::file::FileReport;
use steplens_core::transfers::links::{Between, Matrix};
use steplens_core::{Category, Interval, Study, Timestamp};
use steplens_export::picture::colors::{HUE, ON_MARK, SHADES, Theme};
use steplens_export::picture::{Kind, LEAST_SIZE, Options, mark_boxes, svg, width};
use steplens_formats::Opened;
use steplens_tests::fixtures::{bytes_of, chrome_traces, fixtures_and_samples};
use steplens_tests::places::root;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

/// 8 points in pixels, at 96 pixels an inch.
const EIGHT_POINTS: f64 = 8.0 * 96.0 / 72.0;

fn options(kind: Kind, width: u32, theme: Theme) -> Options<'static> {
    Options { kind, width, theme, window: None, devices: &[], has_heading: true }
}

fn studied(bytes: &[u8]) -> (Study, Vec<FileReport>) {
    let Opened { trace, files, .. } = open(bytes);
    (Study::new(trace), files)
}

/// Where a text is, by the widths that labels are fitted by.
#[derive(Debug)]
struct TextBox {
    #[expect(dead_code, reason = "says in a failure which text it is")]
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl TextBox {
    fn of(node: Node<'_, '_>) -> Self {
        let number = |name: &str| node.attribute(name).map(|value| value.parse::<f64>().unwrap());
        let text = node.text().unwrap_or_default().to_owned();
        let size = number("font-size").unwrap();
        assert!(size >= EIGHT_POINTS, "{text:?} is {size} pixels");
        let wide = width::of(&text, size);
        let before = match node.attribute("text-anchor") {
            None => 0.0,
            Some("middle") => wide / 2.0,
            Some("end") => wide,
            Some(other) => panic!("{other}"),
        };
        // From the line that letters stand on: what is tall, and what hangs.
        let (up, down) = (0.74 * size, 0.2 * size);
        match node.attribute("transform") {
            None => {
                let (x, y) = (number("x").unwrap(), number("y").unwrap());
                Self { text, left: x - before, right: x - before + wide, top: y - up, bottom: y + down }
            }
            Some(turned) => {
                let inner = turned.strip_prefix("translate(").unwrap().strip_suffix(")rotate(-90)").unwrap();
                let (x, y) = inner.split_once(' ').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                Self { text, left: x - up, right: x + down, top: y + before - wide, bottom: y + before }
            }
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right - 0.01
            && other.left < self.right - 0.01
            && self.top < other.bottom - 0.01
            && other.top < self.bottom - 0.01
    }
}

/// Reads a picture with a parser of XML, and checks what holds of each.
fn checked(name: &str, picture: &str) {
    let document = Document::parse(picture).unwrap_or_else(|why| panic!("{name}: {why}"));
    let root = document.root_element();
    let side = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
    let (width, height) = (side("width"), side("height"));
    for node in root.descendants().filter(Node::is_element) {
        let tag = node.tag_name().name();
        assert!(["svg", "title", "rect", "path", "text"].contains(&tag), "{name}: <{tag}>");
        for attribute in node.attributes() {
            let attribute = attribute.name();
            assert!(!attribute.starts_with("on") && !attribute.ends_with("href"), "{name}: {attribute}");
        }
    }
    let texts =
        root.descendants().filter(|node| node.has_tag_name("text") || node.tag_name().name() == "text");
    let boxes: Vec<TextBox> = texts.map(TextBox::of).collect();
    assert!(!boxes.is_empty(), "{name}: nothing is said");
    for own in &boxes {
        let inside = own.left >= -0.01 && own.right <= width + 0.01 && own.top >= 0.0 && own.bottom <= height;
        assert!(inside, "{name}: {own:?} leaves {width} by {height}");
    }
    for (at, own) in boxes.iter().enumerate() {
        for other in &boxes[at + 1..] {
            assert!(!own.meets(other), "{name}: {own:?} lies over {other:?}");
        }
    }
}

#[test]
fn every_fixture_gives_every_picture_at_every_width() {
    const { assert!(LEAST_SIZE >= EIGHT_POINTS) };
    let mut count = 0;
    for fixture in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        if fixture.bytes.len() > 4_000_000 {
            continue;
        }
        let (study, files) = studied(&fixture.bytes);
        for kind in Kind::ALL {
            for width in [320, 1000] {
                let picture = svg(&study, &files, &options(kind, width, Theme::Light));
                checked(&format!("{} {} {width}", fixture.name, kind.word()), &picture);
                count += 1;
            }
        }
    }
    assert!(count >= 12 * 15, "{count}");
}

/// One picture of each kind, whole: an element a line, so that a difference can be read, and looked at.
const GOLDEN: [(Kind, &str, u32, Theme); 7] = [
    (Kind::View, "mnist-adam.pb", 1000, Theme::Light),
    (Kind::Split, "ps4w.pb", 640, Theme::Light),
    (Kind::Split, "ps4w.pb", 320, Theme::Dark),
    (Kind::Waterfall, "collective.pb", 640, Theme::Dark),
    (Kind::Matrix, "ps4w.pb", 640, Theme::Light),
    (Kind::Memory, "mnist-adam.pb", 640, Theme::Light),
    (Kind::CriticalPath, "collective.pb", 640, Theme::Light),
];

/// `STEPLENS_BLESS=1 cargo test --package steplens-tests --test all saved_pictures::` writes them anew: open those that change in a browser.
#[test]
fn pictures_are_those_that_somebody_looked_at() {
    let folder = root().join("tests/golden/pictures");
    let mut faults = Vec::new();
    for (kind, name, width, theme) in GOLDEN {
        let (study, mut files) = studied(&bytes_of(name));
        files[0].name = name.to_owned();
        let picture = svg(&study, &files, &options(kind, width, theme));
        let stem = name.split('.').next().unwrap();
        let path = folder.join(format!("{stem}.{}.{width}.svg", kind.word()));
        if std::env::var_os("STEPLENS_BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &picture).unwrap();
            continue;
        }
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        let differs = |(own, other): &(&str, &str)| own != other;
        if let Some((own, other)) = picture.lines().zip(wanted.lines()).find(differs) {
            faults.push(format!("{}:\n  got  {own}\n  want {other}", path.display()));
        } else if picture != wanted {
            faults.push(format!("{}: another length", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The rectangles of outlines of rectangles, by colour, in hundredths of a pixel.
fn outlines(picture: &str) -> BTreeMap<String, BTreeSet<[i64; 4]>> {
    let document = Document::parse(picture).unwrap();
    let mut found: BTreeMap<String, BTreeSet<[i64; 4]>> = BTreeMap::new();
    for path in document.descendants().filter(|node| node.tag_name().name() == "path") {
        for piece in path.attribute("d").unwrap().split_terminator('Z') {
            let numbers: Vec<i64> = piece
                .split(|char: char| char.is_ascii_uppercase() || char == ' ')
                .filter(|text| !text.is_empty())
                .map(|text| (text.parse::<f64>().unwrap() * 100.0).round() as i64)
                .collect();
            let [left, top, right, bottom, back] = numbers[..] else { continue };
            if left == back {
                let fill = path.attribute("fill").unwrap().to_owned();
                found.entry(fill).or_default().insert([left, top, right, bottom]);
            }
        }
    }
    found
}

#[test]
fn the_timeline_has_exactly_the_rectangles_of_the_marks() {
    let (study, files) = studied(&bytes_of("ps4w.pb"));
    let span = study.trace().span();
    let windows = [None, Some(Interval::new(Timestamp(span.end.0 / 3), Timestamp(span.end.0 / 2)))];
    for window in windows {
        for theme in Theme::ALL {
            let options = Options { window, ..options(Kind::View, 1000, theme) };
            let picture = svg(&study, &files, &options);
            let drawn = outlines(&picture);
            let mut boxes = mark_boxes(&study, &options);
            // Without the heading's and the legend's height: the sketch that gives the boxes has neither file nor legend.
            let all: BTreeSet<[i64; 4]> = drawn.values().flatten().copied().collect();
            assert!(boxes.len() > 100);
            let shift = shift(&boxes, &drawn);
            boxes.iter_mut().for_each(|own| own.y += shift);
            let round = |value: f64| (value * 100.0).round() as i64;
            for own in &boxes {
                let wanted = [own.x, own.y, own.x + own.width, own.y + own.height].map(round);
                let near = |got: &[i64; 4]| got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1);
                let fill = own.fill.to_string();
                let is_there =
                    wanted[0] == wanted[2] || drawn.get(&fill).is_some_and(|all| all.iter().any(near));
                assert!(is_there, "{fill} {wanted:?}");
            }
            // An op's rectangle is where its times are: read off the axis, with nothing of the marks.
            let (left, width) = axis(&picture);
            let shown = window.unwrap_or(span);
            let x = |at: Timestamp| left + (at - shown.start).0 as f64 / shown.length().0 as f64 * width;
            let mut ops = 0;
            for own in boxes.iter().filter(|own| own.mark.count == 1 && own.mark.density == u8::MAX) {
                let times = study.trace().ops().interval(own.mark.op).clamp_to(shown);
                let (from, to) = (x(times.start), x(times.end));
                assert!((own.x - from).abs() < 0.02, "{} {from}", own.x);
                assert!(own.x + own.width <= to + 0.02 && own.x + own.width >= to - 0.52, "{own:?} {to}");
                ops += 1;
            }
            assert!(ops > 20 && all.len() > 100, "{ops} {}", all.len());
        }
    }
}

/// How far down the heading moved the first box.
fn shift(boxes: &[steplens_export::picture::MarkBox], drawn: &BTreeMap<String, BTreeSet<[i64; 4]>>) -> f64 {
    let top = boxes.iter().map(|own| own.y).fold(f64::INFINITY, f64::min);
    let fills: BTreeSet<String> = boxes.iter().map(|own| own.fill.to_string()).collect();
    let tops = drawn.iter().filter(|(fill, _)| fills.contains(*fill)).flat_map(|(_, all)| all);
    tops.map(|own| own[1]).min().unwrap() as f64 / 100.0 - top
}

/// Where the axis of a picture begins, and how wide it is.
fn axis(picture: &str) -> (f64, f64) {
    let document = Document::parse(picture).unwrap();
    let mut lines = document.descendants().filter(|node| {
        node.attribute("height") == Some("1")
            && [Theme::Light, Theme::Dark]
                .iter()
                .any(|theme| node.attribute("fill") == Some(&theme.ink().muted.to_string()))
    });
    let line = lines.next_back().unwrap();
    let number = |name: &str| line.attribute(name).unwrap().parse().unwrap();
    (number("x"), number("width"))
}

/// What texts say, in order.
fn texts(picture: &str) -> Vec<String> {
    let document = Document::parse(picture).unwrap();
    let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

#[test]
fn waterfall_and_path_add_up_to_the_window() {
    let (study, files) = studied(&bytes_of("ps4w.pb"));
    let (start, end) = (Timestamp(10_000_000), Timestamp(60_000_000));
    let options =
        Options { window: Some(Interval::new(start, end)), ..options(Kind::Waterfall, 1000, Theme::Light) };
    let picture = svg(&study, &files, &options);
    let texts = texts(&picture);
    let whole = texts.iter().position(|text| text == "whole path").unwrap();
    assert_eq!(texts[whole + 1..whole + 3], ["50.00 ms", "100.0 %"]);
    // Each part begins where the one before it ends.
    let document = Document::parse(&picture).unwrap();
    let categories: Vec<String> = SHADES.iter().map(|own| own[0].to_string()).collect();
    let bars: Vec<[f64; 2]> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "rect" && node.attribute("height") == Some("16.5"))
        .map(|node| ["x", "width"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap()))
        .collect();
    assert!(bars.len() >= 3 && categories.len() == Category::COUNT, "{bars:?}");
    let (left, wide) = axis(&picture);
    let mut at = left;
    for [x, width] in &bars[..bars.len() - 1] {
        // The shortest are wider than they are long.
        assert!((x - at).abs() < 0.8, "{x} {at}");
        at = x + width;
    }
    assert!((at - left - wide).abs() < 3.0 && (bars[bars.len() - 1][1] - wide).abs() < 0.03);
}

#[test]
fn the_matrix_has_the_bytes_of_the_links() {
    // What goes back in the other one are orders, which have no bytes.
    let orders = Scenario::new()
        .device(PS, [recv("edge_2_^done", WORKER, PS, 0, 5, 10)])
        .device(WORKER, [recv("edge_1_w", PS, WORKER, 1_000, 5, 10)]);
    for file in [bytes_of("ps4w.pb"), orders.bytes()] {
        let (study, files) = studied(&file);
        let picture = svg(&study, &files, &options(Kind::Matrix, 1200, Theme::Light));
        let texts = texts(&picture);
        let matrix = Matrix::summed(study.trace(), study.transfers(), Between::Tasks);
        assert!(matrix.links.len() > 1);
        for link in &matrix.links {
            let bytes = steplens_report::figures::bytes(link.load.bytes.0);
            assert!(texts.contains(&bytes), "{bytes} in {texts:?}");
        }
        assert_eq!(texts.last(), Some(&steplens_report::figures::bytes(matrix.all.bytes.0)));
    }
}

#[test]
fn hostile_names_stay_text() {
    let long = "x\"'<&>/".repeat(15_000);
    let names = [
        "<script>alert(1)</script>",
        "]]>",
        "a\u{0}\u{8}\u{1b}[31m\u{fffe}\u{ffff}\u{202e}b",
        "'\" onload=\"x",
        "&amp;<!--",
        long.as_str(),
    ];
    for name in names {
        let device = format!("/job:worker/replica:0/task:0/device:{name}");
        let study = Scenario::new()
            .device(&device, [op(name, 0, 500_000), op(&format!("{name} = Mul(a)"), 600_000, 400_000)])
            .device(WORKER, [recv("edge_1_a", PS, WORKER, 100, 0, 300)])
            .study();
        let files = [FileReport {
            name: name.to_owned(),
            format: "run-metadata".into(),
            bytes: 1,
            ops: 3,
            problems: Vec::new(),
        }];
        for kind in Kind::ALL {
            let picture = svg(&study, &files, &options(kind, 700, Theme::Dark));
            checked(&format!("{kind:?} {:.20}", name), &picture);
            assert!(picture.len() < 60_000, "{}", picture.len());
        }
    }
}

#[test]
fn where_there_is_nothing_the_picture_says_so() {
    let study = Scenario::new().device(WORKER, [op("a = Mul(b)", 0, 0)]).study();
    for kind in Kind::ALL {
        let picture = svg(&study, &[], &options(kind, 500, Theme::Light));
        checked(kind.word(), &picture);
        assert!(
            texts(&picture).iter().any(|text| text.starts_with("Nothing")
                || text.starts_with("No ")
                || text.starts_with("There")),
            "{kind:?}"
        );
    }
}

#[test]
fn colours_are_those_of_the_style_sheet() {
    let root = root();
    let css = fs::read_to_string(root.join("www/style/theme.css")).unwrap();
    let (light, dark) = css.split_once(":root[data-theme='dark'] {").unwrap();
    let dark = dark.split_once('}').unwrap().0;
    let value = |theme: Theme, name: &str| {
        let found = |css: &str| {
            let (_, rest) = css.split_once(&format!("--{name}: "))?;
            Some(rest.split_once(';').unwrap().0.to_owned())
        };
        let own = (theme == Theme::Dark).then(|| found(dark)).flatten();
        own.or_else(|| found(light)).unwrap_or_else(|| panic!("--{name}"))
    };
    for theme in Theme::ALL {
        let ink = theme.ink();
        for (name, color) in [
            ("background", ink.background),
            ("band", ink.band),
            ("line", ink.line),
            ("grid", ink.grid),
            ("text", ink.text),
            ("muted", ink.muted),
            ("accent", ink.accent),
            ("idle", ink.idle),
            ("on-mark", ON_MARK),
            ("rest", HUE[8]),
        ] {
            assert_eq!(value(theme, name), color.to_string(), "--{name} {theme:?}");
        }
        for category in Category::ALL {
            assert_eq!(value(theme, category.word()), SHADES[category as usize][0].to_string());
        }
        for (step, (ramp, hue)) in ink.ramp.iter().zip(HUE).take(8).enumerate() {
            assert_eq!(value(theme, &format!("ramp-{step}")), ramp.to_string());
            assert_eq!(value(theme, &format!("hue-{step}")), hue.to_string());
        }
    }
}
