//! What was worked out is kept, within a bound: the oldest goes when there is no more room.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

/// A bounded memory of values by name; what was not asked for longest is forgotten first.
#[derive(Debug)]
pub(super) struct Cache<T> {
    room: usize,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    values: HashMap<String, Entry<T>>,
    /// When each was last asked for.
    order: BTreeMap<u64, String>,
    clock: u64,
    size: usize,
}

#[derive(Debug)]
struct Entry<T> {
    value: T,
    size: usize,
    asked: u64,
}

impl<T: Clone> Cache<T> {
    /// Room for values of so much size together.
    pub(super) fn new(room: usize) -> Self {
        Cache {
            room,
            kept: Mutex::new(Kept {
                values: HashMap::new(),
                order: BTreeMap::new(),
                clock: 0,
                size: 0,
            }),
        }
    }

    /// A value, if it is still kept.
    pub(super) fn get(&self, name: &str) -> Option<T> {
        let mut kept = self.kept.lock().ok()?;
        let kept = &mut *kept;
        let entry = kept.values.get_mut(name)?;
        kept.clock += 1;
        let name = kept.order.remove(&entry.asked)?;
        entry.asked = kept.clock;
        kept.order.insert(kept.clock, name);
        Some(entry.value.clone())
    }

    /// Keeps a value where the room is a number of values.
    pub(super) fn put_counted(&self, name: &str, value: T) {
        self.keep(name, value, 1);
    }

    /// Keeps a value of this size; one that would take more than a quarter of the room is not kept.
    pub(super) fn put(&self, name: &str, value: T, size: usize) {
        let size = size + 2 * name.len();
        if size <= self.room / 4 {
            self.keep(name, value, size);
        }
    }

    fn keep(&self, name: &str, value: T, size: usize) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        let kept = &mut *kept;
        kept.forget(name);
        kept.clock += 1;
        let asked = kept.clock;
        kept.values
            .insert(name.to_owned(), Entry { value, size, asked });
        kept.order.insert(asked, name.to_owned());
        kept.size += size;
        while kept.size > self.room {
            let Some(oldest) = kept.order.values().next().cloned() else {
                break;
            };
            kept.forget(&oldest);
        }
    }
}

impl<T> Kept<T> {
    fn forget(&mut self, name: &str) {
        if let Some(entry) = self.values.remove(name) {
            self.order.remove(&entry.asked);
            self.size -= entry.size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cache;

    #[test]
    fn what_was_not_asked_for_longest_is_forgotten_and_the_room_is_never_exceeded() {
        let cache = Cache::new(400);
        for n in 0..1000 {
            cache.put(&n.to_string(), n, 40);
            // Asked for again and again, this one stays.
            cache.put("first", -1, 40);
            assert_eq!(cache.get("first"), Some(-1));
            let kept = cache.kept.lock().unwrap();
            assert!(kept.size <= 400 && kept.values.len() == kept.order.len());
        }
        assert_eq!(cache.get("999"), Some(999));
        assert_eq!(cache.get("0"), None);
    }

    #[test]
    fn what_is_too_large_is_not_kept_and_throws_nothing_out() {
        let cache = Cache::new(400);
        cache.put("small", 1, 10);
        cache.put("large", 2, 399);
        assert_eq!((cache.get("small"), cache.get("large")), (Some(1), None));
    }
}
