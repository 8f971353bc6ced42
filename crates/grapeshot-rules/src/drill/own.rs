//! Rulesets of one's own: a folder with a text in it, or the text alone.

use super::{DrillBook, Text, parts_of};
use crate::{RuleError, Ruleset, read_text};
use grapeshot_drill::load::Head;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// How a text's file ends.
const ENDING: &str = "drill";

/// What a ruleset is, for whoever named something else.
pub(super) const IS: &str = "a ruleset is a folder with a text in it that begins `ruleset NAME: …`, such as NAME.drill, or that text: `grapeshot new my-rules` makes one";

/// The folder or text of a ruleset that is given by a path; nothing if it is a name and no path.
pub fn file_of(given: &str) -> Option<PathBuf> {
    let path = Path::new(given);
    let ends = |ending: &str| path.extension().is_some_and(|found| found == ending);
    let spelled = given.contains(['/', '\\']) || given == "." || ends(ENDING) || ends("toml");
    (spelled || path.is_dir() || path.is_file()).then(|| path.to_owned())
}

/// Reads a ruleset from its folder or file.
///
/// # Errors
/// If it cannot be read, or does not say what it is called.
pub fn read(path: &Path) -> Result<Ruleset, RuleError> {
    let (head, book) = open(path)?;
    Ok(book.into_ruleset(head))
}

/// A ruleset from a text alone, which stands nowhere. The text may hold several files: see [`in_one_text`].
///
/// # Errors
/// If it does not say what it is called, or holds what is no text.
pub fn of_text(name: &str, text: &str) -> Result<Ruleset, RuleError> {
    let (head, book) = split(name, text)?;
    Ok(book.into_ruleset(head))
}

/// A line that begins so begins another file, whose name follows. It is a comment in Drill and in TOML.
const NEXT: &str = "#: ";

/// A ruleset's text and what belongs to the rules beside it, as one text that [`of_text`] reads: every further file under a
/// line with its name. What only the commands around the rules know (audit, sheet, words for other rulesets) is left out.
pub fn in_one_text(ruleset: &Ruleset) -> String {
    let mut files = ruleset.book.files();
    files.retain(|(name, _)| *name != "extras.toml");
    let main = files
        .iter()
        .position(|(_, text)| Head::of_ruleset(text).is_some());
    let mut files = files.into_iter();
    let first = files.nth(main.unwrap_or(0)).map_or("", |(_, text)| text);
    let mut whole = first.trim_end().to_owned() + "\n";
    for (name, text) in files {
        whole += &format!("\n{NEXT}{name}\n{}\n", text.trim());
    }
    whole
}

/// The files of a text that may hold several. Each begins with as many empty lines as stand before it, so that what is
/// said of a line names the line of the whole.
fn files_of(name: &str, text: &str) -> Result<Vec<Text>, RuleError> {
    let mut files = vec![(name.to_owned(), String::new())];
    for (number, line) in text.lines().enumerate() {
        let (_, last) = files.last_mut().expect("there is the first");
        match line.strip_prefix(NEXT).map(str::trim) {
            None => *last += &format!("{line}\n"),
            Some(next) => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
                let ends = next.ends_with(".drill") || next.ends_with(".toml");
                if !ends || !next.chars().all(plain) || files.iter().any(|(known, _)| known == next)
                {
                    return Err(RuleError::File {
                        file: format!("{name}:{}", number + 1),
                        problem: format!(
                            "`{NEXT}` begins another file, and `{next}` cannot be the name of one; allowed is a name of its own that ends with .drill or .toml"
                        ),
                    });
                }
                files.push((next.to_owned(), "\n".repeat(number + 1)));
            }
        }
    }
    let texts = files.into_iter().map(|(name, text)| Text {
        name: name.into(),
        text: text.into(),
    });
    let texts: Vec<Text> = texts.collect();
    texts.iter().try_for_each(plain)?;
    Ok(texts)
}

/// A text alone, with the files in it.
pub(super) fn split(name: &str, text: &str) -> Result<(Head, DrillBook), RuleError> {
    let mut files = files_of(name, text)?.into_iter();
    let text = files.next().expect("there is the first");
    let wrong = |problem: String| RuleError::File {
        file: name.into(),
        problem,
    };
    let head = Head::of_ruleset(&text.text);
    let head = head.ok_or_else(|| wrong(format!("no line says which ruleset this is; {IS}")))?;
    called(&head).map_err(wrong)?;
    let mut files: Vec<Text> = files.collect();
    let mut take = |name: &str| {
        let at = files.iter().position(|file| file.name == name)?;
        Some(files.remove(at))
    };
    let (tables, extras) = (take("tables.toml"), take("extras.toml"));
    let examples = take("examples.drill");
    let texts: Vec<&Text> = [&text].into_iter().chain(&examples).collect();
    let beside = |name: &str| {
        let file = format!("{name}.{ENDING}");
        files.iter().find(|known| known.name == file).cloned()
    };
    let book = DrillBook {
        id: (&*head.name).into(),
        parts: parts_of(&texts, beside),
        tables,
        extras,
        examples,
        text,
        place: Some((PathBuf::new(), name.into())),
        printed: OnceLock::new(),
        varied: Mutex::new(Vec::new()),
    };
    Ok((head, book))
}

/// Whether a text is letters and lines: what would move a terminal's cursor is refused.
fn plain(text: &Text) -> Result<(), RuleError> {
    let is_wrong = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    for (number, line) in text.text.lines().enumerate() {
        if let Some(wrong) = line.chars().find(|&c| is_wrong(c)) {
            return Err(RuleError::File {
                file: format!("{}:{}", text.name, number + 1),
                problem: format!("U+{:04X} is no letter of a text", u32::from(wrong)),
            });
        }
    }
    Ok(())
}

/// The same, with its files.
pub(super) fn open(path: &Path) -> Result<(Head, DrillBook), RuleError> {
    let (folder, main) = match path.is_dir() {
        true => (path.to_owned(), main_of(path)?),
        false => (
            path.parent().unwrap_or(Path::new("")).to_owned(),
            path.to_owned(),
        ),
    };
    let wrong = |problem: String| RuleError::File {
        file: main.display().to_string(),
        problem,
    };
    let text = text(&main).map_err(|error| match error {
        RuleError::File { problem, .. } => wrong(format!("{problem}; {IS}")),
        other => other,
    })?;
    let head = Head::of_ruleset(&text.text);
    let head = head.ok_or_else(|| wrong(format!("no line says which ruleset this is; {IS}")))?;
    called(&head).map_err(wrong)?;
    // A text alone has what it prints in itself, unless it asks for what stands beside it.
    let asks = path.is_dir() || text.text.lines().any(|line| line.trim_end() == "tables:");
    let beside = |name: &str| match asks && folder.join(name).is_file() {
        true => super::own::text(&folder.join(name)).map(Some),
        false => Ok(None),
    };
    let examples = beside("examples.drill")?.filter(|examples| examples.name != text.name);
    let texts: Vec<&Text> = [&text].into_iter().chain(&examples).collect();
    let part = |name: &str| super::own::text(&folder.join(format!("{name}.{ENDING}"))).ok();
    let book = DrillBook {
        id: (&*head.name).into(),
        tables: beside("tables.toml")?,
        extras: beside("extras.toml")?,
        parts: parts_of(&texts, part),
        examples,
        text,
        place: Some((folder, typed(path))),
        printed: OnceLock::new(),
        varied: Mutex::new(Vec::new()),
    };
    Ok((head, book))
}

/// Refuses a name that could not be typed.
fn called(head: &Head) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    match !head.name.is_empty() && head.name.chars().all(plain) {
        true => Ok(()),
        false => Err(format!(
            "the ruleset is called `{}`; allowed are small letters, digits and dashes",
            head.name
        )),
    }
}

fn text(path: &Path) -> Result<Text, RuleError> {
    let text = Text {
        name: path.display().to_string().into(),
        text: read_text(path)?.into(),
    };
    plain(&text)?;
    Ok(text)
}

/// What is typed for a path.
fn typed(path: &Path) -> String {
    match path.display().to_string() {
        empty if empty.is_empty() => ".".into(),
        path => path,
    }
}

/// The one text of a folder that says which ruleset it is.
fn main_of(folder: &Path) -> Result<PathBuf, RuleError> {
    let wrong = |problem: String| RuleError::File {
        file: folder.display().to_string(),
        problem,
    };
    let entries = std::fs::read_dir(folder).map_err(|error| wrong(error.to_string()))?;
    let mut texts: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    texts.sort();
    let says = |path: &PathBuf| read_text(path).is_ok_and(|text| Head::of_ruleset(&text).is_some());
    texts.retain(says);
    match &texts[..] {
        [one] => Ok(one.clone()),
        [] => Err(wrong(format!("there is no text of a ruleset in it; {IS}"))),
        several => {
            let names = several.iter().filter_map(|path| path.file_name());
            let names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
            let problem = format!(
                "there are {} rulesets in it, {}: name one of the files",
                names.len(),
                names.join(" and ")
            );
            Err(wrong(problem))
        }
    }
}

/// A small complete ruleset to start from, for a folder that is called so: its name and its text.
///
/// # Errors
/// If no name of a ruleset can be made of the folder's.
pub fn template(folder: &str) -> Result<(String, String), String> {
    let last = Path::new(folder).file_name();
    let id: String = last
        .map_or(String::new(), |name| name.to_string_lossy().to_lowercase())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let id = id.trim_matches('-');
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Err(format!(
            "no ruleset can be called like `{folder}`; allowed are letters, digits and dashes, a letter first"
        ));
    }
    let text = include_str!("template.drill").replace("NAME", id);
    Ok((format!("{id}.{ENDING}"), text))
}

/// A text as it is set: columns aligned, blanks and indents even. It says the same.
pub fn format(text: &str) -> String {
    grapeshot_drill::fmt::format(text)
}

/// The name of the item that a line begins.
fn named(line: &str) -> Option<&str> {
    const ITEMS: [&str; 12] = [
        "rule",
        "define",
        "roll",
        "modifiers",
        "procedure",
        "unit",
        "line",
        "words",
        "record",
        "table",
        "header",
        "dice",
    ];
    let (word, rest) = line.split_once(' ')?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let name = &rest[..end.unwrap_or(rest.len())];
    ITEMS.contains(&word).then_some(name)
}

/// The names of the items of a text.
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(named)
}

/// The item of a text that has this name (a rule, define, roll, list of modifiers, procedure, unit, type of words, record),
/// with the readings and the help that stand above it.
pub fn item(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| named(line) == Some(name))?;
    let above = |line: &str| line.starts_with("## ") || line.starts_with("reading ");
    let first = (0..at)
        .rev()
        .take_while(|&i| above(lines[i]))
        .last()
        .unwrap_or(at);
    let inside = |line: &str| line.is_empty() || line.starts_with(' ');
    let below = lines[at + 1..]
        .iter()
        .take_while(|line| inside(line))
        .count();
    let found = lines[first..=at + below].join("\n");
    Some(found.trim_end().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Weight;
    use grapeshot_engine::engine::Budget;
    use std::sync::Arc;

    #[test]
    fn an_item_has_its_readings_and_its_lines() {
        let text = crate::drill::GBACW.text;
        let passes = item(text, "passes").expect("a rule");
        assert!(
            passes.starts_with("reading ") || passes.starts_with("rule passes(unit)"),
            "{passes}"
        );
        assert!(passes.ends_with("return d6 <= unit.morale\n"), "{passes}");
        let charge = item(text, "charge").expect("a procedure");
        assert!(
            charge.starts_with("## An attack under defensive fire"),
            "{charge}"
        );
        assert_eq!(item(text, "nothing-of-this-name"), None);
    }

    #[test]
    fn a_printed_ruleset_in_one_text_is_the_same_rules() {
        for ruleset in crate::Registry::built_in().printed() {
            if !ruleset.is_printed() {
                continue;
            }
            let whole = in_one_text(ruleset);
            let checked = super::super::check_text("rules.drill", &whole, Budget::default());
            assert_eq!(checked.count(Weight::Error), 0, "{:#?}", checked.faults);
            assert!(checked.held > 0, "{}", ruleset.id);
            let own = Arc::new(of_text("rules.drill", &whole).expect("a text"));
            let own = own.load(&[]).expect("it loads");
            let printed = ruleset.load(&[]).expect("it loads");
            let names = |loaded: &crate::LoadedRuleset| {
                let names = loaded.procedures.iter().map(|p| p.name.to_string());
                names.collect::<Vec<_>>()
            };
            assert_eq!(names(&own), names(&printed));
            let (mine, theirs) = (&own.procedures[0], &printed.procedures[0]);
            let nothing: [(&str, &str); 0] = [];
            let odds = |procedure: &crate::Procedure| {
                let settings = procedure.resolve(nothing).expect("defaults");
                let answered = procedure.answer(&settings, &crate::Options::exact());
                answered.expect("an answer").odds.marginal_at(0).mean()
            };
            assert_eq!(odds(mine), odds(theirs), "{}", ruleset.id);
        }
    }

    #[test]
    fn what_is_wrong_in_a_further_file_names_its_line_of_the_whole() {
        let gbacw = crate::Registry::built_in()
            .find("gbacw")
            .expect("it is there");
        let whole = in_one_text(&gbacw).replace("6 = [\"P/R\"", "6 = [\"P/Q\"");
        let at = whole.lines().position(|line| line.contains("\"P/Q\""));
        let line = at.expect("a cell of the fire table") + 1;
        let checked = super::super::check_text("rules.drill", &whole, Budget::default());
        let wanted = format!(":{line}:");
        let found = checked
            .faults
            .iter()
            .any(|fault| fault.place.contains(&wanted));
        assert!(found, "{line}: {:#?}", checked.faults);
        for (name, said) in [
            ("../tables.toml", "cannot be the name"),
            ("a.txt", ".drill or .toml"),
        ] {
            let text = format!("ruleset x: \"X\"\n#: {name}\n");
            let error = of_text("rules.drill", &text)
                .expect_err("refused")
                .to_string();
            assert!(
                error.contains("rules.drill:2") && error.contains(said),
                "{error}"
            );
        }
    }

    #[test]
    fn the_template_is_a_ruleset_that_holds_together() {
        let (file, text) = template("Some/My Rules").expect("a name");
        assert_eq!(file, "my-rules.drill");
        assert!(
            text.lines().count() < 60,
            "the smallest useful file is short"
        );
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(&file), &text).expect("a file");
        let checked = super::super::check(folder.path());
        assert_eq!(checked.count(Weight::Error), 0, "{:#?}", checked.faults);
        assert!(checked.held > 0, "it has examples");
        assert_eq!(format(&text), text, "it is set");
        for name in ["", "...", "9"] {
            assert!(template(name).is_err(), "{name}");
        }
    }
}
