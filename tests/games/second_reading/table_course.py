"""The sequence of a table: how one round depends on the one before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from .findings import Finding, Judgment, Round
from .reading import Line, instant
from .shoe import OWN_DECKS

WASHINGTON = ZoneInfo("America/Los_Angeles")


@dataclass
class Course:
    """All lines of one call so far. Tables are distinguished by name and game."""

    rounds: dict[tuple[str, str], list[Round]] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    after_rejected: set[tuple[str, str]] = field(default_factory=set)

    def rejected(self, line: Line) -> None:
        if line.table is not None:
            self.after_rejected |= {(line.table, game) for game in OWN_DECKS}

    def before(self, round_: Round) -> list[Round]:
        return self.rounds.setdefault((round_["table"], round_["game"]), [])

    def follows_rejected(self, round_: Round) -> bool:
        return (round_["table"], round_["game"]) in self.after_rejected

    def took(self, round_: Round) -> None:
        self.before(round_).append(round_)
        self.ids.add(round_["round"])
        self.after_rejected.discard((round_["table"], round_["game"]))


def judge_sequence(round_: Round, course: Course, judged: Judgment) -> None:
    before = course.before(round_)
    backward = bool(before) and instant(round_["at"], "at") < instant(before[-1]["at"], "at")
    if backward or round_["round"] in course.ids:
        judged.add("log.sequence", None, None)


def alternating_decks(lines: list[Line]) -> dict[str, list[str]]:
    """Return, by Pick 2 table, deck names used with a shuffler in order of first use (P2-I8)."""
    decks: dict[str, list[str]] = {}
    for line in lines:
        round_ = line.round
        if (
            round_
            and round_["game"] == "pick-2-poker"
            and round_.get("shuffler", False)
            and "deck" in round_
        ):
            names = decks.setdefault(round_["table"], [])
            if round_["deck"] not in names:
                names.append(round_["deck"])
    return decks


def judge_alternation(
    round_: Round, course: Course, decks: dict[str, list[str]], judged: Judgment
) -> None:
    names = decks.get(round_["table"], [])
    deck = round_.get("deck")
    is_bound = (
        round_["game"] == "pick-2-poker" and round_.get("shuffler", False) and len(names) >= 2
    )
    if not is_bound or deck is None or course.follows_rejected(round_):
        return
    before = course.before(round_)
    same_again = bool(before) and before[-1].get("deck") == deck
    if same_again or deck not in names[:2]:
        judged.add("deal.alternation", None, None, "P2-1", "P2-I8")


def audit_deck_by_hand(round_: Round, course: Course, audited: Judgment) -> None:
    """Without a machine there is one deck: none returns on a day after another was used (P2-1)."""

    def by_hand(one: Round) -> bool:
        return "deck" in one and not one.get("shuffler", False)

    if round_["game"] != "pick-2-poker" or not by_hand(round_):
        return
    names = [
        one["deck"]
        for one in course.before(round_)
        if by_hand(one) and day_of(one) == day_of(round_)
    ]
    if round_["deck"] in names and names[-1] != round_["deck"]:
        audited.add("deal.second_deck", None, None, "P2-1")


def day_of(round_: Round) -> date:
    """Return the day at the tables, in Washington, whatever clock wrote the time."""
    since = timedelta(microseconds=int(instant(round_["at"], "at") * 1_000_000))
    return (datetime(1970, 1, 1, tzinfo=UTC) + since).astimezone(WASHINGTON).date()


def judge_bank(round_: Round, course: Course, judged: Judgment) -> None:
    """Check PP-22 and PP-25 on the last round that was neither void nor rejected (PP-I16)."""
    played = [earlier for earlier in course.before(round_) if earlier.get("void") is None]
    if "banker" not in round_ or not played:
        return
    previous = played[-1]
    if "banker" in previous:
        judged.add("bank.turn", None, None, "PP-22", "PP-I16")
        return
    player = next(
        seat.get("player") for seat in round_["seats"] if seat["seat"] == round_["banker"]
    )
    if player is None:
        return
    staked = sum(
        seat["wagers"]["main"] for seat in previous["seats"] if seat.get("player") == player
    )
    wager = round_["house"]["wager"]
    if wager > staked:
        cites = ("PP-25", "PP-I12", "PP-I16")
        judged.findings.append(Finding("bank.house_wager", None, None, wager, staked, cites=cites))
