//! The parts of every picture: title, caption (file, step, window) and legend.

use super::colors::Rgb;
use super::scene::{Anchor, LEAST_SIZE, Scene};
use super::{LEAST_WIDTH, MOST_WIDTH, Options, width};
use steplens_core::model::file::FileReport;
use steplens_core::{Interval, Study, Timestamp};
use steplens_messages::{Argument, message, say};
use steplens_report::figures;
use steplens_report::names::visible;

/// Wide pictures have larger texts: they are printed larger, or seen from further away.
const GROWS_FROM: f64 = 1000.0;
/// The title to the texts.
const TITLE: f64 = 1.35;

/// A picture from its top to where it has come.
pub(crate) struct Frame {
    pub(crate) scene: Scene,
    title: String,
    /// From here on down nothing is drawn yet.
    pub(crate) y: f64,
    /// Of the left and right edge.
    pub(crate) margin: f64,
}

impl Frame {
    pub(crate) fn of(study: &Study, files: &[FileReport], options: &Options<'_>) -> Self {
        Self::titled(options.kind.title(), &caption(study, files, options), options)
    }

    /// A picture called `name`, with what a reader must know of it as parts of a sentence.
    pub(crate) fn titled(name: &str, caption: &[String], options: &Options<'_>) -> Self {
        let width = f64::from(options.width.clamp(LEAST_WIDTH, MOST_WIDTH));
        let size = LEAST_SIZE * (width / GROWS_FROM).max(1.0).sqrt();
        let margin = size;
        let scene = Scene::new(width, size, options.theme.ink());
        let title = [&[name.to_owned()], caption].concat().join(" · ");
        let mut frame = Self { scene, title, y: size * 0.8, margin };
        if options.has_heading {
            let (x, large) = (frame.margin, size * TITLE);
            let ink = frame.scene.ink;
            let heading = width::shortened(name, frame.room(), large).unwrap_or_default();
            frame.scene.sized_text(x, frame.y + large * 0.6, Anchor::Start, ink.text, large, &heading);
            frame.y += large * 1.45;
            frame.flow(caption);
            frame.y += size * 0.4;
        }
        frame
    }

    /// From the left margin to the right one.
    pub(crate) fn room(&self) -> f64 {
        self.scene.width - 2.0 * self.margin
    }

    pub(crate) fn right(&self) -> f64 {
        self.scene.width - self.margin
    }

    /// Parts of a sentence in as many lines as they need.
    pub(crate) fn flow(&mut self, parts: &[String]) {
        let (room, muted) = (self.room(), self.scene.ink.muted);
        let mut line = String::new();
        for part in parts {
            let part = if self.scene.width_of(part) > room {
                &width::shortened_within(part, room, self.scene.size)
            } else {
                part
            };
            let longer = if line.is_empty() { part.clone() } else { format!("{line} · {part}") };
            if self.scene.width_of(&longer) > room {
                self.line(&line, muted);
                line.clone_from(part);
            } else {
                line = longer;
            }
        }
        self.line(&line, muted);
    }

    fn line(&mut self, text: &str, fill: Rgb) {
        if !text.is_empty() {
            let size = self.scene.size;
            self.scene.text(self.margin, self.y + size * 0.6, Anchor::Start, fill, text);
            self.y += size * 1.4;
        }
    }

    /// A sentence below the picture, on as many lines as it needs: it breaks between words, and where there are none anywhere.
    pub(crate) fn note(&mut self, text: &str) {
        let (room, muted) = (self.room(), self.scene.ink.muted);
        let mut line = String::new();
        for word in text.split_inclusive(|char: char| char == ' ' || !char.is_ascii()) {
            if self.scene.width_of(&line) + self.scene.width_of(word.trim_end()) > room {
                self.line(line.trim_end(), muted);
                line.clear();
            }
            line.push_str(word);
        }
        let rest = width::shortened_within(line.trim_end(), room, self.scene.size);
        self.line(&rest, muted);
    }

    /// A square of each colour, with what it stands for.
    pub(crate) fn legend(&mut self, entries: &[(Rgb, String)]) {
        if entries.is_empty() {
            return;
        }
        let size = self.scene.size;
        let (side, gap, line) = (size * 0.85, size * 1.3, size * 1.6);
        let (mut x, text) = (self.margin, self.scene.ink.text);
        for (fill, name) in entries {
            let name = width::shortened_within(&visible(name), self.room() - 1.5 * side, size);
            let wide = side * 1.5 + self.scene.width_of(&name);
            if x > self.margin && x + wide > self.right() {
                (x, self.y) = (self.margin, self.y + line);
            }
            self.scene.rect(x, self.y + (line - side) / 2.0, side, side, *fill);
            self.scene.text(x + side * 1.5, self.y + line / 2.0, Anchor::Start, text, &name);
            x += wide + gap;
        }
        self.y += line + size * 0.5;
    }

    /// What stands where there is nothing to draw.
    pub(crate) fn nothing(&mut self, why: &str) {
        let size = self.scene.size;
        self.scene.rect(self.margin, self.y, self.room(), size * 6.0, self.scene.ink.band);
        self.y += size * 2.3;
        self.note(why);
        self.y += size * 2.5;
    }

    pub(crate) fn finish(self) -> String {
        let height = (self.y + self.scene.size * 0.6).ceil();
        self.scene.finish(height, &self.title)
    }
}

/// The files, the step, and when: what a reader must know to find this picture again.
pub(crate) fn caption(study: &Study, files: &[FileReport], options: &Options<'_>) -> Vec<String> {
    let own_name = |name: &str| {
        // A path of the one who made it says nothing to a reader.
        visible(name.rsplit(['/', '\\']).next().unwrap_or(name)).into_owned()
    };
    let mut parts: Vec<String> = files.first().map(|file| own_name(&file.name)).into_iter().collect();
    if files.len() > 1 {
        parts.push(
            message!("picture-more-files", count)
                .text(&[("count", Argument::Grouped(files.len() as u64 - 1))]),
        );
    }
    match study.view().step {
        Some(row) => parts.push(match study.step_called(row) {
            Some(step) => say!("picture-step", step = step.to_string(), steps = study.steps()),
            None => say!("step-before-first").to_owned(),
        }),
        None if study.steps() > 1 => {
            parts.push(
                message!("picture-steps", count).text(&[("count", Argument::Grouped(study.steps() as u64))]),
            );
        }
        None => {}
    }
    let span = study.trace().span();
    match options.window.filter(|&window| window != span) {
        Some(Interval { start, end }) => {
            // The margin around the step is no part of it.
            let within = |at: Timestamp| at.clamp(span.start, span.end).0;
            let (from, to) = figures::ends(within(start), within(end));
            parts.push(say!("picture-window", from, to, step = figures::duration(span.length().0)));
        }
        None => parts.push(figures::duration(span.length().0)),
    }
    parts
}
