//! Which known name was meant by one that is not known.

/// The letters of a name, in one case: what is left when it is said aloud.
pub(super) fn letters(name: &str) -> String {
    let spoken = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    spoken.flat_map(char::to_lowercase).collect()
}

/// The name of a key without its side.
pub(super) fn own_name(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(_, name)| name)
}

/// The known name that was probably meant: the same letters in another case, the same name of another
/// side (who asks for `attacker.flank` means `defender.flank`, not `attacker.rank`), the one name that
/// begins so, a slip, or the one name of which it is a part.
pub fn nearest<'a>(given: &str, known: &'a [String]) -> Option<&'a str> {
    let wanted = letters(given);
    let alike = known.iter().find(|name| letters(name) == wanted);
    let same_name = || {
        let (_, own) = given.rsplit_once('.')?;
        let own = letters(own);
        let sided = known.iter().filter(|name| name.contains('.'));
        let same = sided.filter(|name| letters(own_name(name)) == own);
        same.min_by_key(|name| strsim::damerau_levenshtein(given, name))
    };
    let beginning = || {
        let long = wanted.len() >= 2;
        only(
            known
                .iter()
                .filter(|name| long && letters(name).starts_with(&wanted)),
        )
    };
    let slip = || {
        let distance = |name: &str| strsim::damerau_levenshtein(&wanted, &letters(name));
        known
            .iter()
            .map(|name| (distance(name), name))
            .filter(|&(distance, name)| distance <= 1 + name.len() / 4 && distance < name.len())
            .min_by_key(|&(distance, _)| distance)
            .map(|(_, name)| name)
    };
    let part = || {
        let of = |name: &&String| {
            name.split(['-', '_', '.'])
                .any(|part| letters(part) == wanted)
        };
        only(known.iter().filter(of))
    };
    let found = alike
        .or_else(same_name)
        .or_else(beginning)
        .or_else(slip)
        .or_else(part);
    found.map(String::as_str)
}

/// The item, if there is only one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_a_slip_or_the_same_name_of_another_side() {
        let known = [
            "attacker.grade",
            "attacker.rank",
            "defender.flank",
            "defender.grade",
            "range",
        ];
        let known = known.map(str::to_owned);
        assert_eq!(nearest("attacker.flank", &known), Some("defender.flank"));
        assert_eq!(nearest("atacker.grade", &known), Some("attacker.grade"));
        assert_eq!(nearest("attacker.grad", &known), Some("attacker.grade"));
        assert_eq!(nearest("ATTACKER.GRADE", &known), Some("attacker.grade"));
        assert_eq!(nearest("rnage", &known), Some("range"));
        assert_eq!(nearest("weather", &known), None);
    }

    #[test]
    fn a_beginning_or_a_part_is_enough_where_it_is_the_only_one() {
        let known = [
            "veteran",
            "12lb-napoleon",
            "12lb-howitzer",
            "24lb-howitzer",
            "no",
            "rifle-musket",
        ];
        let known = known.map(str::to_owned);
        assert_eq!(nearest("vet", &known), Some("veteran"));
        assert_eq!(nearest("napoleon", &known), Some("12lb-napoleon"));
        assert_eq!(nearest("Rifle Musket", &known), Some("rifle-musket"));
        assert_eq!(nearest("32lb", &known), None);
        assert_eq!(nearest("12lb", &known), None);
        assert_eq!(nearest("v", &known), None);
    }
}
