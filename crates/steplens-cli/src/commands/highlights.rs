//! `steplens highlights`: what matters most, each point with the command that says more.

use super::network::stragglers::{reason, sentence};
use super::network::waits::tensor_name;
use super::{Loaded, Out, clocks_first, headline};
use crate::args;
use crate::failure::Failure;
use crate::render::names::accelerator_label;
use crate::render::places::Places;
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_messages::{message, say};
use steplens_report::highlights::{Highlights, IdleAccelerator, LargestType};
use steplens_report::network::{Straggler, TensorRow};

pub(super) fn run(args: &args::Highlights) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.print(&args.form, |out| {
        let found = Highlights::of(&loaded.study);
        if args.form.json {
            return writeln!(out, "{}", found.to_text());
        } else if args.form.csv {
            return found.write_csv(out);
        }
        let screen = Screen::new(args.form.color);
        clocks_first::write(out, screen, &loaded)?;
        headline::write(out, screen, &loaded)?;
        write(out, screen, &loaded, &found)
    })
}

/// Writes each kind of highlight as sentences, with the command that says more.
fn write(out: &mut Out, screen: Screen, loaded: &Loaded, found: &Highlights<'_>) -> io::Result<()> {
    let places = Places::of(&loaded.study);
    let words = Words { loaded, found, places: &places };
    let said = [
        (found.straggler.as_ref().map(|row| words.straggler(row)), "network"),
        (found.idle.as_ref().map(|idle| words.idle(idle)), "summary"),
        (found.wait.as_ref().map(|wait| words.wait(wait)), "network"),
        (found.op_type.as_ref().map(|largest| words.op_type(largest)), "ops"),
    ];
    let mut is_first = true;
    for (sentences, command) in said {
        let Some(sentences) = sentences else { continue };
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        for (place, sentence) in sentences.iter().enumerate() {
            match place {
                0 => writeln!(out, "{}", screen.strong_sentence(sentence))?,
                _ => writeln!(out, "{}", screen.sentence(sentence, ""))?,
            }
        }
        let command = format!("steplens {command}");
        writeln!(out, "{}", screen.note(&say!("program-highlight-more", command)))?;
    }
    if is_first {
        writeln!(out, "{}", say!("program-highlights-nothing"))?;
    }
    Ok(())
}

/// What is needed to write the sentences.
struct Words<'a> {
    loaded: &'a Loaded,
    found: &'a Highlights<'a>,
    places: &'a Places,
}

impl Words<'_> {
    fn share(&self, length_ns: i64) -> String {
        units::share(length_ns, self.found.span_ns)
    }

    /// The label of the device with this name.
    fn place(&self, name: &str) -> &str {
        let id = self.loaded.study.trace().strings().find(name);
        id.map_or("", |name| self.places.label(name))
    }

    /// `said`, with the number of its step if there are several steps.
    fn in_step(&self, step: usize, said: String) -> String {
        if self.found.several_steps { say!("program-highlight-in-step", step, said) } else { said }
    }

    fn straggler(&self, row: &Straggler<'_>) -> Vec<String> {
        let source = |source| self.place(source);
        let reason = row.cause.as_ref().map(|cause| reason(cause, cause.source.map(source)));
        let finished = self.in_step(row.step, sentence(row, self.found.span_ns));
        [Some(finished), reason].into_iter().flatten().collect()
    }

    fn idle(&self, idle: &IdleAccelerator<'_>) -> Vec<String> {
        let name = accelerator_label(idle.name);
        let (length, share) = (units::duration(idle.idle_ns), self.share(idle.idle_ns));
        vec![say!("program-highlight-idle", name, length, share)]
    }

    fn wait(&self, wait: &TensorRow<'_>) -> Vec<String> {
        let labels = self.places.of_devices(&self.loaded.study);
        let device = wait.device.and_then(|device| labels.get(device as usize)).copied().unwrap_or_default();
        let (length, share) = (units::duration(wait.waited_ns), self.share(wait.waited_ns));
        let tensor = tensor_name(wait.tensor, wait.is_gradient);
        let said = match wait.source {
            None => say!("program-highlight-wait", device, length, share, tensor),
            Some(source) => {
                say!(
                    "program-highlight-wait-from",
                    device,
                    length,
                    share,
                    tensor,
                    source = self.place(source)
                )
            }
        };
        // A sum over several steps belongs to no single step.
        vec![match wait.step {
            Some(step) => self.in_step(step, said),
            None => said,
        }]
    }

    fn op_type(&self, largest: &LargestType<'_>) -> Vec<String> {
        let ops = units::plural(largest.count as usize, message!("program-ops", count));
        let share = format!("{:.1} %", largest.share_ppm as f64 / 10_000.0);
        let name = visible(largest.op_type);
        let length = units::duration(largest.self_ns);
        vec![match largest.any_ns {
            None => say!("program-highlight-op-type", name, length, ops, share),
            Some(any) => {
                say!("program-highlight-op-type-sum", name, length, ops, share, any = units::duration(any))
            }
        }]
    }
}
