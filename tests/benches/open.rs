//! How fast a large file becomes a trace, and a trace what the page shows: 60 steps of `ps4w.pb`, 250,500 ops.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flate2::read::GzDecoder;
use prost::Message;
use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::time::Duration;
use steplens_core::dataflow::DataFlow;
use steplens_core::makers::Makers;
use steplens_core::marks::{Look, MarkIndex, MarksQuery};
use steplens_core::network::arrival_order::arrival_order;
use steplens_core::questions::concurrency::concurrency;
use steplens_core::questions::op_types::op_types;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::questions::strips::strips;
use steplens_core::search::matches::Matches;
use steplens_core::steps::rule::StepRule;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::timeline::colors::Colors;
use steplens_core::timeline::coverage::Coverage;
use steplens_core::timeline::grouping::Arrangement;
use steplens_core::timeline::in_flight::InFlight;
use steplens_core::timeline::lanes::Lanes;
use steplens_core::transfers::Transfers;
use steplens_core::{CategoryRules, DeviceId, LaneId, Study};
use steplens_formats::{Limits, Opener};
use steplens_report as report;
use steplens_tests::fixtures::{chrome_trace, fixture};
use steplens_tests::places::scratch;
use steplens_tests::proto::RunMetadata;
use steplens_tests::scale::scale;

/// As large as the slices that the page reads.
const SLICE_BYTES: usize = 4 << 20;

/// The large file; made once.
fn large() -> Vec<u8> {
    let path = scratch().join("ps4w-60.pb");
    fs::read(&path).unwrap_or_else(|_| {
        let mut file = Vec::new();
        scale(&fixture("ps4w").bytes, 60, &mut file).expect("memory takes everything");
        fs::write(&path, &file).expect("the target folder can be written");
        file
    })
}

fn decoded(file: &[u8]) -> Opener {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("large.pb");
    file.chunks(SLICE_BYTES).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener
}

fn reading(criterion: &mut Criterion) {
    let file = large();
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function("decode", |bencher| bencher.iter(|| decoded(&file)));
    group.bench_function("decode-with-prost", |bencher| {
        bencher.iter(|| RunMetadata::decode(file.as_slice()).expect("a whole file"));
    });
    // Sixty documents in one file.
    let mut json = Vec::new();
    let packed = chrome_trace("ps4w.ctf").bytes;
    GzDecoder::new(packed.as_slice()).read_to_end(&mut json).expect("a whole file");
    let json = json.repeat(60);
    group.throughput(Throughput::Bytes(json.len() as u64));
    group.bench_function("decode-chrome-trace", |bencher| bencher.iter(|| decoded(&json)));
    group.throughput(Throughput::Bytes(file.len() as u64));
    let finish = |opener: Opener| opener.finish().expect("a file with ops");
    group.bench_function("finish", |bencher| {
        bencher.iter_batched(|| decoded(&file), finish, BatchSize::PerIteration);
    });
    group.finish();
}

fn analysing(criterion: &mut Criterion) {
    let trace = decoded(&large()).finish().expect("a file with ops").trace;
    let mut group = criterion.benchmark_group("analyse");
    group.throughput(Throughput::Elements(trace.ops().len() as u64));
    group.bench_function("lanes", |bencher| bencher.iter(|| Lanes::packed(&trace)));
    let lanes = Lanes::packed(&trace);
    group.bench_function("marks-index", |bencher| {
        bencher.iter(|| MarkIndex::built(&trace, &lanes, &Colors::default()))
    });
    group.bench_function("dataflow-and-transfers", |bencher| {
        bencher.iter(|| Transfers::joined(&trace, &DataFlow::indexed(&trace, StepRule::default())));
    });
    let of_device = |device| Coverage::of_device(&trace, device);
    group.bench_function("coverage", |bencher| {
        bencher.iter(|| Coverage::together(trace.devices().ids().map(of_device).collect::<Vec<_>>().iter()));
    });
    group.finish();
}

fn drawing(criterion: &mut Criterion) {
    let study = Study::new(decoded(&large()).finish().expect("a file with ops").trace);
    let lanes: Vec<LaneId> = (0..study.lanes().len()).map(LaneId::from_usize).collect();
    let (span, none) = (study.trace().span(), Matches::default());
    let mut group = criterion.benchmark_group("draw");
    for (name, share) in [("marks-of-all", 1), ("marks-of-a-step", 60), ("marks-of-a-thousandth", 60_000)] {
        let start = span.length().0 / 2;
        let query = MarksQuery {
            start: steplens_core::Timestamp(if share == 1 { 0 } else { start }),
            end: steplens_core::Timestamp(if share == 1 {
                span.end.0
            } else {
                start + span.length().0 / share
            }),
            width_px: 1_920.0,
            lanes: &lanes,
            pitches: &[],
            most: 10_000,
        };
        let look = Look { colors: study.colors(), matches: &none, lit: &none };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                black_box(study.marks().marks(study.trace(), study.lanes(), look, &query)).marks.len()
            });
        });
    }
    group.finish();
}

fn measuring(criterion: &mut Criterion) {
    let study = Study::new(decoded(&large()).finish().expect("a file with ops").trace);
    let devices: Vec<DeviceId> = study.trace().devices().ids().collect();
    let span = study.trace().span();
    let query = RangeQuery::of(span);
    let lanes = (0..study.lanes().len()).step_by(2).map(LaneId::from_usize).collect();
    let some_lanes = RangeQuery { lanes: Some(lanes), ..query.clone() };
    let range = Range::of(&study, &query);
    let mut group = criterion.benchmark_group("measure");
    group.throughput(Throughput::Elements(study.trace().ops().len() as u64));
    group.bench_function("range", |bencher| bencher.iter(|| report::range::json(&study, &query)));
    group.bench_function("range-of-lanes", |bencher| {
        bencher.iter(|| report::range::json(&study, &some_lanes))
    });
    group.bench_function("op-types", |bencher| bencher.iter(|| op_types(&study, &range)));
    group.bench_function("concurrency", |bencher| bencher.iter(|| concurrency(&study, &range, 800)));
    group.bench_function("strips-first", |bencher| {
        bencher.iter(|| {
            devices
                .iter()
                .map(|&device| InFlight::counted(study.trace(), device, study.colors()))
                .collect::<Vec<_>>()
        });
    });
    group.bench_function("strips", |bencher| bencher.iter(|| strips(&study, &devices, span, 3_200.0)));
    group.bench_function("arrange-by-op-type", |bencher| {
        bencher.iter(|| Lanes::arranged(study.trace(), study.host_profile(), Arrangement::OpType));
    });
    group.finish();
}

/// What the tab Network asks for when it is opened first.
fn networking(criterion: &mut Criterion) {
    let study = Study::new(decoded(&large()).finish().expect("a file with ops").trace);
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(study.transfers().rows().len() as u64));
    group.bench_function("transfer-order", |bencher| {
        bencher.iter(|| arrival_order(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges())))
    });
    group.bench_function("all", |bencher| bencher.iter(|| report::network::Network::of(&study).to_text()));
    group.finish();
}

criterion_group! {
    name = open;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4));
    targets = reading, analysing, drawing, measuring, networking
}
criterion_main!(open);
