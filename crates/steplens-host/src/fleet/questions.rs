//! Questions to a dataset of many traces: statements of SQL that DuckDB and Spark run unchanged, over a view for each table and the
//! view `asked`, whose one row says what the user chose.

use steplens_report::fleet::FleetTable;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What the user calls it.
    pub name: &'static str,
    /// The statement, without a semicolon. It ends in its order, so that `LIMIT` may follow. Its first lines are comments: what it
    /// answers, then what its columns mean.
    pub sql: &'static str,
}

macro_rules! questions {
    ($($name:literal),+) => {
        &[$(Question { name: $name, sql: include_str!(concat!("../../questions/", $name, ".sql")) }),+]
    };
}

impl Question {
    /// All of them, in the order in which they are listed.
    pub const ALL: &[Self] = questions![
        "split",
        "stragglers",
        "slow-links",
        "regressions",
        "outlier-steps",
        "before-after",
        "collective-tail",
        "input-bound",
        "costliest-finding",
        "memory-peaks",
        "failures"
    ];

    /// The question called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.name == name)
    }

    /// What it answers, as a question in English.
    pub fn about(self) -> &'static str {
        self.comments().next().unwrap_or_default()
    }

    /// What its columns mean, line by line.
    pub fn columns(self) -> impl Iterator<Item = &'static str> {
        self.comments().skip(1)
    }

    /// The tables that it reads.
    pub fn tables(self) -> Vec<FleetTable> {
        let words: Vec<&str> = self.sql.split_whitespace().collect();
        let after = |pair: &&[&str]| ["FROM", "JOIN"].contains(&pair[0]);
        let named: Vec<&str> = words.windows(2).filter(after).map(|pair| pair[1]).collect();
        FleetTable::ALL.into_iter().filter(|table| named.contains(&table.name())).collect()
    }

    fn comments(self) -> impl Iterator<Item = &'static str> {
        self.sql.lines().map_while(|line| line.strip_prefix("-- "))
    }
}

/// What the user chose; nothing is the question's own choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The earlier of two days, such as `2026-11-26`; else the first.
    pub day_a: Option<String>,
    /// The later; else the last.
    pub day_b: Option<String>,
    /// A moment, in ns from 1970; else the middle.
    pub at_unix_ns: Option<i64>,
    /// The only run that counts; else all.
    pub run: Option<String>,
    /// A share in millionths; else what the question says.
    pub share_ppm: Option<i64>,
}

impl Asked {
    /// The statement that makes the view `asked`, for DuckDB and Spark.
    pub fn view(&self) -> String {
        let text = |value: &Option<String>| value.as_deref().map_or("NULL".to_owned(), literal);
        let number = |value: Option<i64>| value.map_or("NULL".to_owned(), |value| value.to_string());
        let columns = [
            (text(&self.day_a), "STRING", "day_a"),
            (text(&self.day_b), "STRING", "day_b"),
            (number(self.at_unix_ns), "BIGINT", "at_unix_ns"),
            (text(&self.run), "STRING", "run"),
            (number(self.share_ppm), "BIGINT", "share_ppm"),
        ];
        let columns = columns.map(|(value, kind, name)| format!("CAST({value} AS {kind}) AS {name}"));
        format!("CREATE OR REPLACE TEMP VIEW asked AS SELECT {}", columns.join(", "))
    }
}

/// `text` as DuckDB and Spark both read it: they differ in what a quote and a backslash mean within quotes.
fn literal(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && c != '\'' && c != '\\';
    if text.chars().all(is_plain) {
        return format!("'{text}'");
    }
    let mut parts = vec!["''".to_owned()];
    let mut plain = String::new();
    for c in text.chars() {
        if is_plain(c) {
            plain.push(c);
            continue;
        }
        parts.extend((!plain.is_empty()).then(|| format!("'{plain}'")));
        plain.clear();
        parts.push(format!("chr({})", u32::from(c)));
    }
    parts.extend((!plain.is_empty()).then(|| format!("'{plain}'")));
    format!("concat({})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_says_what_it_answers_and_what_its_columns_mean() {
        for question in Question::ALL {
            assert!(question.about().ends_with('?'), "{}", question.name);
            assert!(question.columns().count() > 0, "{}", question.name);
            assert!(question.sql.contains("\nORDER BY"), "{}", question.name);
            assert!(question.sql.contains("CROSS JOIN asked"), "{}", question.name);
            let mut code = question.sql.lines().filter(|line| !line.starts_with("--"));
            assert!(!code.any(|line| line.contains(';')), "{}", question.name);
            assert_eq!(Question::by_name(question.name), Some(*question));
            assert!(!question.tables().is_empty(), "{}", question.name);
        }
        assert_eq!(Question::by_name("nothing"), None);
        let tables = Question::by_name("stragglers").map(Question::tables);
        // The sources say which files were damaged.
        let wanted = [FleetTable::Sources, FleetTable::Split, FleetTable::OpTypes, FleetTable::Stragglers];
        assert_eq!(tables, Some(wanted.to_vec()));
    }

    #[test]
    fn names_cannot_end_a_text() {
        assert_eq!(literal("night 7"), "'night 7'");
        assert_eq!(literal("it's \\"), "concat('', 'it', chr(39), 's ', chr(92))");
        assert_eq!(literal("'"), "concat('', chr(39))");
    }

    #[test]
    fn what_is_not_chosen_is_null() {
        let view =
            Asked { day_b: Some("2026-11-26".into()), at_unix_ns: Some(-1), ..Asked::default() }.view();
        let columns = "CAST(NULL AS STRING) AS day_a, CAST('2026-11-26' AS STRING) AS day_b, \
             CAST(-1 AS BIGINT) AS at_unix_ns, CAST(NULL AS STRING) AS run, CAST(NULL AS BIGINT) AS share_ppm";
        assert_eq!(view, format!("CREATE OR REPLACE TEMP VIEW asked AS SELECT {columns}"));
    }
}
