"""A round as blocks: its explanation, the approvals it was audited under, and the evidence."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from games.explanation.words import cards_in_words
from reports.documents.wording import day as day_in_words
from reports.documents.wording import documents_named, instant
from reports.rendering.blocks import Align, Callout, Column, Facts, Hand, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block

MOODS = {
    "info": Mood.PLAIN,
    "success": Mood.GOOD,
    "warning": Mood.ATTENTION,
    "error": Mood.SERIOUS,
}
"""By the kind of alert that shows the verdict on a page."""
LONGEST_LINE = 8_000
"""Maximum characters printed of a raw line."""


def round_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the whole sheet."""
    explanation = data["explanation"]
    yield from summary_blocks(data)
    yield findings_table(data)
    yield _wagers_table(explanation["sections"])
    yield Heading("Table as dealt")
    for place in explanation["places"]:
        yield from place_blocks(place)
    yield from _steps(explanation)
    sources = (each["sources"] for each in explanation["clauses"])
    yield from documents_named(chain.from_iterable(sources))
    yield from _terms(data["audit"])
    yield from _evidence(data)


def summary_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the verdict, with place and time."""
    explanation = data["explanation"]
    verdict = explanation["verdict"]
    yield Callout(verdict["heading"], verdict["says"], MOODS[verdict["alert"]])
    if not data["audit"]["as_on_file"]:
        yield Callout(
            "Findings differ from the replay on file",
            "The present engine finds something else than the replay on file did. The findings "
            "below are the present ones. Replay this gambling day.",
            Mood.ATTENTION,
        )
    facts = (
        ("Operator", data["operator"]),
        ("Game and table", f"{explanation['game_name']}, table {explanation['table']}"),
        ("First wager", explanation["began"]),
        ("Ended", explanation["ended"]),
        ("Gambling day", day_in_words(data["day"])),
        ("Dealt from", explanation["dealt"]),
        ("Void", explanation["void"]),
    )
    yield Facts(tuple((name, text) for name, text in facts if text))


def findings_table(data: Mapping[str, Any], name: str = "findings") -> Rows:
    """Return a table of the findings, each with the diagnosis of its issue."""
    found = zip(data["explanation"]["findings"], data["issues"], strict=True)
    return Rows(
        name,
        "Findings",
        (
            Column("Finding"),
            Column("Where"),
            Column("Logged"),
            Column("Expected"),
            Column("Difference", Align.NUMBERS),
            Column("Authority"),
        ),
        tuple(
            (
                f"{each['words']['title']} ({each['code']})."
                + (f" {issue['diagnosis']}" if issue and issue["diagnosis"] else ""),
                *(each["words"][name] for name in ("where", "logged", "expected", "difference")),
                "\n".join(each["cites"]) or "–",
            )
            for each, issue in found
        ),
        "No findings.",
    )


def _wagers_table(sections: Sequence[Mapping[str, Any]]) -> Rows:
    cells = ("wagered", "logged", "expected", "difference")
    return Rows(
        "wagers",
        "Wagers",
        (
            Column("Where"),
            Column("Wager"),
            *(Column(cell.capitalize(), Align.NUMBERS) for cell in cells),
        ),
        tuple(
            (wager["place"], wager["name"], *(wager["words"][cell] for cell in cells))
            for section in sections
            for wager in section["wagers"]
        ),
        "No wager is logged.",
    )


def place_blocks(place: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the hands of the dealer or a seat; cards among those dealt are named in the label."""
    title = ", ".join(filter(None, (place["title"], place["details"])))
    parts = [
        f"; {hand['label'].lower()}: {cards_in_words(hand['cards'])}"
        for hand in place["hands"]
        if hand["is_part"]
    ]
    drawn = [hand for hand in place["hands"] if not hand["is_part"]]
    for number, hand in enumerate(drawn):
        label = f"{title}: {hand['label'].lower()}" + ("" if number else "".join(parts))
        yield Hand(label, tuple(hand["cards"]))
    if not drawn:
        yield Words(f"{title}: no cards logged{''.join(parts)}.")


def _steps(explanation: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Step by step")
    yield Words(
        "The round as a dealer goes through it. Each clause, interpretation or section of the law "
        "is quoted at the first step that cites it; later steps refer to that step."
    )
    quotes = _Quotes(explanation["clauses"])
    if explanation["about"]:
        yield _steps_table(0, "The round", explanation["about"], quotes)
    for number, section in enumerate(explanation["sections"], start=1):
        wagers = (step for wager in section["wagers"] for step in _wager_steps(wager))
        steps = [*section["steps"], *wagers]
        if steps:
            yield _steps_table(number, section["title"], steps, quotes)
    if rest := quotes.rest():
        yield Rows(
            "clauses",
            "Also cited by the findings",
            (Column("ID"), Column("Text"), Column("Source")),
            tuple(
                (each["id"], each["says"] or "–", ", ".join(each["sources"]) or "–")
                for each in rest
            ),
        )
    yield Rows(
        "readings",
        "Interpretations",
        (Column("ID"), Column("Question"), Column("Interpretation"), Column("Chosen by")),
        tuple(
            (each["id"], each["asks"], each["says"], each["chosen_by"])
            for each in explanation["interpretations"]
        ),
        "No interpretation was needed.",
    )


class _Quotes:
    """Clauses, each quoted once and referred to afterward."""

    def __init__(self, clauses: Sequence[Mapping[str, Any]]) -> None:
        self._clauses = {each["id"]: each for each in clauses}
        self._step_of: dict[str, int] = {}
        self.step = 0

    def cite(self, ids: Sequence[str]) -> str:
        """Return what the next step cites: new clauses first, then where others were quoted."""
        self.step += 1
        earlier: dict[int, list[str]] = {}
        for id_ in ids:
            if id_ in self._step_of:
                earlier.setdefault(self._step_of[id_], []).append(id_)
        quoted = [self._quote(id_) for id_ in dict.fromkeys(ids) if id_ not in self._step_of]
        places = [f"{', '.join(found)} (step {step})" for step, found in sorted(earlier.items())]
        return "\n".join([*quoted, *([f"see {'; '.join(places)}"] if places else [])]) or "–"

    def rest(self) -> list[Mapping[str, Any]]:
        """Return the clauses that no step cited."""
        return [each for id_, each in self._clauses.items() if id_ not in self._step_of]

    def _quote(self, id_: str) -> str:
        self._step_of[id_] = self.step
        clause = self._clauses.get(id_, {"says": "", "sources": []})
        source = f" ({'; '.join(clause['sources'])})" if clause["sources"] else ""
        return f"{id_}: {clause['says']}{source}" if clause["says"] else f"{id_}{source}"


def _steps_table(
    number: int, title: str, steps: Sequence[Mapping[str, Any]], quotes: _Quotes
) -> Rows:
    rows = []
    for step in steps:
        authority = quotes.cite(step["cites"])
        rows.append((str(quotes.step), step["says"], authority))
    return Rows(
        f"steps-{number}",
        title,
        (Column("Step", Align.NUMBERS), Column("What happens"), Column("Authority")),
        tuple(rows),
    )


def _wager_steps(wager: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the steps of a wager, and its result."""
    for step in wager["steps"]:
        yield {"says": f"{wager['name']}: {step['says']}", "cites": step["cites"]}
    wagered = "" if wager["wagered"] is None else f", {wager['words']['wagered']} wagered"
    yield {"says": f"{wager['name']}{wagered}: {wager['words']['sentence']}", "cites": []}


def _terms(audit: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Terms in effect")
    yield Rows(
        "approvals",
        "Approvals",
        (
            Column("Approval"),
            Column("Document"),
            Column("Approved by"),
            Column("Date"),
            Column("Digest", Align.CODES),
        ),
        tuple(
            (
                each["kind"],
                each["of"] or "–",
                each["by"] or "Name removed",
                instant(each["at"]),
                each["digest"],
            )
            for each in audit["approvals"]
        ),
        "No approval was in effect.",
    )
    approved = audit["rule_set_approved"]
    if approved and approved != audit["rule_set"]:
        yield Callout(
            "Rules differ from the approved rules",
            "The engine settled this round by rules other than the approved ones. Both digests "
            "are below.",
            Mood.SERIOUS,
        )
    replay = audit["replay"]
    codes = (
        ("Rules quoted", audit["rule_set"]),
        ("Rules approved", approved),
        ("Terms", replay["terms"]),
        ("Replay", replay["uuid"]),
        ("Fingerprint", replay["fingerprint"]),
        ("Replay's findings", replay["digest"]),
        ("Replay's engine", replay["engine"]),
        ("Engine of this report", audit["engine"]),
    )
    yield Facts(tuple((name, code) for name, code in codes if code), Align.CODES)


def _evidence(data: Mapping[str, Any]) -> Iterator[Block]:
    proof, raw = data["proof"], data["raw"]
    yield Heading("Evidence")
    place = f"line {proof['line']:,} of log {proof['log_name']}"
    yield Words(f"The round is {place}, submitted {instant(proof['submitted'])}.")
    shown = raw[:LONGEST_LINE]
    yield Facts((("As submitted", shown),), Align.CODES)
    if len(raw) > len(shown):
        yield Words(
            f"The line has {len(raw) - len(shown):,} more characters, which are in the log and in "
            "the data of this report.",
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
    yield Words("Proof that the event log contains the registration of the log:")
    yield Facts((("Proof", data["inclusion"]),), Align.CODES)
