//! What can be typed.

use clap::{Parser, Subcommand};

/// The odds in printed American Civil War wargame rules: solved, simulated, compared.
#[derive(Debug, Parser)]
#[command(name = "grapeshot", version, max_term_width = 100, after_help = TOP_EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const TOP_EXAMPLES: &str = "\
Examples:
  grapeshot odds elephant charge attacker.grade=veteran defender.cover=wall --stages
        the odds of a charge, and where it is stopped
  grapeshot rules elephant charge
        everything that can be set about a charge
  grapeshot what-if elephant charge --mine attacker
        what would help the attacker most
  grapeshot rules elephant --tables
        the printed tables
  grapeshot compare charge attacker.grade=veteran
        the same charge in every ruleset
  grapeshot new my-rules
        a ruleset of your own, which every command takes by its path
  grapeshot report --quick
        every bundled study, with charts, into reports/index.html";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The odds of one procedure: a volley, a charge, a melee …
    Odds(super::odds::OddsArgs),
    /// What to do: charge now, or fire another volley first?
    Decide(super::decide::DecideArgs),
    /// What play is worth: best, turn by turn, at random, by plan, and how much dice decide
    Skill(super::skill::SkillArgs),
    /// How unlucky was that? One roll, or a whole game
    Luck(super::luck::LuckArgs),
    /// What there is: rulesets, procedures, settings, tables, assumptions
    Rules(super::rules::RulesArgs),
    /// What a designer would want to know before printing: faults, dead parts, paradoxes
    Audit(super::audit::AuditArgs),
    /// What would help most: every setting changed alone, and pairs of them together
    WhatIf(super::whatif::WhatIfArgs),
    /// What carries the result: how much of all that varies is due to each setting
    Weigh(super::weigh::WeighArgs),
    /// One roll for a whole procedure: the chart nearest to the true odds
    Condense(super::condense::CondenseArgs),
    /// Whole orders of battle: who beats whom, who should attack whom, who costs too much
    Field(super::field::FieldArgs),
    /// What a house rule changes, cell by cell
    Diff(super::diff::DiffArgs),
    /// The value of a setting, or of a printed cell, at which a chance crosses a target
    BreakEven(super::breakeven::BreakEvenArgs),
    /// Which cells of the tables, changed by how much, make the rules do what you want
    Tune(super::tune::TuneArgs),
    /// What a stand, figure or SP of each grade and weapon is worth
    Points(super::points::PointsArgs),
    /// The same fight in every ruleset, side by side
    Compare(super::compare::CompareArgs),
    /// The balance card of each ruleset: what a grade, cover, a flank … are worth
    Card(super::card::CardArgs),
    /// Odds to print in a book: rows by columns, as Markdown, LaTeX, Typst, HTML or CSV
    Table(super::table::TableArgs),
    /// A page to print and lay beside the game: charges, volleys, morale, rules of thumb
    Sheet(super::sheet::SheetArgs),
    /// Run experiment files: sweeps, dataframes, charts
    Run(super::run::RunArgs),
    /// Put together what several machines did of one run or one question
    Merge(super::merge::MergeArgs),
    /// Run all bundled experiments and write the page that shows them
    Report(super::report::ReportArgs),
    /// Start a ruleset of your own: a small complete one, with comments that teach
    New(super::new::NewArgs),
    /// Whether a ruleset of your own holds together
    Check(super::check::CheckArgs),
    /// Set texts in the rules language evenly
    Fmt(super::fmt::FmtArgs),
    /// The page at the table: choose the rules, set the units, read the odds, share the link
    #[cfg(feature = "serve")]
    Serve(super::serve::ServeArgs),
    /// Every word that is printed, to be said in another language
    Words(super::words::WordsArgs),
    /// Manual pages
    Man(super::man::ManArgs),
    /// Shell completions, of keys and values too, on standard output
    #[command(
        after_help = "Examples:\n  grapeshot completions bash > ~/.local/share/bash-completion/completions/grapeshot\n  \
            grapeshot completions zsh > ~/.zfunc/_grapeshot\n  \
            grapeshot completions fish > ~/.config/fish/completions/grapeshot.fish"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
