//! Reports: their labels in order, and whom they favour.

use super::header::Draft;
use super::name::Named;
use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::nearest::nearest;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, LabelLine, TemplatePart};
use std::sync::Arc;

/// A report while its header is read; `*` has been put in.
#[derive(Clone)]
pub(super) struct ReportDraft<'t> {
    pub name: Arc<str>,
    /// The side that `*` stands for.
    pub star: Option<usize>,
    pub kind: Option<&'t tree::Kind>,
    pub value: Option<&'t tree::Expr>,
    pub lines: &'t [LabelLine],
    pub help: Option<&'t tree::Help>,
    pub span: Span,
}

impl<'t> Checker<'t> {
    pub(super) fn side_name(&self, at: usize, side: usize) -> Arc<str> {
        self.program[self.program.procedures[at].sides[side].side]
            .name
            .clone()
    }

    /// A template of a header with the side put in for `*`; other values cannot stand in it.
    pub(super) fn starred(
        &self,
        at: usize,
        template: &tree::Template,
        side: Option<usize>,
    ) -> Arc<str> {
        let letters = template.parts.iter().map(|part| match part {
            TemplatePart::Letters(letters) => letters.clone(),
            TemplatePart::Star => {
                side.map_or_else(String::new, |side| self.side_name(at, side).to_string())
            }
            TemplatePart::Value(_) => String::new(),
        });
        letters.collect::<String>().into()
    }

    pub(super) fn has_star(template: &tree::Template) -> bool {
        template
            .parts
            .iter()
            .any(|part| matches!(part, TemplatePart::Star))
    }

    /// The sides that `*` stands for.
    pub(super) fn stars(&self, at: usize, star: bool) -> Vec<Option<usize>> {
        let sides = self.program.procedures[at].sides.len().min(2);
        if star {
            (0..sides).map(Some).collect()
        } else {
            vec![None]
        }
    }

    pub(super) fn read_report(
        &mut self,
        at: usize,
        head: &'t tree::ReportHead,
        span: Span,
        draft: &mut Draft<'t>,
    ) -> Checked<()> {
        let star = Self::has_star(&head.name);
        if star && self.program.procedures[at].sides.is_empty() {
            return self.error(
                span,
                "`*` stands for the first two sides, which are declared above",
            );
        }
        for side in self.stars(at, star) {
            let name = self.starred(at, &head.name, side);
            let new = ReportDraft {
                name: name.clone(),
                star: side,
                kind: head.kind.as_ref(),
                value: head.value.as_ref(),
                lines: &head.lines,
                help: head.help.as_ref(),
                span,
            };
            match draft.reports.iter_mut().find(|known| known.name == name) {
                Some(known) => {
                    known.kind = new.kind.or(known.kind);
                    known.value = new.value.or(known.value);
                    known.help = new.help.or(known.help);
                    if !new.lines.is_empty() {
                        known.lines = new.lines;
                    }
                }
                None => draft.reports.push(new),
            }
        }
        Ok(())
    }

    /// Variables that reports declare.
    pub(super) fn declare_reports(&mut self, at: usize, draft: &Draft<'t>) -> Checked<()> {
        for report in &draft.reports {
            if let (Some(kind), None) = (report.kind, report.value) {
                let sort = self.sort(kind, None)?;
                let id = self.var(&report.name, &sort, VarOrigin::Report, report.span);
                self.names[at].insert(report.name.clone(), Named::Var(id));
                self.program.procedures[at].vars.push(id);
            }
        }
        Ok(())
    }

    /// Labels as they are said: text and favour; `same`s apart.
    #[allow(clippy::type_complexity)]
    fn said_labels(
        &mut self,
        at: usize,
        report: &ReportDraft<'t>,
    ) -> (Vec<Label>, Vec<(Arc<str>, Arc<str>)>) {
        let mut labels: Vec<Label> = Vec::new();
        let mut same = Vec::new();
        for line in report.lines {
            match line {
                LabelLine::Favours(favour, words) => {
                    for word in words {
                        for side in self.stars(at, Self::has_star(word)) {
                            let text = self.starred(at, word, side);
                            if labels.iter().any(|label| label.text == text) {
                                let message = Message::error(
                                    word.raw.span,
                                    format!("the label `{text}` is said twice"),
                                );
                                self.say(message);
                                continue;
                            }
                            labels.push(Label {
                                text,
                                favour: Some(*favour),
                                value: None,
                            });
                        }
                    }
                }
                LabelLine::Same(one, other) => {
                    for side in self.stars(at, Self::has_star(one)) {
                        same.push((self.starred(at, one, side), self.starred(at, other, side)));
                    }
                }
            }
        }
        (labels, same)
    }

    /// The reports of a procedure, in order: each may name those before it.
    pub(super) fn check_reports(&mut self, at: usize, draft: &Draft<'t>) {
        for report in &draft.reports {
            let _ = self.check_report(at, report);
        }
    }

    fn check_report(&mut self, at: usize, report: &ReportDraft<'t>) -> Checked<()> {
        let (labels, same) = self.said_labels(at, report);
        let meaning: Arc<str> = match (report.help, report.star) {
            (Some(help), Some(side)) => help.meaning.replace('*', &self.side_name(at, side)).into(),
            (Some(help), None) => help.meaning.clone(),
            (None, _) => "".into(),
        };
        let mut s = self.header_scope(at);
        s.star = report.star.map(|side| (at, side));
        s.reports = Some((at, self.program.procedures[at].reports.len()));
        let name = tree::Name {
            text: report.name.clone(),
            span: report.span,
        };
        let value = match report.value {
            Some(value) => {
                let id = self.value(&mut s, value, None)?;
                Some(match self.ty(id) {
                    Type::Numbers | Type::Dice => self.numeric(&s, id)?,
                    Type::Units(_) | Type::Unit(_) => self.coerce(&s, id, Type::Side)?,
                    _ => id,
                })
            }
            None => self.named(&mut s, &name)?,
        };
        let (value, ty, range) = match value {
            Some(id) => {
                let ty = self.ty(id);
                let declared = matches!(
                    self.program[id].kind,
                    ExprKind::Var(_) | ExprKind::Field(..)
                );
                let range = match report.kind {
                    Some(kind) => self.sort(kind, None)?.range,
                    None if declared => self.range_of(id),
                    // What is worked out counts from 0, whatever the ranges of its parts could come to.
                    None => self.range_of(id).map(|range| Interval {
                        low: range.low.max(0),
                        high: range.high.max(0),
                    }),
                };
                let throws = self.program[id].effects.throws || self.program[id].effects.changes;
                if throws {
                    return self.error(report.span, "a report throws no dice and changes nothing");
                }
                let formula = Formula {
                    locals: s.locals,
                    value: id,
                };
                (ReportValue::Value(formula), ty, range)
            }
            None => {
                if labels.is_empty() {
                    let message =
                        Message::error(report.span, format!("nothing says what `{name}` is"));
                    return self.fail(
                        message.help("give it labels below it (`success: …`), a kind, or `= …`"),
                    );
                }
                if self.program.procedures[at].outcome.is_some() {
                    let message =
                        Message::error(report.span, format!("nothing says what `{name}` is"));
                    return self.fail(
                        message.note(
                            "one report is the label of `end`, and there is one above already",
                        ),
                    );
                }
                self.program.procedures[at].outcome =
                    Some(self.program.procedures[at].reports.len());
                let letters: Vec<Arc<str>> =
                    labels.iter().map(|label| label.text.clone()).collect();
                let words = self.anonymous(&letters, report.span);
                (ReportValue::Outcome, Type::Word(words), None)
            }
        };
        let labels = self.labels_of_type(at, ty, labels, report)?;
        for (_, other) in &same {
            if !labels.iter().any(|label| label.text == *other) {
                return self.error(report.span, format!("`{other}` is no label of `{name}`"));
            }
        }
        self.program.procedures[at].reports.push(Report {
            name: report.name.clone(),
            meaning,
            value,
            ty,
            range,
            labels,
            same,
            span: report.span,
        });
        Ok(())
    }

    /// All labels a value can have, those that are said first.
    fn labels_of_type(
        &mut self,
        at: usize,
        ty: Type,
        said: Vec<Label>,
        report: &ReportDraft<'t>,
    ) -> Checked<Vec<Label>> {
        let label = |text: &str, value: Option<Value>| Label {
            text: text.into(),
            favour: None,
            value,
        };
        let all: Vec<Label> = match ty {
            Type::Flag => vec![
                label("no", Some(Value::Flag(false))),
                label("yes", Some(Value::Flag(true))),
            ],
            Type::Word(_) | Type::Mixed(_) => {
                let words = self.words_of(ty);
                words
                    .into_iter()
                    .map(|word| label(&self.letters(word), Some(Value::Word(word))))
                    .collect()
            }
            Type::MaybeUnit(_) | Type::MaybeSide | Type::Side => {
                let sides = self.program.procedures[at].sides.len().min(2);
                let mut all: Vec<Label> = (0..sides)
                    .map(|side| label(&self.side_name(at, side), None))
                    .collect();
                if ty != Type::Side {
                    all.push(label("none", Some(Value::Nobody)));
                }
                all
            }
            Type::Record(of) => self.record_labels(of),
            Type::Number => Vec::new(),
            Type::Fraction => {
                let title = "this is a fraction, and a report counts in whole numbers";
                let message = Message::error(report.span, title);
                return self.fail(
                    message.help("say how it is rounded, `down(…)` or `up(…)`; of a share `down(100 * …)` is a percentage"),
                );
            }
            _ => {
                let is = self.type_name(ty);
                return self.error(
                    report.span,
                    format!("this is {is}, which cannot be reported"),
                );
            }
        };
        if said.is_empty() {
            return Ok(match ty {
                // Sides as they are declared, nobody first.
                Type::MaybeUnit(_) | Type::MaybeSide => {
                    let mut all = all;
                    let nobody = all.pop();
                    nobody.into_iter().chain(all).collect()
                }
                _ => all,
            });
        }
        let mut labels = Vec::new();
        for one in said {
            let text: Arc<str> = match (&*one.text, ty) {
                ("true", Type::Flag) => "yes".into(),
                ("false", Type::Flag) => "no".into(),
                _ => one.text.clone(),
            };
            match all.iter().find(|known| known.text == text) {
                Some(known) => labels.push(Label {
                    text,
                    favour: one.favour,
                    value: known.value.clone(),
                }),
                None => {
                    let known = all.iter().map(|label| &*label.text);
                    let meant =
                        nearest(&text, known).map(|meant| format!("did you mean `{meant}`?"));
                    let title = format!("`{text}` is no value of `{}`", report.name);
                    return self.fail(Message::error(report.span, title).maybe_help(meant));
                }
            }
        }
        if let Some(missing) = all
            .iter()
            .find(|known| !labels.iter().any(|label| label.text == known.text))
        {
            let title = format!(
                "nothing says whom the label `{}` of `{}` favours",
                missing.text, report.name
            );
            return self.error(report.span, title);
        }
        if ty == Type::Flag {
            labels.sort_by_key(|label| label.value != Some(Value::Flag(false)));
        }
        Ok(labels)
    }

    /// The labels of the records that are printed, in the order of their codes, then of the print.
    fn record_labels(&self, of: RecordId) -> Vec<Label> {
        let mut found: Vec<(u16, Arc<str>, Value)> = Vec::new();
        fn visit(value: &Value, of: RecordId, found: &mut Vec<(u16, Arc<str>, Value)>) {
            if let Value::Record(record) = value {
                if record.of == of
                    && record.code != u16::MAX
                    && !found.iter().any(|(_, label, _)| *label == record.label)
                {
                    found.push((record.code, record.label.clone(), value.clone()));
                }
                record
                    .fields
                    .iter()
                    .for_each(|field| visit(field, of, found));
            }
        }
        for cell in &self.program.cells {
            visit(&cell.value, of, &mut found);
        }
        for table in &self.program.tables {
            if let Some((_, results)) = &table.by_faces {
                results
                    .iter()
                    .for_each(|value| visit(value, of, &mut found));
            }
        }
        for expr in &self.program.exprs {
            if let ExprKind::Literal(value) = &expr.kind {
                visit(value, of, &mut found);
            }
        }
        // Of one code by the numbers in it; else as they are printed.
        let numbers = |value: &Value| -> Vec<i64> {
            match value {
                Value::Record(record) => record.fields.iter().filter_map(Value::number).collect(),
                _ => Vec::new(),
            }
        };
        found.sort_by_key(|(code, _, value)| (*code, numbers(value)));
        let label = |(_, text, value)| Label {
            text,
            favour: None,
            value: Some(value),
        };
        found.into_iter().map(label).collect()
    }

    /// What a formula of a header can name.
    pub(super) fn header_scope(&self, at: usize) -> Scope {
        Scope {
            procedures: vec![at],
            ..Scope::default()
        }
    }
}
