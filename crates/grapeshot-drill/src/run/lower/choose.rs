//! Choices: what a side may do, each action a branch of the code.

use super::{Bound, Halt, Lower, Lowered};
use crate::program::{Action, ExprId};
use crate::run::code::{ActionSite, ChoiceSite, Ins, Rest};
use crate::run::value::{Operand, Val};

/// An action of a choice with its element, if it is one of several.
struct Offered<'p> {
    action: &'p Action,
    element: Option<Val>,
    offered: Operand,
}

impl<'p> Lower<'p> {
    pub(super) fn choose(&mut self, who: ExprId, actions: &'p [Action]) -> Lowered<()> {
        self.begin()?;
        let who = self.expr(who)?;
        let who = self.keep(who)?;
        let who = self.part(who)?;
        let mut all: Vec<Offered<'p>> = Vec::new();
        for action in actions {
            let mut elements = vec![None];
            if let Some((_, over)) = &action.over {
                elements.clear();
                self.each(over, &mut |_, value| {
                    elements.push(Some(value));
                    Ok(())
                })?;
            }
            for element in elements {
                if let (Some((local, _)), Some(element)) = (&action.over, &element) {
                    self.bind(*local, Bound::Value(element.clone()));
                }
                let offered = match action.condition {
                    Some(condition) => self.flag(condition)?,
                    None => Operand::Known(1),
                };
                let offered = self.keep(Val::one(offered))?;
                let offered = self.part(offered)?;
                if offered != Operand::Known(0) {
                    all.push(Offered {
                        action,
                        element,
                        offered,
                    });
                }
            }
        }
        match &all[..] {
            [] => {
                self.fault("there is nothing that could be done here")?;
                Ok(())
            }
            [one] if one.offered.known().is_some() => self.act(one),
            _ => self.choice(who, &all),
        }
    }

    fn act(&mut self, offered: &Offered<'p>) -> Lowered<()> {
        if let (Some((local, _)), Some(element)) = (&offered.action.over, &offered.element) {
            self.bind(*local, Bound::Value(element.clone()));
        }
        self.block(&offered.action.body)
    }

    fn choice(&mut self, who: Operand, all: &[Offered<'p>]) -> Lowered<()> {
        if self.layout.procedure.decided_for.is_none() {
            return self.wrong("somebody has to choose here, and nobody decides this procedure");
        }
        if self.after_turns {
            return Err(Halt::CountTurns);
        }
        let mut sites = Vec::with_capacity(all.len());
        let mut labels = Vec::with_capacity(all.len());
        for offered in all {
            if let (Some((local, _)), Some(element)) = (&offered.action.over, &offered.element) {
                self.bind(*local, Bound::Value(element.clone()));
            }
            let label = self.text_now(&offered.action.label)?;
            self.actions.push((label, offered.action.name.to_string()));
            let to = self.label();
            self.leads_to(to);
            labels.push(to);
            sites.push(ActionSite {
                action: (self.actions.len() - 1) as u16,
                offered: offered.offered,
                to: to.0,
            });
        }
        let shown = match self.layout.procedure.shows.is_empty() {
            true => None,
            false => {
                let shown = self.label();
                self.leads_to(shown);
                Some(shown)
            }
        };
        let site = ChoiceSite {
            who,
            actions: sites,
            stage: self.operand(self.stage),
            rest: Rest::default(),
            shown: shown.map(|label| label.0),
        };
        self.choices.push(site);
        self.rests_here()?;
        self.emit(Ins::Choose(self.choices.len() as u32 - 1))?;
        self.alive = false;
        let end = self.label();
        for (offered, label) in all.iter().zip(labels) {
            self.place(label);
            self.act(offered)?;
            self.jump(end)?;
        }
        if let Some(shown) = shown {
            self.place(shown);
            self.shown()?;
        }
        self.place(end);
        Ok(())
    }
}
