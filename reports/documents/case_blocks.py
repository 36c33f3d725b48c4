"""A case as blocks: first page, facts, evidence, history, decisions and proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.explanation.findings import describe_finding
from reports.documents.round_blocks import findings_table, summary_blocks
from reports.documents.wording import counted, dollars, instant
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Callout, Column, Facts, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block


TEXTS = ("violation", "person", "fact", "complaint", "disclosure", "response", "video")
"""Kinds of evidence in text form, in this order."""
HEADINGS = {
    "violation": "Alleged violations",
    "person": "People",
    "video": "Video",
    "fact": "Facts that were gathered",
    "complaint": "Patrons' complaints",
    "disclosure": "What the operator disclosed",
    "response": "What the operator answered",
}
NOT_DECIDED = "Apparent violation"


def case_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the case file after its first page."""
    yield Heading("Facts")
    if data["facts"]:
        for paragraph in filter(None, (each.strip() for each in data["facts"].split("\n"))):
            yield Words(paragraph)
    else:
        yield Words("No facts have been written in this case yet.")
    yield from _texts(data["items"])
    yield from _issues(data["issues"])
    yield from _rounds(data["rounds"], data["items"])
    yield from _documents(data["items"])
    yield from _removed(data["taken_out"])
    yield from _decisions(data["decisions"])
    yield from _history(data["history"])
    yield from _events(data["events"])


def first_page(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the state of the case in figures, and the agent's recommendation."""
    issues, level = data["issues"], data["level"]
    undecided = sum(each["undecided"] for each in issues)
    over, under = (sum(each[way] for each in issues) for way in ("over", "under"))
    gathered = _gathered(data["items"])
    says = f"{data['operator']}. Gathered: {gathered}."
    if over or under:
        says += f" Its issues overpaid players {dollars(over)} and underpaid them {dollars(under)}."
    heading = NOT_DECIDED if undecided or not issues else "Decided"
    yield Callout(heading, says, Mood.ATTENTION)
    yield Facts(
        (
            ("Case", f"{data['number']}: {data['title']}"),
            ("Operator", f"{data['operator']} ({data['code']})"),
            ("Kept by", data["unit"]),
            ("Opened", instant(data["opened"])),
            *((("Reason", data["because"]),) if data.get("because") else ()),
            ("State", data["state"] + (f", {instant(data['closed'])}" if data["closed"] else "")),
            ("Issues", f"{len(issues):,}, of which {undecided:,} without a decision"),
            ("Other cases", _other_cases(data["history"])),
        )
    )
    if level is None:
        yield Words(
            "No level of action has been recommended. That is for an agent to say: this file "
            "recommends nothing."
        )
        return
    by = level["by"] or "an agent whose name was removed"
    when = f", {instant(level['at'])}" if level["at"] else ""
    yield Facts(
        (("Level", level["level"]), ("Recommended by", f"{by}{when}"), ("Reason", level["reason"]))
    )


def _other_cases(history: Mapping[str, Any]) -> str:
    more = "more than " if history["more"] else ""
    return f"{more}{len(history['cases']):,} of this operator"


def _gathered(items: Sequence[Mapping[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for each in items:
        counts[each["kind_in_words"]] = counts.get(each["kind_in_words"], 0) + 1
    parts = [counted(count, name.lower()) for name, count in counts.items()]
    return ", ".join(parts) if parts else "nothing yet"


def _texts(items: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    for kind in TEXTS:
        found = [each for each in items if each["kind"] == kind]
        if found:
            yield Rows(
                kind,
                HEADINGS[kind],
                (Column("On"), Column("By"), Column("Says")),
                tuple(
                    (instant(each["at"]), each["by"] or "–", _text_and_document(each))
                    for each in found
                ),
            )


def _text_and_document(item: Mapping[str, Any]) -> str:
    document = item["paper"]
    parts = [item.get("name"), item["text"], document["says"] if document else ""]
    return "\n".join(each for each in parts if each) or "–"


def _issues(issues: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    yield Heading("Issues")
    if not issues:
        yield Words("This case has no issues.")
        return
    yield Rows(
        "issues",
        "Issues in this case",
        (
            Column("No.", Align.NUMBERS),
            Column("Issue"),
            Column("Where"),
            Column("Rounds", Align.NUMBERS),
            Column("Overpaid", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
            Column("Stands as"),
        ),
        tuple(
            (
                str(number),
                each["headline"],
                _place(each),
                f"{each['rounds']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
                _stands(each),
            )
            for number, each in enumerate(issues, start=1)
        ),
    )
    for number, each in enumerate(issues, start=1):
        yield from _issue(number, each)


def _place(issue: Mapping[str, Any]) -> str:
    table = f"table {issue['table']}" if issue["table"] else ""
    return ", ".join(filter(None, (issue["game"], table))) or "The gambling day"


def _stands(issue: Mapping[str, Any]) -> str:
    stands = f"{NOT_DECIDED} ({issue['state']})" if issue["undecided"] else issue["state"]
    return stands + (", again after a decision" if issue["again"] else "")


def _issue(number: int, issue: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading(f"Issue {number}: {issue['headline']}", 2)
    often = f"{counted(issue['findings'], 'finding')} in {counted(issue['rounds'], 'round')}"
    yield Words(f"{issue['headline']}. {_place(issue)}: {often}.")
    yield Facts(
        (
            ("Stands as", _stands(issue)),
            ("Diagnosis", issue["diagnosis"] or "Nothing on file explains all of it."),
        )
    )
    yield Rows(
        f"nights-{number}",
        f"Gambling days, the first {len(issue['nights'])} of {issue['nights_in_all']:,}"
        if issue["nights_in_all"] > len(issue["nights"])
        else "Gambling days on which it occurred",
        (
            Column("Day"),
            *(
                Column(title, Align.NUMBERS)
                for title in ("Findings", "Rounds", "Overpaid", "Underpaid")
            ),
        ),
        tuple(
            (day_in_words(day), f"{findings:,}", f"{rounds:,}", dollars(over), dollars(under))
            for day, findings, rounds, over, under in issue["nights"]
        ),
        "No round has it.",
    )
    yield Rows(
        f"findings-{number}",
        "First findings, with their lines in the log",
        (
            Column("Round"),
            Column("Where"),
            Column("Logged"),
            Column("Expected"),
            Column("Difference", Align.NUMBERS),
            Column("Evidence", Align.CODES),
        ),
        tuple(
            (
                each["round"] or "–",
                *_finding_cells(issue, each),
                f"{each['log'][:16]}… line {each['line']:,}" if each["line"] else "–",
            )
            for each in issue["examples"]
        ),
        "None is stored in full.",
    )


def _finding_cells(issue: Mapping[str, Any], finding: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("seat", "player", "logged", "expected", "delta")
    words = describe_finding(issue["code"], **{name: finding[name] for name in names})
    return words.where, words.logged, words.expected, words.difference


def _rounds(
    rounds: Sequence[Mapping[str, Any]], items: Sequence[Mapping[str, Any]]
) -> Iterator[Block]:
    if not rounds:
        return
    yield Heading("Rounds")
    yield Words(
        "A summary of each. The round sheet explains it step by step, with every clause.",
        quiet=True,
    )
    remarks = {each["round"]: each["text"] for each in items if each["round"]}
    for number, each in enumerate(rounds, start=1):
        yield Heading(f"Round {each['round']}", 2)
        if remark := remarks.get(each["round"]):
            yield Words(remark)
        record = each["record"]
        if record is None:
            yield Words("This operator has no round with this ID on file.")
            continue
        if record["audit"] is None:
            yield Words(record["why_not"])
        else:
            yield from summary_blocks(record)
            yield findings_table(record, f"round-{number}")
        proof, sheet = record["proof"], each["sheet"]
        rows = [("Log", f"{proof['log_sha256']}, line {proof['line']:,}")]
        rows += [("Round", proof["round_digest"])]
        rows += [("Round sheet", f"{sheet['reference']}\n{sheet['body']}")] if sheet else []
        yield Facts(tuple(rows), Align.CODES)


def _documents(items: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    papers = [each for each in items if each["paper"]]
    if not papers:
        return
    yield Heading("Documents")
    yield Rows(
        "papers",
        "Documents in this case, each file under its digest",
        (
            Column("Document"),
            Column("Of"),
            Column("File"),
            Column("SHA-256", Align.CODES),
        ),
        tuple(
            (_document(each), day_in_words(each["paper"]["of"]), file["name"], file["sha256"])
            for each in papers
            for file in each["paper"]["files"]
        ),
        "No file was kept.",
    )


def _document(item: Mapping[str, Any]) -> str:
    says: str = item["paper"]["says"]
    return f"{item['text']} ({says})" if item["text"] else says


def _removed(removed: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    if removed:
        yield Rows(
            "taken-out",
            "Removed from the case",
            (Column("On"), Column("What"), Column("By"), Column("Reason")),
            tuple(
                (
                    instant(each["at"]),
                    ": ".join(filter(None, (each["kind_in_words"], each["round"] or each["text"]))),
                    each["by"] or "–",
                    each["reason"],
                )
                for each in removed
            ),
        )


def _decisions(decisions: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    yield Heading("Decisions on these issues")
    yield Rows(
        "decisions",
        "Decisions, in order",
        (
            Column("On"),
            Column("Issue"),
            Column("From"),
            Column("To"),
            Column("By"),
            Column("Reason"),
        ),
        tuple(
            (
                instant(each["at"]),
                each["code"],
                each["was"],
                each["state"] + (f", until {day_in_words(each['until'])}" if each["until"] else ""),
                each["by"] + (f", with {each['seconded_by']}" if each["seconded_by"] else ""),
                each["reason"],
            )
            for each in decisions
        ),
        "No issue of this case has been decided: each is an apparent violation.",
    )


def _history(history: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Prior history of the operator")
    cases, decided = history["cases"], history["decided"]
    yield Rows(
        "cases",
        f"Other cases, the newest {len(cases):,}" if history["more"] else "Other cases",
        (Column("Case"), Column("Title"), Column("Opened"), Column("State"), Column("Level")),
        tuple(
            (
                each["number"],
                each["title"],
                instant(each["opened"]),
                each["state"],
                each["level"] or "none yet",
            )
            for each in cases
        ),
        "This operator has no other case.",
    )
    yield Rows(
        "decided",
        "Earlier confirmed or corrected issues, by code",
        (
            Column("Code"),
            Column("What it says"),
            Column("Decision"),
            Column("Last seen"),
            Column("Issues", Align.NUMBERS),
            Column("Rounds", Align.NUMBERS),
            Column("Overpaid", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
        ),
        tuple(
            (
                each["code"],
                each["says"],
                each["state"],
                instant(each["last"]) if each["last"] else "–",
                f"{each['issues']:,}",
                f"{each['rounds']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
            )
            for each in decided
        ),
        "Nothing else was confirmed or corrected at this operator.",
    )


def _events(events: Mapping[str, Any]) -> Iterator[Block]:
    rows = events["rows"]
    yield Heading("Events, and the proof of each")
    yield Words(
        "What happened to this case and to what is in it, as the event log has it. Each event "
        "has a place there; the hashes of its path lead from its own to the root of the "
        "checkpoint below (RFC 6962)."
    )
    yield Rows(
        "events",
        "Events",
        (
            Column("Place", Align.NUMBERS),
            Column("At"),
            Column("What happened"),
            Column("Reason"),
        ),
        tuple(
            (
                str(each["leaf"]),
                instant(each["at"]),
                each["says"],
                each["reason"] or "–",
            )
            for each in rows
        ),
        "No event is in the log.",
    )
    if events["checkpoint"]:
        yield Facts((("Checkpoint", events["checkpoint"]),), Align.CODES)
    if rows:
        yield Words("Under each place the event, the hash of its leaf, and the path:")
        yield Facts(
            tuple(
                (f"Place {each['leaf']}", "\n".join((each["uuid"], each["hash"], *_path(each))))
                for each in rows
            ),
            Align.CODES,
        )


def _path(event: Mapping[str, Any]) -> list[str]:
    """Return the hashes of a proof file, between its two header lines and the checkpoint."""
    proof: str = event["proof"]
    return proof.partition("\n\n")[0].splitlines()[2:]
