//! A single roll that ends the trial: several trials are drawn as one number and counted as one; the
//! counts are taken apart afterwards.

use super::draws::{Draws, with_draws};
use crate::engine::graph::{Graph, Target};
use rand_xoshiro::rand_core::Rng;

/// The most outcomes of a packed draw.
const WIDEST_PACK: usize = 1000;

#[derive(Debug)]
pub(super) struct Flat {
    /// The end each face leads to.
    end_of: Vec<u32>,
    /// Trials in one number.
    pack: u32,
    pub(super) draws: Draws,
    /// Faces of all trials of a number together.
    wide: usize,
}

impl Flat {
    /// The table of a graph whose first node is all there is.
    pub(super) fn new(graph: &Graph, sides: usize) -> Option<Flat> {
        let mut end_of = Vec::with_capacity(sides);
        let scale = sides as u128 / graph.nodes[0].total;
        for edge in graph.edges_of(0) {
            let Target::End(end) = edge.target else {
                return None;
            };
            end_of.extend(std::iter::repeat_n(end, (edge.weight * scale) as usize));
        }
        let (mut pack, mut wide) = (1, sides);
        while sides > 1 && wide * sides <= WIDEST_PACK {
            wide *= sides;
            pack += 1;
        }
        Some(Flat {
            end_of,
            pack,
            draws: Draws::new(wide),
            wide,
        })
    }

    pub(super) fn walk(&self, rng: &mut impl Rng, trials: u64, counts: &mut [u64]) {
        if let [only] = self.end_of[..] {
            counts[only as usize] += trials;
        } else {
            with_draws!(self.draws, N => self.walk_packed::<N>(rng, trials, counts));
        }
    }

    /// The ends of the trials in one number.
    pub(super) fn unpacked(&self, number: usize) -> impl Iterator<Item = usize> {
        let sides = self.end_of.len();
        let numbers = std::iter::successors(Some(number), move |number| Some(number / sides));
        let faces = numbers.map(move |number| number % sides);
        faces
            .map(|face| self.end_of[face] as usize)
            .take(self.pack as usize)
    }

    fn walk_packed<const N: usize>(&self, rng: &mut impl Rng, trials: u64, counts: &mut [u64]) {
        let sides = self.end_of.len();
        let mut packed = vec![0u32; self.wide];
        let per_word = u64::from(self.pack) * N as u64;
        for _ in 0..trials / per_word {
            for number in self.draws.draw::<N>(rng) {
                packed[number] += 1;
            }
        }
        let mut rest = trials % per_word;
        for number in self.draws.draw::<N>(rng) {
            for end in self.unpacked(number).take(rest as usize) {
                counts[end] += 1;
                rest -= 1;
            }
        }
        // Taken apart face by face: the lowest is counted, the others go into a shorter list.
        while packed.len() > 1 {
            packed = packed
                .chunks(sides)
                .map(|faces| {
                    for (face, &times) in faces.iter().enumerate() {
                        counts[self.end_of[face] as usize] += u64::from(times);
                    }
                    faces.iter().sum()
                })
                .collect();
        }
    }
}
