//! Labels, allocators, tags and names of files.

use super::devices::map_words;
use super::trace::Redaction;
use super::{Kind, words};
use crate::model::label;

impl Redaction<'_> {
    /// Hides a label in any of the forms of [`label`].
    pub(super) fn label(&mut self, text: &str) -> String {
        if [Kind::Names, Kind::OpTypes, Kind::Hosts].into_iter().all(|kind| self.included.has(kind)) {
            return text.to_owned();
        }
        let rest = label::after_brackets(text);
        let brackets = self.free(&text[..text.len() - rest.len()]);
        let mark = ["= ", "~ "].into_iter().find(|mark| rest.starts_with(mark));
        if let Some((mark, (op, after))) =
            mark.and_then(|mark| Some((mark, rest[mark.len()..].split_once('(')?)))
        {
            let details = after.strip_prefix(')').unwrap_or(after);
            let close = &after[..after.len() - details.len()];
            return [&brackets, mark, &self.op_type(op), "(", close, &self.free(details)].concat();
        }
        if let Some(transfer) = label::transfer(text) {
            let ends = [transfer.source, transfer.destination].map(|end| self.device(end));
            return [&brackets, &self.name(transfer.tensor), " from ", &ends[0], " to ", &ends[1]].concat();
        }
        if let Some((name, (op, rest))) =
            rest.split_once(" = ").and_then(|(name, call)| Some((name, call.split_once('(')?)))
        {
            let (list, tail) = rest.rsplit_once(')').map_or((rest, None), |(list, tail)| (list, Some(tail)));
            let inputs: Vec<String> = list.split(", ").map(|input| self.name(input)).collect();
            let tail = tail.map_or_else(String::new, |tail| [")", &self.free(tail)].concat());
            return [&brackets, &self.name(name), " = ", &self.op_type(op), "(", &inputs.join(", "), &tail]
                .concat();
        }
        if let Some((ran, (annotation, after))) =
            rest.split_once("@@").and_then(|(ran, rest)| Some((ran, rest.split_once('#')?)))
        {
            return [&brackets, &self.free(ran), "@@", &self.name(annotation), "#", &self.free(after)]
                .concat();
        }
        if let Some(event) = self.host_event(rest) {
            return event;
        }
        [brackets, self.free(rest)].concat()
    }

    /// Hides the label of a host event, `id=42,device=/job:w/replica:0/task:0/device:CPU:0,async=false`. The part with its run
    /// stays.
    fn host_event(&mut self, text: &str) -> Option<String> {
        let pairs: Option<Vec<(&str, &str)>> = text.split(',').map(|pair| pair.split_once('=')).collect();
        let hidden = pairs?.into_iter().map(|(key, value)| {
            let value = match key {
                "id" | "iter_num" if words::is_number(value) => value.to_owned(),
                "async" if matches!(value, "true" | "false") => value.to_owned(),
                "device" => self.device(value),
                "from" | "to" => self.name(value),
                _ => return None,
            };
            Some([key, "=", &value].concat())
        });
        Some(hidden.collect::<Option<Vec<String>>>()?.join(","))
    }

    /// Hides a text of any other form: the name of a kernel, how it was launched, the size of a copy.
    fn free(&mut self, text: &str) -> String {
        if self.included.has(Kind::Names) {
            return text.to_owned();
        }
        map_words(text, &[' ', '[', ']', '(', ')', '#'], |word| {
            match word.is_empty() || self.is_detail(word) {
                true => word.to_owned(),
                false => self.numbered("label", word),
            }
        })
    }

    /// Whether `word` is a number, a size, or a detail without a name: `size:64`, `0.4MB`, `kind_src:pageable`, `MemcpyH2D`.
    fn is_detail(&self, word: &str) -> bool {
        let is_size = |text: &str| {
            let rest = text.trim_start_matches(|letter: char| {
                letter.is_ascii_digit() || matches!(letter, '.' | ',' | '-' | 'x')
            });
            text.starts_with(|letter: char| letter.is_ascii_digit())
                && matches!(rest, "" | "B" | "KB" | "MB" | "GB" | "Mb/s")
        };
        let is_value = |text: &str| is_size(text) || words::is_one(&words::VALUES, text);
        is_size(word)
            || word == "bytes"
            || words::is_one(&words::ALLOCATORS, word)
            || self.public.has(word)
            || word
                .split_once([':', '='])
                .is_some_and(|(what, value)| words::is_one(&words::DETAILS, what) && is_value(value))
    }

    /// The name of an allocator: `GPU_0_bfc`, `cuda:1`, `cpu`.
    pub(super) fn allocator(&mut self, text: &str) -> String {
        if self.included.has(Kind::Names) {
            return text.to_owned();
        }
        map_words(text, &['_', ':', ' ', '/', '(', ')'], |word| {
            let is_kept =
                word.is_empty() || words::is_number(word) || words::is_one(&words::ALLOCATORS, word);
            if is_kept { word.to_owned() } else { self.numbered("allocator", word) }
        })
    }

    /// Hides a tag, a fetch or a feed.
    pub(super) fn tag(&mut self, text: &str) -> String {
        if self.included.has(Kind::Tags) || text.is_empty() {
            return text.to_owned();
        }
        let items: Vec<String> = text.split(", ").map(|item| self.numbered("tag", item)).collect();
        items.join(", ")
    }

    /// Hides a fact about a run: (name, value).
    pub(super) fn fact(&mut self, what: &str, value: &str) -> (String, String) {
        let name = if words::FACTS.contains(&what) { what.to_owned() } else { self.tag(what) };
        let value = if what == "host" { self.device(value) } else { self.tag(value) };
        (name, value)
    }

    /// Hides the name of a file: its ending stays.
    pub fn file_name(&mut self, text: &str) -> String {
        if self.included.has(Kind::Files) || text.is_empty() {
            return text.to_owned();
        }
        let mut stem = text;
        while let Some((rest, end)) =
            stem.rsplit_once('.').filter(|(_, end)| words::is_one(&words::EXTENSIONS, end))
        {
            (stem, _) = (rest, end);
        }
        [&self.tokens.token("file", stem), &text[stem.len()..]].concat()
    }
}
