//! Summaries of generated fleets, against plain definitions over the same rows.

#![allow(missing_docs, reason = "tests have no users")]

#[path = "../examples/fleet/made.rs"]
mod made;

use made::{Fleet, OP_TYPES};
use std::collections::BTreeMap;
use steplens_report::overview::answers::heat::HeatQuery;
use steplens_report::overview::{
    Builder, Figure, FindingRow, LinkRow, MOST_CELLS_OF_RUN, OpTypeRow, Overview, RunShape, SourceRow,
    SplitRow, Stored, StragglerRow,
};

const OF_OWN: HeatQuery =
    HeatQuery { figure: Figure::Own, as_share: false, largest: false, by_figure: false };

fn source(task: usize, step: i64) -> String {
    format!("run-1/worker-{task}/step-{}.pb", 1000 + step)
}

fn summary(fleet: &Fleet) -> Overview {
    fleet.builder(source).finish().expect("what was written is read")
}

/// By (task, step): own work and window.
fn plain(fleet: &Fleet) -> BTreeMap<(usize, i64), (i64, i64)> {
    let mut all = BTreeMap::new();
    let mut at = 0;
    fleet.rows(source, |row| {
        all.insert((at / fleet.steps as usize, at as i64 % fleet.steps), (row.own_ns, row.window_ns));
        at += 1;
    });
    all
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= b.abs() * 1e-4
}

#[test]
fn every_cell_has_the_figures_of_its_row() {
    let fleet = Fleet::new(12, 40);
    let mut overview = summary(&fleet);
    let plane = overview.mean(0, Stored::Own).expect("a plane");
    for ((task, step), (own, _)) in plain(&fleet) {
        let value = plane[task * 40 + step as usize];
        assert!(near(value.into(), own as f64), "{task} {step}: {value} {own}");
        let cell = overview.cell(0, task, step as usize, Figure::Own).expect("a cell");
        assert_eq!(cell.source.as_deref(), Some(source(task, step).as_str()));
        assert_eq!(cell.step, 1000 + step);
    }
}

#[test]
fn the_planted_straggler_is_the_first_and_loses_what_it_has_beyond_the_median() {
    let fleet = Fleet::new(30, 60);
    let mut overview = summary(&fleet);
    let all = plain(&fleet);
    let mut lost = 0.0;
    for step in 0..60 {
        let mut own: Vec<i64> = (0..30).map(|task| all[&(task, step)].0).collect();
        let most = *own.iter().max().expect("there are tasks");
        own.sort_unstable();
        let median = own[14];
        if most as f64 >= median as f64 * 1.1 {
            assert_eq!(most, all[&(fleet.straggler, step)].0);
            lost += (most - median) as f64;
        }
    }
    let said: serde_json::Value =
        serde_json::from_str(&overview.stragglers_json(0).expect("an answer")).expect("JSON");
    let first = &said["behind"][0];
    assert_eq!(first["row"], fleet.straggler);
    assert_eq!(first["steps"], 30);
    assert_eq!(first["part"], "compute");
    assert!(near(first["time_ns"].as_f64().expect("a number"), lost), "{first} {lost}");
    assert_eq!(said["worst"]["kind"], "work");
    assert_eq!(said["judged_steps"], 60);
    assert_eq!(said["behind"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_a_task_has_beyond_its_peers_is_nothing_below_the_median() {
    let fleet = Fleet::new(9, 8);
    let mut overview = summary(&fleet);
    let all = plain(&fleet);
    let heat = overview.heat(0, HeatQuery { figure: Figure::Extra, ..OF_OWN }).expect("a picture");
    for step in 0..8 {
        let mut own: Vec<i64> = (0..9).map(|task| all[&(task, step)].0).collect();
        own.sort_unstable();
        for task in 0..9 {
            let wanted = (all[&(task, step)].0 - own[4]).max(0) as f64;
            let got = f64::from(heat.values[task * 8 + step as usize]);
            // Both were rounded before they were subtracted.
            assert!((got - wanted).abs() < 4e-5 * own[8] as f64, "{task} {step} {got} {wanted}");
        }
    }
}

#[test]
fn a_series_is_what_the_sorted_column_says() {
    let fleet = Fleet::new(21, 10);
    let mut overview = summary(&fleet);
    let all = plain(&fleet);
    let series = overview.series(0, OF_OWN).expect("a series");
    for step in 0..10 {
        let mut own: Vec<(i64, usize)> = (0..21).map(|task| (all[&(task, step)].0, task)).collect();
        own.sort_unstable();
        let at = step as usize;
        // Nearest ranks of 21: 3, 11 and 19.
        let bands = [(&series.p10, 2), (&series.median, 10), (&series.p90, 18), (&series.most, 20)];
        for (band, place) in bands {
            assert!(near(band[at].into(), own[place].0 as f64), "{step} {place}");
        }
        assert_eq!(series.most_row[at] as usize, own[20].1);
    }
}

#[test]
fn of_rows_with_the_same_value_the_first_has_the_most() {
    let fleet = Fleet::new(7, 4);
    let mut builder = Builder::new(vec![fleet.shape()]);
    // Of each step two tasks, the second and the sixth or the like, take longest.
    let is_longest = |task: usize, step: usize| task == 1 + step % 2 || task == 5;
    let mut at = 0;
    fleet.rows(source, |row| {
        let (task, step) = (at / 4, at % 4);
        at += 1;
        let own_ns = if is_longest(task, step) { 40_000_000 } else { 30_000_000 };
        let row = SplitRow {
            task: row.task,
            step: row.step,
            source: row.source,
            own_ns,
            window_ns: own_ns,
            ..SplitRow::default()
        };
        builder.split(0, &row).expect("it is the only run");
    });
    let series = builder.finish().expect("what was written is read").series(0, OF_OWN).expect("a series");
    assert_eq!(series.most_row, [1, 2, 1, 2]);
}

#[test]
fn rows_are_sorted_by_the_figure_and_levels_follow_values() {
    let fleet = Fleet::new(10, 20);
    let heat = summary(&fleet).heat(0, HeatQuery { by_figure: true, ..OF_OWN }).expect("a picture");
    assert_eq!(heat.order[0] as usize, fleet.straggler);
    assert!(heat.row_means.is_sorted_by(|a, b| a >= b));
    let mut pairs: Vec<(f32, u8)> = heat.values.iter().copied().zip(heat.levels.iter().copied()).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(pairs.is_sorted_by_key(|pair| pair.1));
    assert_eq!((pairs[0].1, pairs.last().map(|pair| pair.1)), (1, Some(255)));
}

#[test]
fn a_run_that_is_too_large_is_binned_and_keeps_the_largest_of_each_bin() {
    let (tasks, steps) = (4, 3 * MOST_CELLS_OF_RUN as i64 / 4 / 64);
    let fleet = Fleet::new(tasks, steps);
    let builder = fleet.builder(source);
    let grid = builder.grid(0).expect("a grid");
    assert_eq!(grid.steps_per_column, 1, "{grid:?}");
    // Two steps a column: more steps than a canvas is wide.
    let fleet = Fleet::new(2, 20_000);
    let mut overview = summary(&fleet);
    let grid = overview.grid(0).expect("a grid");
    assert_eq!((grid.columns, grid.steps_per_column), (10_000, 2));
    let all = plain(&fleet);
    let mean = overview.mean(0, Stored::Own).expect("a plane");
    let heat = overview.heat(0, HeatQuery { largest: true, ..OF_OWN }).expect("a picture");
    assert!(heat.scale.is_largest);
    for task in 0..2 {
        for column in (0..10_000).step_by(97) {
            let (a, b) = (all[&(task, 2 * column as i64)].0, all[&(task, 2 * column as i64 + 1)].0);
            let cell = task * 10_000 + column;
            assert!(near(mean[cell].into(), (a + b) as f64 / 2.0));
            assert!(near(heat.values[cell].into(), a.max(b) as f64));
            let step = 2 * column as i64 + i64::from(b > a);
            let said = overview.cell(0, task, column, Figure::Own).expect("a cell");
            assert_eq!((said.step, said.source), (1000 + step, Some(source(task, step))));
        }
    }
}

#[test]
fn cells_with_two_rows_are_their_mean_and_know_the_largest() {
    let shape = RunShape {
        name: "a".to_owned(),
        tasks: vec![("t".to_owned(), String::new())],
        steps: vec![5],
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape]);
    for (source, window_ns) in [("x", 100), ("y", 300), ("z", 200)] {
        let row = SplitRow { task: "t", step: 5, source, window_ns, ..Default::default() };
        builder.split(0, &row).expect("in order");
    }
    // Neither its task nor its step is known.
    builder.split(0, &SplitRow { task: "u", step: 5, ..Default::default() }).expect("in order");
    let mut overview = builder.finish().expect("read");
    let run: serde_json::Value = serde_json::from_str(&overview.run_json(0).expect("run")).expect("JSON");
    assert_eq!((&run["most_in_cell"], &run["unplaced"]), (&3.into(), &1.into()));
    let cell = overview.cell(0, 0, 0, Figure::Window).expect("a cell");
    assert_eq!(cell.source.as_deref(), Some("y"));
    assert_eq!((cell.figures[0].value_ns, cell.figures[0].largest_ns), (200.0, Some(300.0)));
    assert_eq!(cell.figures[0].peers_ns, None);
}

#[test]
fn runs_come_one_after_the_other() {
    let shape = |name: &str| RunShape {
        name: name.to_owned(),
        tasks: vec![("t".to_owned(), "j".to_owned())],
        steps: vec![1, 2],
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape("a"), shape("b"), shape("c")]);
    let row = |step| SplitRow { task: "t", step, source: "s", window_ns: step, ..Default::default() };
    builder.split(0, &row(1)).expect("the first");
    builder.split(2, &row(2)).expect("a later one");
    assert!(builder.split(0, &row(2)).is_err() && builder.split(3, &row(2)).is_err());
    let mut overview = builder.finish().expect("read");
    assert_eq!(overview.runs(), 3);
    let window = |overview: &mut Overview, run| overview.mean(run, Stored::Window).expect("a plane").to_vec();
    assert_eq!(window(&mut overview, 0)[0], 1.0);
    assert!(window(&mut overview, 1).iter().all(|value| value.is_nan()));
    assert_eq!(window(&mut overview, 2)[1], 2.0);
    assert!(overview.mean(3, Stored::Window).is_err());
}

#[test]
fn who_finished_last_is_ranked_by_the_time_the_others_waited() {
    let shape = RunShape {
        name: "a".to_owned(),
        tasks: (0..3).map(|task| (format!("w{task}"), "w".to_owned())).collect(),
        steps: (0..10).collect(),
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape]);
    for (step, task, after_next_ns, cause) in [
        (0, "w1", 5, "input"),
        (1, "w1", 9, "network"),
        (2, "w1", 1, "network"),
        (3, "w0", 11, ""),
        (4, "x", 99, ""),
    ] {
        let source = format!("s{step}");
        let row = StragglerRow { task, step, source: &source, after_next_ns, cause, cause_op_type: "" };
        builder.straggler(0, &row).expect("in order");
    }
    let overview = builder.finish().expect("read");
    let run: serde_json::Value = serde_json::from_str(&overview.run_json(0).expect("run")).expect("JSON");
    let first = &run["lists"]["stragglers"][0];
    assert_eq!((&first["task"], &first["time_ns"], &first["steps"]), (&"w1".into(), &15.into(), &3.into()));
    assert_eq!((&first["cause"], &first["source"]), (&"network".into(), &"s1".into()));
    assert_eq!(run["lists"]["stragglers"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_fleet_of_a_thousand_by_a_thousand_is_some_megabytes() {
    let bytes = Fleet::new(1000, 1000).builder(source).to_bytes();
    assert!((1 << 20..40 << 20).contains(&bytes.len()), "{}", bytes.len());
    let small = Fleet::new(64, 16).builder(source).to_bytes();
    assert!(small.len() < 64 << 10, "{}", small.len());
}

#[test]
fn servers_of_which_no_file_was_recorded_are_ends_of_links() {
    let task = |name: &str| (name.to_owned(), "worker".to_owned());
    let shape = RunShape {
        tasks: vec![task("worker 0"), task("worker 1")],
        linked: vec!["ps 0".to_owned()],
        steps: vec![1],
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape]);
    for (source_task, destination_task) in
        [("ps 0", "worker 1"), ("ps 0", "worker 1"), ("nobody", "worker 1")]
    {
        let link = LinkRow { source_task, destination_task, transfers: 2, bytes: 10, ..LinkRow::default() };
        builder.link(0, &link).expect("it is the first run");
    }
    let overview = builder.finish().expect("it was just made");
    let answer = serde_json::from_str::<serde_json::Value>(&overview.run_json(0).expect("it has a run"))
        .expect("an answer");
    let links = &answer["lists"]["links"];
    assert_eq!(links["ends"].as_array().map(Vec::len), Some(3), "{answer}");
    assert_eq!(links["cells"].as_array().map(Vec::len), Some(1));
    assert_eq!((&links["cells"][0]["transfers"], &links["left_out"]), (&4.into(), &1.into()));
}

fn json(text: String) -> serde_json::Value {
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn what_takes_longer_on_a_day_comes_first_and_what_waits_for_others_last() {
    let fleet = Fleet::new(5, 9);
    let overview = summary(&fleet);
    assert_eq!(json(overview.overview_json())["days"], serde_json::json!(["2026-12-01", "2026-12-02"]));
    let said = json(overview.days_json("2026-12-01", "2026-12-02").expect("an answer"));
    let rows = said["types"].as_array().expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["op_type"].as_str()).collect();
    // Ranges contain the ops: they are not compared.
    assert_eq!(names, ["MatMul", "Conv2D", "RecvTensor"]);
    for row in rows {
        let (_, _, usual_ns, more_ns) =
            OP_TYPES.into_iter().find(|own| own.0 == row["op_type"]).expect("it was made");
        assert_eq!((&row["mean_a_ns"], &row["difference_ns"]), (&usual_ns.into(), &more_ns.into()));
        // Of nine steps, four are of the first day.
        assert_eq!((&row["steps_a"], &row["steps_b"]), (&20.into(), &25.into()));
        assert_eq!(
            (&row["job"], &row["is_waiting"]),
            (&Fleet::JOB.into(), &(row["category"] != "compute").into())
        );
    }
    let back = json(overview.days_json("2026-12-02", "2026-12-01").expect("an answer"));
    assert_eq!(
        (&back["types"][0]["op_type"], &back["types"][0]["difference_ns"]),
        (&"Conv2D".into(), &1_000_000.into())
    );
    let none = json(overview.days_json("2026-12-02", "2026-12-24").expect("an answer"));
    assert_eq!(
        (&none["types"], &none["more"], &none["left_out"]),
        (&serde_json::json!([]), &0.into(), &0.into())
    );
}

/// The value in the middle, and the distance of the quarters, of numbers whose ranks are whole.
fn middle_and_spread(mut values: Vec<f64>) -> (f64, f64) {
    assert_eq!(values.len() % 4, 1, "quarters have to be values");
    values.sort_by(f64::total_cmp);
    let quarter = values.len() / 4;
    (values[2 * quarter], values[3 * quarter] - values[quarter])
}

#[test]
fn what_differs_from_a_step_on_is_told_with_its_noise() {
    let fleet = Fleet::new(4, 26);
    let mut overview = summary(&fleet);
    let all = plain(&fleet);
    let mean = |step: i64| (0..4).map(|task| all[&(task, step)].0 as f64).sum::<f64>() / 4.0;
    let longest = |step: i64| (0..4).map(|task| all[&(task, step)].1).max().expect("tasks") as f64;
    let said = json(overview.before_after_json(0, Some(13)).expect("an answer"));
    assert_eq!((&said["column"], &said["before"], &said["after"]), (&13.into(), &13.into(), &13.into()));
    assert_eq!(said["figures"][0]["figure"], "window");
    for (figure, of) in [("own", &mean as &dyn Fn(i64) -> f64), ("window", &longest)] {
        let row = said["figures"].as_array().expect("rows").iter().find(|row| row["figure"] == figure);
        let row = row.expect("it is there");
        let (before, spread_before) = middle_and_spread((0..13).map(of).collect());
        let (after, spread_after) = middle_and_spread((13..26).map(of).collect());
        let noise = 1.57 * (spread_before + spread_after) / 13_f64.sqrt();
        let number = |name: &str| row[name].as_f64().expect("a number");
        assert!(
            near(number("before_ns"), before) && near(number("after_ns"), after),
            "{row} {before} {after}"
        );
        assert!((number("difference_ns") - (after - before)).abs() < 1e4, "{row}");
        assert!((number("noise_ns") - noise).abs() < noise / 100.0, "{row} {noise}");
        assert_eq!(row["is_sure"], (after - before).abs() > noise, "{row}");
    }
    // Without a column, the middle: a day lies between the halves.
    let middle = json(overview.before_after_json(0, None).expect("an answer"));
    assert_eq!(middle, said);
    let few = json(overview.before_after_json(0, Some(3)).expect("an answer"));
    assert_eq!((&few["before"], &few["figures"][0]["is_sure"]), (&3.into(), &serde_json::Value::Null));
    let none = json(overview.before_after_json(0, Some(0)).expect("an answer"));
    assert_eq!((&none["before"], &none["figures"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn what_else_is_known_of_a_damaged_file_counts_nowhere() {
    let shape = RunShape {
        tasks: vec![("w0".to_owned(), "w".to_owned()), ("w1".to_owned(), "w".to_owned())],
        steps: vec![1],
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape]);
    for (source, state) in [("half", "damaged"), ("whole", "whole")] {
        builder.source(0, &SourceRow { source, state, ..SourceRow::default() }).expect("the run");
    }
    for (source, task) in [("half", "w0"), ("whole", "w1")] {
        let day = "2026-12-01";
        let split = SplitRow { task, step: 1, source, day, window_ns: 7, own_ns: 7, ..SplitRow::default() };
        builder.split(0, &split).expect("the run");
        builder
            .straggler(0, &StragglerRow { task, source, after_next_ns: 5, ..StragglerRow::default() })
            .expect("the run");
        builder.finding(0, &FindingRow { source, rule: source, ..FindingRow::default() }).expect("the run");
        let link =
            LinkRow { source, source_task: task, destination_task: "w1", transfers: 1, ..LinkRow::default() };
        builder.link(0, &link).expect("the run");
        let op_type =
            OpTypeRow { source, job: "w", day, op_type: source, self_ns: 3, ..OpTypeRow::default() };
        builder.op_type(0, &op_type).expect("the run");
    }
    let mut overview = builder.finish().expect("read");
    let cells = overview.mean(0, Stored::Own).expect("a plane");
    assert!(cells[0].is_nan() && cells[1] == 7.0, "{cells:?}");
    let lists = &json(overview.run_json(0).expect("the run"))["lists"];
    for (list, name) in [("stragglers", "task"), ("findings", "rule"), ("op_types", "op_type")] {
        let rows = lists[list].as_array().expect("rows");
        assert_eq!(rows.len(), 1, "{list}: {rows:?}");
        assert!(["w1", "whole"].contains(&rows[0][name].as_str().expect("a name")), "{rows:?}");
    }
    assert_eq!(lists["links"]["cells"].as_array().map(Vec::len), Some(1));
    assert_eq!(lists["files"]["damaged"], 1);
    let days = json(overview.days_json("2026-12-01", "2026-12-01").expect("days"));
    assert_eq!((days["types"].as_array().map(Vec::len), &days["types"][0]["steps_a"]), (Some(1), &1.into()));
}
