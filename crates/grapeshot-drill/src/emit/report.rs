//! What a finished trial reports.

use super::{Held, Out, Scope, Writer};
use crate::program::{Report, ReportValue, Type};
use crate::run::lower::lowest;
use std::fmt::Write;

impl<'p> Writer<'p> {
    /// The function that makes a row.
    pub(super) fn reports(&mut self) -> Out<String> {
        let reports: &'p [Report] = &self.layout.procedure.reports;
        let mut text = String::from(
            "fn row<D: Dice>(k: &Known, s: &mut Field, w: &Wrong, d: &mut D) -> Row {\nlet mut row = Row::default();\n",
        );
        for (at, report) in reports.iter().enumerate() {
            let value = match &report.value {
                ReportValue::Outcome => "s.clock.outcome".to_owned(),
                ReportValue::Value(formula) => {
                    let mut scope = Scope {
                        prefix: format!("r{at}_"),
                        reports: at,
                        ..Scope::new(&formula.locals, Type::Nothing)
                    };
                    text.push_str(&self.declared(&scope, &[])?);
                    self.expr(&mut scope, formula.value)?
                }
            };
            let _ = writeln!(text, "let report_{at} = {value};");
            let _ = writeln!(text, "row[{at}] = {};", self.label(at, report)?);
        }
        text.push_str("row\n}\n");
        Ok(text)
    }

    fn label(&mut self, at: usize, report: &Report) -> Out<String> {
        if let ReportValue::Outcome = report.value {
            return Ok(format!("report_{at} as u16"));
        }
        let span = report.span;
        if report.labels.is_empty() {
            if report.ty != Type::Number {
                return self.refuse(span, "such a report");
            }
            let start = format!("`{}` would be ", report.name);
            let wrong = self.trouble(format!("{start:?}.to_owned() + &n.to_string()"), span);
            let low = lowest(report);
            return Ok(format!(
                "match u16::try_from(i64::from(report_{at}) - ({low})) {{ Ok(above) => above, Err(_) => {{ w.note({wrong}, report_{at}); 0 }} }}"
            ));
        }
        let Some((count, low)) = self.named(report.ty) else {
            return self.refuse(span, "such a report");
        };
        let array = self.filled(
            "labels",
            &format!("[i32; {count}]"),
            format!("fill.labels({at}, {low})"),
        );
        let wrong = self.trouble(format!("fill.no_label({at}, n)"), span);
        let value = match self.held(report.ty, span)? {
            Held::Flag => format!("i32::from(report_{at})"),
            _ => format!("report_{at}"),
        };
        Ok(format!(
            "{{ let at = {value}; let label = {array}[(at - ({low})) as usize]; if label < 0 {{ w.note({wrong}, at); }} label as u16 }}"
        ))
    }
}
