//! From files to a program: a ruleset is one or several texts, what it prints, what it uses, and variants laid over it.

use crate::check::check;
use crate::message::{Message, Messages};
use crate::parse::parse;
use crate::printed::Printed;
use crate::program::Program;
use crate::source::{Sources, Span};
use crate::tree::{Item, ItemKind};
use crate::variant;

/// The files of a ruleset, each with the name messages give it.
#[derive(Default)]
pub struct Files<'a> {
    /// Its texts, the one with `ruleset` among them.
    pub texts: Vec<(&'a str, &'a str)>,
    /// Its `tables.toml`.
    pub tables: Option<(&'a str, &'a str)>,
    /// Variants, in the order they are laid over it.
    pub variants: Vec<(&'a str, &'a str)>,
}

/// What came of reading a ruleset.
#[derive(Debug)]
pub struct Loaded {
    /// The files, for messages.
    pub sources: Sources,
    /// The program; without it something is wrong.
    pub program: Option<Program>,
    /// All that is to say, in the order of the texts.
    pub messages: Vec<Message>,
}

impl Loaded {
    /// All messages as they are shown.
    pub fn shown(&self) -> String {
        crate::message::render_all(&self.messages, &self.sources)
    }
}

/// No ruleset is made of more files.
const MOST_FILES: usize = 100;

/// Reads and checks a ruleset. `used` gives the text of `use NAME`.
pub fn load(files: &Files<'_>, used: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let mut sources = Sources::default();
    let mut messages = Messages::default();
    let mut items: Vec<Item> = Vec::new();
    let mut todo: Vec<(String, String)> = owned(&files.texts);
    let mut known: Vec<String> = Vec::new();
    while !todo.is_empty() && known.len() < MOST_FILES {
        let (name, text) = todo.remove(0);
        let file = sources.add(&name, &text);
        known.push(name);
        for item in parse(&sources, file, &mut messages).items {
            if let ItemKind::Use(name) = &item.kind {
                let file = format!("{name}.drill");
                if !known.contains(&file) && !todo.iter().any(|(known, _)| *known == file) {
                    match used(name) {
                        Some(text) => todo.push((file, text)),
                        None => messages.push(
                            Message::error(
                                name.span,
                                format!("there is no file `{file}` to use"),
                            )
                            .help("allowed is the name of a text in the same folder, or `battle` or `standoff`"),
                        ),
                    }
                }
            }
            items.push(item);
        }
    }
    let mut printed = Printed::default();
    if let Some((name, text)) = files.tables {
        let file = sources.add(name, text);
        match Printed::parse(file, text) {
            Ok(found) => printed = found,
            Err(message) => messages.push(*message),
        }
    }
    let mut edits = Vec::new();
    for (name, text) in &files.variants {
        let file = sources.add(name, text);
        edits.push(parse(&sources, file, &mut messages));
    }
    if !messages.has_errors() {
        // The items of a text may edit those of another that it uses: `add to unit Unit:`.
        let (own, further): (Vec<Item>, Vec<Item>) = items
            .into_iter()
            .partition(|item| !matches!(item.kind, ItemKind::Edit(_)));
        items = own;
        variant::apply(&mut items, &further, &mut printed, &mut messages);
        for edit in &edits {
            variant::check_name(&items, &edit.items, &mut messages);
            variant::apply(&mut items, &edit.items, &mut printed, &mut messages);
        }
    }
    if !items
        .iter()
        .any(|item| matches!(item.kind, ItemKind::Ruleset(..)))
        && !messages.has_errors()
    {
        let message = Message::error(Span::NOWHERE, "no line says which ruleset this is");
        messages.push(message.help("begin with `ruleset name: \"Title\"`"));
    }
    let mut loaded = Loaded {
        sources,
        program: None,
        messages: Vec::new(),
    };
    if messages.has_errors() {
        loaded.messages = messages.sorted();
        return loaded;
    }
    match check(&items, &printed, &loaded.sources) {
        Ok((program, warnings)) => {
            loaded.program = Some(program);
            loaded.messages = warnings;
        }
        Err(errors) => loaded.messages = errors,
    }
    loaded
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files
        .iter()
        .map(|(name, text)| (name.to_string(), text.to_string()))
        .collect()
}

/// What a file says of itself: enough to list it, without reading the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The name of the ruleset, or of the one that is varied.
    pub name: String,
    /// The title.
    pub title: String,
    /// What it is.
    pub about: String,
    /// How the print is read.
    pub readings: Vec<String>,
}

impl Head {
    /// Of a ruleset: its lines `ruleset`, `about` and `reading`. Nothing if no line says which it is.
    pub fn of_ruleset(text: &str) -> Option<Self> {
        Head::of(text, "ruleset ")
    }

    /// Of a variant: its lines `variant of` and `about`. Nothing if the first thing it says is another.
    pub fn of_variant(text: &str) -> Option<Self> {
        let mut said = text.lines().filter(|line| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        said.next()?.strip_prefix("variant of ")?;
        Head::of(text, "variant of ")
    }

    fn of(text: &str, first: &str) -> Option<Self> {
        let mut head = Head::default();
        let mut found = false;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix(first) {
                let (name, title) = rest.split_once(':').unwrap_or((rest, ""));
                (head.name, head.title) = (name.trim().into(), quoted(title));
                found = true;
            } else if let Some(about) = line.strip_prefix("about ") {
                let gap = if head.about.is_empty() { "" } else { " " };
                head.about = format!("{}{gap}{}", head.about, quoted(about));
            }
        }
        head.readings = Head::readings(text).collect();
        found.then_some(head)
    }

    /// The lines `reading` of any text.
    pub fn readings(text: &str) -> impl Iterator<Item = String> {
        let readings = text
            .lines()
            .filter_map(|line| line.strip_prefix("reading "));
        readings.map(quoted)
    }
}

/// What stands between the first quotes.
fn quoted(text: &str) -> String {
    let mut parts = text.split('"');
    parts.nth(1).unwrap_or_default().to_owned()
}
