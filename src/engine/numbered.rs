//! Numbers for things that are met again.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Things numbered in the order in which they were first seen.
pub(super) struct Numbered<T> {
    pub(super) items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    pub(super) fn new() -> Self {
        Numbered {
            items: Vec::new(),
            // Room for most graphs: moving to a larger table is what takes time.
            numbers: FxHashMap::with_capacity_and_hasher(256, Default::default()),
        }
    }

    pub(super) fn number(&mut self, item: T) -> u32 {
        let items = &mut self.items;
        *self.numbers.entry(item).or_insert_with(|| {
            items.push(item);
            (items.len() - 1) as u32
        })
    }
}
