//! Statements.

use super::{Held, Out, Scope, Writer};
use crate::program::{
    Elements, EventArm, ExprId, ExprKind, LocalId, QueueId, Stmt, StmtKind, Target, TextPart, Type,
    Value,
};
use crate::run::direct::MOST_EVENTS;
use crate::source::Span;
use std::fmt::Write;

impl<'p> Writer<'p> {
    /// Statements in order.
    pub(super) fn block(&mut self, scope: &mut Scope<'p>, block: &'p [Stmt]) -> Out<String> {
        let mut text = String::new();
        for stmt in block {
            text.push_str(&self.stmt(scope, stmt)?);
            text.push('\n');
        }
        Ok(text)
    }

    fn stmt(&mut self, scope: &mut Scope<'p>, stmt: &'p Stmt) -> Out<String> {
        Ok(match &stmt.kind {
            StmtKind::Let(_, value)
                if self.program[*value].ty == Type::Text && self.does_nothing(*value) =>
            {
                String::new()
            }
            StmtKind::Let(local, value) => {
                let code = self.expr(scope, *value)?;
                self.bind(scope, *local, *value)?;
                format!("{} = {code};", self.write_local(scope, *local))
            }
            StmtKind::Set {
                target,
                value,
                proved,
                range,
            } => {
                let one = self.held(self.program[*value].ty, stmt.span)? == Held::One;
                if self.is_then(scope, *value)? {
                    return self.refuse(stmt.span, "what was, in what changes,");
                }
                let code = self.expr(scope, *value)?;
                let name = self.name();
                let put = self.write_target(scope, *target, &name)?;
                let check = match range.filter(|_| !proved && one) {
                    Some(range) => {
                        let what = self.program.sources.text(stmt.span);
                        let text = format!("`{what}` would be ");
                        let wrong = self.trouble(
                            format!(
                                "{text:?}.to_owned() + &format!(\"{{n}}, and may be {} to {}\")",
                                range.low, range.high
                            ),
                            stmt.span,
                        );
                        let far = i64::from(i32::MAX);
                        let (low, high) = (range.low.max(-far), range.high.min(far));
                        format!(
                            "if !({low}..={high}).contains(&{name}) {{ w.note({wrong}, {name}); }}"
                        )
                    }
                    None => String::new(),
                };
                format!("{{ let {name} = {code}; {check} {put} }}")
            }
            StmtKind::Do(value) => format!("let _ = {};", self.expr(scope, *value)?),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let blocks = branches.iter().map(|(_, block)| block).chain([otherwise]);
                let conditions = branches.iter().map(|(condition, _)| *condition);
                if blocks
                    .flatten()
                    .all(|stmt| matches!(stmt.kind, StmtKind::Tell { .. }))
                    && conditions.into_iter().all(|id| self.does_nothing(id))
                {
                    return Ok(String::new());
                }
                let mut text = String::new();
                for (condition, block) in branches {
                    let condition = self.expr(scope, *condition)?;
                    let block = self.block(scope, block)?;
                    let _ = write!(text, "if {condition} {{ {block} }} else ");
                }
                let _ = write!(text, "{{ {} }}", self.block(scope, otherwise)?);
                text
            }
            StmtKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                let mut text = String::new();
                if let Some((local, value)) = subject {
                    let code = self.expr(scope, *value)?;
                    self.bind(scope, *local, *value)?;
                    let _ = write!(text, "{} = {code}; ", self.write_local(scope, *local));
                }
                for (condition, block) in arms {
                    let condition = self.expr(scope, *condition)?;
                    let block = self.block(scope, block)?;
                    let _ = write!(text, "if {condition} {{ {block} }} else ");
                }
                let last = match otherwise {
                    Some(block) => self.block(scope, block)?,
                    None => String::new(),
                };
                let _ = write!(text, "{{ {last} }}");
                text
            }
            StmtKind::For {
                element,
                over,
                condition,
                body,
            } => {
                let mut text = String::new();
                for part in self.together(over, stmt.span)? {
                    let code = self.through(scope, part, *element, *condition, body)?;
                    let _ = writeln!(text, "{{ {code} }}");
                }
                text
            }
            StmtKind::Turns(last, body) => {
                let last = self.expr(scope, *last)?;
                let body = self.block(scope, body)?;
                format!(
                    "{} for turn in 1..={last} {{ if w.any() {{ break; }} s.clock.turn = turn; {body} }}",
                    BEGIN
                )
            }
            StmtKind::Repeat(times, body) => {
                let times = self.expr(scope, *times)?;
                let body = self.block(scope, body)?;
                format!("for _ in 0..{times} {{ if w.any() {{ break; }} {body} }}")
            }
            StmtKind::Stage(name, body) => self.stage(scope, name, body, stmt.span)?,
            StmtKind::End(label) => self.end(scope, label.as_deref(), stmt.span)?,
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => {
                        if self.is_then(scope, *value)? {
                            return self.refuse(stmt.span, "a unit that was, given back,");
                        }
                        self.expr(scope, *value)?
                    }
                    None => self.blank(scope.returns, stmt.span)?,
                };
                match scope.ends {
                    true => format!("return Ok({value});"),
                    false => format!("return {value};"),
                }
            }
            StmtKind::Choose { .. } => return self.refuse(stmt.span, "a choice"),
            StmtKind::Tell { .. } => String::new(),
            StmtKind::Add(unit, target) => self.member(scope, *unit, *target, true)?,
            StmtKind::Remove(unit, target) => self.member(scope, *unit, *target, false)?,
            StmtKind::Put(queue, event, values) => {
                self.put(scope, *queue, *event, values, stmt.span)?
            }
            StmtKind::WorkOff(queue, arms) => self.work_off(scope, *queue, arms, stmt.span)?,
        })
    }

    fn stage(
        &mut self,
        scope: &mut Scope<'p>,
        name: &'p [TextPart],
        body: &'p [Stmt],
        span: Span,
    ) -> Out<String> {
        let names = self.names(scope, name, span)?;
        let array = self.filled(
            "stages",
            &format!("[u8; {}]", names.count),
            format!("fill.stages({})", names.parts),
        );
        let outer = self.name();
        let inside = self.block(scope, body)?;
        // Whoever returns out of a stage has left it.
        let inside = inside.replace("return ", &format!("s.clock.in_stage = {outer}; return "));
        Ok(format!(
            "{BEGIN} let {outer} = s.clock.in_stage; if !{outer} {{ s.clock.stage = {array}[{}]; s.clock.in_stage = true; }} {inside} s.clock.in_stage = {outer};",
            names.at
        ))
    }

    fn end(
        &mut self,
        scope: &mut Scope<'p>,
        label: Option<&'p [TextPart]>,
        span: Span,
    ) -> Out<String> {
        let Some(label) = label.filter(|_| self.layout.procedure.outcome.is_some()) else {
            return Ok("return Err(Ended);".into());
        };
        let names = self.names(scope, label, span)?;
        let array = self.filled(
            "outcomes",
            &format!("[i32; {}]", names.count),
            format!("fill.outcomes({})", names.parts),
        );
        let wrong = self.trouble(
            format!(
                "format!(\"`{{}}` is no outcome\", fill.name({}, n))",
                names.parts
            ),
            span,
        );
        let a = self.name();
        Ok(format!(
            "let {a} = {}; s.clock.outcome = {array}[{a}]; if s.clock.outcome < 0 {{ w.note({wrong}, {a} as i32); }} return Err(Ended);",
            names.at
        ))
    }

    fn member(
        &mut self,
        scope: &mut Scope<'p>,
        unit: ExprId,
        target: Target,
        there: bool,
    ) -> Out<String> {
        if self.is_then(scope, unit)? {
            return self.refuse(self.program[unit].span, "what was, in a set,");
        }
        let unit = self.expr(scope, unit)?;
        let (set, ty) = self.read_target(scope, target)?;
        let mask = match ty {
            Type::Units(_) => self.length - 1,
            _ => 63,
        };
        let (a, b) = (self.name(), self.name());
        let put = self.write_target(scope, target, &b)?;
        let change = match there {
            true => format!("{b} |= 1 << ({a} as u32 & {mask});"),
            false => format!("{b} &= !(1 << ({a} as u32 & {mask}));"),
        };
        Ok(format!(
            "{{ let {a} = {unit}; let mut {b} = {set}; if {a} >= 0 {{ {change} }} {put} }}"
        ))
    }

    /// What is gone through one after the other, as far as it can be gone through in one loop.
    fn together(&self, over: &'p [Elements], span: Span) -> Out<Vec<&'p [Elements]>> {
        let one_loop = over.len() > 1
            && over.iter().all(|part| match part {
                Elements::One(id) | Elements::Of(id) => {
                    matches!(self.program[*id].ty, Type::Unit(_) | Type::Units(_))
                }
                _ => false,
            });
        let _ = span;
        Ok(match one_loop {
            true => vec![over],
            false => over.chunks(1).collect(),
        })
    }

    fn through(
        &mut self,
        scope: &mut Scope<'p>,
        over: &'p [Elements],
        element: LocalId,
        condition: Option<ExprId>,
        body: &'p [Stmt],
    ) -> Out<String> {
        const MOST_ELEMENTS: i64 = 10_000;
        if let Some(code) = self.all_at_once(scope, over, element, condition, body)? {
            return Ok(code);
        }
        let local = self.write_local(scope, element);
        let (masks, condition) = self.loop_masks(scope, over, element, condition)?;
        let mut inner = |writer: &mut Self, scope: &mut Scope<'p>| -> Out<String> {
            let mut asked = Vec::new();
            for &id in &condition {
                asked.push(writer.expr(scope, id)?);
            }
            let body = writer.block(scope, body)?;
            Ok(match asked.is_empty() {
                false => format!("if {} {{ {body} }}", asked.join(" && ")),
                true => body,
            })
        };
        let single = match over {
            [single] => single,
            several => {
                let mut arms = String::new();
                let last = several.len() - 1;
                for (at, part) in several.iter().enumerate() {
                    let (Elements::One(id) | Elements::Of(id)) = part else {
                        continue;
                    };
                    if self.is_then(scope, *id)? {
                        return self.refuse(self.program[*id].span, "a loop over what was");
                    }
                    let value = self.expr(scope, *id)?;
                    let set = match part {
                        Elements::One(_) => {
                            format!("(1 as Set) << (({value}) as u32 & {})", self.length - 1)
                        }
                        _ => value,
                    };
                    let _ = match at == last {
                        true => write!(arms, "_ => {set}"),
                        false => write!(arms, "{at} => {set}, "),
                    };
                }
                scope.then[usize::from(element.0)] = false;
                let inside = inner(self, scope)?;
                let (a, b) = (self.name(), self.name());
                let next = self.next_unit(&a, &masks, &local, &inside);
                return Ok(format!(
                    "for {b} in 0..{} {{ let mut {a}: Set = match {b} {{ {arms} }}; {next} }}",
                    several.len()
                ));
            }
        };
        match single {
            Elements::One(id) => {
                let value = self.expr(scope, *id)?;
                self.bind(scope, element, *id)?;
                let inside = inner(self, scope)?;
                Ok(format!("{local} = {value}; {inside}"))
            }
            Elements::Of(id) => {
                if let Type::Units(_) = self.program[*id].ty {
                    let value = self.expr(scope, *id)?;
                    scope.then[usize::from(element.0)] = false;
                    let inside = inner(self, scope)?;
                    let a = self.name();
                    let next = self.next_unit(&a, &masks, &local, &inside);
                    return Ok(format!("let mut {a}: Set = {value}; {next}"));
                }
                self.each(scope, *id, element, None, &mut inner)
            }
            Elements::Up(from, to) | Elements::Down(from, to) => {
                let up = matches!(single, Elements::Up(..));
                let span = self.program[*from].span;
                let (from, to) = (self.expr(scope, *from)?, self.expr(scope, *to)?);
                let inside = inner(self, scope)?;
                let (a, b) = (self.name(), self.name());
                let said = format!("these are more than {MOST_ELEMENTS} numbers");
                let wrong = self.says(&said, span);
                let (low, high) = if up { (&a, &b) } else { (&b, &a) };
                let range = match up {
                    true => format!("{low}..={high}"),
                    false => format!("({low}..={high}).rev()"),
                };
                Ok(format!(
                    "let {a} = {from}; let {b} = {to}; if i64::from({high}) - i64::from({low}) > {MOST_ELEMENTS} {{ w.note({wrong}, 0); }} else {{ for x in {range} {{ if w.any() {{ break; }} {local} = x; {inside} }} }}"
                ))
            }
        }
    }

    /// A loop that gives one flag of each unit the same value, and does nothing else: all of them at once.
    fn all_at_once(
        &mut self,
        scope: &mut Scope<'p>,
        over: &'p [Elements],
        element: LocalId,
        condition: Option<ExprId>,
        body: &'p [Stmt],
    ) -> Out<Option<String>> {
        let program = self.program;
        let [
            Stmt {
                kind: StmtKind::Set { target, value, .. },
                ..
            },
        ] = body
        else {
            return Ok(None);
        };
        let (Target::Field(unit, field), ExprKind::Literal(Value::Flag(flag))) =
            (*target, &program[*value].kind)
        else {
            return Ok(None);
        };
        let own = matches!(program[unit].kind, ExprKind::Local(local) if local == element);
        let mut sets = Vec::new();
        for part in over {
            let Elements::Of(id) = part else {
                return Ok(None);
            };
            if !matches!(program[*id].ty, Type::Units(_)) {
                return Ok(None);
            }
            sets.push(*id);
        }
        if !own || condition.is_some() {
            return Ok(None);
        }
        let Some(flags) = self.flags_now(field)? else {
            return Ok(None);
        };
        let mut text = String::new();
        for id in sets {
            let set = self.expr(scope, id)?;
            let _ = match flag {
                true => write!(text, "{flags} |= {set}; "),
                false => write!(text, "{flags} &= !({set}); "),
            };
        }
        Ok(Some(text))
    }

    /// What of a loop's condition is a set of units, and what is not. Both are asked when the number of each comes.
    fn loop_masks(
        &mut self,
        scope: &mut Scope<'p>,
        over: &[Elements],
        element: LocalId,
        condition: Option<ExprId>,
    ) -> Out<(Vec<String>, Vec<ExprId>)> {
        let of_units = |part: &Elements| match part {
            Elements::One(id) | Elements::Of(id) => match self.program[*id].ty {
                Type::Units(_) => Some(self.program[*id].ty),
                Type::Unit(of) if over.len() > 1 => Some(Type::Units(of)),
                _ => None,
            },
            _ => None,
        };
        match over.first().and_then(of_units) {
            Some(units) => self.narrowed(scope, units, element, condition),
            None => Ok((Vec::new(), condition.into_iter().collect())),
        }
    }

    /// Goes through what is left of a set, each time to the next of which the conditions hold then.
    fn next_unit(&self, set: &str, masks: &[String], local: &str, inside: &str) -> String {
        match masks.is_empty() {
            true => format!(
                "while {set} != 0 {{ {local} = {set}.trailing_zeros() as i32; {set} &= {set} - 1; {inside} }}"
            ),
            false => {
                let masks = masks.join(" & ");
                format!(
                    "loop {{ let next: Set = {set} & {masks}; if next == 0 {{ break; }} {local} = next.trailing_zeros() as i32; {set} &= (Set::MAX << (({local}) as u32 & {})) << 1; {inside} }}",
                    self.length - 1
                )
            }
        }
    }

    /// The parts of the values of events, as many as the longest has.
    pub(super) fn event_width(&self, queue: QueueId) -> usize {
        let of = &self.program[queue];
        let widths = of.events.iter().map(|(_, values)| {
            let each = values.iter().map(|(_, ty)| match ty {
                Type::Units(_) | Type::WordSet(_) => 1,
                ty => self.layout.width(*ty),
            });
            each.sum()
        });
        widths.max().unwrap_or(0).max(1)
    }

    fn put(
        &mut self,
        scope: &mut Scope<'p>,
        queue: QueueId,
        event: usize,
        values: &[ExprId],
        span: Span,
    ) -> Out<String> {
        self.queues.insert(queue.0);
        let width = self.event_width(queue);
        let (mut first, mut parts) = (String::new(), Vec::new());
        for &id in values {
            if self.is_then(scope, id)? {
                return self.refuse(span, "what was, in an event,");
            }
            let value = self.expr(scope, id)?;
            let name = self.name();
            let _ = write!(first, "let {name} = {value}; ");
            match self.held(self.program[id].ty, span)? {
                Held::Flag | Held::One => parts.push(format!("i64::from({name})")),
                Held::Units | Held::Words => parts.push(format!("{name} as i64")),
                Held::Parts(width) => {
                    parts.extend((0..width).map(|at| format!("i64::from({name}[{at}])")));
                }
                Held::Nothing | Held::List(_) => {
                    return self.refuse(span, "such a value of an event");
                }
            }
        }
        parts.resize(width, "0".into());
        let said = format!("more than {MOST_EVENTS} events wait in this queue");
        let wrong = self.says(&said, span);
        Ok(format!(
            "{{ {first} s.q{0}.push_back(({event}, [{1}])); if s.q{0}.len() > {MOST_EVENTS} {{ w.note({wrong}, 0); }} }}",
            queue.0,
            parts.join(", ")
        ))
    }

    fn work_off(
        &mut self,
        scope: &mut Scope<'p>,
        queue: QueueId,
        arms: &'p [EventArm],
        span: Span,
    ) -> Out<String> {
        const MOST_WORKED_OFF: u32 = 1_000_000;
        self.queues.insert(queue.0);
        let mut code = String::new();
        for arm in arms {
            let mut at = 0;
            let _ = write!(code, "{} => {{ ", arm.event);
            for param in &arm.params {
                let ty = scope.locals[usize::from(param.0)].ty;
                let name = self.write_local(scope, *param);
                let value = match self.held(ty, span)? {
                    Held::Flag => format!("values[{at}] != 0"),
                    Held::One => format!("values[{at}] as i32"),
                    Held::Units => format!("values[{at}] as Set"),
                    Held::Words => format!("values[{at}] as u64"),
                    Held::Parts(width) => {
                        let each: Vec<String> = (at..at + width)
                            .map(|at| format!("values[{at}] as i32"))
                            .collect();
                        at += width - 1;
                        format!("[{}]", each.join(", "))
                    }
                    Held::Nothing | Held::List(_) => {
                        return self.refuse(span, "such a value of an event");
                    }
                };
                at += 1;
                scope.then[usize::from(param.0)] = false;
                let _ = write!(code, "{name} = {value}; ");
            }
            let _ = write!(code, "{} }} ", self.block(scope, &arm.body)?);
        }
        let wrong = self.says("this trial does not come to an end", span);
        let count = self.name();
        Ok(format!(
            "let mut {count} = 0u32; while let Some((event, values)) = s.q{0}.pop_front() {{ {count} += 1; if {count} > {MOST_WORKED_OFF} {{ w.note({wrong}, 0); }} if w.any() {{ break; }} match event {{ {code} _ => {{}} }} }}",
            queue.0
        ))
    }
}

/// Units as they are now are those of the start.
pub(super) const BEGIN: &str = "if !s.clock.started { s.begin(); }";
