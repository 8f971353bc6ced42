//! Headers: sides, keys, reports, and what else a procedure says before its text.

use super::token::Kind;
use super::{Parser, Read};
use crate::message::Message;
use crate::tree::*;

const HEADS: [&str; 10] = [
    "side", "sides", "asks", "like", "refuse", "note", "report", "show", "worth", "plans",
];

impl Parser<'_, '_> {
    /// Whether the line is one of a header; such a word is a name where something is done with it.
    fn begins_head(&self) -> bool {
        let done = [
            Kind::Equals,
            Kind::Open,
            Kind::Dot,
            Kind::PlusEquals,
            Kind::MinusEquals,
            Kind::OpenSquare,
        ];
        self.at(Kind::Name)
            && HEADS.contains(&self.letters())
            && !self
                .peek_at(1)
                .is_some_and(|next| done.contains(&next) && !self.at_word("worth"))
    }

    /// The lines of the header below, and how many they are.
    pub(super) fn heads_below(&mut self) -> (Vec<Head>, usize) {
        self.took_below = true;
        let line = self.line;
        let mut heads = Vec::new();
        for (count, below) in line.below.iter().enumerate() {
            if below.broken {
                continue;
            }
            let mut parser = Parser::new(self.context, below);
            if !parser.begins_head() {
                return (heads, count);
            }
            let head = parser
                .head()
                .and_then(|head| parser.finish().map(|()| head));
            heads.extend(head.ok());
        }
        (heads, line.below.len())
    }

    /// A header that is nothing else.
    pub(super) fn only_heads(&mut self) -> Vec<Head> {
        let (heads, count) = self.heads_below();
        if let Some(other) = self.line.below.get(count) {
            let message = Message::error(other.span, "a header has no statements");
            self.context
                .messages
                .push(message.help("they stand in the procedures that are `like` it"));
        }
        heads
    }

    /// Header and text of a procedure; what belongs to a header may not stand below its statements.
    pub(super) fn head_and_body(&mut self) -> (Vec<Head>, Block) {
        let (heads, count) = self.heads_below();
        let line = self.line;
        for below in line.below.iter().skip(count) {
            let parser = Parser::new(self.context, below);
            if parser.begins_head() {
                let title = format!(
                    "`{}` belongs to the header, and stands below the first statement",
                    parser.letters()
                );
                let message = Message::error(below.span, title);
                self.context
                    .messages
                    .push(message.also(line.below[count].span, "the first statement"));
                return (heads, Vec::new());
            }
        }
        let body = self.statements_below(count);
        (heads, body)
    }

    fn head(&mut self) -> Read<Head> {
        let span = self.line.span;
        let word = self.letters();
        self.at += 1;
        let kind = match word {
            "side" | "sides" => HeadKind::Side(self.side()?),
            "asks" => HeadKind::Asks(self.asks()?),
            "like" => HeadKind::Like(self.name("a header or a procedure")?),
            "refuse" => HeadKind::Refuse(self.refuse()?),
            "note" => self.note()?,
            "show" => self.show()?,
            "worth" => HeadKind::Worth(self.expr()?),
            "report" => HeadKind::Report(self.report()?),
            _ => {
                self.expect(Kind::Colon, ":")?;
                self.end()?;
                HeadKind::Plans(self.some_below(|p| p.below(|p| p.plan()))?)
            }
        };
        Ok(Head { kind, span })
    }

    fn side(&mut self) -> Read<SideHead> {
        let mut names = vec![self.new_name("the name of a side")?];
        while self.accept(Kind::Comma) {
            names.push(self.new_name("the name of a side")?);
        }
        let times = match self.accept_word("times") {
            true => Some(self.name("the key that says how many")?),
            false => None,
        };
        let as_type = match self.accept_word("as") {
            true => Some(self.name("a type of units")?),
            false => None,
        };
        let keys = match self.accept(Kind::Colon) && !self.done() {
            true => self.dotted_list("a field, or a group of settings")?,
            false => Vec::new(),
        };
        self.end()?;
        let own = self.below(|p| p.field());
        Ok(SideHead {
            names,
            times,
            as_type,
            keys,
            own,
        })
    }

    fn asks(&mut self) -> Read<Vec<Field>> {
        if self.accept(Kind::Colon) {
            self.end()?;
            return self.some_below(|p| p.below(|p| p.field()));
        }
        let first = self.field()?;
        if !self.at(Kind::Comma) {
            return Ok(vec![first]);
        }
        if first.kind.is_some() || first.sets.is_some() || first.default.is_some() {
            return self.fail("a key with a kind stands on a line of its own");
        }
        let mut all = vec![first];
        while self.accept(Kind::Comma) {
            let name = self.dotted("the name of a key")?;
            all.push(Field {
                each: false,
                span: name.span,
                name,
                sets: None,
                kind: None,
                default: None,
                fixed: None,
                help: None,
            });
        }
        // Help after several names is none of theirs.
        all[0].help = None;
        Ok(all)
    }

    fn note(&mut self) -> Read<HeadKind> {
        let text = self.text("a text")?;
        if !self.accept_word("when") {
            return Ok(HeadKind::Note(text, None));
        }
        let condition = self.condition()?;
        self.expect(Kind::Colon, ":")?;
        let said = self.value_here_or_below()?;
        Ok(HeadKind::Note(text, Some((condition, said))))
    }

    fn show(&mut self) -> Read<HeadKind> {
        let name = self.template("a name")?;
        let value = match self.accept(Kind::Equals) {
            true => Some(self.choice()?),
            false => None,
        };
        let condition = match self.accept_word("when") {
            true => Some(self.condition()?),
            false => None,
        };
        Ok(HeadKind::Show {
            name,
            value,
            condition,
        })
    }

    fn report(&mut self) -> Read<ReportHead> {
        let name = self.template("the name of a report")?;
        let kind = match self.accept(Kind::Colon) {
            true => Some(self.kind()?),
            false => None,
        };
        let value = match self.accept(Kind::Equals) {
            true => Some(self.expr()?),
            false => None,
        };
        self.end()?;
        let help = self.help();
        let lines = self.below(|p| p.label_line());
        Ok(ReportHead {
            name,
            kind,
            value,
            lines,
            help,
        })
    }

    /// `success: a | b`.
    fn label_line(&mut self) -> Read<LabelLine> {
        let favour = match self.letters() {
            "success" => FavourWord::Success,
            "undecided" => FavourWord::Undecided,
            "failure" => FavourWord::Failure,
            "same" => {
                self.at += 1;
                self.expect(Kind::Colon, ":")?;
                let one = self.template("an outcome")?;
                self.expect_word("as")?;
                return Ok(LabelLine::Same(one, self.template("an outcome")?));
            }
            _ => return self.expected("`success`, `undecided`, `failure` or `same`"),
        };
        self.at += 1;
        self.expect(Kind::Colon, ":")?;
        let mut labels = vec![self.template("a label")?];
        while self.accept(Kind::Bar) {
            labels.push(self.template("a label")?);
        }
        Ok(LabelLine::Favours(favour, labels))
    }

    fn plan(&mut self) -> Read<PlanLine> {
        let span = self.line.span;
        let label = self.template("the name of a plan")?;
        let over = self.several()?;
        self.expect(Kind::Colon, ":")?;
        let mut then = vec![self.word("an action")?];
        let mut at_first = None;
        if self.accept_word("while") {
            let condition = self.condition()?;
            self.expect(Kind::Comma, ",")?;
            self.expect_word("then")?;
            at_first = then.pop().map(|action| (action, condition));
            then.push(self.word("an action")?);
        }
        while self.accept(Kind::Comma) {
            then.push(self.word("an action")?);
        }
        Ok(PlanLine {
            label,
            over,
            at_first,
            then,
            span,
        })
    }
}
