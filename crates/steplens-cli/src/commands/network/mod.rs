//! `steplens network`: what the step spends on communication, and what causes it. Each section has a file.

mod collectives;
mod devices;
mod links;
mod order;
mod ready;
pub(super) mod stragglers;
pub(super) mod waits;

use super::{Loaded, Out, clocks_first, headline};
use crate::args;
use crate::failure::Failure;
use crate::render::places::Places;
use crate::render::{Screen, units};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_messages::{Message, say};
use steplens_report::listed::Listed;
use steplens_report::network::Network;

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

pub(super) fn run(args: &args::Network) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let network = Network::of(&loaded.study);
    loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", network.to_text());
        } else if args.form.csv {
            return network.write_csv(out);
        }
        let screen = Screen::new(args.form.color);
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
            return order::write(out, &section);
        }
        stragglers::write(out, &section)?;
        devices::write(out, &section)?;
        waits::write(out, &section)?;
        waits::write_tensors(out, &section)?;
        collectives::write(out, &section)?;
        ready::write(out, &section)?;
        links::write(out, screen, &network)?;
        order::write(out, &section)
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
