//! Texts that are each kept once: rows repeat them millions of times.

use std::collections::HashMap;

/// Texts by the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: Vec<String>,
    id_of: HashMap<String, u32>,
}

impl Texts {
    /// The ids of `names`; `None` if one of them is new and `only_known` ones are wanted.
    pub(super) fn key<const N: usize>(&mut self, names: [&str; N], only_known: bool) -> Option<[u32; N]> {
        let mut key = [0; N];
        for (id, name) in key.iter_mut().zip(names) {
            *id = match self.id_of.get(name) {
                Some(&known) => known,
                None if only_known => return None,
                None => self.add(name),
            };
        }
        Some(key)
    }

    fn add(&mut self, name: &str) -> u32 {
        // No more than rows with new names, of which builders take some hundred thousand.
        let id = self.all.len() as u32;
        self.all.push(name.to_owned());
        self.id_of.insert(name.to_owned(), id);
        id
    }

    /// The text of an id that was given.
    pub(super) fn text(&self, id: u32) -> &str {
        self.all.get(id as usize).map_or("", String::as_str)
    }
}
