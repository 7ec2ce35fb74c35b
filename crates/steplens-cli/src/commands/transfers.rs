//! `steplens transfers`: the transfers between devices.

use super::{Loaded, Out, Print, headline};
use crate::args;
use crate::render::color::Tint;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use steplens_core::network::waited::Waited;
use steplens_core::transfers::Join;
use steplens_core::transfers::links::{Between, Matrix};
use steplens_core::{Category, Study};
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::tables::TransferColumn;
use steplens_report::transfers::{TransferList, TransferQuery};

pub(super) fn run(args: &args::Transfers) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.asked.files)?;
    loaded.answer(&args.asked.question, &args.asked.form, |out, screen| {
        headline::write(out, screen, &loaded)?;
        if loaded.study.transfers().rows().is_empty() {
            return Ok(writeln!(out, "{}", say!("no-transfers"))?);
        }
        let places = Places::of(&loaded.study);
        write_links(out, screen, &loaded.study, &places, args.asked.length.rows())?;
        write_transfers(out, screen, &loaded.study, &places, args.sort, args.asked.length.rows())?;
        Ok(write_joins(out, screen, &loaded.study)?)
    })
}

fn write_links(
    out: &mut Out,
    screen: Screen,
    study: &Study,
    places: &Places,
    limit: usize,
) -> io::Result<()> {
    let span = study.trace().span().length().0;
    let Matrix { places: names, mut links, .. } =
        Matrix::summed(study.trace(), study.transfers(), Between::Devices);
    links.sort_by_key(|link| Reverse(link.load.bytes));
    let label = |place: u32| {
        let name = study.trace().strings().find(names[place as usize]);
        name.map_or("", |name| places.label(name)).to_owned()
    };
    writeln!(out, "{}", screen.title(say!("network-links-title"), say!("transfers-links-about")))?;
    let mut table = Table::default()
        .column(say!("title-from"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-to"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-transfers"), ColumnKind::Figure, 3)
        .column(say!("title-busy"), ColumnKind::Figure, 4)
        .column(say!("title-of-step"), ColumnKind::Figure, 2)
        .column("", ColumnKind::Bar(8, 32), 1)
        .column(say!("title-speed"), ColumnKind::Figure, 5);
    for link in links.iter().take(limit) {
        let load = &link.load;
        let busy = (load.timed > 0).then_some(load.busy.0);
        table.row([
            Cell::from(label(link.source)),
            label(link.destination).into(),
            match busy {
                None if load.bytes.0 == 0 => units::UNKNOWN.to_owned(),
                _ => units::bytes(load.bytes.0),
            }
            .into(),
            units::count(load.count).into(),
            units::maybe_duration(busy).into(),
            busy.map_or_else(|| "–".to_owned(), |busy| units::share(busy, span)).into(),
            Cell::Level(load.busy.0 as f64 / span.max(1) as f64, Tint::Category(Category::Communication)),
            units::rate(load.timed_bytes.0, Some(load.busy.0)).into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, links.len(), limit, message!("program-more-links", count))?;
    writeln!(out)
}

fn write_transfers(
    out: &mut Out,
    screen: Screen,
    study: &Study,
    places: &Places,
    sort: TransferColumn,
    limit: usize,
) -> io::Result<()> {
    let waited = Waited::summed(study);
    let largest_first = sort.order().is_some_and(|order| order.largest_first);
    let query = TransferQuery { sort, descending: largest_first, filter: String::new(), range: None };
    // Unknown figures come last.
    let list = TransferList::of(study, query, &waited);
    let rows = list.rows();
    writeln!(out, "{}", screen.strong(sort.order().map_or("", |order| order.title.plain())))?;
    let rank = |of: &str, rank| if sort.name() == of { ALWAYS } else { rank };
    let mut table = Table::default()
        .column(say!("title-arrived"), ColumnKind::Figure, rank("received_ns", 1))
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-queued"), ColumnKind::Figure, rank("queued_ns", 4))
        .column(say!("title-transit"), ColumnKind::Figure, rank("wire_ns", 6))
        .column(say!("title-speed"), ColumnKind::Figure, 2)
        .column(say!("title-waited-after"), ColumnKind::Figure, rank("unused_ns", 3))
        .column(say!("title-delay"), ColumnKind::Figure, rank("delayed_ns", 5))
        .column(say!("title-waited"), ColumnKind::Figure, rank("waited_ns", 4))
        .column(say!("title-from"), ColumnKind::Location(8), 8)
        .column(say!("title-to"), ColumnKind::Location(8), 8)
        .column(say!("title-kind"), ColumnKind::Name(8), 0)
        .column(say!("title-tensor"), ColumnKind::Name(34), ALWAYS);
    for &id in rows.iter().take(limit) {
        let (transfer, times) = (study.transfers().get(id), study.times(id));
        let length =
            |length: Option<steplens_core::Nanos>| units::maybe_duration(length.map(|length| length.0));
        table.row([
            Cell::from(units::maybe_duration(times.received.map(|received| received.0))),
            transfer
                .known_bytes()
                .map_or_else(|| units::UNKNOWN.to_owned(), |bytes| units::bytes(bytes.0))
                .into(),
            length(times.queued).into(),
            length(times.wire).into(),
            units::rate(transfer.bytes.0, times.wire.map(|wire| wire.0)).into(),
            length(times.unused).into(),
            length(times.delayed).into(),
            length(transfer.op.map(|op| waited.of_op(op))).into(),
            places.label(transfer.source).to_owned().into(),
            places.label(transfer.destination).to_owned().into(),
            study
                .variable(id)
                .map_or("–", |own| {
                    if own.is_gradient { say!("transfers-of-gradient") } else { say!("transfers-of-value") }
                })
                .to_owned()
                .into(),
            visible(transfer.output(study.trace()).name).into_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-transfers", count))?;
    writeln!(out)
}

/// How many transfers are joined to the op that made them, and why the others are not.
fn write_joins(out: &mut Out, screen: Screen, study: &Study) -> io::Result<()> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for transfer in study.transfers().rows() {
        let what = match (transfer.producer, transfer.join) {
            (Ok(_), _) if transfer.certainty.candidates().is_some() => {
                say!("transfers-joined-to-one-of-several")
            }
            (Ok(_), Some(Join::Graph)) => say!("transfers-joined-by-graph"),
            (Ok(_), _) => say!("transfers-joined-by-name"),
            (Err(why), _) => why.code(),
        };
        *counts.entry(what).or_default() += 1;
    }
    let parts: Vec<_> =
        counts.iter().map(|(what, count)| format!("{} {what}", units::count(*count))).collect();
    writeln!(out, "{}", screen.note(&parts.join(" · ")))
}
