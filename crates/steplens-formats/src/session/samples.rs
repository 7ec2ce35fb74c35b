//! Counters and instants in a session.

use super::Damage;
use super::codec::Column;
use super::reader::{Reader, all_read};
use super::strings::Strings;
use super::writer::{Writer, columns};
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::build::builder::Whole;
use steplens_core::model::counters::{CounterRow, Counters, Point, Value};
use steplens_core::model::instants::{Instant, Instants, Scope};
use steplens_core::model::owner::Owner;
use steplens_core::{DeviceId, Timestamp, Trace};
use steplens_messages::say;
use steplens_proto::sessions;

/// Scopes; a thread is written as `THREAD` plus its number.
const GLOBAL: u64 = 0;
const PROCESS: u64 = 1;
const THREAD: u64 = 2;

/// Adds the strings of counters and instants.
pub(super) fn add_strings<'a>(trace: &'a Trace, strings: &mut Strings<'a>) {
    let add_owner = |strings: &mut Strings<'a>, owner| {
        if let Owner::Process(name) = owner {
            strings.add(trace.text(name));
        }
    };
    for own in trace.counters().ids().map(|counter| trace.counters().get(counter)) {
        add_owner(strings, own.owner);
        [own.name, own.series].into_iter().for_each(|id| strings.add(trace.text(id)));
    }
    for own in trace.instants().all() {
        add_owner(strings, own.owner);
        [Some(own.name), own.arguments].into_iter().flatten().for_each(|id| strings.add(trace.text(id)));
    }
}

/// Writes the tables of counters and instants, if there are any.
pub(super) fn write(writer: &mut Writer<'_>) {
    let trace = writer.trace;
    let counters = trace.counters();
    if !counters.is_empty() {
        let [mut owners, mut names, mut series, mut counts, mut times, mut values] = columns();
        for counter in counters.ids() {
            let own = counters.get(counter);
            owners.number(owner(writer, own.owner));
            names.number(writer.row(own.name));
            series.number(writer.row(own.series));
            counts.number(own.points().len() as u64);
            for (at, value) in counters.points(counter) {
                times.delta(at.0);
                values.number(value.get().to_bits());
            }
        }
        writer.out.counters = Some(sessions::Counters {
            rows: counters.len() as u64,
            owner: owners.message(),
            name: names.message(),
            series: series.message(),
            points: counts.message(),
        });
        writer.out.points = Some(sessions::Points {
            rows: counters.point_count() as u64,
            time: times.message(),
            value: values.message(),
        });
    }
    if !trace.instants().is_empty() {
        let [mut owners, mut scopes, mut names, mut times, mut arguments] = columns();
        for own in trace.instants().all() {
            owners.number(owner(writer, own.owner));
            scopes.number(match own.scope {
                Scope::Global => GLOBAL,
                Scope::Process => PROCESS,
                Scope::Thread(thread) => THREAD + u64::from(thread),
            });
            names.number(writer.row(own.name));
            times.delta(own.at.0);
            arguments.number(own.arguments.map_or(0, |id| writer.row(id) + 1));
        }
        writer.out.instants = Some(sessions::Instants {
            rows: trace.instants().len() as u64,
            owner: owners.message(),
            scope: scopes.message(),
            name: names.message(),
            time: times.message(),
            arguments: arguments.message(),
        });
    }
}

/// A device is twice its row, a process twice the row of its name plus one.
fn owner(writer: &mut Writer<'_>, owner: Owner) -> u64 {
    match owner {
        Owner::Device(device) => u64::from(device.get()) << 1,
        Owner::Process(name) => writer.row(name) << 1 | 1,
    }
}

/// Reads both into `whole`, whose origin is known. The trace has `devices` devices.
pub(super) fn read(reader: &mut Reader<'_, '_>, devices: usize, whole: &mut Whole) -> Result<(), Damage> {
    let origin = whole.origin_unix_ns;
    let session = &reader.tables.session;
    let sessions::Counters { rows, owner, name, series, points } =
        session.counters.clone().unwrap_or_default();
    let (rows, [mut owners, mut names, mut series, mut counts]) =
        reader.tables.read(rows, [&owner, &name, &series, &points])?;
    let sessions::Points { rows: all, time: of_points, value } = session.points.clone().unwrap_or_default();
    let (all, [mut times, mut values]) = reader.tables.read(all, [&of_points, &value])?;
    let (mut counters, mut points) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let owner = read_owner(reader, &mut owners, devices)?;
        let (name, series) = (reader.next_id(&mut names)?, reader.next_id(&mut series)?);
        counters.push(CounterRow { owner, name, series, file: 0 });
        for _ in 0..counts.number()? {
            let at = time(&mut times, origin)?;
            let value = Value::new(f64::from_bits(values.number()?));
            let value = value.ok_or_else(|| values.damage(say!("got-large-number")))?;
            points.push(Point { row: row as u32, at, value });
        }
    }
    if points.len() != all {
        return Err(counts.damage(say!("got-more-values")));
    }
    all_read([owners, names, series, counts, times, values])?;
    whole.counters = Counters::new(&counters, points);
    let sessions::Instants { rows, owner, scope, name, time: of_instants, arguments } =
        session.instants.clone().unwrap_or_default();
    let columns = [&owner, &scope, &name, &of_instants, &arguments];
    let (rows, [mut owners, mut scopes, mut names, mut times, mut arguments]) =
        reader.tables.read(rows, columns)?;
    let mut instants = Vec::new();
    for _ in 0..rows {
        let owner = read_owner(reader, &mut owners, devices)?;
        let scope = match scopes.number()? {
            GLOBAL => Scope::Global,
            PROCESS => Scope::Process,
            thread => {
                let thread = u32::try_from(thread - THREAD);
                Scope::Thread(thread.map_err(|_| scopes.damage(say!("got-large-number")))?)
            }
        };
        let name = reader.next_id(&mut names)?;
        let at = time(&mut times, origin)?;
        let text = match arguments.number()? {
            0 => None,
            row => {
                let row = arguments.as_row((row - 1).try_into(), reader.strings.len())?;
                Some(reader.id_of(row, &arguments)?)
            }
        };
        instants.push((Instant { owner, scope, name, at, arguments: text }, 0));
    }
    all_read([owners, scopes, names, times, arguments])?;
    whole.instants = Instants::new(instants);
    Ok(())
}

fn read_owner(reader: &mut Reader<'_, '_>, owners: &mut Column<'_>, devices: usize) -> Result<Owner, Damage> {
    let code = owners.number()?;
    Ok(match code & 1 {
        0 => Owner::Device(DeviceId::from_usize(owners.as_row((code >> 1).try_into(), devices)?)),
        _ => {
            let row = owners.as_row((code >> 1).try_into(), reader.strings.len())?;
            Owner::Process(reader.id_of(row, owners)?)
        }
    })
}

/// The next time, which must be as near to 1970 as that of an op.
fn time(times: &mut Column<'_>, origin_unix_ns: i64) -> Result<Timestamp, Damage> {
    let at = times.delta()?;
    let unix_ns = at.checked_add(origin_unix_ns).filter(|at| (-MAX_UNIX_NS..MAX_UNIX_NS).contains(at));
    unix_ns.map(|_| Timestamp(at)).ok_or_else(|| times.damage(say!("got-large-number")))
}
