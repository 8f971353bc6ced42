//! Code made short once it is known what is needed: straight jumps, no gaps, few slots.

use super::code::{Code, Ins};
use super::value::{Operand, Slot};

/// Makes code short; what it does stays the same.
pub fn tidy(code: &mut Code) {
    straighten(code);
    compact(code);
    renumber(code);
}

/// Where a jump to a place ends in the end.
fn lands(ins: &[Ins], mut to: u32) -> u32 {
    // A jump back is a loop, and is left as it is.
    while let Ins::Jump(next) = ins[to as usize]
        && next > to
    {
        to = next;
    }
    while to as usize + 1 < ins.len() && ins[to as usize] == Ins::Nothing {
        to += 1;
        if let Ins::Jump(next) = ins[to as usize]
            && next > to
        {
            return lands(ins, next);
        }
    }
    to
}

/// Jumps go where they end, and a jump to what follows it is none.
fn straighten(code: &mut Code) {
    for at in 0..code.ins.len() {
        match code.ins[at] {
            Ins::Jump(to) => code.ins[at] = Ins::Jump(lands(&code.ins, to)),
            Ins::Unless(slot, to) => code.ins[at] = Ins::Unless(slot, lands(&code.ins, to)),
            Ins::UnlessBinary(op, a, b, to) => {
                code.ins[at] = Ins::UnlessBinary(op, a, b, lands(&code.ins, to));
            }
            Ins::UnlessLook {
                at: index,
                low,
                first,
                len,
                to,
            } => {
                code.ins[at] = Ins::UnlessLook {
                    at: index,
                    low,
                    first,
                    len,
                    to: lands(&code.ins, to),
                };
            }
            _ => {}
        }
    }
    for at in (0..code.ins.len()).rev() {
        if let Ins::Jump(to) = code.ins[at]
            && to as usize > at
            && code.ins[at + 1..to as usize]
                .iter()
                .all(|ins| *ins == Ins::Nothing)
        {
            code.ins[at] = Ins::Nothing;
        }
    }
}

/// Leaves out what does nothing.
fn compact(code: &mut Code) {
    let mut place = Vec::with_capacity(code.ins.len() + 1);
    let mut kept = 0u32;
    for ins in &code.ins {
        place.push(kept);
        kept += u32::from(*ins != Ins::Nothing);
    }
    place.push(kept);
    for ins in &mut code.ins {
        if let Ins::Jump(to)
        | Ins::Unless(_, to)
        | Ins::UnlessBinary(_, _, _, to)
        | Ins::UnlessLook { to, .. } = ins
        {
            *to = place[*to as usize];
        }
    }
    for site in &mut code.choices {
        site.actions
            .iter_mut()
            .for_each(|action| action.to = place[action.to as usize]);
        site.shown = site.shown.map(|at| place[at as usize]);
    }
    if let Some(worth) = &mut code.worth {
        worth.begins = place[worth.begins as usize];
    }
    if let Some(turn) = &mut code.turn {
        turn.head = place[turn.head as usize];
        turn.after = place[turn.after as usize];
    }
    let spans = std::mem::take(&mut code.spans);
    let each = spans.into_iter().zip(&code.ins);
    code.spans = each
        .filter(|(_, ins)| **ins != Ins::Nothing)
        .map(|(span, _)| span)
        .collect();
    code.ins.retain(|ins| *ins != Ins::Nothing);
}

/// Numbers the slots that are left one after another, so that a frame is small.
fn renumber(code: &mut Code) {
    const NONE: Slot = Slot::MAX;
    let mut numbers: Vec<Slot> = Vec::new();
    let mut next: Slot = 0;
    let mut number = |slot: &mut Slot| {
        let at = usize::from(*slot);
        if numbers.len() <= at {
            numbers.resize(at + 1, NONE);
        }
        if numbers[at] == NONE {
            numbers[at] = next;
            next += 1;
        }
        *slot = numbers[at];
    };
    let mut operand = |operand: &mut Operand| {
        if let Operand::Slot(slot) = operand {
            number(slot);
        }
    };
    code.row.iter_mut().for_each(&mut operand);
    code.told.iter_mut().flatten().for_each(&mut operand);
    if let Some(worth) = &mut code.worth {
        worth
            .row
            .iter_mut()
            .for_each(|slot| one(slot, &mut operand));
    }
    for ins in &mut code.ins {
        match ins {
            Ins::Put(to, a) => {
                operand(a);
                one(to, &mut operand);
            }
            Ins::Binary(_, to, a, b) => {
                operand(a);
                operand(b);
                one(to, &mut operand);
            }
            Ins::Join { to, a, b, .. } => {
                one(&mut a.0, &mut operand);
                one(&mut b.0, &mut operand);
                one(to, &mut operand);
            }
            Ins::Look { to, at, .. } => {
                one(at, &mut operand);
                one(to, &mut operand);
            }
            Ins::Unless(slot, _) => one(slot, &mut operand),
            Ins::UnlessBinary(_, a, b, _) => {
                operand(a);
                operand(b);
            }
            Ins::UnlessLook { at, .. } => one(at, &mut operand),
            Ins::Check(a, _) => operand(a),
            _ => {}
        }
    }
    for site in &mut code.reads {
        site.index
            .iter_mut()
            .for_each(|(slot, ..)| one(slot, &mut operand));
    }
    for site in &mut code.rolls {
        site.to.iter_mut().for_each(|slot| one(slot, &mut operand));
        site.index
            .iter_mut()
            .for_each(|(slot, ..)| one(slot, &mut operand));
        operand(&mut site.stage);
        site.rest
            .kept
            .iter_mut()
            .for_each(|kept| one(&mut kept.slot, &mut operand));
    }
    for site in &mut code.choices {
        operand(&mut site.who);
        operand(&mut site.stage);
        site.actions
            .iter_mut()
            .for_each(|action| operand(&mut action.offered));
        site.rest
            .kept
            .iter_mut()
            .for_each(|kept| one(&mut kept.slot, &mut operand));
    }
    if let Some(turn) = &mut code.turn {
        turn.rest
            .kept
            .iter_mut()
            .for_each(|kept| one(&mut kept.slot, &mut operand));
    }
    code.slots = usize::from(next);
}

fn one(slot: &mut Slot, operand: &mut impl FnMut(&mut Operand)) {
    let mut as_operand = Operand::Slot(*slot);
    operand(&mut as_operand);
    if let Operand::Slot(new) = as_operand {
        *slot = new;
    }
}
