//! Markers of what is read, where somebody asks.

use super::{Lower, Lowered};
use crate::program::{CellId, DieId, Interval};
use crate::run::code::Ins;
use crate::run::reads::{Read, ReadSite};
use crate::run::value::Slot;

impl Lower<'_> {
    /// Notes that something is read whenever a trial comes here.
    pub(super) fn note(&mut self, read: Read) -> Lowered<()> {
        if self.layout.heard.is_none() {
            return Ok(());
        }
        let site = match self.read_at.get(&read) {
            Some(&site) => site,
            None => {
                self.reads.push(ReadSite {
                    index: Vec::new(),
                    items: vec![vec![read]],
                });
                let site = self.reads.len() as u32 - 1;
                self.read_at.insert(read, site);
                site
            }
        };
        self.emit(Ins::Reads(site))
    }

    /// Notes that slots are read, which a key may have set.
    pub(super) fn note_slots(&mut self, slots: &[Slot]) -> Lowered<()> {
        if self.layout.heard.is_some() {
            for slot in slots {
                if let Some(&key) = self.origin.get(slot) {
                    self.note(Read::Key(key))?;
                }
            }
        }
        Ok(())
    }

    /// Notes that faces of a die stand in cells.
    pub(super) fn note_die(&mut self, die: DieId) -> Lowered<()> {
        let cells: &[CellId] = &self.layout.program[die].from_cells;
        cells
            .iter()
            .try_for_each(|&cell| self.note(Read::Cell(cell)))
    }

    /// Notes the cells that were read for the combinations of some slots.
    pub(super) fn note_heard(&mut self, index: &[(Slot, Interval)]) -> Lowered<()> {
        let Some(heard) = self.layout.heard else {
            return Ok(());
        };
        let cells = heard.take();
        let Some(&(last, _)) = cells.last() else {
            return Ok(());
        };
        let mut items = vec![Vec::new(); last as usize + 1];
        for (combination, cell) in cells {
            let of: &mut Vec<Read> = &mut items[combination as usize];
            if !of.contains(&Read::Cell(cell)) {
                of.push(Read::Cell(cell));
            }
        }
        let index = index.iter();
        let index = index.map(|(slot, range)| (*slot, range.low as i32, range.len() as u32));
        self.reads.push(ReadSite {
            index: index.collect(),
            items,
        });
        self.emit(Ins::Reads(self.reads.len() as u32 - 1))
    }

    /// What was read by code that is taken back is read in any case.
    pub(super) fn note_always(&mut self, from: usize) {
        for ins in &self.ins[from..] {
            if let Ins::Reads(site) = ins {
                let items = self.reads[*site as usize].items.iter();
                self.always.extend(items.flatten());
            }
        }
    }
}
