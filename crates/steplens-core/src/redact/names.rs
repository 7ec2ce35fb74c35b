//! Names of ops and tensors, and op types.
//!
//! A name stays a path of scopes. In each scope the letters become one hash and the numbers stay, because roles of replicas are
//! found by names without numbers, in the order of the numbers.

use super::trace::Redaction;
use super::{Kind, stages, words};
use crate::causality::host::ENGINE;
use crate::model::category::{
    GPU_PROGRAM, TRAINING_NORM, is_collective, is_collective_kernel, is_training_norm,
};
use crate::model::label;

impl Redaction<'_> {
    /// Hides the name of a node or tensor, or an input: `net/w_1/read:0`, `^net/w`, `edge_12_net/w`, `net/w:MatMul`.
    pub(super) fn name(&mut self, text: &str) -> String {
        if self.included.has(Kind::Names) || words::NODES.contains(&text) || words::PHASES.contains(&text) {
            return text.to_owned();
        }
        // Negotiations of ranks are known by this.
        if let Some(rest) = text.strip_prefix(words::NEGOTIATION) {
            return [words::NEGOTIATION, &self.numbered("name", rest)].concat();
        }
        // The critical path knows PyTorch's autograd engine by this.
        if let Some(rest) = text.strip_prefix(ENGINE) {
            return [ENGINE, &self.numbered("name", rest)].concat();
        }
        if let Some(stages) = text.strip_prefix(stages::BEGINNING) {
            return self.stages("name", stages);
        }
        for call in words::FUNCTIONS {
            if let Some(rest) = text.strip_prefix(call) {
                return [call, &self.numbered("name", rest)].concat();
            }
        }
        if let Some(rest) = text.strip_suffix(GPU_PROGRAM) {
            return [&self.numbered("name", rest), GPU_PROGRAM].concat();
        }
        let (head, rest) = text.split_at(text.len() - without_head(text).len());
        let mut segments = rest.split(':');
        let mut name = head.to_owned();
        name.push_str(&self.path(segments.next().unwrap_or_default()));
        for segment in segments {
            name.push(':');
            let is_kept = segment.is_empty() || words::is_number(segment);
            name.push_str(&if is_kept { segment.to_owned() } else { self.op_type(segment) });
        }
        name
    }

    /// Hides those stages of a pipeline of `tf.data` that TensorFlow does not have.
    fn stages(&mut self, domain: &'static str, text: &str) -> String {
        let hide = |stage: &str| match stage.is_empty() || stages::is_public(stage) {
            true => stage.to_owned(),
            false => self.numbered(domain, stage),
        };
        let kept: Vec<String> = text.split("::").map(hide).collect();
        [stages::BEGINNING, &kept.join("::")].concat()
    }

    fn path(&mut self, path: &str) -> String {
        // The suffix that the partitioner added to the name of a receiving node: `/_12`, `_S12`.
        if let Some(base) = label::without_partition_suffix(path) {
            return [&self.path(base), &path[base.len()..]].concat();
        }
        let end = words::READS.iter().find(|end| path.len() > end.len() && path.ends_with(*end));
        let end = end.copied().unwrap_or_default();
        let scopes = path[..path.len() - end.len()].split('/').enumerate();
        let scopes: Vec<String> = scopes.map(|(place, scope)| self.scope(scope, place == 0)).collect();
        [&scopes.join("/"), end].concat()
    }

    fn scope(&mut self, scope: &str, is_first: bool) -> String {
        // The underscores stay, because they decide whether a name ends with the partitioner's suffix.
        let bare = scope.trim_start_matches('_');
        let head = &scope[..scope.len() - bare.len()];
        let (stem, number) =
            bare.rsplit_once('_').filter(|(_, number)| words::is_number(number)).unwrap_or((bare, ""));
        let is_kept = (is_first && stem == words::GRADIENTS)
            || (stem == "replica" && !number.is_empty())
            || bare.is_empty()
            || words::is_number(bare);
        if is_kept { scope.to_owned() } else { [head, &self.numbered("name", bare)].concat() }
    }

    /// Hides an op type: public ones stay, others become a hash that figures treat in the same way.
    pub(super) fn op_type(&mut self, text: &str) -> String {
        if self.included.has(Kind::OpTypes) || self.public.has(text) {
            return text.to_owned();
        }
        if let Some(stages) = text.strip_prefix(stages::BEGINNING) {
            return self.stages("type", stages);
        }
        let parts: Vec<String> = text.split('/').map(|part| self.part_of_op_type(part)).collect();
        let hidden = parts.join("/");
        let is_one = |text: &str| is_collective(text) || is_collective_kernel(text);
        if is_training_norm(text) && !is_training_norm(&hidden) {
            return [TRAINING_NORM[0], "_", &hidden].concat();
        }
        if is_one(text) && !is_one(&hidden) { ["collective_", &hidden].concat() } else { hidden }
    }

    fn part_of_op_type(&mut self, part: &str) -> String {
        if part.is_empty() || self.public.has(part) {
            return part.to_owned();
        }
        // Ops that change a variable are recognised by the start of their type.
        let resource = part.len() - part.strip_prefix("Resource").unwrap_or(part).len();
        let sparse = resource + part[resource..].len()
            - part[resource..].strip_prefix("Sparse").unwrap_or(&part[resource..]).len();
        let changes = ["Apply", "Assign", "Scatter"].iter().find(|word| part[sparse..].starts_with(*word));
        let head = changes.map_or("", |word| &part[..sparse + word.len()]);
        [head, &self.numbered("type", &part[head.len()..])].concat()
    }

    /// Replaces the letters of `text` by one hash and keeps its numbers. Different texts have different results.
    pub(super) fn numbered(&mut self, domain: &'static str, text: &str) -> String {
        let name = [domain, "\0", text].concat();
        if let Some(known) = self.known.get(&name) {
            return known.clone();
        }
        let (letters, numbers) = split(text);
        let mut hidden = if letters.is_empty() { String::new() } else { self.tokens.token(domain, &letters) };
        for (place, (is_separate, number)) in numbers.iter().enumerate() {
            if *is_separate || place > 0 {
                hidden.push('_');
            }
            match number.len() <= words::MOST_DIGITS {
                true => hidden.push_str(number),
                false => hidden.push_str(&self.tokens.digits(number)),
            }
        }
        // `a1b2` and `a12b_` would have the same result: an additional number makes them different.
        let mut other = 0;
        let mut unique = hidden.clone();
        while !self.used.insert([domain, "\0", &unique].concat()) {
            other += 1;
            unique = [&hidden, "_", &other.to_string()].concat();
        }
        self.known.insert(name, unique.clone());
        unique
    }
}

/// `text` without the prefixes of tensors and inputs: `^`, `edge_12_`.
fn without_head(text: &str) -> &str {
    let rest = text.strip_prefix('^').unwrap_or(text);
    let edge = rest.strip_prefix("edge_").and_then(|rest| rest.split_once('_'));
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    edge.filter(|(number, name)| is_number(number) && !name.is_empty()).map_or(rest, |(_, name)| name)
}

/// Splits a text into its letters, without the numbers and the underscores before them, and its numbers: (whether an underscore is
/// before it, its digits).
fn split(text: &str) -> (String, Vec<(bool, &str)>) {
    let (mut letters, mut numbers) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let number = rest.strip_prefix('_').unwrap_or(rest);
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            numbers.push((number.len() < rest.len(), &number[..digits]));
            rest = &number[digits..];
        } else {
            letters.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    (letters, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_what_stands_before_names() {
        for (text, rest) in [
            ("net/w", "net/w"),
            ("^net/w", "net/w"),
            ("edge_12_net/w:1", "net/w:1"),
            ("edge_x_y", "edge_x_y"),
            ("", ""),
            ("edge_1_e", "e"),
            ("edge_1_", "edge_1_"),
        ] {
            assert_eq!(without_head(text), rest, "{text}");
        }
    }

    #[test]
    fn numbers_are_told_from_letters() {
        assert_eq!(
            split("conv2d_3x3_10"),
            ("convdx".to_owned(), vec![(false, "2"), (true, "3"), (false, "3"), (true, "10")])
        );
        assert_eq!(split("_é_"), ("_é_".to_owned(), vec![]));
    }
}
