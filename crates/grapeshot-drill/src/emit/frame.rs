//! Functions: parameters, locals, body.

use super::{Held, Out, Scope, Wanted, Writer, letters};
use crate::program::{Effects, ExprId, Local, LocalId, ModifierName, Type};
use std::fmt::Write;

/// Whether nothing happens but that a value is worked out.
pub(super) fn is_pure(effects: Effects) -> bool {
    !(effects.throws || effects.changes || effects.ends || effects.chooses || effects.stages)
}

impl<'p> Writer<'p> {
    /// The name of a function that is wanted.
    pub(super) fn wants(&mut self, wanted: Wanted) -> String {
        if let Some(name) = self.names.get(&wanted) {
            return name.clone();
        }
        let called = match &wanted {
            Wanted::Text(text, ..) => &self.program[*text].name,
            Wanted::Modifiers(list, ..) => &self.program[*list].name,
        };
        let name = format!("{}_{}", letters(called), self.names.len());
        self.names.insert(wanted.clone(), name.clone());
        self.wanted.push_back((wanted, name.clone()));
        name
    }

    /// The first line of a function.
    fn head(&self, name: &str, scope: &Scope<'_>, params: &str, returns: &str) -> String {
        let returns = match scope.ends {
            true => format!("Result<{returns}, Ended>"),
            false => returns.to_owned(),
        };
        match scope.pure {
            true => format!(
                "#[inline] fn {name}(k: &Known, s: &Field, w: &Wrong, {params}) -> {returns} {{\n"
            ),
            false => format!(
                "#[inline] fn {name}<D: Dice>(k: &Known, s: &mut Field, w: &Wrong, d: &mut D, {params}) -> {returns} {{\n"
            ),
        }
    }

    /// Locals, all at the beginning: a `let` in a stage is seen after it.
    pub(super) fn declared(&self, scope: &Scope<'_>, but: &[usize]) -> Out<String> {
        let mut text = String::new();
        for (at, local) in scope.locals.iter().enumerate() {
            if but.contains(&at) {
                continue;
            }
            let held = self.held(local.ty, self.layout.procedure.span)?;
            let name = self.write_local(scope, LocalId(at as u16));
            let _ = writeln!(text, "let mut {name}: {} = {};", held.rust(), held.empty());
        }
        Ok(text)
    }

    /// Parameters as they are given, and the defaults of those that are not.
    fn parameters(
        &mut self,
        scope: &mut Scope<'p>,
        count: usize,
        defaults: &[Option<ExprId>],
        missing: &[bool],
    ) -> Out<(String, String)> {
        let (mut params, mut first, mut given) = (String::new(), String::new(), Vec::new());
        for at in 0..count {
            let local = LocalId(at as u16);
            let name = self.write_local(scope, local);
            if missing.get(at).copied().unwrap_or(true) {
                let Some(default) = defaults.get(at).copied().flatten() else {
                    return self.refuse(self.layout.procedure.span, "an argument that is missing");
                };
                let value = self.expr(scope, default)?;
                let _ = writeln!(first, "{name} = {value};");
            } else {
                let ty = scope.locals[at].ty;
                let held = self.held(ty, self.layout.procedure.span)?;
                let _ = write!(params, "mut {name}: {}, ", held.rust());
                given.push(at);
            }
        }
        let mut text = self.declared(scope, &given)?;
        text.push_str(&first);
        Ok((params, text))
    }

    /// Writes a function that is wanted.
    pub(super) fn function(&mut self, wanted: &Wanted, name: &str) -> Out<()> {
        let program = self.program;
        match wanted {
            Wanted::Text(id, missing, then) => {
                let of = &program[*id];
                let mut scope = self.scope(&of.locals, then, of.effects, of.returns);
                let count = usize::from(of.params);
                let (params, first) = self.parameters(&mut scope, count, &of.defaults, missing)?;
                let returns = self.held(of.returns, of.span)?.rust();
                let mut text = self.head(name, &scope, &params, &returns);
                text.push_str(&first);
                text.push_str(&self.block(&mut scope, &of.body)?);
                let blank = self.blank(of.returns, of.span)?;
                let _ = match scope.ends {
                    true => writeln!(text, "Ok({blank})\n}}"),
                    false => writeln!(text, "{blank}\n}}"),
                };
                self.functions.push(text);
            }
            Wanted::Modifiers(id, missing, then, without, sum) => {
                let of = &program[*id];
                let mut scope = self.scope(&of.locals, then, of.effects, of.ty);
                let count = usize::from(of.params);
                let (params, first) = self.parameters(&mut scope, count, &of.defaults, missing)?;
                let wide = of.ty == Type::Fractions;
                let listed = !*sum || wide;
                let returns = match (listed, wide) {
                    (true, wide) => format!("List<{}>", 1 + usize::from(wide)),
                    (false, _) => "i64".into(),
                };
                let mut text = self.head(name, &scope, &params, &returns);
                text.push_str(&first);
                let total = match listed {
                    true => format!("let mut all: {returns} = List::default();"),
                    false => "let mut all: i64 = 0;".into(),
                };
                let _ = writeln!(text, "{total}");
                for entry in &of.entries {
                    if let ModifierName::Fixed(name) = &entry.name
                        && without.contains(name)
                    {
                        continue;
                    }
                    let mut conditions = Vec::new();
                    if let Some(condition) = entry.condition {
                        conditions.push(self.expr(&mut scope, condition)?);
                    }
                    if let (ModifierName::Of(id), false) = (&entry.name, without.is_empty()) {
                        let named = self.expr(&mut scope, *id)?;
                        let ty = program[*id].ty;
                        let words = program.words_of(ty).into_iter().enumerate();
                        let left = words
                            .filter(|(_, word)| without.contains(&program.letters(*word)))
                            .map(|(at, word)| match ty {
                                Type::Word(_) => i32::from(word.at),
                                Type::Mixed(mixed) => self.layout.mixed_word(mixed, at)[0],
                                _ => at as i32,
                            });
                        let left: Vec<String> = left.map(|at| at.to_string()).collect();
                        if !left.is_empty() {
                            conditions.push(format!("!matches!({named}, {})", left.join(" | ")));
                        }
                    }
                    let value = self.expr(&mut scope, entry.value)?;
                    let held = self.held(program[entry.value].ty, entry.span)?;
                    let add = match (listed, held) {
                        (true, Held::One) => format!("all.push([{value}]);"),
                        (true, _) => format!("all.push({value});"),
                        (false, _) => format!("all += i64::from({value});"),
                    };
                    let _ = match conditions.is_empty() {
                        true => writeln!(text, "{add}"),
                        false => writeln!(text, "if {} {{ {add} }}", conditions.join(" && ")),
                    };
                }
                text.push_str("all\n}\n");
                self.functions.push(text);
            }
        }
        Ok(())
    }

    fn scope(
        &self,
        locals: &'p [Local],
        then: &[bool],
        effects: Effects,
        returns: Type,
    ) -> Scope<'p> {
        let mut then = then.to_vec();
        then.resize(locals.len(), false);
        Scope {
            then,
            pure: is_pure(effects),
            ends: effects.ends,
            ..Scope::new(locals, returns)
        }
    }
}
