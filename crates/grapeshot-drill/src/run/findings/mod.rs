//! What is probably not meant in a text that can be played: checks of its tables, what nobody reads or reaches, and lines
//! that no example holds.

mod checks;
mod hint;
mod mutants;
mod tried;
mod unread;

use super::Rules;
use crate::message::Message;

impl Rules {
    /// What does not hold of the tables, by the `check`s of the text: asked of a program that was loaded, and again of one
    /// whose cells were overlaid.
    pub fn table_failures(&self) -> Vec<Message> {
        checks::failures(self)
    }

    /// What is probably not meant and shows without asking anything: keys without effect, words that nothing comes to, texts
    /// that nobody calls, turns that are part of the state.
    pub fn unread(&self) -> Vec<Message> {
        sorted(unread::found(self.program()))
    }

    /// All that is probably not meant, in the order of the text: what is unread, and modifiers that never count and stages
    /// that are never entered in many questions.
    pub fn findings(&self) -> Vec<Message> {
        let mut found = unread::found(self.program());
        found.extend(tried::found(self));
        sorted(found)
    }

    /// Lines that no example and no expectation of the text holds: what could stand there otherwise, and nobody would notice.
    pub fn unheld(&self) -> Vec<Message> {
        sorted(mutants::unheld(self))
    }
}

fn sorted(mut messages: Vec<Message>) -> Vec<Message> {
    messages.sort_by_key(|message| (message.span.file, message.span.start));
    messages
}
