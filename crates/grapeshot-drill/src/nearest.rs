//! What was probably meant: the known name that is nearest to a wrong one.

/// The nearest of some names, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + word.chars().count() / 4;
    let measured = names.into_iter().map(|name| (distance(word, name), name));
    let (steps, name) = measured
        .filter(|(_, name)| *name != word)
        .min_by_key(|(steps, _)| *steps)?;
    (steps <= allowed).then_some(name)
}

/// How many letters are added, left out, exchanged or swapped with their neighbour; `-` and `_` are alike. A
/// stranger's word may be of any length: what stands behind its 64th letter is not compared.
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| -> String {
        let letters = text.chars().take(64);
        letters
            .map(|c| {
                if c == '-' {
                    '_'
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    strsim::osa_distance(&fold(a), &fold(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_mended_and_a_stranger_is_not() {
        let names = ["morale", "density", "melee_shift"];
        assert_eq!(nearest("moral", names), Some("morale"));
        assert_eq!(nearest("morlae", names), Some("morale"));
        assert_eq!(nearest("melee-shift", names), Some("melee_shift"));
        assert_eq!(nearest("cavalry", names), None);
    }
}
