//! The sentences a text refuses with, for a dictionary that has them in another language.

use grapeshot_drill::message::Messages;
use grapeshot_drill::parse::parse;
use grapeshot_drill::source::Sources;
use grapeshot_drill::tree::{
    Block, Expr, ExprKind, Head, HeadKind, Item, ItemKind, Refuse, StmtKind, Template, TemplatePart,
};

/// Every sentence of these texts that may be the reason of a refusal, its gaps numbered: `only {1} can`.
pub(super) fn refusals(texts: &[&str]) -> Vec<String> {
    let mut sources = Sources::default();
    let mut items: Vec<Item> = Vec::new();
    for text in texts {
        let file = sources.add("", text);
        // What is wrong with a text is told where it is read.
        items.extend(parse(&sources, file, &mut Messages::default()).items);
    }
    let mut found = Found::default();
    let said: Vec<&Refuse> = items.iter().flat_map(refused).collect();
    for refusal in said {
        found.expression(&refusal.text);
    }
    // A sentence may be left to a text of its own.
    for item in &items {
        if let ItemKind::Text(text) = &item.kind
            && found
                .called
                .iter()
                .any(|name| *name == *text.signature.name.text)
        {
            found.block(&text.body);
        }
    }
    found.sentences
}

fn refused(item: &Item) -> Vec<&Refuse> {
    fn of_head(head: &Head) -> Option<&Refuse> {
        match &head.kind {
            HeadKind::Refuse(refusal) => Some(refusal),
            _ => None,
        }
    }
    match &item.kind {
        ItemKind::Unit(unit) => unit.body.refusals.iter().collect(),
        ItemKind::Procedure(procedure) => (procedure.head.iter()).filter_map(of_head).collect(),
        ItemKind::Header(_, head) => head.iter().filter_map(of_head).collect(),
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Found {
    sentences: Vec<String>,
    /// Texts that are called in a gap.
    called: Vec<String>,
}

impl Found {
    fn block(&mut self, block: &Block) {
        for stmt in block.iter() {
            match &stmt.kind {
                StmtKind::Return(Some(value)) => self.expression(value),
                StmtKind::If {
                    branches,
                    otherwise,
                } => {
                    branches.iter().for_each(|(_, block)| self.block(block));
                    otherwise.iter().for_each(|block| self.block(block));
                }
                StmtKind::Case { arms, .. } => arms.iter().for_each(|arm| self.block(&arm.body)),
                _ => {}
            }
        }
    }

    fn expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(template) => self.template(template),
            ExprKind::If {
                then, otherwise, ..
            } => {
                self.expression(then);
                self.expression(otherwise);
            }
            ExprKind::Case { arms, .. } => arms.iter().for_each(|arm| self.expression(&arm.body)),
            ExprKind::Call(call) => {
                if let ExprKind::Name(name) = &call.called.kind {
                    self.called.push(name.text.to_string());
                }
            }
            _ => {}
        }
    }

    fn template(&mut self, template: &Template) {
        let (mut said, mut gaps) = (String::new(), 0);
        for part in &template.parts {
            match part {
                TemplatePart::Letters(letters) => said += letters,
                TemplatePart::Value(value) => {
                    gaps += 1;
                    said += &format!("{{{gaps}}}");
                    self.expression(value);
                }
                TemplatePart::Star => said.push('*'),
            }
        }
        if said.chars().filter(|c| c.is_alphabetic()).count() > 1
            && said != "{1}"
            && !self.sentences.contains(&said)
        {
            self.sentences.push(said);
        }
    }
}
