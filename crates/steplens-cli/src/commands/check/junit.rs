//! The check as JUnit's XML, which servers for continuous integration show as tests: one for each limit, and one for the baseline.

use super::Said;
use crate::render::visible;
use steplens_messages::say;
use steplens_report::check::Check;
use xmlwriter::XmlWriter;

const SUITE: &str = "steplens check";

pub(super) fn written(check: &Check<'_>) -> String {
    let limits = check.limits.iter().map(|row| {
        let Said { name, allowed, worst, over } = Said::of(row);
        let why = (!row.over.is_empty()).then(|| say!("check-limit-exceeded", name, allowed, worst, over));
        (row.limit, why, String::new())
    });
    let baseline = check.baseline.iter().map(|own| {
        let bars: Vec<&str> = own.waterfall.iter().map(|row| row.sentence.as_str()).collect();
        let why = (own.verdict != "within").then(|| own.sentence.clone());
        ("max-regression", why, bars.join("\n"))
    });
    let growths = check.baseline.iter().flat_map(|own| own.with_limit()).map(|row| {
        let why = (!row.is_kept()).then(|| row.sentence.clone());
        (row.limit, why, String::new())
    });
    let cases: Vec<(&str, Option<String>, String)> = limits.chain(baseline).chain(growths).collect();
    let failed = cases.iter().filter(|(_, why, _)| why.is_some()).count();
    let mut xml = XmlWriter::new(xmlwriter::Options::default());
    xml.write_declaration();
    xml.start_element("testsuites");
    xml.start_element("testsuite");
    xml.write_attribute("name", SUITE);
    xml.write_attribute("tests", &cases.len());
    xml.write_attribute("failures", &failed);
    for (name, why, more) in &cases {
        xml.start_element("testcase");
        xml.write_attribute("classname", SUITE);
        xml.write_attribute("name", name);
        if let Some(why) = why {
            xml.start_element("failure");
            xml.write_attribute("message", &*visible(why));
            xml.set_preserve_whitespaces(true);
            xml.write_text(&lines(why, more));
            xml.end_element();
            xml.set_preserve_whitespaces(false);
        }
        xml.end_element();
    }
    xml.end_document()
}

/// Texts without control characters, which XML cannot hold.
fn lines(first: &str, more: &str) -> String {
    let all: Vec<_> = std::iter::once(first).chain(more.lines()).map(visible).collect();
    all.join("\n")
}
