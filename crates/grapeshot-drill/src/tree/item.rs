//! Items: what stands at the left margin of a file.

use super::{Block, Dotted, Edit, Expr, Help, Kind, Name, Names, Range, Template};
use crate::source::Span;
use std::sync::Arc;

/// An item, with its help and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// From the lines above it, or after it.
    pub help: Option<Help>,
    /// Its first line.
    pub span: Span,
}

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemKind {
    /// `ruleset gbacw: "…"`.
    Ruleset(Name, Name),
    /// `variant of gbacw: "…"`.
    Variant(Name, Name),
    /// `about "…"`.
    About(Name),
    /// `reading "…"`.
    Reading(Name),
    /// `use standoff`.
    Use(Name),
    /// `procedures fire, charge`.
    Procedures(Vec<Name>),
    /// `tables:`.
    Tables(Vec<Printed>),
    /// `table volley: …` or `list nerve: …`, with the grid below.
    Grid(Grid),
    /// `dice AV = 2, 3, 3, 4, 4, 5`.
    Dice(Name, Faces),
    /// `words Grade: elite > veteran`.
    Words(Name, WordsBody),
    /// `record Effect:`.
    Record(Record),
    /// `unit Unit:` or `line Stack of Counter times units:`.
    Unit(Unit),
    /// `in play:`.
    InPlay(Vec<Field>),
    /// `settings:`, `settings NAME:` with fields.
    Settings(Option<Name>, Vec<Field>),
    /// `settings NAME: names`.
    Group(Name, Names),
    /// `queue chain:`.
    Queue(Name, Vec<(Name, Vec<Param>)>),
    /// `define`, `roll`, `rule`.
    Text(Text),
    /// `modifiers`.
    Modifiers(Modifiers),
    /// `header NAME:`.
    Header(Name, Vec<Head>),
    /// `procedure`.
    Procedure(Procedure),
    /// `check "…":`.
    Check(Check),
    /// `example "…" fire …:`.
    Example(Example),
    /// `expect fire …: …`.
    Expect(Expect),
    /// What a variant does.
    Edit(Edit),
}

/// A line of `tables:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// Which shape.
    pub shape: Shape,
    /// Cells that are said otherwise: `"-" is 0`.
    pub specials: Vec<(Name, Expr)>,
    /// Its place.
    pub span: Span,
}

/// The shape of what is printed.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// `NAME: rows by columns`.
    Table {
        /// Its name.
        name: Name,
        /// What its rows are headed by.
        rows: Vec<Heading>,
        /// What its columns are headed by, and their cells.
        columns: Vec<Column>,
    },
    /// `list NAMES: entries`.
    List {
        /// Their names.
        names: Vec<Name>,
        /// The entries with their kinds.
        entries: Vec<Column>,
    },
    /// `assumption NAMES: kind`.
    Assumption {
        /// Their names.
        names: Vec<Name>,
        /// What each may be.
        kind: Kind,
    },
}

/// A heading with the kind of the cells below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The heading.
    pub heading: Heading,
    /// The cells.
    pub kind: Kind,
}

/// What rows or columns are headed by.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// The first, or only, part.
    pub kind: HeadingKind,
    /// `d6 and Part`: the part after the hyphen.
    pub and: Option<HeadingKind>,
    /// Its place.
    pub span: Span,
}

/// One kind of heading.
#[derive(Debug, Clone, PartialEq)]
pub enum HeadingKind {
    /// `d6`, `2d6`.
    Dice {
        /// How many.
        count: u32,
        /// With how many sides.
        sides: u32,
    },
    /// `names`: whatever is printed.
    Names,
    /// `bands`: `4 to 8`.
    Bands,
    /// `lower limits`: the last that is not above.
    LowerLimits,
    /// `upper limits`: the first that is not below.
    UpperLimits,
    /// `odds`: `3:2`.
    Odds,
    /// `columns`, `columns of fire_results`: numbered from 1, or those of another table.
    Columns(Option<Name>),
    /// `faces of d10`: faces in the cells, results as headings.
    Faces(Name),
    /// A type of words, a die of the text, or a heading by its letters.
    Named(Name),
}

/// A grid in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// How it is read; the name is the table's.
    pub printed: Printed,
    /// Its lines, cell by cell, the line of headings first; of a list without it.
    pub lines: Vec<Vec<Name>>,
}

/// The faces of a die.
#[derive(Debug, Clone, PartialEq)]
pub enum Faces {
    /// `0..9`.
    Range(Expr, Expr),
    /// `2, 3, 3, 4`.
    List(Vec<Expr>),
}

/// What words a type has.
#[derive(Debug, Clone, PartialEq)]
pub enum WordsBody {
    /// One by one.
    List {
        /// The words, each with what it counts as where nothing else is said.
        words: Vec<(Name, Option<Name>)>,
        /// How they stand to each other.
        order: Order,
    },
    /// `rows of fire_factors`.
    RowsOf(Name),
    /// `Weapon from pistol to repeater`.
    Part {
        /// The type.
        of: Name,
        /// The first word,
        from: Name,
        /// and the last.
        to: Name,
    },
}

/// The order of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Order {
    /// `|`: none.
    None,
    /// `>`: the first is the highest.
    Falling,
    /// `<`: the last is the highest.
    Rising,
}

/// A record and the codes it is printed as.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its type.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Its codes, tried in order.
    pub codes: Vec<Code>,
}

/// A printed code: `"{sp}*": failed = routed`.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// As printed, with fields in braces and what may be missing in square brackets.
    pub pattern: Name,
    /// `as none`: how it is reported, perhaps with a field in braces.
    pub label: Option<Name>,
    /// What it means.
    pub sets: Vec<(Name, Expr)>,
}

/// A unit, or a line of units.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Its type.
    pub name: Name,
    /// Of a line: its members' type, and the field that says how many.
    pub line: Option<(Name, Name)>,
    /// Names that parameters of this type have.
    pub called: Vec<Name>,
    /// What it has.
    pub body: UnitBody,
}

/// What a unit has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnitBody {
    /// Fields that are settings.
    pub fields: Vec<Field>,
    /// Fields that are not.
    pub in_play: Vec<Field>,
    /// What is refused.
    pub refusals: Vec<Refuse>,
}

/// A field, setting or key.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// One for each unit of a line.
    pub each: bool,
    /// Its name.
    pub name: Dotted,
    /// `sets firer.fire`.
    pub sets: Option<Expr>,
    /// What it may be.
    pub kind: Option<Kind>,
    /// What it is if nothing is said.
    pub default: Option<Expr>,
    /// `kind is cavalry`: what it is here, so that it is not asked.
    pub fixed: Option<Expr>,
    /// Meaning and source.
    pub help: Option<Help>,
    /// Its place.
    pub span: Span,
}

/// `refuse hits when …: "…"`.
#[derive(Debug, Clone, PartialEq)]
pub struct Refuse {
    /// The keys it is said of.
    pub keys: Names,
    /// When.
    pub condition: Expr,
    /// What is said.
    pub text: Expr,
    /// Its place.
    pub span: Span,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// What it may be; without it, the type that is called so.
    pub kind: Option<Kind>,
    /// If it is not given.
    pub default: Option<Expr>,
}

/// Name, parameters and result.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// Its name.
    pub name: Name,
    /// In order.
    pub params: Vec<Param>,
    /// After `->`.
    pub returns: Option<Kind>,
    /// Its place.
    pub span: Span,
}

/// The three kinds of named text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum TextKind {
    /// Computes.
    Define,
    /// Throws dice and gives a value.
    Roll,
    /// Makes things happen.
    Rule,
}

impl TextKind {
    /// The word it begins with.
    pub fn written(self) -> &'static str {
        match self {
            TextKind::Define => "define",
            TextKind::Roll => "roll",
            TextKind::Rule => "rule",
        }
    }
}

/// A named text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Which kind.
    pub kind: TextKind,
    /// Name, parameters and result.
    pub signature: Signature,
    /// What it does; `= x` is `return x`.
    pub body: Block,
    /// What `printed NAME(…)` calls in it: the name of the text it has replaced.
    pub replaces: Option<Arc<str>>,
}

/// A printed list of modifiers.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifiers {
    /// Name and parameters.
    pub signature: Signature,
    /// `from fire_shifts`.
    pub from: Option<Name>,
    /// `by role`: the column, where they come from a table.
    pub by: Option<Expr>,
    /// In order.
    pub entries: Vec<Modifier>,
    /// What `printed NAME(…)` calls in it.
    pub replaces: Option<Arc<str>>,
}

/// A line of modifiers.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// Its name.
    pub name: ModifierName,
    /// A value of its own.
    pub value: Option<Expr>,
    /// So many times.
    pub times: Option<Expr>,
    /// Only then.
    pub condition: Option<Expr>,
    /// Its place.
    pub span: Span,
}

/// How a line of modifiers is named.
#[derive(Debug, Clone, PartialEq)]
pub enum ModifierName {
    /// By a word.
    Word(Name),
    /// `[unit.works]`: by the word something is.
    Value(Expr),
}

/// A procedure.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// The source prints only its parts.
    pub composed: bool,
    /// Only played out, never enumerated.
    pub simulated: bool,
    /// `decided for a`.
    pub decided_for: Option<Name>,
    /// Its header.
    pub head: Vec<Head>,
    /// Its text.
    pub body: Block,
}

/// A line of a header, and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// What it says.
    pub kind: HeadKind,
    /// Where.
    pub span: Span,
}

/// What a line of a header says.
#[derive(Debug, Clone, PartialEq)]
pub enum HeadKind {
    /// `sides a, b as Brigade: keys`.
    Side(SideHead),
    /// `asks range, density`, `asks turns: 1..50 = 6`.
    Asks(Vec<Field>),
    /// `like decision`.
    Like(Name),
    /// `refuse …`.
    Refuse(Refuse),
    /// `note "…"`, `note "out of reach" when …: "…"`.
    Note(Name, Option<(Expr, Expr)>),
    /// `show *_sp = *.sp when …`.
    Show {
        /// How it is called.
        name: Template,
        /// What it is; without it the variable of that name.
        value: Option<Expr>,
        /// Only then.
        condition: Option<Expr>,
    },
    /// `worth …`.
    Worth(Expr),
    /// `report …`.
    Report(ReportHead),
    /// `plans:`.
    Plans(Vec<PlanLine>),
}

/// `side attacker times attackers: in_melee`.
#[derive(Debug, Clone, PartialEq)]
pub struct SideHead {
    /// The sides.
    pub names: Vec<Name>,
    /// The key that says how many equal units it is.
    pub times: Option<Name>,
    /// The type, if it is not that of `unit`.
    pub as_type: Option<Name>,
    /// Fields and groups that are asked.
    pub keys: Names,
    /// Keys of its own, or said again.
    pub own: Vec<Field>,
}

/// `report outcome`, with its labels below.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportHead {
    /// How it is called.
    pub name: Template,
    /// A variable of its own.
    pub kind: Option<Kind>,
    /// What it is.
    pub value: Option<Expr>,
    /// Labels and whom they favour, in order.
    pub lines: Vec<LabelLine>,
    /// Meaning.
    pub help: Option<Help>,
}

/// A line below a report.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelLine {
    /// `success: a | b`.
    Favours(FavourWord, Vec<Template>),
    /// `same: *-destroyed as *-eliminated`.
    Same(Template, Template),
}

/// Whom a label favours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum FavourWord {
    /// The side that acts.
    Success,
    /// Nobody.
    Undecided,
    /// The other.
    Failure,
}

/// A plan: `"fire {n} then charge" for n in 1..turns - 1: fire while turn <= n, then charge, fire`.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanLine {
    /// Its name.
    pub label: Template,
    /// Several.
    pub over: Option<(Name, Range)>,
    /// The action that comes first as long as a condition holds.
    pub at_first: Option<(Name, Expr)>,
    /// Then the first of these that is offered.
    pub then: Vec<Name>,
    /// Its place.
    pub span: Span,
}

/// `check "…" for die in 1..6:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What must hold.
    pub text: Name,
    /// For all of these.
    pub over: Vec<(Name, Range)>,
    /// Returns whether it does.
    pub body: Block,
}

/// A question: a procedure and its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The procedure.
    pub procedure: Name,
    /// Keys and values as written.
    pub settings: Vec<(Dotted, Name)>,
}

/// `example "…" fire:` with a trial a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What it shows.
    pub title: Name,
    /// The question.
    pub ask: Ask,
    /// Trials.
    pub trials: Vec<Trial>,
}

/// `6, 11, 5, 6: pinned, sp_lost 1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What the dice show, in order.
    pub dice: Vec<Name>,
    /// Reports and their values; one word alone is the headline's value, or a flag that is set.
    pub results: Vec<(Name, Option<Name>)>,
    /// Its place.
    pub span: Span,
}

/// `expect fire: state pinned 5/24, routed 1/3`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    /// The question.
    pub ask: Ask,
    /// The report.
    pub report: Name,
    /// Its values and their chances.
    pub chances: Vec<(Name, Expr)>,
}
