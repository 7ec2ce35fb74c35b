//! Export, then open: of every recording that there is nothing changes, alone, among other files, and after every combination of corrections.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::doctor::{Repair, findings};
use steplens_core::gpu::op_time::{OpTime, with_op_time};
use steplens_core::model::file::FileReport;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Study, Trace, View};
use steplens_formats::{Limits, Opened, Opener, session};
use steplens_report as report;
use steplens_tests::cases::{either, is_thorough};
use steplens_tests::everything::{everything, everything_of_parts};
use steplens_tests::fixtures::fixture;
use steplens_tests::recordings::{Recording, recordings};

/// Of how many ops everything that is ever said is compared; of more, what a session holds, the summary and each op.
const FEW: usize = 2_000;
/// Up to how many ops every combination of corrections is tried; with more, each alone and some together.
fn small() -> usize {
    either(300, 1_500)
}

fn open(files: &[(&str, &[u8])]) -> Option<Opened> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (name, bytes) in files {
        opener.begin_file(name);
        opener.push(bytes);
        opener.end_file();
    }
    opener.finish().ok().filter(|opened| !opened.trace.ops().is_empty())
}

fn write(opened: &Opened) -> Vec<u8> {
    session::write(&opened.trace, &opened.files)
}

/// What opens, with its trace.
fn traces() -> Vec<(Recording, Opened)> {
    let opened = |own: Recording| open(&[(&own.name, &own.bytes)]).map(|opened| (own, opened));
    recordings().into_iter().filter_map(opened).collect()
}

fn said(trace: Trace, files: &[FileReport]) -> String {
    let study = Study::new(trace);
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    let mut said = vec![report::summary::of(&study, files).to_text(), String::from_utf8(ops).unwrap()];
    if study.trace().ops().len() <= FEW {
        said.extend([everything(&study), everything_of_parts(study.trace())]);
    }
    said.join("\n")
}

#[test]
fn a_session_of_any_recording_is_that_recording() {
    let traces = traces();
    assert!(traces.len() > 30, "{} recordings", traces.len());
    for (own, opened) in traces {
        let written = write(&opened);
        let again = open(&[("again.steplens", &written)])
            .unwrap_or_else(|| panic!("{} does not open again", own.name));
        assert!(write(&again) == written, "{}: a session of a session is the same", own.name);
        assert_eq!(format!("{:?}", again.files), format!("{:?}", opened.files), "{}", own.name);
        assert!(said(again.trace, &again.files) == said(opened.trace, &opened.files), "{}", own.name);
    }
}

/// Among other files a session's ops are added one by one, as those of any file: it must not matter that they came out of a session.
#[test]
fn a_session_among_others_is_that_recording_among_them() {
    let (other, later) = (fixture("multidev").bytes, fixture("ps4w-later").bytes);
    // Each is opened twelve times, with what is next to it.
    let most = either(2_500, usize::MAX);
    let (mut faults, mut seen) = (Vec::new(), BTreeSet::new());
    for (own, opened) in traces() {
        // Some recordings are one trace in several containers.
        if opened.trace.ops().len() > most || !seen.insert(session::write(&opened.trace, &[])) {
            continue;
        }
        let written = write(&opened);
        // Devices of its own, and its very own ones: steps of one process; of a few the devices of many, too.
        let mut others = vec![("multidev", &*other), ("itself", &*own.bytes)];
        if is_thorough() || seen.len() % 8 == 0 {
            others.push(("ps4w-later", &*later));
        }
        for (which, second) in others {
            let among = |first: &[u8], is_turned: bool| {
                let mut files = [(&*own.name, first), ("second", second)];
                if is_turned {
                    files.reverse();
                }
                let Opened { trace, files, .. } = open(&files).unwrap();
                let bytes = session::write(&trace, &files);
                (bytes, move || said(trace, &files))
            };
            for is_turned in [false, true] {
                let ((as_file, of_file), (as_session, of_session)) =
                    (among(&own.bytes, is_turned), among(&written, is_turned));
                if as_file != as_session && of_file() != of_session() {
                    faults.push(format!("{} with {which}, turned: {is_turned}", own.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of them\n{}", faults.len(), faults.join("\n"));
}

/// What can be corrected of a trace, and how it is corrected in one case.
#[derive(Clone, Debug)]
struct Corrections {
    rule: StepRule,
    step: Option<usize>,
    repairs: Vec<Repair>,
    clocks: Vec<String>,
    op_time: OpTime,
    communication: &'static [&'static str],
}

const PATTERNS: [&[&str]; 2] = [&[], &["MatMul|Mul$|Assign", "aten::add"]];

impl Corrections {
    /// How many things they change.
    fn changes(&self) -> usize {
        let changes = [
            self.rule != StepRule::default(),
            self.step.is_some(),
            !self.repairs.is_empty(),
            !self.clocks.is_empty(),
            self.op_time != OpTime::default(),
            !self.communication.is_empty(),
        ];
        changes.into_iter().filter(|&changed| changed).count()
    }

    /// What `whole` becomes.
    fn of(&self, whole: &Arc<Trace>) -> Study {
        let patterns: Vec<String> = self.communication.iter().map(|&pattern| pattern.to_owned()).collect();
        let whole = whole.with_patterns(&CategoryRules::new(&patterns).unwrap());
        let view = View {
            repairs: self.repairs.clone(),
            rule: self.rule,
            step: self.step,
            clocks: None,
            op_time: self.op_time,
        };
        let choice = ClockChoice::of_words(self.clocks.iter().map(String::as_str)).unwrap();
        let clocks = (!choice.is_recorded())
            .then(|| ClockSetting { choice, clocks: Arc::new(view.clocks_of(&whole)) });
        Study::of_view(&whole, View { clocks, ..view })
    }
}

/// Every combination of what changes anything in `whole`.
fn corrections(whole: &Arc<Trace>) -> Vec<Corrections> {
    let repairs: Vec<Repair> = findings(whole).iter().filter_map(|finding| finding.kind.repair()).collect();
    let subsets = (0..1_u32 << repairs.len()).map(|set| {
        let chosen = repairs.iter().enumerate().filter(|&(place, _)| set >> place & 1 == 1);
        chosen.map(|(_, &repair)| repair).collect::<Vec<_>>()
    });
    let subsets: Vec<_> = subsets.collect();
    let clocks = View::default().clocks_of(whole);
    let mut all_clocks = vec![Vec::new()];
    if let Some(task) = clocks.tasks.last().filter(|_| clocks.tasks.len() > 1) {
        let by_hand = format!("{}=-70000", whole.text(task.task));
        let estimated = "estimated".to_owned();
        all_clocks.extend([vec![estimated.clone()], vec![by_hand.clone()], vec![estimated, by_hand]]);
    }
    let op_times =
        OpTime::ALL.into_iter().filter(|&own| own == OpTime::Schedule || with_op_time(whole, own).is_some());
    let op_times: Vec<OpTime> = op_times.collect();
    let mut all = Vec::new();
    for rule in StepRule::ALL {
        let count = Steps::divided(whole, rule).rows().len();
        // Where all is one step by this rule, too, it is the same as the first.
        if rule != StepRule::default()
            && count <= 1
            && Steps::divided(whole, StepRule::default()).rows().len() <= 1
        {
            continue;
        }
        let mut steps = vec![None];
        if count > 1 {
            steps.extend([Some(0), Some(count / 2), Some(count - 1)]);
            steps.dedup();
        }
        for step in steps {
            for repairs in &subsets {
                for clocks in &all_clocks {
                    for &op_time in &op_times {
                        for communication in PATTERNS {
                            let (repairs, clocks) = (repairs.clone(), clocks.clone());
                            all.push(Corrections { rule, step, repairs, clocks, op_time, communication });
                        }
                    }
                }
            }
        }
    }
    all
}

/// What the corrections make of a trace, they make of its session; and what they made is a trace that a session keeps, too.
#[test]
fn every_combination_of_corrections_survives() {
    let (skewed, later, steps) =
        (fixture("ps4w-skewed").bytes, fixture("ps4w-later").bytes, fixture("mnist-adam").bytes);
    let (multidev, nograph) = (fixture("multidev").bytes, fixture("multidev-nograph").bytes);
    let twice = [&steps[..], &steps[..]].concat();
    let mut inputs: Vec<(String, Opened)> =
        traces().into_iter().map(|(own, opened)| (own.name, opened)).collect();
    // Several files have more to correct: steps, the same ops twice, devices of one name.
    for (name, files) in [
        ("a step twice", [("a.pb", &*steps), ("b.pb", &*steps)]),
        ("two steps and one", [("a.pb", &*twice), ("b.pb", &*multidev)]),
        ("skewed and cut", [("a.pb", &*skewed), ("cut.pb", &multidev[..9_000])]),
        ("skewed and later", [("a.pb", &*skewed), ("b.pb", &*later)]),
        ("with and without graphs", [("a.pb", &*multidev), ("b.pb", &*nograph)]),
    ] {
        inputs.push((name.to_owned(), open(&files).unwrap()));
    }
    inputs.retain(|(_, opened)| opened.trace.ops().len() <= either(5_000, usize::MAX));
    let (mut tried, mut changed, mut repaired) = (0, 0, 0);
    let mut seen = BTreeSet::new();
    // Some recordings are one trace in several containers.
    inputs.retain(|(_, opened)| seen.insert(session::write(&opened.trace, &[])));
    for (name, opened) in inputs {
        let files = opened.files;
        let whole = Arc::new(opened.trace);
        let again = Arc::new(open(&[("again", &session::write(&whole, &files))]).unwrap().trace);
        let is_small = whole.ops().len() <= small();
        // Of larger ones each correction alone, and all together that there are.
        let all = corrections(&whole);
        let most = all.iter().map(Corrections::changes).max().unwrap_or(0);
        let wanted = |own: &&Corrections| is_small || own.changes() <= 1 || own.changes() == most;
        let mut before = Vec::new();
        for own in all.iter().filter(wanted) {
            let (study, other) = (own.of(&whole), own.of(&again));
            let bytes = session::write(study.trace(), &files);
            assert!(bytes == session::write(other.trace(), &files), "{name}: {own:?}");
            tried += 1;
            changed += usize::from(bytes != before);
            repaired += own.repairs.len();
            if study.trace().ops().is_empty() {
                continue;
            }
            // The corrected trace itself is written, too; its files have as many ops as they had, and that is what is checked.
            let counted = report_of(study.trace(), &files);
            let written = session::write(study.trace(), &counted);
            let opened = open(&[("corrected", &written)]).unwrap();
            assert!(session::write(&opened.trace, &opened.files) == written, "{name}, corrected: {own:?}");
            if study.trace().ops().len() <= 400 {
                assert!(everything(&study) == everything(&other), "{name}: {own:?}");
            }
            before = bytes;
        }
    }
    assert!(
        tried > 500 && changed > 200 && repaired > 30,
        "{tried} tried, {changed} changed, {repaired} repairs"
    );
}

/// The first of `files` as if it had brought all ops of `trace`.
fn report_of(trace: &Trace, files: &[FileReport]) -> Vec<FileReport> {
    let mut files = files.to_vec();
    files.iter_mut().for_each(|file| file.ops = 0);
    files.iter_mut().take(1).for_each(|file| file.ops = trace.ops().len());
    files
}
