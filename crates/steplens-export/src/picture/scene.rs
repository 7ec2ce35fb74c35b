//! SVG, written as text: rectangles, outlines and words on one ground.

use super::colors::{Ink, Rgb};
use super::width;
use std::fmt::Write;

/// The least size of a text, in pixels: 8 points are 10.67 of them.
pub const LEAST_SIZE: f64 = 11.0;

/// What shows the texts: the fonts of papers first, and at last whatever there is. Some of them have Chinese characters.
const FONTS: &str = "Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans','PingFang SC','Microsoft YaHei',\
                     'Noto Sans CJK SC','Noto Sans SC','WenQuanYi Zen Hei',sans-serif";

/// Which point of a text is put to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
pub(crate) struct Scene {
    body: String,
    pub(crate) width: f64,
    /// The size of texts.
    pub(crate) size: f64,
    pub(crate) ink: &'static Ink,
}

impl Scene {
    pub(crate) fn new(width: f64, size: f64, ink: &'static Ink) -> Self {
        Self { body: String::new(), width, size, ink }
    }

    /// A rectangle; nothing where it has no area.
    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: Rgb) {
        if width > 0.0 && height > 0.0 {
            self.body.push_str("<rect");
            for (name, value) in [(" x", x), (" y", y), (" width", width), (" height", height)] {
                self.attribute(name, value);
            }
            self.filled(fill);
        }
    }

    /// An outline, filled.
    pub(crate) fn path(&mut self, outline: &Outline, fill: Rgb) {
        if !outline.0.is_empty() {
            self.body.push_str("<path d=\"");
            self.body.push_str(&outline.0);
            self.body.push('"');
            self.filled(fill);
        }
    }

    fn filled(&mut self, fill: Rgb) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, " fill=\"{fill}\"/>");
    }

    /// A text whose middle is at the height `y`. Nothing where it is empty.
    pub(crate) fn text(&mut self, x: f64, y: f64, anchor: Anchor, fill: Rgb, text: &str) {
        self.sized_text(x, y, anchor, fill, self.size, text);
    }

    pub(crate) fn sized_text(&mut self, x: f64, y: f64, anchor: Anchor, fill: Rgb, size: f64, text: &str) {
        if text.is_empty() {
            return;
        }
        self.body.push_str("<text");
        self.attribute(" x", x);
        // Capitals are 0.72 of the size tall.
        self.attribute(" y", y + 0.36 * size);
        self.attribute(" font-size", size);
        self.worded(anchor, fill, text);
    }

    /// A text that is read from the bottom to the top: `x` is the middle of its line, `y` where it begins or ends.
    pub(crate) fn upright_text(&mut self, x: f64, y: f64, anchor: Anchor, fill: Rgb, text: &str) {
        if text.is_empty() {
            return;
        }
        self.body.push_str("<text transform=\"translate(");
        number(&mut self.body, x + 0.36 * self.size);
        self.body.push(' ');
        number(&mut self.body, y);
        self.body.push_str(")rotate(-90)\"");
        self.attribute(" font-size", self.size);
        self.worded(anchor, fill, text);
    }

    fn worded(&mut self, anchor: Anchor, fill: Rgb, text: &str) {
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.body.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.body.push_str(" text-anchor=\"end\""),
        }
        let _ = write!(self.body, " fill=\"{fill}\">");
        escaped(&mut self.body, text);
        self.body.push_str("</text>\n");
    }

    fn attribute(&mut self, name: &str, value: f64) {
        self.body.push_str(name);
        self.body.push_str("=\"");
        number(&mut self.body, value);
        self.body.push('"');
    }

    /// How wide `text` is at most.
    pub(crate) fn width_of(&self, text: &str) -> f64 {
        width::of(text, self.size)
    }

    /// The whole file. `title` is for those who do not see it.
    pub(crate) fn finish(self, height: f64, title: &str) -> String {
        let mut svg = String::with_capacity(self.body.len() + 512);
        svg.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
        let mut sizes = String::new();
        for (name, value) in [(" width", self.width), (" height", height)] {
            let _ = write!(sizes, "{name}=\"");
            number(&mut sizes, value);
            sizes.push('"');
        }
        svg.push_str(&sizes);
        svg.push_str(" viewBox=\"0 0 ");
        number(&mut svg, self.width);
        svg.push(' ');
        number(&mut svg, height);
        // What is one space in a name stays one.
        let _ = writeln!(svg, "\" font-family=\"{FONTS}\" xml:space=\"preserve\">");
        svg.push_str("<title>");
        escaped(&mut svg, title);
        let _ = writeln!(svg, "</title>\n<rect{sizes} fill=\"{}\"/>", self.ink.background);
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        svg
    }
}

/// What a fill covers: rectangles and areas that stand on a line.
#[derive(Default)]
pub(crate) struct Outline(String);

impl Outline {
    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64) {
        // Rounded edges, not rounded widths: what touches goes on touching.
        let (left, right) = (rounded(x), rounded(x + width));
        let (top, bottom) = (rounded(y), rounded(y + height));
        if right > left && bottom > top {
            self.go('M', left);
            self.go(' ', top);
            self.go('H', right);
            self.go('V', bottom);
            self.go('H', left);
            self.0.push('Z');
        }
    }

    /// Columns of `width` from `x` on that stand on `bottom`, as tall as `heights` says.
    pub(crate) fn columns(&mut self, x: f64, bottom: f64, width: f64, heights: &[f64]) {
        let mut from = 0;
        for run in heights.chunk_by(|a, b| (*a > 0.0) == (*b > 0.0)) {
            if run[0] > 0.0 {
                self.go('M', x + from as f64 * width);
                self.go(' ', bottom);
                let mut at = from;
                for same in run.chunk_by(|a, b| rounded(*a) == rounded(*b)) {
                    at += same.len();
                    self.go('V', bottom - same[0]);
                    self.go('H', x + at as f64 * width);
                }
                self.go('V', bottom);
                self.0.push('Z');
            }
            from += run.len();
        }
    }

    fn go(&mut self, how: char, to: f64) {
        self.0.push(how);
        number(&mut self.0, to);
    }
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Two decimals at most: a hundredth of a pixel.
fn number(out: &mut String, value: f64) {
    let hundredths = if value.is_finite() { (value * 100.0).round() as i64 } else { 0 };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let sign = if hundredths < 0 { "-" } else { "" };
    let _ = match (rest, rest % 10) {
        (0, _) => write!(out, "{sign}{whole}"),
        (_, 0) => write!(out, "{sign}{whole}.{}", rest / 10),
        _ => write!(out, "{sign}{whole}.{rest:02}"),
    };
}

/// Text within XML, which takes neither its own signs nor most control characters.
fn escaped(out: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written = |value| {
            let mut out = String::new();
            number(&mut out, value);
            out
        };
        assert_eq!(
            [1.0, 0.1, -2.346, 1e9, f64::NAN, 0.004, -0.004].map(written),
            ["1", "0.1", "-2.35", "1000000000", "0", "0", "0"]
        );
    }

    #[test]
    fn columns_are_one_outline_for_what_hangs_together() {
        let mut outline = Outline::default();
        outline.columns(10.0, 50.0, 2.0, &[0.0, 3.0, 3.0, 5.0, 0.0, 1.0]);
        assert_eq!(outline.0, "M12 50V47H16V45H18V50ZM20 50V49H22V50Z");
    }
}
