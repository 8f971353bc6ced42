//! Procedures as house rules leave them: with new values and new keys.

use super::{House, Modifier, NewSetting};
use crate::{Procedure, RuleError, Setting, SettingKind, Value};

impl House {
    /// Gives procedures what was added: values where the key takes what they are like, keys where a modifier
    /// asks for them.
    ///
    /// # Errors
    /// If a value is like none that its key takes, or a condition asks for a key that is not there.
    pub(crate) fn widen(&self, procedures: &mut [Procedure]) -> Result<(), RuleError> {
        for value in &self.values {
            let mut taken = false;
            for setting in procedures.iter_mut().flat_map(|p| &mut p.settings) {
                taken |= setting.take(value);
            }
            if !taken && !procedures.is_empty() {
                let problem = format!(
                    "no key called {} takes `{}`",
                    value.key,
                    value.like.join("` or `")
                );
                let key = format!("values.{}.{}.like", value.key, value.name);
                return Err(self.problem(key, problem));
            }
        }
        for modifier in &self.modifiers {
            self.make_keys(modifier, procedures)?;
        }
        Ok(())
    }

    /// Gives settings the values that were added, where they take what those are like.
    pub(crate) fn widen_values<'a>(&self, settings: impl Iterator<Item = &'a mut Setting>) {
        for setting in settings {
            for value in &self.values {
                setting.take(value);
            }
        }
    }

    fn problem(&self, key: String, problem: String) -> RuleError {
        RuleError::Table {
            file: self.file.clone(),
            key,
            problem,
        }
    }

    /// Makes the keys that a modifier asks for, in the procedures in which its sum is made.
    fn make_keys(
        &self,
        modifier: &Modifier,
        procedures: &mut [Procedure],
    ) -> Result<(), RuleError> {
        let place = &self.places[&modifier.place];
        let sides_key = place.roles.get(&modifier.role).map_or("", String::as_str);
        for condition in &modifier.when {
            let mut known = false;
            let mut all: Vec<String> = Vec::new();
            for procedure in procedures.iter_mut() {
                if !place
                    .procedures
                    .iter()
                    .any(|name| **name == *procedure.name)
                {
                    continue;
                }
                for side in sides(procedure, sides_key) {
                    let key = condition.key_of(&modifier.role, &side);
                    let there = procedure.settings.iter().any(|setting| setting.key == key);
                    if !there && let Some(setting) = self.new_key(modifier, condition, &key) {
                        procedure.settings.push(setting);
                        known = true;
                    }
                    known |= there;
                }
                all.extend(procedure.settings.iter().map(|setting| setting.key.clone()));
            }
            // Decisions come apart from the procedures, and few of them make any of the sums.
            if !known && !all.is_empty() {
                all.sort();
                all.dedup();
                let error = RuleError::unknown("key", &condition.key, all);
                let problem = format!(
                    "{error}\n  a flag that is to be new is called like its modifier, {}; any other is declared in [settings.\"{}\"]",
                    modifier.name, condition.key
                );
                let key = format!("modifiers.{}.{}.when", modifier.place, modifier.name);
                return Err(self.problem(key, problem));
            }
        }
        Ok(())
    }

    /// The setting that a condition asks for, if it may be new.
    fn new_key(
        &self,
        modifier: &Modifier,
        condition: &super::Condition,
        key: &str,
    ) -> Option<Setting> {
        if let Some(declared) = self.settings.get(&condition.key) {
            return Some(declared.setting(key));
        }
        let name = condition.key.rsplit('.').next().unwrap_or_default();
        if !condition.is_flag() || name.replace('_', "-") != modifier.name.replace('_', "-") {
            return None;
        }
        let what = &self.places[&modifier.place].what;
        let about = match modifier.about.is_empty() {
            true => format!("house rule: {:+} {what}", modifier.shift),
            false => modifier.about.clone(),
        };
        Some(Setting::flag(key, &about).from("house rule"))
    }
}

/// The sides of a procedure that have a key: `*.weapon` for any, `attacker.stands` for one, or one of several.
fn sides(procedure: &Procedure, patterns: &str) -> Vec<String> {
    let fits = |side: &str, name: &str| {
        let patterns = patterns.split_whitespace();
        let mut patterns = patterns.filter_map(|pattern| pattern.split_once('.'));
        patterns.any(|(s, n)| n == name && (s == "*" || s == side))
    };
    let keys = procedure.settings.iter();
    let keys = keys.filter_map(|setting| setting.key.split_once('.'));
    keys.filter(|(side, name)| fits(side, name))
        .map(|(side, _)| side.to_owned())
        .collect()
}

impl NewSetting {
    fn setting(&self, key: &str) -> Setting {
        let about = match self.about.is_empty() {
            true => "house rule",
            false => &self.about,
        };
        let setting = match self.to {
            None => Setting::flag(key, about),
            Some(to) => {
                let default = self.default.unwrap_or(self.from);
                Setting::whole(key, self.from..=to, default, about)
            }
        };
        setting.from("house rule")
    }
}

impl Setting {
    /// Takes a new value, if it is one of its key and counts as one it has.
    fn take(&mut self, value: &super::NewValue) -> bool {
        let name = self.key.rsplit('.').next().unwrap_or_default();
        let called = name == value.key || name.ends_with(&format!("_{}", value.key));
        let SettingKind::Choice(labels) = &mut self.kind else {
            return false;
        };
        if labels.iter().any(|label| **label == *value.name) {
            return true;
        }
        let like =
            |label: &&grapeshot_engine::dist::Name| value.like.iter().any(|like| *like == ***label);
        let Some(host) = labels.iter().find(like).cloned() else {
            return false;
        };
        if !called {
            return false;
        }
        // Beside what it is like: the order of the values is the order in which they are shown.
        let at = labels.iter().position(|label| *label == host).unwrap_or(0);
        labels.insert(at + 1, value.name.as_str().into());
        self.likes
            .push((value.name.as_str().into(), host, value.position));
        true
    }

    /// What a new value counts as, and its place among the new values of its key.
    pub(crate) fn like(&self, value: &Value) -> Option<(grapeshot_engine::dist::Name, usize)> {
        let Value::Choice(name) = value else {
            return None;
        };
        let known = self.likes.iter().find(|(known, _, _)| known == name)?;
        Some((known.1.clone(), known.2))
    }
}
