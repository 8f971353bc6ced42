//! Dice as they are thrown trial by trial: sums of so many, and how many of so many show what is wanted. Made when first
//! thrown and shared by all questions, whatever their tables: they depend on nothing but the faces of the die.

use super::lower::{MOST_SUMS, sums, too_many_sums};
use crate::program::{Conversion, DieId, ExprId, ExprKind, Program, Throw as Asked, Value};
use grapeshot_engine::{Odds, Throw};
use std::sync::{Arc, Mutex, OnceLock};

/// The most dice in one hand.
pub const MOST_DICE: i32 = 200;

/// Dice with more faces fall one by one: their pools would be many.
const MOST_FACES: usize = 20;

/// A row of odds by how many dice are thrown.
type ByCount = Box<[OnceLock<Odds<i32>>]>;

/// One kind of die, any number of it.
#[derive(Debug)]
pub struct Handful {
    faces: Vec<i64>,
    sums: ByCount,
    /// By how many faces are good, then by how many dice.
    pools: ByCount,
}

/// Places for so many rows of odds.
fn by_count(rows: usize) -> ByCount {
    let places = 0..rows * ROW;
    places.map(|_| OnceLock::new()).collect()
}

/// Any number of dice, and none.
const ROW: usize = MOST_DICE as usize + 1;

impl Handful {
    /// The die with these faces.
    pub fn of(faces: &[i64]) -> Arc<Handful> {
        static KNOWN: Mutex<Vec<Arc<Handful>>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(die) = known.iter().find(|die| die.faces == faces) {
            return Arc::clone(die);
        }
        let die = Arc::new(Handful {
            faces: faces.to_vec(),
            sums: by_count(1),
            pools: match faces.len() {
                faces @ ..=MOST_FACES => by_count(faces + 1),
                _ => by_count(0),
            },
        });
        known.push(Arc::clone(&die));
        die
    }

    /// The sum of so many, from 1 to [`MOST_DICE`].
    ///
    /// # Errors
    /// If there are too many sums, or a face is too large.
    #[inline]
    pub fn sum(&self, count: i32) -> Result<&Odds<i32>, String> {
        let at = &self.sums[count as usize];
        match at.get() {
            Some(odds) => Ok(odds),
            None => self.make_sum(count).map(|odds| at.get_or_init(|| odds)),
        }
    }

    /// One of it; of faces that are too large, what is nowhere.
    #[inline]
    pub fn one(&self) -> &Odds<i32> {
        self.sums[1].get_or_init(|| {
            let odds = self.make_sum(1);
            odds.unwrap_or_else(|_| Odds::weighted([(0, 1)]))
        })
    }

    #[cold]
    fn make_sum(&self, count: i32) -> Result<Odds<i32>, String> {
        let faces = self.faces.iter();
        let faces: Option<Vec<i16>> = faces.map(|&face| i16::try_from(face).ok()).collect();
        match faces.filter(|faces| !faces.is_empty()) {
            Some(faces) if sums(&faces, count) > MOST_SUMS => Err(too_many_sums(count)),
            Some(faces) => Ok(Odds::of(Throw::sum(faces, count as u32))),
            None => Err("a face of this die is too large".into()),
        }
    }

    /// How many of so many, from 1 to [`MOST_DICE`], show one of so many good faces.
    #[inline]
    pub fn pool(&self, good: i32, count: i32) -> &Odds<i32> {
        self.pools[good as usize * ROW + count as usize].get_or_init(|| {
            let (good, faces) = (good as u128, self.faces.len() as u128);
            Odds::of(Throw::pool_of(count as u32, good, faces - good))
        })
    }

    /// The faces, each as likely as another.
    pub fn faces(&self) -> &[i64] {
        &self.faces
    }
}

/// The throw of one die on which a condition hangs, if it hangs on nothing else that changes: then how many of so many
/// throws it holds of is one pool of dice, and not as many rolls.
pub fn pooled(program: &Program, condition: ExprId) -> Option<(ExprId, DieId)> {
    let effects = program[condition].effects;
    if effects.changes || effects.ends || effects.chooses || effects.stages {
        return None;
    }
    let mut thrown = Vec::new();
    program.expressions(condition, &mut |id| {
        let throws = match &program[id].kind {
            ExprKind::Throw(_) | ExprKind::Convert(Conversion::Thrown, _) => true,
            ExprKind::Call(text, _) => program[*text].effects.throws,
            ExprKind::Modifiers { list, .. } => program[*list].effects.throws,
            ExprKind::Quantified { .. } | ExprKind::Filter { .. } => program[id].effects.throws,
            _ => false,
        };
        if throws {
            thrown.push(id);
        }
    });
    let [only] = thrown[..] else { return None };
    let ExprKind::Throw(Asked::Sum(count, die)) = program[only].kind else {
        return None;
    };
    let one = matches!(program[count].kind, ExprKind::Literal(Value::Number(1)));
    (one && program[die].faces.len() <= MOST_FACES).then_some((only, die))
}
