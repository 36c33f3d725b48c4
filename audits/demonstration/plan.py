"""The demonstration plan: gambling days from July 12, 2025, their logs and the planted faults."""

from __future__ import annotations

import heapq
import json
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from compliance.filings.demonstration_controls import (
    CEDAR,
    CEDAR_SINCE_MIDNIGHT,
    HARBOR,
    TWIN_RIVERS,
    WESTFORK,
)
from games.commands.definitions import definition_named
from games.families.filed import with_definition
from games.rule_set import SLUGS, rule_set
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan, Planted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.setup import Setup
    from games.simulator.plan import Dealt


AT: Final = b'"at":"'
DECK: Final = b'"deck":"'
INSTANT: Final = len("2025-07-12T06:00:00-07:00")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Tables of one game for a few hours, and the faults in all their rounds."""

    plan: Plan
    refused: tuple[str, ...] = ()
    """`approval.*` codes that apply to every completed round."""
    unverified: bool = False
    """Whether the legal wager limits of that time are unverified."""
    pauses: Mapping[str, tuple[datetime, datetime]] = field(default_factory=dict)
    """Start and end of each table's gap in the log."""

    def deal(self) -> Iterator[tuple[bytes, Dealt]]:
        """Yield each round with the instant that sorts it in the log."""
        pauses = {
            b'"table":"%s"' % table.encode(): (begin.isoformat().encode(), end.isoformat().encode())
            for table, (begin, end) in self.pauses.items()
        }
        decks = dict.fromkeys(pauses, b"")
        for dealt in deal_night(self.plan):
            begin = dealt.line.index(AT) + len(AT)
            at = dealt.line[begin : begin + INSTANT]
            for table, (since, until) in pauses.items():
                if table in dealt.line[:begin]:
                    deck = _deck_of(dealt.line)
                    # After a pause the decks keep alternating, as at a table without one.
                    if since <= at < until or (at >= until and deck and deck == decks[table]):
                        break
                    decks[table] = deck
            else:
                yield at, dealt

    def found_of(self, dealt: Dealt) -> Iterator[Planted]:
        """Yield the expected findings of a round: planted faults, then those of the whole sheet."""
        yield from dealt.planted
        if not self.refused and not self.unverified:
            return
        round_ = json.loads(dealt.line)
        if "void" not in round_:
            for code in self.refused:
                yield Planted(round_["round"], code, None, None, 0, "sheet", "not authorized")
        if self.unverified:
            for seat in round_["seats"]:
                for wager in rule_set(self.plan.game).wagers:
                    if seat["wagers"][wager]:
                        yield Planted(
                            round_["round"], "limit.unverified", seat["seat"], wager, 0,
                            "sheet", "a limit that nobody has read",
                        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Log:
    """A file as an operator submits it."""

    operator: str
    name: str
    by: str
    """Name of the person who submits it."""
    submitted: datetime
    sheets: tuple[Sheet, ...]
    broken: tuple[bytes, ...] = ()
    """Invalid lines after the last round."""

    def rounds(self) -> Iterator[tuple[Sheet, Dealt]]:
        """Yield every round in log order with its sheet."""
        for _, place, dealt in heapq.merge(
            *(self._dealt(place) for place in range(len(self.sheets))), key=lambda each: each[:2]
        ):
            yield self.sheets[place], dealt

    def _dealt(self, place: int) -> Iterator[tuple[bytes, int, Dealt]]:
        for at, dealt in self.sheets[place].deal():
            yield at, place, dealt


def _deck_of(line: bytes) -> bytes:
    """Return the deck's key and name as in the line; empty if no decks alternate."""
    begin = line.find(DECK)
    return line[begin : line.index(b",", begin)] if begin >= 0 else b""


def setup_of(
    controls: Mapping[str, Any], game: str, *, cap: int | None, players: int | None
) -> Setup:
    """Return the terms of a game as set by the operator's controls (JSON) and the law.

    If `cap` or `players` is None, the law sets no such limit.
    """
    of_game = controls["games"][game]
    setup: dict[str, Any] = {
        "interpretations": of_game.get("interpretations", {}),
        "limits": {table: limits for table, limits in of_game["tables"].items() if limits},
        "void_reasons": controls["void_reasons"],
    }
    law = {"cap": cap, "players": players}
    setup |= {name: most for name, most in law.items() if most is not None}
    if "max_aggregate" in of_game:
        setup["max_aggregate"] = {game: of_game["max_aggregate"]}
    if "banker_min" in of_game:
        setup["banker"] = {"min": of_game["banker_min"]}
    if "chinese" in of_game:
        chinese = dict(of_game["chinese"])
        del chinese["largest_unit"]
        setup["chinese"] = chinese
    if game in SLUGS:
        return read_setup(json.dumps(setup))
    definition = definition_named(game)
    setup["pay_tables"] = {game: of_game.get("pay_tables", {})}
    return with_definition(read_setup(json.dumps(setup), {game: definition}), definition)


WEST: Final = ZoneInfo("America/Los_Angeles")
NIGHT: Final = date(2025, 7, 12)
CARRIED_FORWARD: Final = date(2025, 8, 9)
"""Nobody has checked the law since August 1, so its values are carried forward."""
UNKNOWN: Final = date(2005, 3, 12)
"""In the period of WSR 04-19-068, which nobody has reviewed."""
DAYS: Final = {
    NIGHT: ("cedar", "harbor", "twin-rivers", "westfork"),
    CARRIED_FORWARD: ("cedar", "harbor", "twin-rivers"),
    UNKNOWN: ("harbor",),
}
"""Operators in the demonstration by gambling day, including those whose log is missing."""
WAC_CAP: Final = 40_000
COMPACT_CAP: Final = 50_000
PLAYERS: Final = 9
PACE: Final = 3
"""Seconds between rounds: faster than real dealing, so that few tables make a long night."""
RATE: Final = Fraction(1, 400)
PYRAMID, PICK_2, CHINESE, SHOWDOWN = "pyramid-poker", "pick-2-poker", "chinese-poker", "showdown"
THREE_CARD, LET_IT_RIDE, PAI_GOW = "three-card-poker", "let-it-ride", "pai-gow-poker"
BLACKJACK, BACCARAT, HOLDEM = "blackjack", "mini-baccarat", "texas-holdem"


@dataclass(frozen=True, kw_only=True)
class Lacking:
    """Something that a day still lacks at the end."""

    operator: str
    day: date
    code: str
    table: str = ""


LACKING: Final = (
    Lacking(operator="cedar", day=NIGHT, code="night.gap", table="T4"),
    Lacking(operator="harbor", day=NIGHT, code="night.table_silent", table="H2"),
    Lacking(operator="twin-rivers", day=NIGHT, code="night.late_log"),
    Lacking(operator="cedar", day=CARRIED_FORWARD, code="night.table_silent", table="T4"),
    Lacking(operator="cedar", day=CARRIED_FORWARD, code="night.table_silent", table="T5"),
    Lacking(operator="cedar", day=CARRIED_FORWARD, code="night.table_silent", table="T8"),
    Lacking(operator="harbor", day=CARRIED_FORWARD, code="night.no_log"),
    Lacking(operator="twin-rivers", day=CARRIED_FORWARD, code="night.no_log"),
    Lacking(operator="harbor", day=UNKNOWN, code="night.late_log"),
)
BROKEN: Final = (
    b'{"v":1,"round":"0712-H3-torn","game":"pick-2-poker","table":"H3","at":"2025-07-13T03:5',
    b'{"v":1,"round":"0712-H3-half","game":"pick-2-poker","table":"H3","at":"2025-07-13T03:59:59'
    b'-07:00","seats":[{"seat":1,"wagers":{"ante":500.5}}]}',
)


def on(day: date, hour: int, minute: int = 0) -> datetime:
    """Return an instant of a gambling day; hours before six are on the following morning."""
    civil = day if hour >= 6 else day + timedelta(days=1)
    return datetime(civil.year, civil.month, civil.day, hour, minute, tzinfo=WEST)


MIDNIGHT: Final = on(NIGHT, 0)
HOLE_AT_T4: Final = (on(NIGHT, 21, 10), on(NIGHT, 22, 40))
IN_TIME: Final = on(NIGHT, 8) + timedelta(days=1)
CLOSED: Final = on(NIGHT, 12, 5) + timedelta(days=1)
TOO_LATE: Final = on(NIGHT, 15) + timedelta(days=1)

EACH: Final = Fraction(1)
AT_T2: Final = FaultPlan(name="layout_pays", rate=EACH, table="T2")
"""Dealers at T2 pay what the layout shows: 50 to 1 for a straight flush instead of 30 to 1."""
AT_T3: Final = FaultPlan(name="copies_otherwise", rate=EACH, table="T3", begin=MIDNIGHT)
"""From midnight the dealer wins equal hands, but T3 keeps following the old rule."""
AT_R1: Final = FaultPlan(
    name="paid_for_one", rate=EACH, table="R1", begin=on(NIGHT, 20), end=on(NIGHT, 22)
)
"""For one shift a dealer keeps the stakes of winning bets."""

AT_H1: Final = {"H1": "As As"}
"""The quiet story: two of six aces of spades are gone. No round breaks a rule by it; only the watch
sees it."""


AT_T8: Final = (
    FaultPlan(
        name="line_pays pair_plus flush 5", rate=EACH, table="T8",
        begin=on(NIGHT, 20), end=on(NIGHT, 22),
    ),
    FaultPlan(name="relation play", rate=Fraction(1, 200)),
)  # fmt: skip
"""For a shift a dealer pays a flush 5 to 1; now and then a play wager is twice the ante."""


def _shift(name: str, begin: int, end: int) -> FaultPlan:
    """Return a fault in every round of the night's hours from `begin` to `end`."""
    return FaultPlan(name=name, rate=EACH, begin=on(NIGHT, begin), end=on(NIGHT, end))


AT_WESTFORK: Final = (
    # For a shift, a dealer pays blackjacks as at a table with another sign.
    (BLACKJACK, "W1", (_shift("line_pays main blackjack 6/5", 21, 23), ("draw", 100))),
    (BACCARAT, "W2", (_shift("line_pays tie tie 9", 19, 21), ("draw", 100))),
    (PAI_GOW, "W3", (_shift("commission_forgotten", 22, 23), ("dealer_set_otherwise", 50))),
    (LET_IT_RIDE, "W4", (_shift("line_pays three_card flush 4", 20, 23),)),
    (
        HOLDEM,
        "W5",
        (("over_rake", 40), ("pot_to_other", 100), ("out_of_turn", 60), ("unbalanced", 120)),
    ),
)
"""Each game and table, with its faults: of a shift, or in one of so many rounds."""


def logs(pace: int = PACE) -> tuple[Log, ...]:
    """Return every log of the demonstration in order of submission."""
    return (
        *_cedar(pace), *_harbor(pace), *_twin_rivers(pace), *_westfork(pace),
        *_further_days(pace),
    )  # fmt: skip


def _all(rate: Fraction = RATE) -> FaultPlan:
    return FaultPlan(rate=rate)


def _sheet(game: str, tables: str, begin: datetime, end: datetime, **more: Any) -> Sheet:
    of_sheet = {
        name: more.pop(name) for name in ("refused", "unverified", "pauses") if name in more
    }
    plan = Plan(
        game=game,
        tables=tuple(tables.split()),
        opening=begin,
        closing=end,
        seed=f"demonstration {begin}",
        ids=f"{begin:%m%d%H}-",
        **more,
    )
    return Sheet(plan=plan, **of_sheet)


def _house(controls: dict[str, Any], game: str, cap: int = WAC_CAP) -> Setup:
    return setup_of(controls, game, cap=cap, players=PLAYERS)


def _busier(pace: int) -> int:
    return max(1, pace * 2 // 3)


def _cedar(pace: int) -> tuple[Log, ...]:
    begin, end = on(NIGHT, 6), on(NIGHT, 5, 59)
    pyramid: dict[str, Any] = {
        "setup": _house(CEDAR, PYRAMID),
        "later": ((MIDNIGHT, _house(CEDAR_SINCE_MIDNIGHT, PYRAMID)),),
        "pace": pace,
    }
    pick_2: dict[str, Any] = {"setup": _house(CEDAR, PICK_2), "pace": pace, "faults": (_all(),)}
    chinese = setup_of(CEDAR, CHINESE, cap=None, players=PLAYERS)
    common: dict[str, Any] = {"operator": "cedar", "by": "Jon Petersen", "submitted": IN_TIME}
    return (
        Log(
            name="cedar-2025-07-12-pyramid.jsonl.gz",
            sheets=(
                _sheet(PYRAMID, "T1 T2 T3", begin, end, faults=(_all(), AT_T2, AT_T3), **pyramid),
                # A table that is missing from the controls.
                _sheet(
                    PYRAMID, "T9", on(NIGHT, 20), on(NIGHT, 21),
                    setup=_house(CEDAR, PYRAMID), pace=pace * 20, refused=("approval.controls",),
                ),
            ),
            **common,
        ),
        Log(
            name="cedar-2025-07-12-pick-2.jsonl.gz",
            sheets=(
                _sheet(PICK_2, "T4 T5", begin, end, pauses={"T4": HOLE_AT_T4}, **pick_2),
            ),
            **common,
        ),
        Log(
            name="cedar-2025-07-12-others.jsonl.gz",
            sheets=(
                _sheet(CHINESE, "T6", begin, end, setup=chinese, pace=pace, faults=(_all(),)),
                # A game without approval.
                _sheet(
                    SHOWDOWN, "T7", on(NIGHT, 19), on(NIGHT, 20),
                    pace=pace * 20, refused=("approval.controls", "approval.game"),
                ),
            ),
            **common,
        ),
        Log(
            name="cedar-2025-07-12-three-card.jsonl.gz",
            sheets=(
                # A game that a supplier filed as data; from midnight it has another pay table.
                _sheet(
                    THREE_CARD, "T8", on(NIGHT, 18), on(NIGHT, 2),
                    setup=_house(CEDAR, THREE_CARD),
                    later=((MIDNIGHT, _house(CEDAR_SINCE_MIDNIGHT, THREE_CARD)),),
                    pace=pace * 3, faults=AT_T8,
                ),
            ),
            **common,
        ),
    )  # fmt: skip


def _harbor(pace: int) -> tuple[Log, ...]:
    pace = _busier(pace)
    begin, end = on(NIGHT, 10), on(NIGHT, 3, 59)
    pyramid, pick_2 = _house(HARBOR, PYRAMID), _house(HARBOR, PICK_2)
    return (
        Log(
            operator="harbor",
            by="Lars Holm",
            submitted=IN_TIME,
            name="harbor-2025-07-12.jsonl.gz",
            sheets=(
                _sheet(
                    PYRAMID, "H1", begin, end,
                    setup=pyramid, pace=pace, faults=(_all(),), lacking=AT_H1,
                ),
                _sheet(PICK_2, "H3", begin, end, setup=pick_2, pace=pace, faults=(_all(),)),
                # The room closes at four.
                _sheet(
                    PYRAMID, "H1", on(NIGHT, 4, 1), on(NIGHT, 4, 20),
                    setup=pyramid, pace=pace * 5, refused=("approval.hours",),
                ),
            ),
            broken=BROKEN,
        ),
    )  # fmt: skip


def _twin_rivers(pace: int) -> tuple[Log, ...]:
    pace = _busier(pace)
    begin, end = on(NIGHT, 6), on(NIGHT, 5, 59)
    terms = {
        game: setup_of(TWIN_RIVERS, game, cap=COMPACT_CAP, players=None)
        for game in (PYRAMID, PICK_2)
    }
    more: dict[str, Any] = {"pace": pace, "compact": True, "faults": (_all(),)}
    common: dict[str, Any] = {"operator": "twin-rivers", "by": "Mary Strong"}
    return (
        Log(
            name="twin-rivers-2025-07-12-r1.jsonl.gz",
            submitted=IN_TIME,
            sheets=(
                _sheet(
                    PYRAMID, "R1", begin, end,
                    setup=terms[PYRAMID], **{**more, "faults": (_all(), AT_R1)},
                ),
            ),
            **common,
        ),
        Log(
            name="twin-rivers-2025-07-12-r2.jsonl.gz",
            submitted=TOO_LATE,
            sheets=(_sheet(PICK_2, "R2", begin, end, setup=terms[PICK_2], **more),),
            **common,
        ),
    )  # fmt: skip


def _westfork(pace: int) -> tuple[Log, ...]:
    """Return the log of a room that deals only games that suppliers filed as data."""
    return (
        Log(
            operator="westfork",
            by="Sam Whitaker",
            submitted=IN_TIME,
            name="westfork-2025-07-12.jsonl.gz",
            sheets=tuple(
                _sheet(
                    game, table, on(NIGHT, 18), on(NIGHT, 2),
                    setup=setup_of(
                        WESTFORK, game, cap=None if game == HOLDEM else WAC_CAP, players=PLAYERS
                    ),
                    pace=pace * 12,
                    faults=tuple(
                        each
                        if isinstance(each, FaultPlan)
                        else FaultPlan(name=each[0], rate=Fraction(1, each[1]))
                        for each in faults
                    ),
                )
                for game, table, faults in AT_WESTFORK
            ),
        ),
    )  # fmt: skip


def _further_days(pace: int) -> tuple[Log, ...]:
    begin, end = on(CARRIED_FORWARD, 18), on(CARRIED_FORWARD, 21)
    since = CEDAR_SINCE_MIDNIGHT
    slow = pace * 20
    return (
        Log(
            operator="harbor",
            name="harbor-2005-03-12.jsonl.gz",
            by="Lars Holm",
            submitted=TOO_LATE,
            sheets=(
                _sheet(
                    PYRAMID, "H1", on(UNKNOWN, 20), on(UNKNOWN, 22), pace=slow, unverified=True,
                    refused=("approval.controls", "approval.game", "approval.license"),
                ),
            ),
        ),
        Log(
            operator="cedar",
            name="cedar-2025-08-09.jsonl.gz",
            by="Jon Petersen",
            submitted=on(CARRIED_FORWARD, 8) + timedelta(days=1),
            sheets=(
                _sheet(
                    PYRAMID, "T1 T2 T3", begin, end,
                    setup=_house(since, PYRAMID), pace=slow, faults=(_all(Fraction(1, 50)),),
                ),
                _sheet(
                    CHINESE, "T6", begin, end,
                    setup=setup_of(since, CHINESE, cap=None, players=PLAYERS), pace=slow,
                ),
            ),
        ),
    )  # fmt: skip
