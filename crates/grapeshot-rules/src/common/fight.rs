//! A common fight while it is said in a ruleset's own words.
//!
//! Every key a translation asks for is remembered: a key that is set to something but never asked
//! for makes no difference, and the answer says so.

use super::super::{RuleError, Setting, Settings, Value};
use super::{FightKind, RULESET_KEY, Word, Words, beside_default};
use crate::Labels;
use grapeshot_engine::engine::{Note, NoteKind};
use std::collections::BTreeSet;

/// A fight, what has been asked about it, and what has been said so far.
#[derive(Debug)]
pub struct FightTranslation<'a> {
    words: &'a Words,
    kind: FightKind,
    keys: &'a [Setting],
    settings: &'a Settings,
    asked: BTreeSet<String>,
    notes: Vec<Note>,
    /// The sides whose size was asked, with their men and that size.
    sizes: Vec<(String, i64, i64)>,
    native: Vec<(String, String)>,
}

impl<'a> FightTranslation<'a> {
    pub(super) fn new(
        words: &'a Words,
        kind: FightKind,
        keys: &'a [Setting],
        settings: &'a Settings,
    ) -> Self {
        FightTranslation {
            words,
            kind,
            keys,
            settings,
            asked: BTreeSet::new(),
            notes: Vec::new(),
            sizes: Vec::new(),
            native: Vec::new(),
        }
    }

    /// What kind of fight it is.
    pub fn kind(&self) -> FightKind {
        self.kind
    }

    /// The words of the ruleset.
    pub fn words(&self) -> &Words {
        self.words
    }

    /// The value of a common key.
    pub fn get(&mut self, key: &str) -> &'a Value {
        self.asked.insert(key.into());
        self.settings.get(key)
    }

    /// Why the ruleset has no answer.
    pub fn left_out(&self, key: &str, why: &str) -> RuleError {
        RuleError::LeftOut {
            rules: self.words.rules.clone(),
            key: key.into(),
            given: self.settings.get(key).to_string(),
            why: why.into(),
        }
    }

    pub(super) fn check_procedure(&mut self) -> Result<(), RuleError> {
        self.native_procedure().map(|_| ())
    }

    /// The ruleset's procedure for this kind of fight.
    ///
    /// # Errors
    /// If it has none.
    pub fn native_procedure(&self) -> Result<String, RuleError> {
        match self
            .words
            .word(&format!("procedures.{}", self.kind.label()))?
        {
            Word::Said(name) => Ok(name),
            Word::LeftOut(why) | Word::NoDifference(why) => Err(self.left_out(RULESET_KEY, &why)),
        }
    }

    /// The ruleset's word in a list, for a common key; nothing where it makes no difference.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn word(
        &mut self,
        key: &str,
        list: &str,
        entry: &str,
    ) -> Result<Option<String>, RuleError> {
        self.asked.insert(key.into());
        match self.words.word(&format!("{list}.{entry}"))? {
            Word::Said(text) => Ok(Some(text)),
            Word::LeftOut(why) => Err(self.left_out(key, &why)),
            Word::NoDifference(why) => {
                self.no_difference(key, &why);
                Ok(None)
            }
        }
    }

    /// The ruleset's word for the value of a common key.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn value_word(&mut self, key: &str, list: &str) -> Result<Option<String>, RuleError> {
        let value = self.get(key).to_string();
        self.word(key, list, &value)
    }

    /// Says the value of a common key as a setting of the ruleset.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn say(&mut self, native: &str, key: &str, list: &str) -> Result<(), RuleError> {
        if let Some(word) = self.value_word(key, list)? {
            self.put(native, word);
        }
        Ok(())
    }

    /// Sets a setting of the ruleset.
    pub fn put(&mut self, native: &str, value: impl ToString) {
        self.native.push((native.into(), value.to_string()));
    }

    /// What has been said so far, as settings of the ruleset.
    pub fn said(&self) -> Vec<(String, String)> {
        self.native.clone()
    }

    /// A word that is a whole number.
    ///
    /// # Errors
    /// If it is none, or the ruleset has no equivalent.
    pub fn whole_word(&mut self, key: &str, list: &str, entry: &str) -> Result<i64, RuleError> {
        match self.word(key, list, entry)? {
            None => Ok(0),
            Some(text) => text.parse().map_err(|_| {
                let problem = format!("is `{text}`; allowed is a whole number");
                self.words.problem(&format!("{list}.{entry}"), problem)
            }),
        }
    }

    /// The word for being flanked, if the side is.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn flanked(&mut self, side: &str, entry: &str) -> Result<Option<String>, RuleError> {
        let key = format!("{side}.flanked");
        match self.get(&key) {
            Value::Flag(true) => self.word(&key, "flanked", entry),
            _ => Ok(None),
        }
    }

    /// The word for a side's leader, if it has one.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn leader(&mut self, side: &str) -> Result<Option<String>, RuleError> {
        let key = format!("{side}.leader");
        match self.get(&key) {
            value if value.is("none") => Ok(None),
            _ => self.word(&key, "leader", side),
        }
    }

    /// Says a side's leader as a setting of the ruleset.
    ///
    /// # Errors
    /// If the ruleset has no equivalent.
    pub fn say_leader(&mut self, side: &str, native: &str) -> Result<(), RuleError> {
        if let Some(word) = self.leader(side)? {
            self.put(native, word);
        }
        Ok(())
    }

    /// The men of a side in the ruleset's unit of size: to the nearest, halves up, within bounds.
    ///
    /// # Errors
    /// If the words give no unit.
    pub fn size(&mut self, side: &str) -> Result<u16, RuleError> {
        let &Value::Whole(men) = self.get(&format!("{side}.men")) else {
            unreachable!("men are a whole number")
        };
        let per_unit = self.words.positive("men.per_unit")?;
        let (least, most) = (
            self.words.positive("men.least")?,
            self.words.positive("men.most")?,
        );
        if least > most || most > 1000 {
            let problem = format!("is `{most}`; allowed is a whole number from {least} to 1000");
            return Err(self.words.problem("men.most", problem));
        }
        let nearest = (2 * men + per_unit) / (2 * per_unit);
        let size = nearest.clamp(least, most);
        self.assume("men");
        if size != nearest {
            self.assume("men_beyond");
        }
        if !self.sizes.iter().any(|(known, ..)| known == side) {
            self.sizes.push((side.to_owned(), men, size));
        }
        Ok(size as u16)
    }

    /// Says a side's size as a setting of the ruleset, and returns it.
    ///
    /// # Errors
    /// If the words give no unit.
    pub fn say_size(&mut self, side: &str, native: &str) -> Result<u16, RuleError> {
        let size = self.size(side)?;
        self.put(native, size);
        Ok(size)
    }

    /// The range in the ruleset's unit, a part of one counting whole.
    ///
    /// # Errors
    /// If the words give no unit.
    pub fn range(&mut self) -> Result<i64, RuleError> {
        let &Value::Whole(yards) = self.get("range") else {
            unreachable!("a range is a whole number")
        };
        let per_unit = self.words.positive("range.yards")?;
        self.assume("range");
        Ok((yards + per_unit - 1) / per_unit)
    }

    /// Notes an assumption that enters, if the ruleset makes it.
    pub fn assume(&mut self, name: &str) {
        if let Some(text) = self.words.assumption(name) {
            self.note(NoteKind::Assumption, name, &text);
        }
    }

    /// Notes that the value of a key makes no difference, unless it is what nobody set.
    pub fn no_difference(&mut self, key: &str, why: &str) {
        let value = self.settings.get(key);
        let setting = self.keys.iter().find(|setting| setting.key == key);
        if !setting.is_some_and(|setting| beside_default(setting, value)) {
            return;
        }
        let text = format!("{key}={value} changes nothing: {why}");
        self.note(NoteKind::NoDifference, key, &text);
    }

    /// Of keys that nobody asked for: why they make no difference, or why the fight is left out where they are set, where
    /// the words say so, by value or by side.
    ///
    /// # Errors
    /// If the words leave the fight out.
    pub(super) fn explain_unasked(&mut self) -> Result<(), RuleError> {
        for setting in self.keys {
            let key = setting.key.as_str();
            let Some((side, name)) = key.split_once('.') else {
                continue;
            };
            if self.asked.contains(key) {
                continue;
            }
            let value = self.settings.get(key);
            let word = |entry: &str| self.words.word(&format!("{name}.{entry}")).ok();
            // A value that the source does not print leaves out only fights in which it would count.
            let by_value = word(&value.to_string()).filter(|w| matches!(w, Word::NoDifference(_)));
            let by_side = word(side).filter(|word| !matches!(word, Word::Said(_)));
            match by_value.or(by_side) {
                Some(Word::NoDifference(why)) => {
                    self.asked.insert(key.to_owned());
                    self.no_difference(key, &why);
                }
                Some(Word::LeftOut(why)) if beside_default(setting, value) => {
                    return Err(self.left_out(key, &why));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes anything else.
    pub fn remark(&mut self, name: &str, text: &str) {
        self.note(NoteKind::Remark, name, text);
    }

    fn note(&mut self, kind: NoteKind, name: &str, text: &str) {
        let note = Note {
            kind,
            name: name.into(),
            text: text.into(),
        };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes that the sides stand otherwise to each other than their men do, by more than a tenth: sizes are rounded, and
    /// held within what the ruleset has.
    fn compare_sizes(&mut self) {
        let of = |side: &str| self.sizes.iter().find(|(known, ..)| known == side);
        let [Some(&(_, men, size)), Some(&(_, others, other))] = self.kind.sides().map(of) else {
            return;
        };
        let (kept, asked) = (size * others, other * men);
        if 10 * (kept - asked).abs() <= asked {
            return;
        }
        let unit = match self.words.word("men.unit") {
            Ok(Word::Said(unit)) => unit,
            _ => "units".into(),
        };
        let text = format!(
            "{men} men against {others} are {size} {unit} against {other} here, which is another fight"
        );
        self.remark(ANOTHER_FIGHT, &text);
    }

    /// What was said, and what is to be said with the answer.
    pub(super) fn finish(mut self) -> (Vec<(String, String)>, Vec<Note>) {
        for setting in self.keys {
            if setting.key != RULESET_KEY && !self.asked.contains(&setting.key) {
                let why = format!(
                    "{} does not ask for it in this {}",
                    self.words.rules,
                    self.kind.label()
                );
                self.no_difference(&setting.key, &why);
            }
        }
        self.compare_sizes();
        (self.native, self.notes)
    }
}

/// The name of the remark that a ruleset could not keep how the sides stand to each other.
pub const ANOTHER_FIGHT: &str = "another fight";
