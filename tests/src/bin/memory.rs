//! `memory FILE...`: bytes an op that each part of a study holds, and the peaks while it is made, by the counting allocator.

use std::error::Error;
use std::fs;
use std::rc::Rc;
use std::time::Instant;
use steplens_core::dataflow::DataFlow;
use steplens_core::gpu::kernels::Kernels;
use steplens_core::makers::Edges;
use steplens_core::makers::Makers;
use steplens_core::makers::variables::Variables;
use steplens_core::marks::MarkIndex;
use steplens_core::steps::rule::StepRule;
use steplens_core::timeline::colors::Colors;
use steplens_core::timeline::coverage::Coverage;
use steplens_core::timeline::in_flight::InFlight;
use steplens_core::timeline::lanes::Lanes;
use steplens_core::transfer_times::TransferTimes;
use steplens_core::transfers::Transfers;
use steplens_core::transfers::links::Route;
use steplens_core::transfers::traffic::Traffic;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opener};
use steplens_report as report;
use steplens_tests::meter::{Cost, Meter, cost};

#[global_allocator]
static METER: Meter = Meter;

/// As large as the slices that the page reads.
const SLICE_BYTES: usize = 4 << 20;

struct Table {
    ops: usize,
    held: isize,
}

impl Table {
    #[expect(clippy::print_stdout, reason = "a program says what it measured")]
    fn row<T>(&mut self, name: &str, own: impl FnOnce(&T) -> Option<usize>, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let (made, Cost { held_bytes, peak_bytes, .. }) = cost(work);
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        let an_op = |bytes: f64| bytes / self.ops as f64;
        let peak = an_op((self.held + peak_bytes as isize) as f64);
        self.held += held_bytes;
        let own = own(&made).map_or("-".to_owned(), |own| format!("{:.3}", an_op(own as f64)));
        println!(
            "{name:<24}{:>10.3}{own:>10}{:>10.3}{peak:>10.3}{milliseconds:>10.1}",
            an_op(held_bytes as f64),
            an_op(self.held as f64)
        );
        made
    }
}

#[expect(clippy::print_stdout, reason = "a program says what it measured")]
fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let file = fs::read(&path).map_err(|why| format!("reading {path}: {why}"))?;
        let read = || -> Result<_, Box<dyn Error>> {
            let mut opener = Opener::new(CategoryRules::default(), Limits::default());
            opener.begin_file(&path);
            file.chunks(SLICE_BYTES).for_each(|slice| opener.push(slice));
            opener.end_file();
            Ok(opener.finish()?.trace)
        };
        let ops = read()?.ops().len();
        println!(
            "{path}: {ops} ops, bytes an op\n{:<24}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "part", "held", "said", "together", "peak", "ms"
        );
        let mut table = Table { ops, held: 0 };
        let trace = table.row(
            "trace",
            |trace: &Option<steplens_core::Trace>| trace.as_ref().map(|trace| trace.heap_bytes()),
            || read().ok(),
        );
        let trace = trace.ok_or("no trace")?;
        println!(
            "  of it strings {}, nodes {}, ops {}, outputs {}, memory {}, graph {}",
            trace.strings().heap_bytes() as f64 / ops as f64,
            trace.nodes().heap_bytes() as f64 / ops as f64,
            trace.ops().heap_bytes() as f64 / ops as f64,
            trace.outputs().heap_bytes() as f64 / ops as f64,
            trace.memory().heap_bytes() as f64 / ops as f64,
            trace.graph().heap_bytes() as f64 / ops as f64
        );
        let lanes = table.row("lanes", |own: &Lanes| Some(own.heap_bytes()), || Lanes::packed(&trace));
        let marks = table.row(
            "marks",
            |own: &MarkIndex| Some(own.heap_bytes()),
            || MarkIndex::built(&trace, &lanes, &Colors::default()),
        );
        let coverage = table.row(
            "coverage",
            |own: &Vec<Coverage>| Some(own.iter().map(Coverage::heap_bytes).sum()),
            || trace.devices().ids().map(|device| Coverage::of_device(&trace, device)).collect::<Vec<_>>(),
        );
        let together = table.row(
            "together",
            |own: &Coverage| Some(own.heap_bytes()),
            || Coverage::together(coverage.iter()),
        );
        let flow = table.row(
            "data flow",
            |own: &DataFlow| Some(own.heap_bytes()),
            || DataFlow::indexed(&trace, StepRule::default()),
        );
        let transfers = table.row(
            "transfers",
            |own: &Transfers| Some(own.heap_bytes()),
            || Transfers::joined(&trace, &flow),
        );
        let kernels =
            table.row("kernels", |own: &Kernels| Some(own.heap_bytes()), || Kernels::joined(&trace));
        let edges = Edges { trace: &trace, flow: &flow, transfers: &transfers };
        let makers = table.row("makers (for a while)", |_: &Makers| None, || Makers::found(edges));
        let times = table.row(
            "transfer times",
            |own: &TransferTimes| Some(own.heap_bytes()),
            || TransferTimes::measured(edges, &makers),
        );
        table.row("makers dropped", |()| None, || drop(makers));
        let variables = table.row(
            "variables",
            |own: &Variables| Some(own.heap_bytes()),
            || Variables::found(edges, |id| times.get(edges, id).first_consumer),
        );
        let in_flight = table.row(
            "in flight",
            |own: &Vec<InFlight>| Some(own.iter().map(InFlight::heap_bytes).sum()),
            || {
                trace
                    .devices()
                    .ids()
                    .map(|device| InFlight::counted(&trace, device, &Colors::default()))
                    .collect::<Vec<_>>()
            },
        );
        let traffic = table.row(
            "traffic",
            |own: &Traffic| Some(own.heap_bytes()),
            || Traffic::followed(&trace, &transfers, &Route::ALL),
        );
        drop((
            together, lanes, marks, coverage, kernels, variables, times, transfers, flow, in_flight, traffic,
            trace,
        ));
        table.held = 0;
        let study = table
            .row(
                "a study, asked nothing",
                |own: &Option<Rc<Study>>| own.as_ref().map(|study| study.heap_bytes()),
                || Some(Rc::new(Study::new(read().ok()?))),
            )
            .ok_or("no trace")?;
        let said = |_: &()| Some(study.heap_bytes());
        table.row("+ the timeline", said, || {
            study.marks();
            study.together();
        });
        table.row("+ a selection", said, || study.prepare());
        table.row("+ the tab Network", said, || drop(report::network::Network::for_page(&study).end()));
        table.row("+ density strips", said, || {
            study.trace().devices().ids().for_each(|device| _ = study.in_flight(device));
        });
    }
    Ok(())
}
