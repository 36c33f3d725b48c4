"""The whole filter: lines in, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import casino, chinese, pick_2, pyramid, showdown
from .cards import dealt
from .findings import Expected, Finding, Judgment, Round
from .reading import Line, read_line
from .setup import Setup, read_setup
from .shoe import judge_duplicates, judge_shoe
from .table_course import (
    Course,
    alternating_decks,
    audit_deck_by_hand,
    judge_alternation,
    judge_bank,
    judge_sequence,
)
from .wagers import judge_wagers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAMES: dict[str, Callable[[Round, Setup], Judgment]] = {
    "pyramid-poker": pyramid.judge,
    "chinese-poker": chinese.judge,
    "pick-2-poker": pick_2.judge,
    "showdown": showdown.judge,
    "casino-version": casino.judge,
}
SHUFFLER_REASONS = (
    "card face up",
    "wrong number of cards",
    "dealer card exposed",
    "shuffler fault",
)  # P2-15


def judge_lines(
    lines: Iterable[bytes], setup: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return one answer per line, like the `settle` filter."""
    rules = read_setup(setup)
    read = [read_line(number, raw) for number, raw in enumerate(lines, start=1)]
    decks = alternating_decks(read)
    course = Course()
    return [answer(line, rules, course, decks) for line in read]


def answer(line: Line, setup: Setup, course: Course, decks: dict[str, list[str]]) -> dict[str, Any]:
    round_ = line.round
    if round_ is None:
        course.rejected(line)
        error = {"field": line.field, "reason": line.reason}
        return {"line": line.number, "round": line.round_id, "status": "rejected", "error": error}
    had_to_be_void = round_.get("void") is None and must_be_void(round_, setup)
    if round_.get("void") is not None:
        audited = judge_void(round_, setup)
    elif had_to_be_void:
        audited = audit_as_void(round_, setup)
    else:
        audited = judge_played(round_, setup, course)
    judge_wagers(round_, setup, audited)
    judge_duplicates(round_, audited)
    judge_sequence(round_, course, audited)
    judge_alternation(round_, course, decks, audited)
    audit_deck_by_hand(round_, course, audited)
    if had_to_be_void:
        audited.findings = [one for one in audited.findings if not one.code.startswith("bank.")]
    if course.follows_rejected(round_):
        audited.findings = [one for one in audited.findings if not one.code.startswith("bank.")]
    course.took(round_)
    return told(line.number, round_, audited)


def judge_played(round_: Round, setup: Setup, course: Course) -> Judgment:
    judged = GAMES[round_["game"]](round_, setup)
    judge_shoe(round_, judged)
    judge_bank(round_, course, judged)
    return judged


def voids(reason: str, round_: Round, setup: Setup) -> bool:
    """Return whether a reason voids a round, by the rules (P2-15) or by the controls."""
    by_rules = round_["game"] == "pick-2-poker" and round_.get("shuffler", False)
    return reason in setup.void_reasons or (by_rules and reason in SHUFFLER_REASONS)


def must_be_void(round_: Round, setup: Setup) -> bool:
    """Return whether a round was played that should be void: miscounted, or so logged."""
    from_machine = round_["game"] == "pick-2-poker" and round_.get("shuffler", False)
    hands = (round_["house"], *round_["seats"]) if from_machine else ()
    if any(len(dealt(hand["cards"])) != 5 for hand in hands):
        return True
    return any(voids(one, round_, setup) for one in round_.get("irregularities", ()))


def audit_as_void(round_: Round, setup: Setup) -> Judgment:
    """Expect 0 everywhere; only wrong numbers of cards are found of how it was dealt."""
    played = GAMES[round_["game"]](round_, setup)
    audited = Judgment()
    audited.findings = [one for one in played.findings if one.code == "deal.count"]
    if round_["game"] == "chinese-poker":
        chinese.audit_approvals(round_, setup, audited)
    audited.add("void.missing", None, None, "P2-15")
    for seat in round_["seats"]:
        keys = [key for key in seat["result"] if not key.startswith("x_")]
        audited.expected[seat["seat"]] = dict.fromkeys(keys, 0)
        for key in keys:
            audited.compare(f"settlement.{key}", seat["seat"], key, seat["result"][key], 0)
    if "banker" in round_:
        audited.house = 0
        audited.compare("settlement.main", None, "house", round_["house"]["result"], 0)
    return audited


def judge_void(round_: Round, setup: Setup) -> Judgment:
    """Check that every result is 0; cards, sets and the bank aren't audited."""
    judged = Judgment()
    if round_["game"] == "chinese-poker":
        chinese.audit_approvals(round_, setup, judged)
    if not voids(round_["void"], round_, setup):
        judged.add(
            "void.reason", None, None, *(("P2-15",) if round_["game"] == "pick-2-poker" else ())
        )
    for seat in round_["seats"]:
        nothing: Expected = dict.fromkeys(
            (key for key in seat["result"] if not key.startswith("x_")), 0
        )
        judged.expected[seat["seat"]] = nothing
        for key in nothing:
            judged.compare("void.result", seat["seat"], key, seat["result"][key], 0)
    if "banker" in round_:
        judged.house = 0
        judged.compare("void.result", None, "house", round_.get("house", {}).get("result", 0), 0)
    return judged


def told(number: int, round_: Round, judged: Judgment) -> dict[str, Any]:
    findings: list[Finding] = sorted(judged.findings, key=Finding.place)
    status = "irregular" if judged.irregular else "flagged" if findings else "ok"
    said: dict[str, Any] = {"line": number, "round": round_["round"], "status": status}
    if not judged.irregular:
        if judged.house is not None:
            said["house"] = {"expected": {"main": judged.house}}
        said["seats"] = [
            {"seat": seat["seat"], "expected": judged.expected[seat["seat"]]}
            for seat in round_["seats"]
        ]
    said["findings"] = [finding.as_dict() for finding in findings]
    return said
