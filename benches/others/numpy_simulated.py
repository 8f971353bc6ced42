"""The questions, simulated with numpy: whole arrays at a time, in chunks that stay in cache.

Written for speed: the condition of a unit is one small number and everything that happens to it a lookup
in a table made beforehand; trials that have ended are taken out, so that later stages roll for those
alone that still play. Each function counts what the plain loops in Rust count.
"""

import itertools
import math

import numpy as np
from elephant import FIRE, MELEE, fire_column, melee_column

CHUNK = 1 << 14


def in_chunks(count_chunk):
    """Plays so many trials, a chunk at a time."""

    def play(rng, trials):
        counts = 0
        for begin in range(0, trials, CHUNK):
            counts = counts + count_chunk(rng, min(CHUNK, trials - begin))
        return counts

    return play


def d10(rng, trials):
    return rng.integers(10, size=trials, dtype=np.uint8)


def single_roll(values, ways):
    """A die that decides it all: counts of what its faces mean."""
    column = np.array(values, dtype=np.int8)
    return in_chunks(lambda rng, trials: np.bincount(column[d10(rng, trials)], minlength=ways))


# Hits, and who wins.
fire = single_roll([row[fire_column(30)][0] for row in FIRE], 5)
melee = single_roll([row[melee_column(10, 10)][2] for row in MELEE], 3)


def binomial(count, p):
    return [math.comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)]


# The inverse of the distribution: of hits, and of casualties for every number of hits, row after row.
HITS = np.cumsum(binomial(20, 3 / 6))[:-1]
FALL = np.concatenate([hits + np.cumsum(binomial(hits, 4 / 6) + [0] * (20 - hits)) for hits in range(21)])


@in_chunks
def volley(rng, trials):
    """Counts of hits and casualties. Two binomials by searching: numpy's own take three times as long."""
    hits = np.searchsorted(HITS, rng.random(trials), side="right")
    place = np.searchsorted(FALL, hits + rng.random(trials), side="right")
    return np.bincount(np.minimum(place, hits * 22), minlength=21 * 21)


# A unit as a number: stands, hits on the next one, panic markers, overenthusiasm.
UNITS = list(itertools.product(range(11), range(3), range(3), (False, True)))
NUMBER = {unit: number for number, unit in enumerate(UNITS)}
FULL = NUMBER[(10, 0, 0, False)]
# Everything a volley can do: nothing, a panic marker, so many hits and markers.
EFFECTS = sorted({cell for row in FIRE for cell in row})


def suffer(unit, hits, panic):
    stands, had, markers, over = unit
    lost, rest = divmod(had + hits, 3)
    return (max(stands - lost, 0), rest, min(markers + panic, 2), over)


def test(unit, die, extra):
    """The result of a morale test, 0 pass, 1 hit, 2 retreat, 3 rout, and the unit after it."""
    stands, hits, panic, _ = unit
    modified = die + panic + (10 - stands) // 2 + extra
    unit = (stands, hits, panic, modified <= 0)
    if modified <= 8:
        return 0, (stands, hits, 0, modified <= 0)
    if modified <= 10:
        return 1, suffer(unit, 1, 1)
    return (2 if modified <= 12 else 3), unit


def effect(unit, die):
    """What the unit's fire does."""
    factors = max(unit[0] - unit[2], 0) * 3
    return EFFECTS.index(FIRE[die][fire_column(factors)] if factors else (0, 0))


def by_die(read, kind):
    return np.array([read(unit, die) for unit in UNITS for die in range(10)], dtype=kind)


TESTS = [by_die(lambda unit, die: test(unit, die, extra)[0], np.uint8) for extra in (0, 1)]
TESTED = [by_die(lambda unit, die: NUMBER[test(unit, die, extra)[1]], np.intp) for extra in (0, 1)]
EFFECT = by_die(effect, np.intp)
HIT_BY = np.array([NUMBER[suffer(unit, *effect)] for unit in UNITS for effect in EFFECTS], dtype=np.intp)
STANDS = np.array([unit[0] for unit in UNITS], dtype=np.intp)
PANIC = np.array([unit[2] > 0 for unit in UNITS])
OVER = np.array([unit[3] for unit in UNITS], dtype=np.intp)


def shoot(rng, firer, target):
    """What each volley does, and the targets after it."""
    effects = EFFECT[firer * 10 + d10(rng, len(firer))]
    return effects, HIT_BY[target * len(EFFECTS) + effects]


def count(labels, a, b, ways):
    """How often each of so many labels came with both losses."""
    place = (labels * 11 + 10 - STANDS[a]) * 11 + 10 - STANDS[b]
    return np.bincount(place, minlength=ways * 11 * 11)


# Combat by stands and shift: a column for each; then by column and die.
ODDS = np.array([melee_column(a, max(d, 1)) for a in range(11) for d in range(11)], dtype=np.intp)
LOST, KILLED, WINNER = (
    np.array([MELEE[die][column][at] for column in range(10) for die in range(10)], dtype=np.intp) for at in range(3)
)
# Fewer stands, nothing else changed.
FEWER = np.array([NUMBER[(max(u[0] - n, 0), *u[1:])] for u in UNITS for n in range(3)], dtype=np.intp)

CHARGE = (
    "attacker-wins defender-wins engaged - defender-retreats defender-routs "
    "attacker-halts attacker-retreats attacker-routs"
).split()


@in_chunks
def charge(rng, trials):
    """Counts by how it ended and both losses."""
    attacker, defender = (np.full(trials, FULL) for _ in range(2))
    counts, ways = 0, len(CHARGE)
    for second in (False, True):
        held = np.zeros(len(attacker), dtype=bool)
        if second:
            place = defender * 10 + d10(rng, len(defender))
            result, defender = TESTS[1][place], TESTED[1][place]
            flees = result >= 2
            if flees.any():
                counts = counts + count(result[flees].astype(np.intp) + 2, attacker[flees], defender[flees], ways)
                stays = ~flees
                attacker, defender, result = attacker[stays], defender[stays], result[stays]
            held = result == 1
        effects, after = shoot(rng, defender, attacker)
        moved = np.flatnonzero((effects > 0) & ~held)
        place = after[moved] * 10 + d10(rng, len(moved))
        result = TESTS[0][place]
        attacker[moved] = TESTED[0][place]
        stops = result > 0
        which = moved[stops]
        counts = counts + count(result[stops].astype(np.intp) + 5, attacker[which], defender[which], ways)
        attacker, defender = np.delete(attacker, which), np.delete(defender, which)
    place = defender * 10 + d10(rng, len(defender))
    result, defender = TESTS[0][place], TESTED[0][place]
    flees = result >= 2
    if flees.any():
        counts = counts + count(result[flees].astype(np.intp) + 2, attacker[flees], defender[flees], ways)
        attacker, defender = attacker[~flees], defender[~flees]
    column = ODDS[STANDS[attacker] * 11 + STANDS[defender]] + OVER[attacker] - OVER[defender]
    place = np.clip(column, 0, 9) * 10 + d10(rng, len(attacker))
    attacker, defender = FEWER[attacker * 3 + LOST[place]], FEWER[defender * 3 + KILLED[place]]
    return counts + count(WINNER[place], attacker, defender, ways)


FIREFIGHT = "a-destroyed a-retreats a-routs b-destroyed b-retreats b-routs undecided".split()
# Turns are counted from one.
TURNS = 7


@in_chunks
def firefight(rng, trials):
    """Counts by how it ended, the turn, and both losses."""
    units = [np.full(trials, FULL) for _ in range(2)]
    counts, ways = 0, len(FIREFIGHT) * TURNS
    for turn, side in itertools.product(range(1, 7), (0, 1)):
        unit = units[side]
        tests = np.flatnonzero(PANIC[unit])
        place = unit[tests] * 10 + d10(rng, len(tests))
        result = TESTS[0][place]
        unit[tests] = TESTED[0][place]
        gone = (result < 2) & (STANDS[unit[tests]] == 0)
        leaves = (result >= 2) | gone
        which = tests[leaves]
        label = 3 * side + np.where(gone, 0, result - 1)[leaves].astype(np.intp)
        label = label * TURNS + turn
        counts = counts + count(label, units[0][which], units[1][which], ways)
        units = [np.delete(unit, which) for unit in units]
        units[1 - side] = shoot(rng, units[side], units[1 - side])[1]
        destroyed = STANDS[units[1 - side]] == 0
        if destroyed.any():
            label = np.full(destroyed.sum(), 3 * (1 - side) * TURNS + turn)
            counts = counts + count(label, units[0][destroyed], units[1][destroyed], ways)
            units = [unit[~destroyed] for unit in units]
    return counts + count(np.full(len(units[0]), 6 * TURNS + 6), *units, ways)
