//! A checked program as bytes: whoever builds a ruleset in reads and checks its texts once, not at every start.

use super::Program;
use crate::source::Sources;

impl Program {
    /// All of it but the letters of its files, whose names alone are kept.
    ///
    /// # Panics
    /// Never: memory can always be written to.
    pub fn to_bytes(&self) -> Vec<u8> {
        let names: Vec<&str> = (self.sources.files().iter())
            .map(|file| &*file.name)
            .collect();
        postcard::to_extend(&(names, self), Vec::new()).expect("memory can be written to")
    }

    /// What [`Program::to_bytes`] wrote; `text_of` gives the letters of a file by its name. Nothing if the bytes are no program, or
    /// a file is missing.
    pub fn from_bytes<'a>(bytes: &[u8], text_of: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let (names, mut program): (Vec<&str>, Program) = postcard::from_bytes(bytes).ok()?;
        let mut sources = Sources::default();
        for name in names {
            sources.add(name, text_of(name)?);
        }
        program.sources = sources;
        Some(program)
    }
}
