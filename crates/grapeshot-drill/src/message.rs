//! Messages: what is wrong, where, and what was probably meant. All of a file are collected and shown together, in the order
//! of the text; what follows from an error is not said.

use crate::source::{Sources, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Whether it stops the ruleset from being used.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub title: String,
    /// Where.
    pub span: Span,
    /// Beside the caret; may be empty.
    pub label: String,
    /// Other places that matter, each with what is said beside it.
    pub others: Vec<(Span, String)>,
    /// What is good to know.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot be used.
    Error,
    /// It can, but it is probably not meant.
    Warning,
}

impl Message {
    /// An error.
    pub fn error(span: Span, title: impl Into<String>) -> Self {
        Message {
            severity: Severity::Error,
            title: title.into(),
            span,
            label: String::new(),
            others: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning.
    pub fn warning(span: Span, title: impl Into<String>) -> Self {
        Message {
            severity: Severity::Warning,
            ..Message::error(span, title)
        }
    }

    /// Says something beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what is good to know.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Shows another place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.others.push((span, label.into()));
        self
    }

    /// Says what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to write instead, if anything comes to mind.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// As it is shown, without colours.
    pub fn render(&self, sources: &Sources) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let file = sources.file(self.span.file);
        let mut snippet = Snippet::source(&*file.text).path(&*file.name).annotation(
            AnnotationKind::Primary
                .span(shown(self.span, &file.text))
                .label(&self.label),
        );
        let (near, far): (Vec<_>, Vec<_>) = self
            .others
            .iter()
            .partition(|(span, _)| span.file == self.span.file);
        for (span, label) in near {
            snippet = snippet.annotation(
                AnnotationKind::Context
                    .span(shown(*span, &file.text))
                    .label(label),
            );
        }
        let mut group = level.primary_title(&self.title).element(snippet);
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help));
        }
        let far: Vec<_> = far
            .into_iter()
            .map(|(span, label)| (sources.file(span.file), span, label))
            .collect();
        let mut groups: Vec<Group<'_>> = vec![group];
        for (file, span, label) in &far {
            let snippet = Snippet::source(&*file.text)
                .path(&*file.name)
                .annotation(AnnotationKind::Context.span(shown(**span, &file.text)));
            groups.push(Level::NOTE.secondary_title(label.as_str()).element(snippet));
        }
        Renderer::plain().render(&groups)
    }
}

/// A stretch of the text that can be shown: within it, and on letters' borders.
fn shown(span: Span, text: &str) -> std::ops::Range<usize> {
    let border = |at: u32| {
        let at = (at as usize).min(text.len());
        (0..=at)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0)
    };
    let (start, end) = (border(span.start), border(span.end));
    start..end.max(start)
}

/// Messages as they come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    list: Vec<Message>,
}

impl Messages {
    /// No more are kept than anybody reads.
    const MOST: usize = 100;

    /// Takes in a message; the same is not said twice of one place.
    pub fn push(&mut self, message: Message) {
        let known = |other: &Message| other.span == message.span && other.title == message.title;
        if self.list.len() < Self::MOST && !self.list.iter().any(known) {
            self.list.push(message);
        }
    }

    /// Takes in those of another pass.
    pub fn extend(&mut self, other: Messages) {
        other
            .list
            .into_iter()
            .for_each(|message| self.push(message));
    }

    /// Whether anything is wrong.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|message| message.severity == Severity::Error)
    }

    /// All of them, in the order of the text.
    pub fn sorted(mut self) -> Vec<Message> {
        self.list.sort_by_key(|message| message.span);
        self.list
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}

/// All messages as they are shown, with a blank line between them.
pub fn render_all(messages: &[Message], sources: &Sources) -> String {
    let rendered: Vec<String> = messages
        .iter()
        .map(|message| message.render(sources))
        .collect();
    rendered.join("\n\n")
}
