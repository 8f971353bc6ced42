//! An LRU cache bounded by the size of what it keeps: answers, and rulesets under a house rule.

use lru::LruCache;
use std::sync::Mutex;

/// Values by name, of so much size together; the least recently used goes first.
#[derive(Debug)]
pub(super) struct Cache<T> {
    room: usize,
    kept: Mutex<Entries<T>>,
}

/// The values with the size of each, and of all.
#[derive(Debug)]
struct Entries<T> {
    values: LruCache<String, (T, usize)>,
    size: usize,
}

impl<T: Clone> Cache<T> {
    /// Room for values of so much size together.
    pub(super) fn new(room: usize) -> Self {
        let values = LruCache::unbounded();
        let kept = Mutex::new(Entries { values, size: 0 });
        Cache { room, kept }
    }

    /// A value, if it is still kept.
    pub(super) fn get(&self, name: &str) -> Option<T> {
        let mut kept = self.kept.lock().ok()?;
        kept.values.get(name).map(|(value, _)| value.clone())
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
        let replaced = kept.values.put(name.to_owned(), (value, size));
        kept.size = kept.size + size - replaced.map_or(0, |(_, size)| size);
        while kept.size > self.room {
            let Some((_, (_, size))) = kept.values.pop_lru() else {
                break;
            };
            kept.size -= size;
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
            let sizes: usize = kept.values.iter().map(|(_, (_, size))| size).sum();
            assert!(kept.size <= 400 && kept.size == sizes);
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
