//! `steplens scheduling`: when ops were ready, scheduled and run, how many ran at once, what tiny ops cost, and why GPU streams
//! were empty.

use super::{Loaded, Out, Print, headline};
use crate::args;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_host::reading::opening::duration_ns;
use steplens_messages::{Message, message, say};
use steplens_report::scheduling::{
    AtWorkRow, Options, PartsRow, SchedulingPage, latest, of_first, part_words,
};

pub(super) fn run(args: &args::Scheduling) -> Result<(), Failure> {
    let question = question(args)?;
    let choice = question.choice();
    let loaded = Loaded::read(&args.asked.files)?;
    loaded.answer(&question, &args.asked.form, |out, screen| {
        let limit = args.asked.length.rows();
        headline::write(out, screen, &loaded)?;
        let sums = &of_first(&loaded.study, choice, limit);
        writeln!(out, "{}", screen.sentence(&sums.sentence, ""))?;
        let places = Places::of(&loaded.study);
        let place = |device: &str| {
            let name = loaded.study.trace().strings().find(device);
            name.map_or("", |name| places.label(name)).to_owned()
        };
        let text = Text { screen, sums, limit, place: &place };
        text.write_parts(out, say!("critical-path-by-device"), &sums.by_device, &place)?;
        text.write_parts(out, say!("critical-path-by-op-type"), &sums.by_op_type, &|key| {
            visible(key).into_owned()
        })?;
        text.write_notes(out)?;
        text.write_at_work(out)?;
        text.write_tiny(out)?;
        text.write_streams(out)?;
        text.write_gpus(out)?;
        Ok(text.write_latest(out, &loaded)?)
    })
}

fn question(args: &args::Scheduling) -> Result<Options, Failure> {
    let unreadable = |text: &String| Failure::Option("tiny", say!("option-tiny", text));
    let tiny = args.tiny.as_ref().map(|text| duration_ns(text).ok_or_else(|| unreadable(text)));
    Ok(Options { tiny_ns: tiny.transpose()?, ..args.asked.question.clone() })
}

fn maybe_count(count: Option<u32>) -> String {
    count.map_or_else(|| units::UNKNOWN.to_owned(), |count| units::count(u64::from(count)))
}

/// Writes `sums` as text.
struct Text<'a> {
    screen: Screen,
    sums: &'a SchedulingPage<'a>,
    limit: usize,
    place: &'a dyn Fn(&str) -> String,
}

impl Text<'_> {
    fn write_parts(
        &self,
        out: &mut Out,
        title: &str,
        rows: &[PartsRow<'_>],
        name: &dyn Fn(&str) -> String,
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let about = say!("scheduling-parts-about");
        writeln!(out, "\n{}", self.screen.title(title, about))?;
        let mut table = Table::default()
            .column("", ColumnKind::Name(20), ALWAYS)
            .column(say!("title-ops"), ColumnKind::Figure, 5)
            .column(say!("title-wait"), ColumnKind::Figure, 6)
            .column(say!("title-queue"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-p50"), ColumnKind::Figure, 2)
            .column(say!("title-p99"), ColumnKind::Figure, 3)
            .column(say!("title-set-up"), ColumnKind::Figure, 6)
            .column(say!("title-kernel"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-tear-down"), ColumnKind::Figure, 6);
        for row in rows.iter().take(self.limit) {
            let sum = |part: usize| units::maybe_duration(row.parts[part].sum_ns);
            table.row([
                name(row.key).into(),
                units::count(row.ops).into(),
                sum(0).into(),
                sum(1).into(),
                units::maybe_duration(row.parts[1].p50_ns).into(),
                units::maybe_duration(row.parts[1].p99_ns).into(),
                sum(2).into(),
                sum(3).into(),
                sum(4).into(),
            ]);
        }
        table.write(out, self.screen)?;
        self.write_more(out, rows.len(), message!("program-more-rows", count))
    }

    /// Writes what was not recorded, and what the sums leave out.
    fn write_notes(&self, out: &mut Out) -> io::Result<()> {
        let sums = self.sums;
        let mut said: Vec<String> = sums
            .not_recorded
            .iter()
            .map(|word| say!("scheduling-part-not-recorded", part = part_words(word)))
            .collect();
        let contradicted: u64 = sums.by_device.iter().map(|row| row.contradicted).sum();
        if contradicted > 0 {
            let ops = units::plural(contradicted, message!("program-ops", count));
            said.push(say!("scheduling-ops-contradicted", ops));
        }
        if sums.network_ops > 0 {
            let ops = units::plural(sums.network_ops, message!("program-ops", count));
            said.push(say!("scheduling-network-left-out", ops));
        }
        if sums.program_ops > 0 {
            let ops = units::plural(sums.program_ops, message!("program-ops", count));
            said.push(say!("scheduling-programs-left-out", ops));
        }
        if !said.is_empty() {
            writeln!(out)?;
        }
        said.iter().try_for_each(|said| writeln!(out, "{}", self.screen.note(said)))
    }

    fn write_at_work(&self, out: &mut Out) -> io::Result<()> {
        let rows = &self.sums.at_work;
        if rows.is_empty() {
            return Ok(());
        }
        let about = say!("scheduling-threads-about");
        writeln!(out, "\n{}", self.screen.title(say!("scheduling-threads"), about))?;
        let is_given = self.sums.threads.is_some();
        let mut table = Table::default()
            .column("", ColumnKind::Name(20), ALWAYS)
            .column(say!("title-most"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-mean"), ColumnKind::Figure, 3)
            .column(say!("title-busy"), ColumnKind::Figure, 4)
            .column(say!("title-queued"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-at-the-most"), ColumnKind::Figure, 5)
            .column(if is_given { say!("title-starved") } else { "" }, ColumnKind::Figure, 6)
            .column(say!("title-most-queued"), ColumnKind::Figure, 2);
        for row in rows.iter().take(self.limit) {
            let starved = if is_given { units::maybe_duration(row.starved_ns) } else { String::new() };
            table.row([
                self.devices(row).into(),
                units::count(u64::from(row.most)).into(),
                format!("{:.2}", row.work_ns as f64 / row.busy_ns.max(1) as f64).into(),
                units::duration(row.busy_ns).into(),
                units::maybe_duration(row.queued_ns).into(),
                units::maybe_duration(row.queued_at_most_ns).into(),
                starved.into(),
                maybe_count(row.most_queued).into(),
            ]);
        }
        table.write(out, self.screen)?;
        self.write_more(out, rows.len(), message!("program-more-rows", count))?;
        let note = match self.sums.threads {
            None => say!("scheduling-threads-unknown").to_owned(),
            Some(threads) => say!(
                "scheduling-threads-given",
                threads = units::plural(u64::from(threads), message!("program-threads", count))
            ),
        };
        writeln!(out, "{}", self.screen.note(&note))?;
        let Some(threads) = self.sums.threads else { return Ok(()) };
        match rows.iter().map(|row| row.most).max().filter(|&most| most > threads) {
            Some(most) => {
                let note = say!(
                    "scheduling-too-few",
                    threads = units::plural(u64::from(threads), message!("program-threads", count)),
                    ops = units::plural(u64::from(most), message!("program-ops", count))
                );
                writeln!(out, "{}", self.screen.note(&note))
            }
            None => Ok(()),
        }
    }

    fn devices(&self, row: &AtWorkRow<'_>) -> String {
        match row.devices.as_slice() {
            [only] => (self.place)(only),
            all => say!(
                "scheduling-together",
                devices = units::plural(all.len(), message!("program-devices", count))
            ),
        }
    }

    fn write_tiny(&self, out: &mut Out) -> io::Result<()> {
        let rows: Vec<_> = self.sums.tiny.iter().filter(|row| row.tiny > 0).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let title = say!("scheduling-tiny", length = units::duration(self.sums.tiny_limit_ns));
        let about = say!("scheduling-tiny-about");
        writeln!(out, "\n{}", self.screen.title(&title, about))?;
        let mut table = Table::default()
            .column("", ColumnKind::Name(20), ALWAYS)
            .column(say!("title-ops"), ColumnKind::Figure, 3)
            .column(say!("title-tiny"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-length"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-in-a-row"), ColumnKind::Figure, 1)
            .column(say!("title-between"), ColumnKind::Figure, 4)
            .column(say!("title-cost"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-of-all-ops"), ColumnKind::Figure, 2);
        for row in rows.iter().take(self.limit) {
            table.row([
                (self.place)(row.device).into(),
                units::count(row.ops).into(),
                units::count(row.tiny).into(),
                units::duration(row.tiny_length_ns).into(),
                units::count(row.in_a_row).into(),
                units::duration(row.between_ns).into(),
                units::duration(row.cost_ns).into(),
                units::share(row.tiny_length_ns, row.length_ns).into(),
            ]);
        }
        table.write(out, self.screen)?;
        self.write_more(out, rows.len(), message!("program-more-rows", count))
    }

    fn write_streams(&self, out: &mut Out) -> io::Result<()> {
        let rows = &self.sums.streams;
        if rows.is_empty() {
            return Ok(());
        }
        let about = say!("scheduling-streams-about");
        writeln!(out, "\n{}", self.screen.title(say!("scheduling-streams"), about))?;
        let mut table = Table::default()
            .column("", ColumnKind::Name(20), ALWAYS)
            .column(say!("title-stream"), ColumnKind::Figure, 6)
            .column(say!("title-kernels"), ColumnKind::Figure, 3)
            .column(say!("title-busy"), ColumnKind::Figure, 4)
            .column(say!("title-queue-p50"), ColumnKind::Figure, 2)
            .column(say!("title-most"), ColumnKind::Figure, 1)
            .column(say!("title-gaps"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-host"), ColumnKind::Figure, 6)
            .column(say!("title-other-stream"), ColumnKind::Figure, 5)
            .column(say!("title-starting"), ColumnKind::Figure, 5)
            .column(say!("title-no-cause"), ColumnKind::Figure, 6);
        for row in rows.iter().take(self.limit) {
            table.row([
                (self.place)(row.device).into(),
                row.stream.to_string().into(),
                units::count(row.kernels).into(),
                units::duration(row.busy_ns).into(),
                units::maybe_duration(row.queue_p50_ns).into(),
                maybe_count(row.most_queued).into(),
                units::duration(row.gap_ns).into(),
                units::maybe_duration(row.host_ns).into(),
                units::maybe_duration(row.other_stream_ns).into(),
                units::maybe_duration(row.starting_ns).into(),
                units::duration(row.unexplained_ns).into(),
            ]);
        }
        table.write(out, self.screen)?;
        self.write_more(out, rows.len(), message!("program-more-streams", count))
    }

    fn write_gpus(&self, out: &mut Out) -> io::Result<()> {
        let rows = &self.sums.gpus;
        if rows.is_empty() {
            return Ok(());
        }
        let about = say!("scheduling-gpus-about");
        writeln!(out, "\n{}", self.screen.title(say!("scheduling-gpus"), about))?;
        let mut table = Table::default()
            .column("", ColumnKind::Name(20), ALWAYS)
            .column(say!("title-busy"), ColumnKind::Figure, 1)
            .column(say!("title-idle"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-between-ops"), ColumnKind::Figure, 6)
            .column(say!("title-launching-late"), ColumnKind::Figure, 6)
            .column(say!("title-other-stream"), ColumnKind::Figure, 4)
            .column(say!("title-other-rank"), ColumnKind::Figure, 4)
            .column(say!("title-starting"), ColumnKind::Figure, 3)
            .column(say!("title-nothing-queued"), ColumnKind::Figure, 5)
            .column(say!("title-no-cause"), ColumnKind::Figure, 5);
        for row in rows.iter().take(self.limit) {
            table.row([
                (self.place)(row.device).into(),
                units::duration(row.busy_ns).into(),
                units::duration(row.idle_ns).into(),
                units::duration(row.host_between_ops_ns).into(),
                units::duration(row.host_launching_ns).into(),
                units::duration(row.other_stream_ns).into(),
                units::duration(row.other_rank_ns).into(),
                units::duration(row.starting_ns).into(),
                units::duration(row.nothing_queued_ns).into(),
                units::duration(row.unexplained_ns).into(),
            ]);
        }
        table.write(out, self.screen)?;
        self.write_more(out, rows.len(), message!("program-more-devices", count))
    }

    fn write_latest(&self, out: &mut Out, loaded: &Loaded) -> io::Result<()> {
        let (rows, queued) = latest(&loaded.study, self.limit);
        if rows.is_empty() {
            return Ok(());
        }
        let about = say!("scheduling-longest-about");
        writeln!(out, "\n{}", self.screen.title(say!("scheduling-longest"), about))?;
        let mut table = Table::default()
            .column(say!("title-queue"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-wait"), ColumnKind::Figure, 1)
            .column(say!("title-device"), ColumnKind::Location(8), 2)
            .column(say!("title-op"), ColumnKind::Name(30), ALWAYS);
        let devices = loaded.study.trace().devices();
        for row in &rows {
            let device = devices.ids().nth(row.op.device() as usize);
            let device = device.map_or("", |id| loaded.study.trace().text(devices.get(id).name));
            table.row([
                units::duration(row.queue_ns).into(),
                units::maybe_duration(row.wait_ns).into(),
                (self.place)(device).into(),
                visible(row.op.name()).into_owned().into(),
            ]);
        }
        table.write(out, self.screen)?;
        match (queued as usize).saturating_sub(rows.len()) {
            0 => Ok(()),
            rest => {
                let more = units::plural(rest, message!("program-more-ops", count));
                writeln!(out, "{}", self.screen.note(&say!("more-not-shown", more)))
            }
        }
    }

    fn write_more(&self, out: &mut Out, count: usize, rows: &Message) -> io::Result<()> {
        self.screen.write_more(out, count, self.limit, rows)
    }
}
