"""What a log of the demonstration is made of: tables that are dealt, lines that are broken."""

from __future__ import annotations

import heapq
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from games.dealing import Planted, deal_night
from games.rule_set import rule_set
from games.setup_file import read_setup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from games.dealing import Dealt, Plan
    from games.setup import Setup

AT: Final = b'"at":"'
DECK: Final = b'"deck":"'
INSTANT: Final = len("2025-07-12T06:00:00-07:00")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Tables of one game for some hours, and what is wrong with all that was dealt there."""

    plan: Plan
    refused: tuple[str, ...] = ()
    """`approval.*` of every round that was played out."""
    unverified: bool = False
    """Whether nobody has read what the law allowed to be wagered then."""
    pauses: Mapping[str, tuple[datetime, datetime]] = field(default_factory=dict)
    """By table, from when to when nothing of it is in the log."""

    def deal(self) -> Iterator[tuple[bytes, Dealt]]:
        """Each round with the instant by which it stands in the log."""
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
                    # After a pause the decks go on taking turns, as at a table without one.
                    if since <= at < until or (at >= until and deck and deck == decks[table]):
                        break
                    decks[table] = deck
            else:
                yield at, dealt

    def found_of(self, dealt: Dealt) -> Iterator[Planted]:
        """What is to be found of a round: what was planted, and what the whole sheet is about."""
        yield from dealt.planted
        if not self.refused and not self.unverified:
            return
        round_ = json.loads(dealt.line)
        if "void" not in round_:
            for code in self.refused:
                yield Planted(round_["round"], code, None, None, 0, "sheet", "not authorised")
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
    """A file as an operator hands it in."""

    operator: str
    name: str
    by: str
    """Who hands it in."""
    handed_in: datetime
    sheets: tuple[Sheet, ...]
    broken: tuple[bytes, ...] = ()
    """Lines behind the last round that are none."""

    def rounds(self) -> Iterator[tuple[Sheet, Dealt]]:
        """Every round in the order of the log, with the sheet that it belongs to."""
        for _, place, dealt in heapq.merge(
            *(self._dealt(place) for place in range(len(self.sheets))), key=lambda each: each[:2]
        ):
            yield self.sheets[place], dealt

    def _dealt(self, place: int) -> Iterator[tuple[bytes, int, Dealt]]:
        for at, dealt in self.sheets[place].deal():
            yield at, place, dealt


def _deck_of(line: bytes) -> bytes:
    """The deck's name with its key, as the line has it; empty where no decks take turns."""
    begin = line.find(DECK)
    return line[begin : line.index(b",", begin)] if begin >= 0 else b""


def setup_of(
    controls: Mapping[str, Any], game: str, *, cap: int | None, players: int | None
) -> Setup:
    """The terms of a game as an operator's controls, in their JSON, and the law set them.

    Without a cap or a number of players the law sets none.
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
    return read_setup(json.dumps(setup))
