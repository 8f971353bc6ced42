//! What the table holds: fields of units and variables, as they are now, as they were, or for good.

use super::{Filled, Held, Out, Scope, Writer, letters};
use crate::program::{ExprId, FieldId, Interval, LocalId, Target, Type, VarId};
use crate::source::Span;

/// The smallest type of Rust that holds numbers.
fn smallest(range: Option<Interval>) -> &'static str {
    match range {
        Some(Interval { low: 0.., high }) if high <= 255 => "u8",
        Some(Interval { low, high }) if low >= -32768 && high <= 32767 => "i16",
        _ => "i32",
    }
}

impl<'p> Writer<'p> {
    /// How one value is stored, and how the filler is asked for it.
    fn stored(&self, ty: Type, range: Option<Interval>, span: Span) -> Out<(Held, &'static str)> {
        let held = self.held(ty, span)?;
        let range = match ty {
            Type::Number => range,
            // What is wider than its kind says is seen when the table is set.
            _ => self.layout.ranges(ty, range).first().copied().flatten(),
        };
        Ok((held, smallest(range)))
    }

    /// The array of a field; makes it if it is not there yet.
    fn field_array(&mut self, field: FieldId, changed: bool) -> Out<(String, Held)> {
        let of = &self.program[field];
        let (held, small) = self.stored(of.ty, of.range, of.span)?;
        let length = self.length;
        let id = format!("FieldId({})", field.0);
        let (rust, by) = match held {
            Held::Flag => ("Set".into(), format!("fill.flags({id}) as Set")),
            Held::One => (format!("[{small}; {length}]"), format!("fill.field({id})")),
            Held::Parts(width) => (
                format!("[[i32; {width}]; {length}]"),
                format!("fill.parts({id})"),
            ),
            Held::Units => (
                format!("[Set; {length}]"),
                format!("fill.sets::<{length}>({id}).map(|set| set as Set)"),
            ),
            Held::Words => (format!("[u64; {length}]"), format!("fill.sets({id})")),
            Held::Nothing | Held::List(_) => return self.refuse(of.span, "such a field"),
        };
        let hint = format!("{}_{}", self.program[of.of].name, of.name);
        if !changed {
            return Ok((self.filled(&hint, &rust, by), held));
        }
        let name = format!("{}_{}", letters(&hint), field.0);
        let filled = Filled {
            name: name.clone(),
            rust,
            by,
        };
        self.state.insert(format!("f{}", field.0), filled);
        Ok((name, held))
    }

    /// A field of a unit, which stands in `unit`.
    pub(super) fn read_field(&mut self, unit: &str, then: bool, field: FieldId) -> Out<String> {
        let changed = self.changed_fields.contains(&field);
        let (array, held) = self.field_array(field, changed)?;
        let read = |array: &str| self.read_at(array, unit, held);
        if !changed {
            return Ok(read(&array));
        }
        let now = read(&format!("s.n.{array}"));
        if !then {
            return Ok(now);
        }
        let was = read(&format!("s.t.{array}"));
        self.start.insert(field);
        Ok(format!("(if s.clock.started {{ {was} }} else {{ {now} }})"))
    }

    fn read_at(&self, array: &str, unit: &str, held: Held) -> String {
        let mask = self.length - 1;
        match held {
            Held::Flag => format!("({array} >> (({unit}) as u32 & {mask}) & 1 != 0)"),
            Held::One => format!("i32::from({array}[({unit}) as usize & {mask}])"),
            _ => format!("{array}[({unit}) as usize & {mask}]"),
        }
    }

    /// The array of flags of all units, of a field that is one.
    pub(super) fn flags_now(&mut self, field: FieldId) -> Out<Option<String>> {
        if self.program[field].ty != Type::Flag {
            return Ok(None);
        }
        let changed = self.changed_fields.contains(&field);
        let (array, _) = self.field_array(field, changed)?;
        Ok(Some(match changed {
            true => format!("s.n.{array}"),
            false => array,
        }))
    }

    fn write_field(&mut self, unit: &str, field: FieldId, value: &str) -> Out<String> {
        let of = &self.program[field];
        let (array, held) = self.field_array(field, true)?;
        let mask = self.length - 1;
        Ok(match held {
            Held::Flag => format!(
                "{{ let bit: Set = 1 << (({unit}) as u32 & {mask}); if {value} {{ s.n.{array} |= bit; }} else {{ s.n.{array} &= !bit; }} }}"
            ),
            Held::One => {
                let (_, small) = self.stored(of.ty, of.range, of.span)?;
                format!("s.n.{array}[({unit}) as usize & {mask}] = ({value}) as {small};")
            }
            _ => format!("s.n.{array}[({unit}) as usize & {mask}] = {value};"),
        })
    }

    /// A variable: its name, with what it is in.
    fn var_name(&mut self, var: VarId) -> Out<(String, Held)> {
        let of = &self.program[var];
        let held = self.held(of.ty, of.span)?;
        let id = format!("VarId({})", var.0);
        let by = match held {
            Held::Flag => format!("fill.var::<i32>({id}) != 0"),
            Held::One => format!("fill.var({id})"),
            Held::Parts(_) => format!("fill.var_of({id})"),
            Held::Units => format!("fill.var_set({id}) as Set"),
            Held::Words => format!("fill.var_set({id})"),
            Held::Nothing | Held::List(_) => return self.refuse(of.span, "such a variable"),
        };
        let rust = held.rust();
        if !self.changed_vars.contains(&var) {
            return Ok((self.filled(&of.name, &rust, by), held));
        }
        let name = format!("{}_var_{}", letters(&of.name), var.0);
        let filled = Filled {
            name: name.clone(),
            rust,
            by,
        };
        self.state.insert(format!("v{}", var.0), filled);
        Ok((format!("s.n.{name}"), held))
    }

    pub(super) fn read_var(&mut self, var: VarId) -> Out<String> {
        Ok(self.var_name(var)?.0)
    }

    /// What can be changed, as it is; its type.
    pub(super) fn read_target(
        &mut self,
        scope: &mut Scope<'p>,
        target: Target,
    ) -> Out<(String, Type)> {
        match target {
            Target::Local(local) => Ok((
                self.write_local(scope, local),
                scope.locals[usize::from(local.0)].ty,
            )),
            Target::Var(var) => Ok((self.read_var(var)?, self.program[var].ty)),
            Target::Field(unit, field) => {
                let unit = self.unit(scope, unit)?;
                Ok((
                    self.read_field(&unit, false, field)?,
                    self.program[field].ty,
                ))
            }
        }
    }

    /// Puts a value, which stands in a name, into what can be changed.
    pub(super) fn write_target(
        &mut self,
        scope: &mut Scope<'p>,
        target: Target,
        value: &str,
    ) -> Out<String> {
        match target {
            Target::Local(local) => Ok(format!("{} = {value};", self.write_local(scope, local))),
            Target::Var(var) => Ok(format!("{} = {value};", self.read_var(var)?)),
            Target::Field(unit, field) => {
                if self.is_then(scope, unit)? {
                    return self.refuse(self.program[unit].span, "a change of what was");
                }
                let unit = self.unit(scope, unit)?;
                self.write_field(&unit, field, value)
            }
        }
    }

    /// Gives a local a value.
    pub(super) fn bind(&mut self, scope: &mut Scope<'p>, local: LocalId, value: ExprId) -> Out<()> {
        let then = self.is_then(scope, value)?;
        let at = usize::from(local.0);
        if then && scope.locals[at].changed {
            return self.refuse(self.program[value].span, "what was, in what changes,");
        }
        scope.then[at] = then;
        self.note_let(scope, local, value);
        Ok(())
    }
}
