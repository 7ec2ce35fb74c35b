//! Everything that is ever said about a trace, as text: to compare two traces, and to run every analysis once.

use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting, Clocks};
use steplens_core::compare::samples::StepSamples;
use steplens_core::compare::{Comparison, Side};
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::marks::{Look, MarksQuery};
use steplens_core::questions::coloring;
use steplens_core::questions::concurrency::concurrency;
use steplens_core::questions::op_list::{Filter, OpColumn};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::questions::strips::strips;
use steplens_core::replay::Replay;
use steplens_core::replay::candidates::candidates;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::timeline::colors::ColorBy;
use steplens_core::timeline::grouping::Arrangement;
use steplens_core::timeline::lanes::Lanes;
use steplens_core::{DeviceId, Interval, LaneId, Nanos, PartId, Study, Timestamp, Trace, View};
use steplens_report as report;
use steplens_report::ops::OpPages;
use steplens_report::tables::TransferColumn;
use steplens_report::transfers::{TransferPages, TransferQuery};

/// All columns and answers, op by op. Equal texts mean equal traces.
///
/// # Panics
/// If an analysis does.
pub fn everything(study: &Study) -> String {
    let trace = study.trace();
    let mut said = vec![
        format!("origin {}", trace.origin_unix_ns()),
        report::summary::of(study, &[]).to_text(),
        report::transfers::json(study),
        report::memory::json(study, &[]),
        report::network::Network::of(study).to_text(),
        report::causality::json(study),
        report::ops::types(study, &RangeQuery::of(trace.span())),
    ];
    for op in trace.ops().ids() {
        said.extend(report::ops::details(study, op));
        said.push(format!(
            "{:?} {:?}",
            trace.outputs().of(op).map(|output| output.allocation_id).collect::<Vec<_>>(),
            study.lanes().neighbour(op, 1)
        ));
    }
    for device in trace.devices().ids() {
        let device = trace.devices().get(device);
        said.push(format!("{} {:?}", trace.text(device.name), device.kind));
    }
    for node in trace.graph().ids() {
        let text = |id| trace.text(id);
        let graph = trace.graph();
        let inputs: Vec<_> = graph.inputs(node).iter().map(|&input| text(input)).collect();
        said.push(format!(
            "{} {} {} {inputs:?}",
            text(graph.name(node)),
            text(graph.op(node)),
            text(graph.device(node))
        ));
    }
    for end in trace.graph().rendezvous() {
        let texts = [end.tensor, end.source, end.destination].map(|id| trace.text(id));
        said.push(format!("{:?} {:?} {texts:?}", end.node, end.end));
    }
    said.join("\n")
}

/// What is said of the parts of a trace, and of the steps that they make by every rule.
pub fn everything_of_parts(trace: &Trace) -> String {
    let mut said = Vec::new();
    for rule in StepRule::ALL {
        let steps = Steps::divided(trace, rule);
        said.push(report::steps::json(trace, &steps, rule, &[]));
        said.extend(
            trace
                .ops()
                .ids()
                .map(|op| format!("{:?} {:?}", trace.ops().part(op), steps.of_part(trace.ops().part(op)))),
        );
    }
    for part in (0..trace.parts().len()).map(PartId::from_usize) {
        said.push(format!(
            "{part:?} {:?} {:?}",
            trace.parts()[part.index()].file,
            trace.graph().of_part(part)
        ));
    }
    said.join("\n")
}

/// Asks what the page asks of every trace, over several windows, and forgets the answers.
///
/// # Panics
/// If an analysis does.
pub fn ask_all(study: &Study) {
    let span = study.trace().span();
    let middle = Timestamp(span.length().0 / 2);
    let lanes: Vec<LaneId> = (0..study.lanes().len()).map(LaneId::from_usize).collect();
    let pattern = Pattern::new("a", false).expect("a pattern");
    let matches = Matches::of(study.trace(), study.lanes(), &pattern).expect("a short search");
    for window in [
        span,
        Interval::new(middle, span.end),
        Interval::new(middle, middle + Nanos(1)),
        Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX)),
    ] {
        let query = MarksQuery {
            start: window.start,
            end: window.end,
            width_px: 640.0,
            lanes: &lanes,
            pitches: &[],
            most: 5_000,
        };
        let look = Look { colors: study.colors(), matches: &matches, lit: &matches };
        study.marks().marks(study.trace(), study.lanes(), look, &query);
        let every_other = lanes.iter().copied().step_by(2).collect();
        for (device, lanes) in [(None, None), (None, Some(every_other)), (Some(DeviceId::new(0)), None)] {
            let query = RangeQuery { window, device, accelerator: true, lanes };
            report::range::json(study, &query);
            report::ops::types(study, &query);
            concurrency(study, &Range::of(study, &query), 16);
            let column = if query.lanes.is_some() { OpColumn::Name } else { OpColumn::Length };
            OpPages::default().page(study, query.clone(), (column, true), Filter::default(), &matches, 1..51);
            report::colors::sums(study, &query);
        }
        strips(study, &study.trace().devices().ids().collect::<Vec<_>>(), window, 640.0);
        study.together().shares(window, 64);
    }
    for lane in lanes {
        study.lanes().op_near(study.trace(), lane, middle, span);
    }
    for by in [Arrangement::Thread, Arrangement::OpType, Arrangement::Scope] {
        let lanes = Lanes::arranged(study.trace(), study.host_profile(), by);
        study.trace().devices().ids().for_each(|device| _ = lanes.groups(device));
    }
    report::doctor::json(study.trace(), study);
    let clocks = Clocks::estimated(study.trace(), study.transfers());
    report::clocks::json(study.trace(), &clocks);
    let setting = ClockSetting { choice: ClockChoice::estimated(), clocks: Arc::new(clocks) };
    report::clocks::violations(study.trace(), &setting);
    for rule in StepRule::ALL {
        let view = View {
            repairs: Repair::ALL.to_vec(),
            rule,
            step: Some(0),
            clocks: Some(setting.clone()),
            op_time: OpTime::Gpu,
        };
        let (repaired, steps) = view.steps(study.trace());
        report::steps::json(&repaired, &steps, rule, &[]);
        if rule == StepRule::Part {
            Lanes::packed(&view.of(study.trace()).trace);
        }
    }
    for by in ColorBy::ALL {
        let colors = coloring::colors(study, by);
        study.trace().ops().ids().for_each(|op| _ = colors.of(study.trace(), op));
    }
    report::colors::json(study);
    report::colors::lit(study, Some("Mul"), 0);
    report::ops::lengths(study, &matches);
    report::lanes::json(study);
    report::search::json(study.trace(), "a", false, &matches, None);
    report::ops::rows(study, &matches.listed(study.trace()));
    report::summary::of(study, &[]).to_text();
    report::transfers::json(study);
    report::network::Network::of(study).to_text();
    report::causality::json(study);
    report::causality::path(study);
    report::findings::json(study, &[], None);
    let changes = [
        "op=type:Mul=0.5",
        "network=0",
        "threads=1",
        "order=better",
        "half=a",
        "merge=a",
        "like-peers=",
        "no-op",
    ];
    let replay = Replay::of(study);
    let answer = report::what_if::page(study, &replay, None, &changes.map(str::to_owned));
    assert!(answer.is_ok(), "a change that cannot be made is said in the answer");
    let candidates = candidates(study, &replay, 3);
    report::what_if::rows(study, &replay, &candidates, 0..3);
    compare_with_repaired(study);
    for (sort, descending) in TransferColumn::all().zip([true, false].into_iter().cycle()) {
        let filter = if descending { String::new() } else { "a".to_owned() };
        let query =
            TransferQuery { sort, descending, filter, range: descending.then(|| RangeQuery::of(span)) };
        TransferPages::default().page(study, query, 1..51);
    }
    for op in study.trace().ops().ids() {
        report::ops::details(study, op);
        report::ops::flow(study, op, 3);
    }
    let mut sink = std::io::sink();
    let wrote = [
        report::ops::write_json(study, &mut sink),
        report::ops::write_csv(study, &mut sink),
        report::transfers::write_csv(study, &mut sink),
        report::summary::write_csv(&report::summary::of(study, &[]), &mut sink),
    ];
    assert!(wrote.iter().all(Result::is_ok), "a sink takes everything");
}

/// Compares a trace with what is left of it after all repairs, with its clocks aligned.
fn compare_with_repaired(study: &Study) {
    let clocks = Clocks::estimated(study.trace(), study.transfers());
    let view = View {
        repairs: Repair::ALL.to_vec(),
        clocks: Some(ClockSetting { choice: ClockChoice::estimated(), clocks: Arc::new(clocks) }),
        ..View::default()
    };
    let repaired = Study::of_view(study.trace(), view);
    let steps = [study, &repaired]
        .map(|own| StepSamples::of(own.trace(), &Steps::divided(own.trace(), StepRule::ALL[0]), None));
    let sides = [Side { study, steps: &steps[0] }, Side { study: &repaired, steps: &steps[1] }];
    for (a, b) in [(0, 1), (1, 0), (0, 0)] {
        let found = Comparison::made(sides[a], sides[b]);
        report::compare::Compare::new(&found).to_text();
        let [a, b] = found.lengths.map(|length| length.0);
        if a.max(b) < i64::MAX / 8 {
            assert_eq!(found.waterfall.difference(), found.difference(), "the bars add up");
        }
    }
}
