//! A house rule in a link: a variant's text, packed so that it fits.

use super::limits;
use super::packed::{self, Unpacked};
use grapeshot_rules::{RuleError, Variant};

/// What a house rule is called where its file would be named.
const NAME: &str = "house rule";

/// The text of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct House(String);

impl House {
    /// A text as it was typed.
    ///
    /// # Errors
    /// If it is too long for a link.
    pub(super) fn typed(text: &str) -> Result<Self, RuleError> {
        let house = House(packed::typed(text));
        if house.0.len() > limits::HOUSE || house.packed().len() > limits::ADDRESS * 3 / 4 {
            let problem = format!(
                "is too long for a link: {} letters; `grapeshot serve --variant FILE` takes one of any length",
                house.0.len()
            );
            return Err(wrong(&problem));
        }
        house.few()?;
        Ok(house)
    }

    /// Refuses what would take long to lay over the rules, before it is begun.
    fn few(&self) -> Result<(), RuleError> {
        match self.0.matches(['[', '{']).count() {
            0..=limits::HOUSE_TABLES => Ok(()),
            tables => Err(wrong(&format!(
                "has {tables} tables and lists; a link may have {}. `grapeshot serve --variant FILE` takes one of any size",
                limits::HOUSE_TABLES
            ))),
        }
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// As it stands in a link.
    pub(super) fn packed(&self) -> String {
        packed::pack(&self.0)
    }

    /// From a link.
    ///
    /// # Errors
    /// If it is cut off or was never one, or comes to more than a house rule may have.
    pub(super) fn unpack(packed: &str) -> Result<Self, RuleError> {
        let house = House(packed::unpack(packed, limits::HOUSE).map_err(|why| {
            wrong(&match why {
                Unpacked::Cut => {
                    "cannot be read: the link was cut off or changed on its way".to_owned()
                }
                Unpacked::TooLong => {
                    format!(
                        "has more than the {} letters that are allowed",
                        limits::HOUSE
                    )
                }
            })
        })?);
        house.few()?;
        Ok(house)
    }

    /// As a variant.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn variant(&self) -> Result<Variant, RuleError> {
        Variant::parse(NAME, &self.0)
    }
}

fn wrong(problem: &str) -> RuleError {
    RuleError::File {
        file: NAME.into(),
        problem: problem.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPAIRED: &str = "rules = \"elephant\"\nname = \"1:1 column repaired\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";

    #[test]
    fn a_house_rule_fits_a_link_and_comes_back() {
        let house = House::typed(&REPAIRED.replace('\n', "\r\n")).expect("short");
        assert_eq!(house.text(), REPAIRED);
        let packed = house.packed();
        assert!(packed.len() < 160, "{}", packed.len());
        assert_eq!(House::unpack(&packed), Ok(house.clone()));
        assert_eq!(
            house.variant().expect("a variant").name,
            "1:1 column repaired"
        );
    }

    #[test]
    fn a_small_packet_cannot_hold_more_than_is_allowed() {
        let bomb = House("x".repeat(50_000_000));
        let packed = bomb.packed();
        assert!(packed.len() < 100_000);
        let error = House::unpack(&packed).expect_err("too long").to_string();
        assert!(error.contains("more than"), "{error}");
        assert!(House::typed(&"y".repeat(limits::HOUSE + 1)).is_err());
    }

    #[test]
    fn a_cut_link_says_so() {
        let packed = House::typed(REPAIRED).expect("short").packed();
        for cut in [&packed[..packed.len() / 2], "!!", "AAAA"] {
            let error = House::unpack(cut).expect_err("cut").to_string();
            assert!(error.contains("cut off"), "{error}");
        }
    }
}
