//! Which cells a question reads at all.
//!
//! Whole tables are changed at once, three times and far, each cell in its own way; a question that is answered as
//! before reads none of those cells. Where an answer changes, or the tables refuse so much change, the group is
//! halved. So a table that is not read costs three answers, not three for each cell.

use super::moves::Edit;
use super::trial::{Mask, Trials};
use crate::parallel;
use grapeshot_engine::dist::Distribution;
use grapeshot_rules::OddsError;
use std::sync::OnceLock;

/// What one cell may become.
#[derive(Debug)]
pub(super) struct EditableCell {
    /// The smaller edits first.
    pub edits: Vec<Edit>,
    /// The largest edits that the tables accept alone, if there are any, once somebody had to know.
    accepted: OnceLock<Option<[usize; 2]>>,
    /// What makes it differ from its neighbours.
    seed: u64,
}

/// Edits among which a large one is picked.
const FAR: usize = 6;
/// Times a group is changed before it is taken not to be read.
pub(super) const ROUNDS: usize = 3;

impl EditableCell {
    /// All cells, each with its edits.
    pub(super) fn all(edits: Vec<Vec<Edit>>) -> Vec<EditableCell> {
        let cell = |(seed, edits): (usize, Vec<Edit>)| EditableCell {
            edits,
            accepted: OnceLock::new(),
            seed: 97 * seed as u64,
        };
        edits.into_iter().enumerate().map(cell).collect()
    }

    /// The table or list it stands in.
    pub(super) fn holder(&self) -> String {
        self.edits[0].changes[0].place.holder()
    }

    /// A large edit, another one in each round, and not the same as its neighbours': two cells that are moved
    /// alike may cancel each other.
    fn far(&self, round: usize) -> &Edit {
        let mixed = (self.seed + round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let at = match self.accepted.get() {
            Some(Some(known)) => known[mixed as usize % 2],
            _ => {
                let some = self.edits.len().min(FAR);
                self.edits.len() - 1 - mixed as usize % some
            }
        };
        &self.edits[at]
    }

    /// Finds out which edits the tables accept, and says whether they accept any.
    fn try_alone(&self, trials: &Trials<'_>) -> bool {
        let found = self.accepted.get_or_init(|| {
            let all = (0..self.edits.len()).rev();
            let mut good = all.filter(|&at| trials.accepts(&[&self.edits[at]]));
            let first = good.next()?;
            Some([first, good.next().unwrap_or(first)])
        });
        found.is_some()
    }
}

/// What is already changed where it is looked which cells are read.
pub(super) struct Ground<'g> {
    /// The edits that are made.
    pub under: &'g [&'g Edit],
    /// What is answered with them.
    pub against: &'g [Distribution],
    /// Times a group is changed before it is taken not to be read.
    pub rounds: usize,
    /// Only whether any of them is read: what a whole group moves is then said of each.
    pub any: bool,
}

/// The cells in as few groups as may be, so that the tables accept the change of a whole group. A cell that they let
/// nobody change alone is in none: it would have its group refused, and taken apart, each time it is looked at.
pub(super) fn accepted_together(trials: &Trials<'_>, cells: &[EditableCell]) -> Vec<Vec<usize>> {
    let free: Vec<bool> = parallel::map(cells, |cell| cell.try_alone(trials));
    let accepted = |group: &[usize]| {
        (0..ROUNDS).all(|round| {
            let far: Vec<&Edit> = group.iter().map(|&at| cells[at].far(round)).collect();
            trials.accepts(&far)
        })
    };
    let mut open: Vec<Vec<usize>> = vec![(0..cells.len()).filter(|&at| free[at]).collect()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    while let Some(mut group) = open.pop() {
        if group.len() > 1 && !accepted(&group) {
            let rest = group.split_off(group.len() / 2);
            open.extend([rest, group]);
            continue;
        }
        // Parts that were refused together with one cell are accepted together without it.
        let joined = groups.last().map(|last| [last.as_slice(), &group].concat());
        match joined.filter(|joined| accepted(joined)) {
            Some(joined) => *groups.last_mut().expect("there is one") = joined,
            None => groups.push(group),
        }
    }
    groups
}

/// The questions that read each cell.
pub(super) fn readers(
    trials: &Trials<'_>,
    cells: &[&EditableCell],
    ground: &Ground<'_>,
    mask: Mask,
) -> Result<Vec<Mask>, OddsError> {
    let Ground { under, against, .. } = *ground;
    if cells.is_empty() || mask == 0 {
        return Ok(vec![0; cells.len()]);
    }
    let try_far = |round: usize, mask: Mask| {
        let far = cells.iter().map(|cell| cell.far(round));
        let far: Vec<&Edit> = under.iter().copied().chain(far).collect();
        trials.moved(&far, against, mask)
    };
    let mut moved = 0;
    let mut refused = false;
    for round in 0..ground.rounds {
        let mut found = try_far(round, mask & !moved)?;
        if found.is_none() {
            for cell in cells {
                cell.try_alone(trials);
            }
            found = try_far(round, mask & !moved)?;
        }
        match found {
            Some(found) => moved |= found,
            None => refused = true,
        }
        if moved == mask {
            break;
        }
    }
    if !refused && moved == 0 {
        return Ok(vec![0; cells.len()]);
    }
    if ground.any && moved != 0 {
        return Ok(vec![moved; cells.len()]);
    }
    if let [cell] = cells {
        if refused {
            for edit in &cell.edits {
                let edits: Vec<&Edit> = under.iter().copied().chain([edit]).collect();
                moved |= trials.moved(&edits, against, mask & !moved)?.unwrap_or(0);
            }
        }
        return Ok(vec![moved]);
    }
    // Nothing is known of what was refused.
    let possible = if refused { mask } else { moved };
    let (left, right) = cells.split_at(cells.len() / 2);
    let (left, right) = rayon::join(
        || readers(trials, left, ground, possible),
        || readers(trials, right, ground, possible),
    );
    let mut found = left?;
    found.extend(right?);
    Ok(found)
}
