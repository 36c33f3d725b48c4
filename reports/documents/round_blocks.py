"""A round as blocks: its explanation, the approvals it was audited under, and the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.explanation.words import cards_in_words
from reports.documents.authority import SECTIONS
from reports.documents.wording import counted, instant, join, lower
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import (
    Align,
    Board,
    Callout,
    Column,
    Facts,
    Hand,
    Heading,
    Mood,
    Place,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block

MOODS = {
    "info": Mood.PLAIN,
    "success": Mood.GOOD,
    "warning": Mood.ATTENTION,
    "error": Mood.SERIOUS,
}
"""By the kind of alert that shows the verdict on a page."""
LONGEST_LINE = 400
"""Maximum characters of a raw line that is printed; the data has every line."""
DIGEST = 16


def round_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the whole sheet: what was logged, what was due, and why, of the seats with findings."""
    explanation = data["explanation"]
    seats = _seats(explanation)
    yield from summary_blocks(data)
    if explanation["findings"]:
        yield findings_table(data)
    yield Heading("Table as dealt")
    yield Board(tuple(_place(each, seats) for each in explanation["places"]))
    yield _wagers_table(explanation["sections"], seats)
    yield from _steps(explanation, seats)
    yield from _terms(data["audit"])
    yield from _evidence(data)


def _seats(explanation: Mapping[str, Any]) -> set[int]:
    """Return the seats that findings name; if they name none, those whose results are wrong."""
    named = {each["seat"] for each in explanation["findings"]} - {None}
    return named or {
        section["seat"]
        for section in explanation["sections"]
        if section["seat"] is not None and any(map(_is_wrong, section["wagers"]))
    }


def _is_wrong(wager: Mapping[str, Any]) -> bool:
    return bool(wager["is_audited"] and wager["logged"] != wager["expected"])


def _place(place: Mapping[str, Any], seats: Collection[int]) -> Place:
    """Return a place as drawn; cards among those dealt are named beside them."""
    parts = [
        f"{hand['label'].lower()}: {cards_in_words(hand['cards'])}"
        for hand in place["hands"]
        if hand["is_part"]
    ]
    details = "; ".join(filter(None, (place["details"], *parts)))
    hands = tuple(
        Hand(hand["label"], tuple(hand["cards"])) for hand in place["hands"] if not hand["is_part"]
    )
    wrong = any(hand["is_wrong"] for hand in place["hands"])
    marked = wrong or place["title"] in {f"Seat {seat}" for seat in seats}
    return Place(place["title"], details, hands, marked)


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
    dealt = (
        f"{data['operator']}, {explanation['game_name']}, table {explanation['table']}",
        f"first wager {explanation['began']}" if explanation["began"] else "",
        f"ended {explanation['ended']}" if explanation["ended"] else "",
        f"gambling day of {day_in_words(data['day'])}",
        f"dealt from {explanation['dealt']}" if explanation["dealt"] else "",
    )
    yield Words(f"{'; '.join(filter(None, dealt))}. {explanation['void']}".strip())


def findings_table(data: Mapping[str, Any], name: str = "findings") -> Rows:
    """Return a table of the findings; those of one title and authority are one row."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for each, issue in zip(data["explanation"]["findings"], data["issues"], strict=True):
        title = _title(each["words"]["title"], issue["diagnosis"] if issue else "")
        found.setdefault((title, "\n".join(each["cites"]) or "–"), []).append(each)
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
        tuple((title, *_cells(alike), cites) for (title, cites), alike in found.items()),
        "No findings.",
    )


def _cells(findings: Sequence[Mapping[str, Any]]) -> tuple[str, str, str, str]:
    """Return where it was found and the amounts; those of several are in the table of wagers."""
    if len(findings) == 1:
        words = findings[0]["words"]
        return words["where"], words["logged"], words["expected"], words["difference"]
    seats = sorted({each["seat"] for each in findings if each["seat"] is not None})
    where = f"Seat{'s' if len(seats) > 1 else ''} {join([str(each) for each in seats])}"
    count = counted(len(findings), "wager")
    return (f"{where}: {count}" if seats else count), "–", "–", "below"


def _title(title: str, diagnosis: str) -> str:
    """Return the findings and their reasons, without repeating any."""
    if diagnosis.lower().startswith(title.lower()):
        return diagnosis
    return f"{title}. {diagnosis}" if diagnosis else title


def _wagers_table(sections: Sequence[Mapping[str, Any]], seats: Collection[int]) -> Rows:
    """Return what was logged and due; with findings at seats, those seats' wagers come first."""
    cells = ("wagered", "logged", "expected", "difference")
    found = [
        (section["seat"] in seats, wager) for section in sections for wager in section["wagers"]
    ]
    found.sort(key=lambda each: not each[0])
    marked = sum(is_marked for is_marked, _ in found)
    return Rows(
        "wagers",
        "Wagers of the seats with a finding" if marked else "Wagers",
        (
            Column("Where"),
            Column("Wager"),
            *(Column(cell.capitalize(), Align.NUMBERS) for cell in cells),
        ),
        tuple(
            (wager["place"], wager["name"], *(wager["words"][cell] for cell in cells))
            for _, wager in found
        ),
        "No wager is logged.",
        printed=marked or None,
    )


def _steps(explanation: Mapping[str, Any], seats: Collection[int]) -> Iterator[Block]:
    """Yield the steps that lead to what is wrong; the attached data has all steps."""
    yield Heading("Why")
    chosen = {each["id"]: each["chosen_by"] for each in explanation["interpretations"]}
    quotes = _Quotes(explanation["clauses"], chosen)
    cited, findings = _cited(explanation), explanation["findings"]
    every, steps = len(explanation["about"]), []
    steps += [each for each in explanation["about"] if not findings or cited & {*each["cites"]}]
    for section in explanation["sections"]:
        wagers = [(wager, list(_wager_steps(wager))) for wager in section["wagers"]]
        every += len(section["steps"]) + sum(len(found) for _, found in wagers)
        if findings and section["seat"] is not None and section["seat"] not in seats:
            continue
        is_whole = seats or not findings
        # what cites nothing, or what was cited before, lists cards, which are drawn
        before = {id_ for each in steps for id_ in each["cites"]}
        shown = [each for each in section["steps"] if is_whole and {*each["cites"]} - before]
        shown += [each for each in section["steps"] if not is_whole and cited & {*each["cites"]}]
        for wager, found in wagers:
            if not findings or _is_wrong(wager):
                shown += found
        steps += [{**each, "says": f"{section['title']}: {each['says']}"} for each in shown]
    if steps:
        yield _steps_table(
            "What happens, and under which words; a source is named where it changes", steps, quotes
        )
    if left := every - len(steps):
        yield Words(
            f"{counted(left, 'other step')} of the round: in the attached data.", quiet=True
        )
    if rest := [each for each in quotes.rest() if each["id"] in _cited(explanation)]:
        yield Rows(
            "clauses",
            "Also cited by the findings",
            (Column("ID"), Column("Text"), Column("Source")),
            tuple(
                (each["id"], each["says"] or SECTIONS.get(each["id"], "–"), _sources(each) or "–")
                for each in rest
            ),
        )
    readings = tuple(
        (each["id"], each["asks"], each["says"], each["chosen_by"])
        for each in explanation["interpretations"]
        if each["id"] in cited and not quotes.has(each["id"])
    )
    if readings:
        yield Rows(
            "readings",
            "Interpretations that the findings cite",
            (Column("ID"), Column("Question"), Column("Interpretation"), Column("Chosen by")),
            readings,
        )


def _cited(explanation: Mapping[str, Any]) -> set[str]:
    return {id_ for each in explanation["findings"] for id_ in each["cites"]}


def _sources(clause: Mapping[str, Any]) -> str:
    """Return the first document that says it, and the place in it."""
    return str(next(iter(clause["sources"]), ""))


class _Quotes:
    """Clauses, each quoted once and referred to afterward."""

    def __init__(self, clauses: Sequence[Mapping[str, Any]], chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self._clauses = {each["id"]: each for each in clauses}
        self._step_of: dict[str, int] = {}
        self._source = ""
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

    def has(self, id_: str) -> bool:
        """Return whether a step quoted a clause."""
        return id_ in self._step_of

    def _quote(self, id_: str) -> str:
        self._step_of[id_] = self.step
        clause = self._clauses.get(id_, {"says": "", "sources": []})
        named = _sources(clause)
        if id_ in self._chosen:
            named = f"interpretation by {lower(self._chosen[id_])}"
        source = f" ({named})" if named and named != self._source else ""
        self._source = named
        return f"{id_}: {clause['says']}{source}" if clause["says"] else f"{id_}{source}"


def _steps_table(title: str, steps: Sequence[Mapping[str, Any]], quotes: _Quotes) -> Rows:
    rows = []
    for step in steps:
        authority = quotes.cite(step["cites"])
        rows.append((str(quotes.step), step["says"], authority))
    return Rows(
        "steps",
        title,
        (Column("Step", Align.NUMBERS), Column("What happens"), Column("Authority")),
        tuple(rows),
    )


def _wager_steps(wager: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the steps of a wager; its result is in the table of wagers."""
    for step in wager["steps"]:
        yield {"says": f"{wager['name']}: {step['says']}", "cites": step["cites"]}


def _terms(audit: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Terms in effect, and the evidence")
    yield Rows(
        "approvals",
        "Approvals",
        (
            Column("Document"),
            Column("Approved by"),
            Column("Date"),
            Column("Digest", Align.CODES),
        ),
        tuple(
            (
                f"{each['of'] or '–'} ({lower(each['kind'])})",
                each["by"] or "Name removed",
                day_in_words(each["at"][:10]),
                each["digest"][:DIGEST],
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
        ("Terms", replay["terms"]),
        ("Fingerprint", replay["fingerprint"]),
        ("Findings", replay["digest"]),
        ("Engine", audit["engine"]),
    )
    named = [(name, code[:DIGEST]) for name, code in codes if code]
    yield Rows(
        "digests",
        "Digests of what it was audited by; the attached data has them whole",
        tuple(Column(name, Align.CODES) for name, _ in named),
        (tuple(code for _, code in named),),
    )


def _evidence(data: Mapping[str, Any]) -> Iterator[Block]:
    proof, raw = data["proof"], data["raw"]
    attached = "" if len(raw) <= LONGEST_LINE else f" the line ({len(raw):,} characters) and"
    yield Words(
        f"The round is line {proof['line']:,} of log {proof['log_name']}, submitted "
        f"{instant(proof['submitted'])}. Attached:{attached} the proof that the log is in the "
        "event log.",
        quiet=True,
    )
    rows = [] if attached else [("As submitted", raw)]
    yield Facts((*rows, ("Log", proof["log_sha256"])), Align.CODES)
