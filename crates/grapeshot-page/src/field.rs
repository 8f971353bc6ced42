//! One setting as something to tap: buttons for names, steps for counts, a switch for yes or no.

use grapeshot_render::words;
use grapeshot_rules::{DefaultValue, Setting, SettingKind};
use maud::{Markup, html};

/// A setting with what stands in it.
pub(super) struct Field<'a> {
    pub(super) setting: &'a Setting,
    /// As it was given, right or wrong; nothing where it follows another setting.
    pub(super) value: Option<String>,
    /// What it is, given or not.
    pub(super) effective: String,
    /// What is wrong with it.
    pub(super) error: Option<String>,
    /// Labels that are not offered.
    pub(super) withheld: Vec<String>,
    /// Whether somebody set it.
    pub(super) changed: bool,
}

/// Names that stand side by side as buttons: at most so many, of so many letters together.
const BUTTONS: usize = 7;
const LETTERS: usize = 56;

impl Field<'_> {
    fn id(&self) -> String {
        id(&self.setting.key)
    }

    /// The name without its side, in words.
    fn label(&self) -> String {
        let key = &self.setting.key;
        let own = key.split_once('.').map_or(key.as_str(), |(_, own)| own);
        own.replace('_', " ")
    }

    /// The field.
    pub(super) fn markup(&self) -> Markup {
        let class = match (&self.error, self.changed) {
            (Some(_), _) => "field wrong",
            (None, true) => "field changed",
            (None, false) => "field",
        };
        html! {
            div class=(class) data-key=(self.setting.key) {
                @match &self.setting.kind {
                    SettingKind::Flag => (self.switch()),
                    SettingKind::Choice(labels) if few(labels) => (self.buttons(labels)),
                    SettingKind::Choice(labels) => (self.labelled(self.list(labels))),
                    SettingKind::Whole { min, max } => (self.labelled(self.steps(*min, *max))),
                    _ => (self.labelled(self.text())),
                }
                p.problem id={ (self.id()) "-problem" } {
                    @if let Some(error) = &self.error { (words(error)) }
                }
            }
        }
    }

    /// What it means, for who asks.
    fn help(&self) -> Markup {
        let setting = self.setting;
        html! {
            details.help {
                summary aria-label={ "What is " (self.label()) "?" } { "?" }
                p {
                    (words(&setting.meaning)) ". " code { @for (at, part) in setting.key.split('.').enumerate() { @if at > 0 { "." wbr; } (part) } } ": "
                    (setting.kind.allowed()) "; " (setting.default_text()) " if not set."
                    @if !setting.source.is_empty() { " Source: " (setting.source) "." }
                }
            }
        }
    }

    fn described(&self) -> String {
        format!("{}-problem", self.id())
    }

    /// The side, for who hears the field and does not see where it stands.
    fn side(&self) -> Markup {
        html! {
            @if let Some(side) = self.setting.side() { span.unseen { (side.replace('_', " ")) " " } }
        }
    }

    fn labelled(&self, control: Markup) -> Markup {
        html! {
            span.name { label for=(self.id()) { (self.side()) (self.label()) } (self.help()) }
            (control)
        }
    }

    fn switch(&self) -> Markup {
        let on = self.value.as_deref().unwrap_or(&self.effective) == "true";
        let key = &self.setting.key;
        html! {
            // What is not ticked is not sent: this says no, unless the tick says yes after it.
            input type="hidden" name=(key) value="false";
            span.name {
                label.switch {
                    input type="checkbox" id=(self.id()) name=(key) value="true" checked[on]
                        aria-describedby=(self.described());
                    span { (self.side()) (self.label()) }
                }
                (self.help())
            }
        }
    }

    fn buttons(&self, labels: &[impl AsRef<str>]) -> Markup {
        let key = &self.setting.key;
        let value = self.value.as_deref();
        html! {
            // The help stands beside the name and is no part of it.
            fieldset.buttons aria-labelledby={ (self.id()) "-name" } aria-describedby=(self.described()) {
                legend { span id={ (self.id()) "-name" } { (self.side()) (self.label()) } (self.help()) }
                div.options {
                    @if let DefaultValue::SameAs(other) = &self.setting.default {
                        (option(key, "", &format!("as {}", other.replace(['.', '_'], " ")), value.is_none()))
                    }
                    @for label in self.offered(labels) {
                        (option(key, label, label, value == Some(label)))
                    }
                }
            }
        }
    }

    /// What can be chosen; what stands there is shown whether it is offered or not.
    fn offered<'l>(&self, labels: &'l [impl AsRef<str>]) -> Vec<&'l str> {
        let kept = |label: &&str| {
            self.value.as_deref() == Some(*label)
                || self.value.is_none() && self.effective == **label
                || !self.withheld.iter().any(|withheld| withheld == label)
        };
        labels.iter().map(AsRef::as_ref).filter(kept).collect()
    }

    fn list(&self, labels: &[impl AsRef<str>]) -> Markup {
        let value = self.value.as_deref();
        let known = labels.iter().any(|label| Some(label.as_ref()) == value);
        html! {
            select id=(self.id()) name=(self.setting.key) aria-describedby=(self.described()) {
                @if let DefaultValue::SameAs(other) = &self.setting.default {
                    option value="" selected[value.is_none()] { "as " (other) }
                }
                @if let (false, Some(wrong)) = (known, value) {
                    option value=(wrong) selected { (wrong) }
                }
                @for label in self.offered(labels) {
                    option value=(label) selected[value == Some(label)] { (label) }
                }
            }
        }
    }

    fn steps(&self, min: i64, max: i64) -> Markup {
        let key = &self.setting.key;
        let by = stride(min, max);
        let label = self.label();
        let step = |sign: &str, by: i64, name: &str| {
            html! {
                button.step type="submit" name="tap" value={ (key) ":" (by) }
                    aria-label={ (name) " " (label) } { (sign) }
            }
        };
        html! {
            span.stepper {
                (step("−", -by, "less"))
                input type="number" inputmode="numeric" id=(self.id()) name=(key)
                    value=[self.value.as_ref()] placeholder=(self.effective)
                    min=(min) max=(max) step="1" aria-describedby=(self.described());
                (step("+", by, "more"))
            }
        }
    }

    /// Numbers with decimals, and whatever kind there may be besides.
    fn text(&self) -> Markup {
        html! {
            input type="text" id=(self.id()) name=(self.setting.key) value=[self.value.as_ref()]
                placeholder=(self.effective) aria-describedby=(self.described()) autocomplete="off";
        }
    }
}

/// An anchor for a key.
pub(super) fn id(key: &str) -> String {
    key.replace('.', "-")
}

fn few(labels: &[impl AsRef<str>]) -> bool {
    let letters: usize = labels.iter().map(|label| label.as_ref().len()).sum();
    labels.len() <= BUTTONS && letters <= LETTERS
}

fn option(key: &str, value: &str, name: &str, checked: bool) -> Markup {
    html! {
        label { input type="radio" name=(key) value=(value) checked[checked]; span { (name) } }
    }
}

/// How far a tap goes: 1, or a round number where the range is wide.
fn stride(min: i64, max: i64) -> i64 {
    let wide = (max - min) / 60;
    [1, 5, 10, 25, 50, 100, 250]
        .into_iter()
        .rev()
        .find(|by| *by <= wide)
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::stride;

    #[test]
    fn a_tap_goes_one_stand_or_a_round_number_of_yards() {
        let strides = [(1, 40), (0, 3), (100, 1000), (1, 3000), (1, 6000)];
        assert_eq!(
            strides.map(|(min, max)| stride(min, max)),
            [1, 1, 10, 25, 50]
        );
    }
}
