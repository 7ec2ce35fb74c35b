//! A small map in the order of its keys. A tree of the standard library is five kilobytes of code for each kind of key.

/// Values by key; most come in the order of their keys.
pub(crate) struct Keyed<K, V>(Vec<(K, V)>);

impl<K: Copy + Ord, V: Default> Keyed<K, V> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of `key`, which is the default where there was none.
    pub(crate) fn entry(&mut self, key: K) -> &mut V {
        let place = match self.0.last() {
            Some((last, _)) if *last < key => self.0.len(),
            _ => self.0.partition_point(|own| own.0 < key),
        };
        if self.0.get(place).is_none_or(|own| own.0 != key) {
            self.0.insert(place, (key, V::default()));
        }
        &mut self.0[place].1
    }

    pub(crate) fn get(&self, key: K) -> Option<&V> {
        let place = self.0.partition_point(|own| own.0 < key);
        self.0.get(place).filter(|own| own.0 == key).map(|own| &own.1)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.0.iter().map(|own| own.0)
    }
}

impl<K, V> IntoIterator for Keyed<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Keyed;

    #[test]
    fn keys_are_in_order_and_once() {
        let mut keyed = Keyed::<i64, i64>::new();
        for key in [3, 1, 3, 7, 2, 1] {
            *keyed.entry(key) += 1;
        }
        assert_eq!(keyed.keys().collect::<Vec<_>>(), [1, 2, 3, 7]);
        assert_eq!((keyed.get(3), keyed.get(4)), (Some(&2), None));
        assert_eq!(keyed.into_iter().collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 2), (7, 1)]);
    }
}
