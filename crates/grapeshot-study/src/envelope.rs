//! What every result has in common when programs read it.

use serde::{Serialize, Serializer};

/// A result as programs read it: the version that found it, then what was found.
#[derive(Debug, Serialize)]
pub struct Envelope<T> {
    version: &'static str,
    #[serde(flatten)]
    found: T,
}

impl<T> Envelope<T> {
    /// Something found by this version.
    pub fn new(found: T) -> Self {
        Envelope {
            version: VERSION,
            found,
        }
    }

    /// Results within a result, each as if it stood alone; for `serialize_with`.
    ///
    /// # Errors
    /// As the serializer.
    pub fn each<S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
    {
        to.collect_seq(all.iter().map(Envelope::new))
    }
}

/// The version of this program; all its crates share one.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
