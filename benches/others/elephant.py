"""What "Seeing the Elephant!" prints, read from the project's own table file."""

import pathlib
import tomllib

SOURCE = pathlib.Path(__file__).parents[2] / "crates/grapeshot-rules/rules/elephant/tables.toml"
TABLES = tomllib.loads(SOURCE.read_text())["tables"]


def fire_cell(cell):
    """Hits and panic markers of a cell of the fire table."""
    return {"0": (0, 0), "P": (0, 1)}.get(cell) or (int(cell), int(cell))


def melee_cell(cell):
    """Stands lost by attacker and defender, and who wins: 0 the attacker, 1 the defender, 2 nobody."""
    if cell == "RPLS":
        return (0, 0, 1)
    if cell == "ENGD":
        return (0, 0, 2)
    attacker, defender = cell.split("/")
    lost = [int(half[1]) if half[0] in "KC" else 0 for half in (attacker, defender)]
    if "RT" in (attacker, defender):
        winner = 1 if attacker == "RT" else 0
    elif "C" in cell:
        winner = 0 if defender[0] == "C" else 1
    else:
        winner = 0 if lost[1] > lost[0] else 1
    return (*lost, winner)


def rows(table, read):
    return [[read(cell) for cell in TABLES[table]["rows"][str(die)]] for die in range(10)]


THRESHOLDS = [int(column) for column in TABLES["fire_results"]["columns"]]
FIRE = rows("fire_results", fire_cell)
ODDS = [tuple(map(int, column.split(":"))) for column in TABLES["melee_results"]["columns"]]
MELEE = rows("melee_results", melee_cell)


def fire_column(factors):
    """The column of so many factors, one to the right for a firer that stood still."""
    found = max(at for at, threshold in enumerate(THRESHOLDS) if threshold <= factors)
    return min(found + 1, 9)


def melee_column(attacker, defender):
    """The column of the odds of stands."""
    fits = [at for at, (x, y) in enumerate(ODDS) if attacker * y >= defender * x]
    return max(fits, default=0)
