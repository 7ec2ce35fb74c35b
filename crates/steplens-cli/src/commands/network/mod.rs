//! `steplens network`: what the step spends on communication, and what causes it. Each section has a file.

mod collectives;
mod devices;
mod links;
mod order;
mod ready;
pub(super) mod stragglers;
pub(super) mod waits;

use super::{Loaded, Out, Print, clocks_first, headline};
use crate::args::Asking;
use crate::render::places::Places;
use crate::render::{Screen, units};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_host::failure::Failure;
use steplens_messages::{Message, say};
use steplens_report::listed::Listed;
use steplens_report::network::{Network, Options};
use steplens_report::question::Question;

/// The input of every section.
struct Section<'a> {
    screen: Screen,
    network: &'a Network<'a>,
    study: &'a Study,
    places: &'a Places,
    /// The labels, by device.
    labels: &'a [&'a str],
    /// How many rows of each table are shown.
    limit: usize,
}

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let network = args.question.answer(&loaded.shown())?;
        let clocks_differ = clocks_first::write(out, screen, &loaded)?;
        headline::write(out, screen, &loaded)?;

        let places = Places::of(&loaded.study);
        let section = Section {
            screen,
            network: &network,
            study: &loaded.study,
            places: &places,
            labels: &places.of_devices(&loaded.study),
            limit: args.length.rows(),
        };
        if clocks_differ {
            links::write(out, screen, &network)?;
            return Ok(order::write(out, &section)?);
        }
        stragglers::write(out, &section)?;
        devices::write(out, &section)?;
        waits::write(out, &section)?;
        waits::write_tensors(out, &section)?;
        collectives::write(out, &section)?;
        ready::write(out, &section)?;
        links::write(out, screen, &network)?;
        Ok(order::write(out, &section)?)
    })
}

impl Section<'_> {
    /// The label of the device with this name.
    fn place(&self, name: &str) -> &str {
        self.study.trace().strings().find(name).map_or("", |name| self.places.label(name))
    }

    /// Writes how many rows of a table are not shown.
    fn write_more<R>(&self, out: &mut Out, listed: &Listed<R>, rows: &Message) -> io::Result<()> {
        if listed.total <= self.limit {
            return Ok(());
        }
        let more = units::plural(listed.total - self.limit, rows);
        let text = match listed.rows.len() {
            all if all == listed.total => say!("network-more-all", more),
            most => say!("network-more", more, most),
        };
        writeln!(out, "{}", self.screen.note(&text))
    }
}
