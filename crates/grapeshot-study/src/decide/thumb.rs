//! The policy in few words: one or two thresholds on what a player sees, and how much they lose.
//!
//! Best play knows what every action is worth in every state it can reach. A rule that does something
//! else loses, to first order, that difference times the chance to be there; so candidates are ranked by
//! sums over the policy, and only the few best of them are played out. What is reported is exact.

use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::{BestPlay, Chooser, Game};
use grapeshot_rules::{Decide, Shown, Value};
use serde::Serialize;

/// How a field is tested.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// At least so much.
    AtLeast(i64),
    /// At most so much.
    AtMost(i64),
    /// Just this: a flag or a label.
    Is(Value),
}

/// Something a player can see: a field of the state, or the turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The field as the policy names it; `turn` for the turn.
    pub field: Name,
    /// What it must be.
    pub test: Test,
}

/// How a second condition goes with the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Either will do.
    Or,
    /// Both are needed.
    And,
}

/// Do this when.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// What is done.
    pub action: Name,
    /// When.
    pub when: Condition,
    /// And when else.
    pub also: Option<(Join, Condition)>,
}

/// A short rule that plays almost as well as best play.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleOfThumb {
    /// In a sentence.
    pub text: String,
    /// What to do when, the first that holds.
    #[serde(skip)]
    pub clauses: Vec<Clause>,
    /// What to do otherwise.
    #[serde(skip)]
    pub otherwise: Name,
    /// What it is worth, played exactly.
    pub value: f64,
    /// How much less that is than best play.
    pub loses: f64,
}

/// The name under which the turn is tested.
pub(super) const TURN: &str = "turn";

/// How many candidates of each length are played out.
const PLAYED: usize = 4;
/// How many first conditions are looked at for a second one.
const KEPT: usize = 24;
/// A longer rule has to be better by so much, or it is not worth its words.
const WORTH_SAYING: f64 = 0.002;

/// A column of the table in which candidates are looked for.
struct Column {
    name: Name,
    /// The value of each row: a number, or the place of a flag or label among `values`.
    cells: Vec<i64>,
    /// What is written for the cells, if they are not numbers.
    values: Vec<Value>,
}

/// A test of a column, by cells.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cut {
    AtLeast(i64),
    AtMost(i64),
    Is(i64),
}

impl Cut {
    fn holds(self, cell: i64) -> bool {
        match self {
            Cut::AtLeast(least) => cell >= least,
            Cut::AtMost(most) => cell <= most,
            Cut::Is(value) => cell == value,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    column: usize,
    cut: Cut,
}

/// A rule, by numbers: actions by their number, conditions by column.
#[derive(Debug, Clone, PartialEq)]
struct Rule {
    clauses: Vec<Numbered>,
    otherwise: u16,
}

/// A clause, by numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Numbered {
    action: u16,
    when: Seen,
    also: Option<(Join, Seen)>,
}

impl Rule {
    /// What the rule wants in a state whose cells these are: the first that is offered is taken.
    fn action(&self, cell: &impl Fn(usize) -> Option<i64>, offered: &[u16]) -> usize {
        let seen = |seen: &Seen| cell(seen.column).is_some_and(|cell| seen.cut.holds(cell));
        let clause = self.clauses.iter().find(|clause| {
            offered.contains(&clause.action)
                && match &clause.also {
                    None => seen(&clause.when),
                    Some((Join::Or, also)) => seen(&clause.when) || seen(also),
                    Some((Join::And, also)) => seen(&clause.when) && seen(also),
                }
        });
        let wanted = clause.map_or(self.otherwise, |clause| clause.action);
        place(wanted, offered)
    }
}

/// The place of an action among those offered; of the first of them if it is not.
fn place(wanted: u16, offered: &[u16]) -> usize {
    offered
        .iter()
        .position(|&action| action == wanted)
        .unwrap_or(0)
}

/// What best play thinks of the choices the rule is about, one row for each that it can come to.
struct Table {
    columns: Vec<Column>,
    /// For each action and row, what is lost by taking it.
    losses: Vec<(u16, Vec<f64>)>,
}

/// Finds the rule of thumb of a policy; none where the side that asks never chooses.
pub fn find(
    steps: &dyn Decide,
    game: &Game,
    best: &BestPlay,
    shown: &[Shown],
) -> Option<RuleOfThumb> {
    let subject = game.first_actions(best);
    let about = |number: usize| {
        let choice = &game.choices()[number];
        choice.chooser == Chooser::Asking && choice.actions.iter().any(|a| subject.contains(a))
    };
    let table = Table::new(game, best, shown, &subject, &about)?;
    let names = steps.actions();
    let value = |rule: &Rule| {
        let played = game.best_under(
            |row| steps.value(row),
            |turn, number| {
                let cell = |column: usize| table.cell_of(column, turn, &shown[number]);
                about(number).then(|| rule.action(&cell, &game.choices()[number].actions))
            },
        );
        played.value
    };
    let mut chosen: Option<(Rule, f64)> = None;
    for rules in table.candidates() {
        for rule in rules {
            grapeshot_engine::engine::look_up();
            let value = value(&rule);
            let floor = chosen.as_ref().map_or(f64::NEG_INFINITY, |(known, best)| {
                let longer = length(&rule) > length(known);
                best + if longer { WORTH_SAYING } else { 0.0 }
            });
            if value > floor {
                chosen = Some((rule, value));
            }
        }
    }
    let (rule, value) = chosen?;
    let condition = |seen: &Seen| table.condition(seen);
    let clause = |clause: &Numbered| Clause {
        action: names[usize::from(clause.action)].clone(),
        when: condition(&clause.when),
        also: clause.also.map(|(join, seen)| (join, condition(&seen))),
    };
    Some(RuleOfThumb {
        text: String::new(),
        clauses: rule.clauses.iter().map(clause).collect(),
        otherwise: names[usize::from(rule.otherwise)].clone(),
        value,
        loses: (best.value - value).max(0.0),
    })
}

/// How many conditions a rule has.
fn length(rule: &Rule) -> usize {
    let of = |clause: &Numbered| 1 + usize::from(clause.also.is_some());
    rule.clauses.iter().map(of).sum()
}

impl Table {
    fn new(
        game: &Game,
        best: &BestPlay,
        shown: &[Shown],
        subject: &[u16],
        about: &impl Fn(usize) -> bool,
    ) -> Option<Table> {
        let mut at = Vec::new();
        let mut reached = Vec::new();
        for (turn, reach) in game.reach(best).into_iter().enumerate() {
            for (number, p) in reach.into_iter().enumerate() {
                if p > 0.0 && about(number) {
                    at.push((turn, number));
                    reached.push(p);
                }
            }
        }
        let fields: Vec<Name> = shown[at.first()?.1]
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let mut columns: Vec<Column> = (fields.into_iter().chain([TURN.into()]))
            .map(|name| Column {
                name,
                cells: Vec::new(),
                values: Vec::new(),
            })
            .collect();
        let first = game.turns().1;
        for column in &mut columns {
            let shown_at = |number: usize| {
                let mut fields = shown[number].iter();
                fields
                    .find(|(name, _)| *name == column.name)
                    .map(|(_, value)| value)
            };
            let all: Vec<Option<&Value>> = at.iter().map(|&(_, number)| shown_at(number)).collect();
            // A morale that is a number or `green` is told apart value by value, like words.
            let is_word = |value: &&Value| !matches!(value, Value::Whole(_));
            let words = all.iter().flatten().any(is_word);
            for (&(turn, _), value) in at.iter().zip(all) {
                let cell = match value {
                    Some(Value::Whole(n)) if !words => *n,
                    Some(value) => column.place_of(value),
                    None => i64::from(first) + turn as i64,
                };
                column.cells.push(cell);
            }
        }
        let losses = subject
            .iter()
            .map(|&action| {
                let loss = |(&(turn, number), p): (&(usize, usize), &f64)| {
                    let values = best.values(game, turn, number);
                    let offered = &game.choices()[number].actions;
                    p * (best.value_at(game, turn, number) - values[place(action, offered)])
                };
                (action, at.iter().zip(&reached).map(loss).collect())
            })
            .collect();
        Some(Table { columns, losses })
    }

    /// The cell a state would have in a column.
    fn cell_of(&self, column: usize, turn: u16, shown: &Shown) -> Option<i64> {
        let column = &self.columns[column];
        if *column.name == *TURN {
            return Some(i64::from(turn));
        }
        match &shown.iter().find(|(name, _)| *name == column.name)?.1 {
            Value::Whole(n) if column.values.is_empty() => Some(*n),
            value => {
                let at = column.values.iter().position(|known| known == value);
                at.map(|at| at as i64)
            }
        }
    }

    fn condition(&self, seen: &Seen) -> Condition {
        let column = &self.columns[seen.column];
        Condition {
            field: column.name.clone(),
            test: match seen.cut {
                Cut::AtLeast(n) => Test::AtLeast(n),
                Cut::AtMost(n) => Test::AtMost(n),
                Cut::Is(at) => Test::Is(column.values[at as usize].clone()),
            },
        }
    }

    /// The likeliest rules of no, one and two conditions, best first.
    fn candidates(&self) -> [Vec<Rule>; 3] {
        let mut none = Vec::new();
        let mut one = Vec::new();
        for (otherwise, base) in &self.losses {
            let lost: f64 = base.iter().sum();
            let always = Rule {
                clauses: Vec::new(),
                otherwise: *otherwise,
            };
            none.push((lost, always));
            for (action, instead) in self.losses.iter().filter(|(action, _)| action != otherwise) {
                let saved: Vec<f64> = base.iter().zip(instead).map(|(x, y)| x - y).collect();
                self.cuts(&saved, |seen, saved| {
                    let rule = Rule {
                        clauses: vec![Numbered {
                            action: *action,
                            when: seen,
                            also: None,
                        }],
                        otherwise: *otherwise,
                    };
                    one.push((lost - saved, rule));
                });
            }
        }
        let mut two = Vec::new();
        best_first(&mut one, KEPT);
        for (lost, rule) in &one {
            self.second(*lost, rule, &mut two);
        }
        best_first(&mut none, PLAYED);
        best_first(&mut one, PLAYED);
        best_first(&mut two, PLAYED);
        [none, one, two].map(|rules| rules.into_iter().map(|(_, rule)| rule).collect())
    }

    /// Rules that add a condition to one with a single one.
    fn second(&self, lost: f64, rule: &Rule, found: &mut Vec<(f64, Rule)>) {
        let Numbered { action, when, .. } = rule.clauses[0];
        let base = self.losses_of(rule.otherwise);
        let inside: Vec<bool> = (self.columns[when.column].cells.iter())
            .map(|&cell| when.cut.holds(cell))
            .collect();
        let saved = |instead: u16, counts: &dyn Fn(bool) -> bool| -> Vec<f64> {
            (base.iter().zip(self.losses_of(instead)).zip(&inside))
                .map(|((x, y), &inside)| if counts(inside) { x - y } else { 0.0 })
                .collect()
        };
        let all_saved: f64 = saved(action, &|inside| inside).iter().sum();
        let mut add = |join: Join, seen: Seen, lost: f64| {
            let also = Some((join, seen));
            let clauses = vec![Numbered { action, when, also }];
            let otherwise = rule.otherwise;
            found.push((lost, Rule { clauses, otherwise }));
        };
        self.cuts(&saved(action, &|inside| !inside), |seen, more| {
            add(Join::Or, seen, lost - more);
        });
        self.cuts(&saved(action, &|inside| inside), |seen, kept| {
            add(Join::And, seen, lost + all_saved - kept);
        });
        for (other, _) in &self.losses {
            if *other != action && *other != rule.otherwise {
                self.cuts(&saved(*other, &|inside| !inside), |seen, more| {
                    let mut rule = rule.clone();
                    rule.clauses.push(Numbered {
                        action: *other,
                        when: seen,
                        also: None,
                    });
                    found.push((lost - more, rule));
                });
            }
        }
    }

    fn losses_of(&self, action: u16) -> &[f64] {
        let known = self.losses.iter().find(|(known, _)| *known == action);
        known.map_or(&[], |(_, losses)| losses)
    }

    /// Every cut of every column that saves something, with the sum of what it saves.
    fn cuts(&self, saved: &[f64], mut found: impl FnMut(Seen, f64)) {
        for (number, column) in self.columns.iter().enumerate() {
            let (Some(&least), Some(&most)) =
                (column.cells.iter().min(), column.cells.iter().max())
            else {
                continue;
            };
            if least == most {
                continue;
            }
            let mut sums = vec![0.0; (most - least) as usize + 1];
            for (cell, saved) in column.cells.iter().zip(saved) {
                sums[(cell - least) as usize] += saved;
            }
            let mut add = |cut: Cut, saved: f64| {
                if saved > 0.0 {
                    found(
                        Seen {
                            column: number,
                            cut,
                        },
                        saved,
                    );
                }
            };
            if !column.values.is_empty() {
                for (at, &sum) in sums.iter().enumerate() {
                    add(Cut::Is(at as i64), sum);
                }
                continue;
            }
            let all: f64 = sums.iter().sum();
            let mut below = 0.0;
            for (value, sum) in (least..most).zip(&sums) {
                below += sum;
                add(Cut::AtMost(value), below);
                add(Cut::AtLeast(value + 1), all - below);
            }
        }
    }
}

impl Column {
    fn place_of(&mut self, value: &Value) -> i64 {
        let at = self.values.iter().position(|known| known == value);
        at.unwrap_or_else(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        }) as i64
    }
}

/// Keeps the `count` that lose least.
fn best_first(rules: &mut Vec<(f64, Rule)>, count: usize) {
    rules.sort_by(|x, y| x.0.total_cmp(&y.0));
    rules.truncate(count);
}
