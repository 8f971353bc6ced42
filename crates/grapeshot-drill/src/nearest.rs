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

/// How many letters are added, left out, exchanged or swapped with their neighbour; `-` and `_` are alike.
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| -> Vec<char> {
        let same = |c: char| {
            if c == '-' {
                '_'
            } else {
                c.to_ascii_lowercase()
            }
        };
        text.chars().take(64).map(same).collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let exchanged = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = exchanged.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
