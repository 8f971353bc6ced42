"""The questions, answered exactly by icepool: dice mapped stage by stage, so that equal states merge."""

from icepool import d6, tupleize, z
from elephant import FIRE, MELEE, fire_column, melee_column

PASS, HIT, RETREAT, ROUT = range(4)


def fire():
    """Hits of one volley: ten stands with rifle-muskets at 100 yards, standing still."""
    column = fire_column(30)
    return z(10).map(lambda die: FIRE[die][column][0])


def melee():
    """Who wins, ten stands against ten."""
    column = melee_column(10, 10)
    return z(10).map(lambda die: MELEE[die][column][2])


def volley():
    """Hits and casualties: twenty d6 hit on 4 and more, hits are saved on 5 and 6."""
    hits = 20 @ (d6 >= 4)
    return hits.map(lambda hits: tupleize(hits, hits @ (d6 < 5)))


def suffer(unit, hits, panic):
    """A unit is its stands, the hits on the next one, panic markers, and overenthusiasm."""
    stands, had, markers, over = unit
    lost, rest = divmod(had + hits, 3)
    return (max(stands - lost, 0), rest, min(markers + panic, 2), over)


def test(unit, extra):
    """A morale test of a regular unit: result and the unit after it."""

    def read(die):
        stands, hits, panic, _ = unit
        modified = die + panic + (10 - stands) // 2 + extra
        after = (stands, hits, panic, modified <= 0)
        if modified <= 8:
            return PASS, (stands, hits, 0, modified <= 0)
        if modified <= 10:
            return HIT, suffer(after, 1, 1)
        return (RETREAT if modified <= 12 else ROUT), after

    return z(10).map(read)


def fired_at(firer, target):
    """Whether a volley had an effect, and the target after it."""
    factors = max(firer[0] - firer[2], 0) * 3
    if factors == 0:
        return (False, target)
    column = fire_column(factors)

    def read(die):
        hits, panic = FIRE[die][column]
        return panic > 0, suffer(target, hits, panic)

    return z(10).map(read)


FULL = (10, 0, 0, False)


def ended(label, attacker, defender):
    return ("ended", label, 10 - attacker[0], 10 - defender[0])


def playing(stage):
    """A stage leaves those alone that have ended."""
    return lambda *state: state if state[0] == "ended" else stage(*state)


@playing
def fire_at_charger(_, attacker, defender):
    def then(effect, attacker):
        if not effect:
            return ("charge", attacker, defender)
        return test(attacker, 0).map(lambda result, unit: stopped(result, unit, defender))

    volley = fired_at(defender, attacker)
    return then(*volley) if isinstance(volley, tuple) else volley.map(then)


def stopped(result, attacker, defender):
    if result == PASS:
        return ("charge", attacker, defender)
    return ended(("", "attacker-halts", "attacker-retreats", "attacker-routs")[result], attacker, defender)


FLEES = {RETREAT: "defender-retreats", ROUT: "defender-routs"}


@playing
def second_fire(_, attacker, defender):
    def then(result, defender):
        if result in FLEES:
            return ended(FLEES[result], attacker, defender)
        return ("charge" if result == PASS else "held", attacker, defender)

    return test(defender, 1).map(then)


@playing
def second_volley(stage, attacker, defender):
    return fire_at_charger(stage, attacker, defender) if stage == "charge" else ("charge", attacker, defender)


@playing
def receive(_, attacker, defender):
    def then(result, defender):
        if result in FLEES:
            return ended(FLEES[result], attacker, defender)
        return ("charge", attacker, defender)

    return test(defender, 0).map(then)


@playing
def hand_to_hand(_, attacker, defender):
    shift = attacker[3] - defender[3]
    column = min(max(melee_column(attacker[0], defender[0]) + shift, 0), 9)

    def read(die):
        lost, killed, winner = MELEE[die][column]
        label = ("attacker-wins", "defender-wins", "engaged")[winner]
        return ended(label, (attacker[0] - lost,), (defender[0] - killed,))

    return z(10).map(read)


def charge():
    """How a charge ends, and what both lose."""
    state = fire_at_charger("charge", FULL, FULL)
    for stage in (second_fire, second_volley, receive, hand_to_hand):
        state = state.map(stage, star=True)
    return state.map(lambda _, *row: row, star=True)


def act(side, turn):
    """One side's part of a turn: a test if it has markers, then its fire."""

    def end(label, units):
        return ("ended", f"{'ab'[side]}-{label}", turn, 10 - units[0][0], 10 - units[1][0])

    def shoot(units):
        def then(_, target):
            after = (target, units[1]) if side else (units[0], target)
            if target[0] == 0:
                return ("ended", f"{'ba'[side]}-destroyed", turn, 10 - after[0][0], 10 - after[1][0])
            return ("fights", *after)

        volley = fired_at(units[side], units[1 - side])
        return then(*volley) if isinstance(volley, tuple) else volley.map(then)

    @playing
    def stage(_, a, b):
        units = (a, b)
        if units[side][2] == 0:
            return shoot(units)

        def tested(result, unit):
            # Overenthusiasm counts in melee alone: kept, it would double the states.
            unit = (*unit[:3], False)
            after = (units[0], unit) if side else (unit, units[1])
            if result in (RETREAT, ROUT):
                return end(("retreats", "routs")[result - RETREAT], after)
            if unit[0] == 0:
                return end("destroyed", after)
            return shoot(after)

        return test(units[side], 0).map(tested)

    return stage


def firefight():
    """How a firefight of six turns ends, when, and what both lose."""
    state = act(0, 1)("fights", FULL, FULL)
    state = state.map(act(1, 1), star=True)
    for turn in range(2, 7):
        for side in (0, 1):
            state = state.map(act(side, turn), star=True)
    undecided = lambda kind, *rest: rest if kind == "ended" else ("undecided", 6, 10 - rest[0][0], 10 - rest[1][0])
    return state.map(undecided, star=True)
