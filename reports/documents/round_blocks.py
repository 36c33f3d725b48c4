"""A round as blocks: what it came to, the cards, each step with its clause, what proves it."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from audits.findings_in_words import value_in_words
from audits.judging.whose_money import Whose, whose
from games.story.card_words import cards_in_words
from reports.documents.sources import documents_named
from reports.documents.wording import counted, dollars, instant, said
from reports.documents.wording import day as day_in_words
from reports.paper.blocks import Align, Callout, Column, Facts, Hand, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.paper.blocks import Block

PLAYS = {
    "three": "plays three cards",
    "five": "plays five cards",
    "fold": "folds",
    "play": "plays on",
    "showdown": "plays to the showdown",
    "surrender": "surrenders",
    "surrender-20": "surrenders after 20 cards",
    "surrender-23": "surrenders after 23 cards",
}
"""What a player chose to do, by its word in the log."""
LONGEST_LINE = 8_000
"""Characters of a raw line that are printed."""


def round_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """The whole sheet."""
    yield from what_it_came_to(data)
    yield findings_table(data["findings"])
    yield wagers_table(data["judged"]["parts"])
    yield from _dealt(data)
    yield from _steps(data["judged"])
    sources = (each["sources"] for each in data["judged"]["clauses"])
    yield from documents_named(chain.from_iterable(sources))
    yield from _by_whose_word(data["judged"])
    yield from _evidence(data)


def what_it_came_to(data: Mapping[str, Any]) -> Iterator[Block]:
    """The verdict in a sentence, where and when."""
    yield _verdict(data)
    judged = data["judged"]
    if not judged["as_on_file"]:
        yield Callout(
            "Told otherwise than it was judged",
            "The engine that tells this round finds otherwise than the replay on file did. The "
            "findings below are today's; the replay stands until the day is judged again.",
            Mood.ATTENTION,
        )
    began = [("First wager", instant(data["since"]))] if data["since"] else []
    void = [("Void", data["void"] or "without a reason")] if data["void"] is not None else []
    yield Facts(
        (
            ("Operator", data["operator"]),
            ("Game and table", f"{data['game_name']}, table {data['table']}"),
            *began,
            ("Ended", instant(data["at"])),
            ("Gambling day", day_in_words(data["day"])),
            ("Dealt", data["dealt"]),
            *void,
        )
    )


def findings_table(findings: Sequence[Mapping[str, Any]], name: str = "findings") -> Rows:
    """What is wrong with the round, and what was said of it."""
    return Rows(
        name,
        "Findings",
        (
            Column("Finding"),
            Column("Where"),
            Column("Logged"),
            Column("Expected"),
            Column("Received", Align.NUMBERS),
            Column("Rests on"),
        ),
        tuple(
            (
                f"{each['code']}: {each['says']}"
                + (f" {each['diagnosis']}" if each["diagnosis"] else ""),
                _where(each),
                value_in_words(each["code"], each["logged"]),
                value_in_words(each["code"], each["expected"]),
                much(each["delta"]),
                "\n".join(each["cites"]) or "–",
            )
            for each in findings
        ),
        "Nothing was found on this round.",
    )


def wagers_table(parts: Sequence[Mapping[str, Any]]) -> Rows:
    """Each wager as logged against what the rules give."""
    return Rows(
        "wagers",
        "Wagers, as logged and as the rules give them",
        (
            Column("Of"),
            Column("Wager"),
            Column("Wagered", Align.NUMBERS),
            Column("Logged", Align.NUMBERS),
            Column("Expected", Align.NUMBERS),
            Column("Difference", Align.NUMBERS),
        ),
        tuple(
            (
                part["title"].removesuffix(" in all"),
                said(each["key"]).capitalize(),
                "–" if each["wagered"] is None else dollars(each["wagered"]),
                _result(each["logged"]),
                "cannot be told" if each["expected"] is None else _result(each["expected"]),
                _difference(each),
            )
            for part in parts
            for each in part["wagers"]
        ),
        "No wager was logged.",
    )


def much(cents: int) -> str:
    """What was received besides what was due, in words."""
    if not cents:
        return "–"
    return f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"


def _verdict(data: Mapping[str, Any]) -> Callout:
    findings = data["findings"]
    if not findings:
        says = (
            "The round is void, as the approved terms allow, and nothing was won or lost."
            if data["void"] is not None
            else "Every wager was settled as the rules of play give it, and nothing else was found."
        )
        return Callout("No apparent violation", says, Mood.GOOD)
    if data["judged"]["status"] == "irregular":
        says = "The rules give no settlement for what was logged, so that no wager can be compared."
        return Callout("Could not be settled", says, Mood.ATTENTION)
    found = f"{counted(len(findings), 'finding')} on this round"
    received = [
        f"{who} received {' and '.join(both_ways)}"
        for who in (Whose.PLAYERS, Whose.HOUSE)
        if (both_ways := _both_ways(findings, who))
    ]
    if received:
        says = f"{found}, by which {', and '.join(received)}."
        return Callout("Apparent violation, with money", says, Mood.SERIOUS)
    weighty = any(each["weight"] != "notice" for each in findings)
    heading = "Apparent violation" if weighty else "Something to be noted"
    return Callout(
        heading,
        f"{found}. Of what could be settled no payment differs from the rules.",
        Mood.ATTENTION,
    )


def _both_ways(findings: Sequence[Mapping[str, Any]], who: Whose) -> list[str]:
    moved = [each["delta"] for each in findings if whose(each["code"], each["wager"]) is who]
    over, under = sum(each for each in moved if each > 0), sum(each for each in moved if each < 0)
    return [much(cents) for cents in (over, under) if cents]


def _where(finding: Mapping[str, Any]) -> str:
    parts = (
        f"seat {finding['seat']}" if finding["seat"] is not None else "the table",
        f"player {finding['player']}" if finding["player"] else "",
        said(finding["wager"]) if finding["wager"] else "",
    )
    text = ", ".join(part for part in parts if part)
    return text[0].upper() + text[1:]


def _result(cents: int | None) -> str:
    if cents is None:
        return "none"
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _difference(wager: Mapping[str, Any]) -> str:
    if wager["by_sum"]:
        return "by the sum alone"
    if wager["logged"] is None or wager["expected"] is None:
        return "–"
    return much(wager["logged"] - wager["expected"])


def _dealt(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("The table as dealt")
    if any(hand["is_wrong"] for laid in _laid(data) for hand in laid["hands"]):
        yield Words("Where a hand is set otherwise than the rules set it, both are drawn.")
    for laid in _laid(data):
        yield from _hands(laid)


def _laid(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*([data["house"]] if data["house"] else []), *data["seats"]]


def _hands(laid: Mapping[str, Any]) -> Iterator[Block]:
    whose = laid["title"]
    whose += f", player {laid['player']}" if laid["player"] else ""
    whose += ", banker" if laid["banks"] else ""
    whose += f", {PLAYS.get(laid['play'], laid['play'])}" if laid["play"] else ""
    told = [each for each in laid["hands"] if _is_of_the_first(each, laid["hands"])]
    for number, hand in enumerate(each for each in laid["hands"] if each not in told):
        right = "".join(
            f"; {each['label'].lower()} {cards_in_words(each['cards'])}" for each in told
        )
        label = f"{whose}: {hand['label'].lower()}" + (right if number == 0 else "")
        if hand["is_wrong"]:
            yield Hand(f"{label} as it was set", tuple(hand["cards"]))
            yield Hand(f"{label} as the rules set it", tuple(hand["as_ruled"]))
        else:
            yield Hand(label, tuple(hand["cards"]))
    if not laid["hands"]:
        yield Words(f"{whose}: no cards logged.")


def _is_of_the_first(hand: Mapping[str, Any], hands: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a hand was set rightly out of the cards that are drawn before it."""
    of_its_own = hand["label"] in {"Low", "Best three", "Three in play"}
    return of_its_own and not hand["is_wrong"] and hands[0]["label"] == "Cards"


def _steps(judged: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Step by step")
    yield Words(
        "What a dealer goes through, as the rules have it. A clause, an interpretation or a "
        "section of the law is quoted where it is first met; later its number points to that step."
    )
    quoting = _Quoting(judged["clauses"])
    if judged["about"]:
        yield _table(0, "The round", judged["about"], quoting)
    for number, part in enumerate(judged["parts"], start=1):
        steps = [*part["steps"], *(step for each in part["wagers"] for step in _of_wager(each))]
        if steps:
            yield _table(number, part["title"], steps, quoting)
    rest = quoting.left()
    if rest:
        yield Rows(
            "clauses",
            "What the findings rest on besides",
            (Column("Id"), Column("Says"), Column("Source")),
            tuple(
                (each["id"], each["says"] or "–", ", ".join(each["sources"]) or "–")
                for each in rest
            ),
        )
    yield Rows(
        "readings",
        "Open questions of the rules, and how each was read",
        (Column("Id"), Column("Question"), Column("Read as"), Column("Chosen by")),
        tuple(
            (
                each["id"],
                each["asks"],
                f"{said(each['reading']).capitalize()}. {each['says']}".strip(),
                each["chosen_by"],
            )
            for each in judged["readings"]
        ),
        "No interpretation was needed.",
    )


class _Quoting:
    """Clauses quoted once, and pointed to afterwards."""

    def __init__(self, clauses: Sequence[Mapping[str, Any]]) -> None:
        self._clauses = {each["id"]: each for each in clauses}
        self._met: dict[str, int] = {}
        self.step = 0

    def rests_on(self, ids: Sequence[str]) -> str:
        """What the next step rests on: what is met first, then where the others were met."""
        self.step += 1
        pointed: dict[int, list[str]] = {}
        for id_ in ids:
            if id_ in self._met:
                pointed.setdefault(self._met[id_], []).append(id_)
        quoted = [self._quoted(id_) for id_ in dict.fromkeys(ids) if id_ not in self._met]
        before = [f"{', '.join(met)} (step {step})" for step, met in sorted(pointed.items())]
        return "\n".join([*quoted, *([f"see {'; '.join(before)}"] if before else [])]) or "–"

    def left(self) -> list[Mapping[str, Any]]:
        """Those that no step named."""
        return [each for id_, each in self._clauses.items() if id_ not in self._met]

    def _quoted(self, id_: str) -> str:
        self._met[id_] = self.step
        clause = self._clauses.get(id_, {"says": "", "sources": []})
        source = f" ({'; '.join(clause['sources'])})" if clause["sources"] else ""
        return f"{id_}: {clause['says']}{source}" if clause["says"] else f"{id_}{source}"


def _table(number: int, title: str, steps: Sequence[Mapping[str, Any]], quoting: _Quoting) -> Rows:
    rows = []
    for step in steps:
        rests_on = quoting.rests_on(step["cites"])
        rows.append((str(quoting.step), step["says"], rests_on))
    return Rows(
        f"steps-{number}",
        title,
        (Column("Step", Align.NUMBERS), Column("What happens"), Column("Rests on")),
        tuple(rows),
    )


def _of_wager(wager: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps of a wager, and what it comes to."""
    name = said(wager["key"]).capitalize()
    staked = "" if wager["wagered"] is None else f", {dollars(wager['wagered'])} wagered"
    for step in wager["steps"]:
        yield {"says": f"{name}: {step['says']}", "cites": step["cites"]}
    expected = wager["expected"]
    gives = "the rules cannot tell" if expected is None else f"the rules give {_result(expected)}"
    differs = _difference(wager)
    differs = "as logged" if differs == "–" and expected is not None else differs
    yield {
        "says": f"{name}{staked}: logged {_result(wager['logged'])}, {gives}"
        + ("." if differs == "–" else f": {differs}."),
        "cites": [],
    }


def _by_whose_word(judged: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("By whose word")
    yield Rows(
        "approvals",
        "Approvals in force at the instant of the round",
        (
            Column("Approval"),
            Column("Of"),
            Column("By"),
            Column("On"),
            Column("Digest", Align.CODES),
        ),
        tuple(
            (
                each["kind"],
                each["of"] or "–",
                each["by"] or "a person whose name was removed",
                instant(each["at"]),
                each["digest"],
            )
            for each in judged["approvals"]
        ),
        "No approval was in force.",
    )
    approved = judged["rule_set_approved"]
    if approved and approved != judged["rule_set"]:
        yield Callout(
            "The engine holds other rules",
            "The rules that the engine settled this round by are not those that were approved. "
            "Both are named below.",
            Mood.SERIOUS,
        )
    replay = judged["replay"]
    codes = [("Rules quoted", judged["rule_set"])]
    codes += [("Rules approved", approved)] if approved else []
    codes += [
        ("Terms", replay["terms"]),
        ("Replay", replay["uuid"]),
        ("Fingerprint", replay["fingerprint"]),
        ("Its findings", replay["digest"]),
        ("Its engine", replay["engine"]),
        ("Told by engine", judged["engine"]),
    ]
    yield Facts(tuple(codes), Align.CODES)


def _evidence(data: Mapping[str, Any]) -> Iterator[Block]:
    proof, raw = data["proof"], data["raw"]
    yield Heading("Evidence")
    place = f"line {proof['line']:,} of log {proof['log_name']}"
    yield Words(f"The round stands on {place}, handed in {instant(proof['handed_in'])}.")
    shown = raw[:LONGEST_LINE]
    yield Facts((("As handed in", shown),), Align.CODES)
    if len(raw) > len(shown):
        yield Words(
            f"The line goes on for {len(raw) - len(shown):,} more characters, which stand in the "
            "log itself and in the data of this report.",
            quiet=True,
        )
    yield Facts(
        (
            ("Log", proof["log_sha256"]),
            ("Round", proof["round_digest"]),
            ("Segment", proof["segment"]),
            ("Registered by", proof["event"]),
        ),
        Align.CODES,
    )
    yield Words("The proof that the event log holds the registration of the log:")
    yield Facts((("Proof", data["inclusion"]),), Align.CODES)
