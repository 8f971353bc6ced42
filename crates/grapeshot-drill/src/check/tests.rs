//! Examples and expectations: keys, values and labels that there are.

use super::{Checked, Checker};
use crate::message::Message;
use crate::number;
use crate::program::*;
use crate::tree;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn check_tests(&mut self) {
        for (example, span) in std::mem::take(&mut self.declared.examples) {
            if let Ok(checked) = self.example(example, span) {
                self.program.examples.push(checked);
            }
        }
        for (expect, span) in std::mem::take(&mut self.declared.expects) {
            if let Ok(checked) = self.expect(expect, span) {
                self.program.expects.push(checked);
            }
        }
    }

    fn question(&mut self, ask: &tree::Ask) -> Checked<Question> {
        let name = &ask.procedure;
        let found = self
            .program
            .procedure(name, false)
            .or_else(|| self.program.procedure(name, true));
        let Some(procedure) = found else {
            let known: Vec<Arc<str>> = self
                .program
                .procedures
                .iter()
                .map(|p| p.name.clone())
                .collect();
            return self.unknown(name, "procedure", known.iter().map(|name| &**name));
        };
        let mut given = Vec::new();
        for (key, value) in &ask.settings {
            let written = key.written();
            let Some(at) = self.program[procedure].key(&written) else {
                let known: Vec<Arc<str>> = self.program[procedure]
                    .keys
                    .iter()
                    .map(|key| key.name.clone())
                    .collect();
                let name = tree::Name {
                    text: written.into(),
                    span: key.span,
                };
                let what = format!("key of `{}`", ask.procedure);
                return self.unknown(&name, &what, known.iter().map(|name| &**name));
            };
            given.push((at, self.given_value(procedure, at, value)?));
        }
        Ok(Question { procedure, given })
    }

    fn given_value(
        &mut self,
        procedure: ProcedureId,
        at: usize,
        given: &tree::Name,
    ) -> Checked<Value> {
        let key = &self.program[procedure].keys[at];
        for alternative in &key.kind {
            match alternative {
                KeyAlternative::Flag => {
                    if let Ok(flag) = given.parse() {
                        return Ok(Value::Flag(flag));
                    }
                }
                KeyAlternative::Number { low, high, whole } => {
                    if let Some(number) = number::read(given)
                        .filter(|n| low <= n && n <= high && (!whole || n.is_integer()))
                    {
                        return Ok(match *whole {
                            true => Value::Number(number.to_integer()),
                            false => Value::Fraction(number),
                        });
                    }
                }
                KeyAlternative::Word(word, value) if *word == given.text => {
                    return Ok(value.clone());
                }
                KeyAlternative::Word(..) => {}
            }
        }
        let allowed: Vec<String> = key
            .kind
            .iter()
            .map(|alternative| match alternative {
                KeyAlternative::Flag => "true or false".into(),
                KeyAlternative::Number { low, high, .. } => format!("{low} to {high}"),
                KeyAlternative::Word(word, _) => word.to_string(),
            })
            .collect();
        let title = format!("`{}` cannot be `{given}`", key.name);
        self.fail(
            Message::error(given.span, title).note(format!("it may be {}", allowed.join(", "))),
        )
    }

    fn report_at(&mut self, procedure: ProcedureId, name: &tree::Name) -> Checked<usize> {
        match self.program[procedure]
            .reports
            .iter()
            .position(|report| report.name == name.text)
        {
            Some(at) => Ok(at),
            None => {
                let known: Vec<Arc<str>> = self.program[procedure]
                    .reports
                    .iter()
                    .map(|r| r.name.clone())
                    .collect();
                self.unknown(name, "report", known.iter().map(|name| &**name))
            }
        }
    }

    /// A value of a report as it is reported.
    fn label(
        &mut self,
        procedure: ProcedureId,
        report: usize,
        value: &tree::Name,
    ) -> Checked<Arc<str>> {
        let report = &self.program[procedure].reports[report];
        let text: Arc<str> = match (report.ty, &*value.text) {
            (Type::Flag, "true") => "yes".into(),
            (Type::Flag, "false") => "no".into(),
            _ => value.text.clone(),
        };
        if report.labels.is_empty() {
            return match number::read(&text) {
                Some(_) => Ok(text),
                None => {
                    let title = format!("`{}` is a number", report.name);
                    self.error(value.span, title)
                }
            };
        }
        if report.labels.iter().any(|label| label.text == text) {
            return Ok(text);
        }
        let known: Vec<Arc<str>> = report
            .labels
            .iter()
            .map(|label| label.text.clone())
            .collect();
        let what = format!("value of `{}`", report.name);
        self.unknown(value, &what, known.iter().map(|label| &**label))
    }

    fn example(&mut self, example: &tree::Example, span: crate::source::Span) -> Checked<Example> {
        let question = self.question(&example.ask)?;
        let procedure = question.procedure;
        let mut trials = Vec::new();
        for trial in &example.trials {
            let mut dice = Vec::new();
            for die in &trial.dice {
                match number::read(die).filter(|n| n.is_integer()) {
                    Some(number) => dice.push(number.to_integer()),
                    None => return self.error(die.span, "what a die shows is a number"),
                }
            }
            let mut results = Vec::new();
            for (one, value) in &trial.results {
                results.push(match value {
                    Some(value) => {
                        let report = self.report_at(procedure, one)?;
                        (report, self.label(procedure, report, value)?)
                    }
                    None => {
                        let flag = self.program[procedure]
                            .reports
                            .iter()
                            .position(|r| r.name == one.text && r.ty == Type::Flag);
                        match flag {
                            Some(report) => (report, "yes".into()),
                            None => (0, self.label(procedure, 0, one)?),
                        }
                    }
                });
            }
            trials.push(Trial {
                dice,
                results,
                span: trial.span,
            });
        }
        Ok(Example {
            title: example.title.text.clone(),
            question,
            trials,
            span,
        })
    }

    fn expect(&mut self, expect: &tree::Expect, span: crate::source::Span) -> Checked<Expect> {
        let question = self.question(&expect.ask)?;
        let report = self.report_at(question.procedure, &expect.report)?;
        let mut chances = Vec::new();
        for (value, chance) in &expect.chances {
            let label = self.label(question.procedure, report, value)?;
            // A published 0.7654 is rounded: it holds to half of its last place.
            let decimals = self.sources.text(chance.span).split_once('.');
            let places = decimals.filter(|_| matches!(chance.kind, tree::ExprKind::Number(_)));
            let unit = places.and_then(|(_, places)| 10i64.checked_pow(places.len() as u32));
            chances.push(ExpectedChance {
                label,
                chance: self.constant(chance)?.value,
                within: unit.map_or(number::Fraction::from_integer(0), |unit| {
                    number::Fraction::new(1, unit.saturating_mul(2))
                }),
                span: value.span,
            });
        }
        Ok(Expect {
            question,
            report,
            chances,
            span,
        })
    }
}
