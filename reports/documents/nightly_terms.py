"""Terms under which a night's rounds were audited: limits, approvals, law, waivers, unknowns.

They come from the terms kept by the replay, not from those in effect now.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Q

from audits.instants import instant as instant_of
from audits.replay.auditing.terms import Cap, Refusal, read_terms
from audits.replay.findings.models import Issue
from audits.replay.findings.reads import units_of
from audits.replay.findings.wording import describe_place, describe_title
from audits.replay.terms import micros
from audits.review.issues.models import Decision
from compliance.clock import zone
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.requests.models import ConditionMark
from compliance.filings.requests.reads import game_names
from compliance.in_effect.reads import find_terms_between
from games.explanation.words import describe_name
from reports.documents.wording import counted, dollars, hours, instant, local, name_of, unsettled
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Column, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from audits.replay.auditing.terms import Players, Span, Terms
    from reports.rendering.blocks import Block


EARLIEST = 0

Bound = TypeVar("Bound", "Cap", "Players")


def terms_of_night(day: GamblingDay) -> list[dict[str, Any]]:
    """Return the terms of each game, split where they changed, with who approved them."""
    names = game_names()
    kept: dict[str, str] = {}
    if day.current is not None:
        for game, terms in units_of(day).values_list("segment__game", "terms"):
            kept.setdefault(game, terms)
    archive = current_archive()
    return [
        _game(day, names.get(game, game), read_terms(read_bytes(archive, digest)), digest)
        for game, digest in sorted(kept.items())
    ]


def terms_blocks(games: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield the limits, and who approved them."""
    yield Heading("Limits, and who approved them")
    if not games:
        yield Words("No round was audited, so nothing was applied.")
        return
    limits: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for game in games:
        for table, wager, low, high, when in game["limits"]:
            row = (game["name"], describe_name(wager), dollars(low), dollars(high), _when(when))
            limits[row].append(table)
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for (name, wager, *rest), tables in limits.items():
        alike[name, ", ".join(tables), *rest].append(wager)
    yield Rows(
        "limits",
        "Limits by table, as approved",
        (
            Column("Game"),
            Column("Tables"),
            Column("Wagers"),
            Column("Minimum", Align.NUMBERS),
            Column("Maximum", Align.NUMBERS),
            Column("When"),
        ),
        tuple(
            (game, tables, ", ".join(wagers), low, high, when)
            for (game, tables, low, high, when), wagers in alike.items()
        ),
        "The controls in effect name no limit for what was dealt.",
    )
    approvals: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for game in games:
        for each in game["approvals"]:
            approval = (
                each["kind"],
                each["by"],
                day_in_words(each["at"][:10]),
                each["digest"][:DIGEST],
            )
            approvals[approval].append(game["name"])
    yield Rows(
        "approvals",
        "Approvals in effect; a digest names what was approved",
        (
            Column("Games"),
            Column("Approval"),
            Column("By"),
            Column("On"),
            Column("Digest", Align.CODES),
        ),
        tuple((_named(names, games), *row) for row, names in approvals.items()),
        "No approval is on file for what was dealt.",
    )


DIGEST = 16
"""Characters of a digest in a table; the attached data has it whole."""


def unverified_law(
    games: Sequence[Mapping[str, Any]], issues: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield what could not be verified, and why."""
    rounds = sum(each["rounds"] for each in issues if each["code"] == "limit.unverified")
    if rounds:
        yield (
            f"In {counted(rounds, 'round')} a wager was checked against no legal cap: "
            "there was a value on that day, and nobody has read it. They "
            "neither pass nor fail."
        )
    odd = unsettled(issues)
    if odd:
        yield (
            f"{counted(odd, 'round')} could not be settled: the rules give no settlement for what "
            "was logged."
        )
    for game in games:
        for value in game["law"]:
            what = f"{game['name']}, {value['what'].lower()}"
            if value["carried_since"]:
                yield (
                    f"{what}: carried forward. It was last verified for "
                    f"{day_in_words(value['carried_since'])}; nobody has checked since whether it "
                    "still holds."
                )
            elif value["amount"] is None:
                yield f"{what}: no verified value is on file ({value['citation'] or 'no source'})."
            elif value["grade"] not in {"confirmed", ""}:
                yield f"{what}: the value is {value['grade']}, not confirmed by its official text."


def law_table(games: Sequence[Mapping[str, Any]]) -> Rows:
    """Return a table of the legal values that applied, with filing and date."""
    values: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for game in games:
        for value in game["law"]:
            row = (
                value["what"],
                _amount(value),
                value["citation"] or "–",
                value["filing"] or "–",
                day_in_words(value["since"]) if value["since"] else "–",
                "carried forward" if value["carried_since"] else value["grade"] or "–",
            )
            values[row].append(game["name"])
    return Rows(
        "law",
        "Values of the law and of compacts that applied",
        (
            Column("Games"),
            Column("Rule"),
            Column("Value", Align.NUMBERS),
            Column("Citation"),
            Column("Filing"),
            Column("Since"),
            Column("How sure"),
        ),
        tuple((_named(names, games), *row) for row, names in values.items()),
        "No legal cap binds what was dealt.",
    )


def _named(names: Sequence[str], games: Sequence[Mapping[str, Any]]) -> str:
    found = list(dict.fromkeys(names))
    return "All" if len(games) == len(found) > 1 else ", ".join(found)


def _amount(value: Mapping[str, Any]) -> str:
    if value["amount"] is None:
        return "not read"
    return dollars(value["amount"]) if value["money"] else f"{value['amount']:,}"


def _game(day: GamblingDay, name: str, terms: Terms, digest: str) -> dict[str, Any]:
    found = find_terms_between(
        operator=day.party, game=terms.game, table=None, begin=day.begins, end=day.ends
    )
    approvals = {
        each.digest + str(each.at): {
            "kind": each.get_kind_display(),
            "by": name_of(each.by),
            "at": local(each.at),
            "digest": each.digest,
        }
        for _, _, bound in found
        for each in bound.approvals
    }
    return {
        "game": terms.game,
        "name": name,
        "terms": digest,
        "rule_set": terms.rule_set,
        "approved_rule_sets": sorted({s.rule_set for s in terms.spans if s.rule_set}),
        "limits": list(_limits(terms)),
        "approvals": list(approvals.values()),
        "refused": _refused(terms),
        "law": [
            *(
                _law("Maximum of a single wager", each, each.amount)
                for each in _met(terms.caps, day)
            ),
            *(_law("Players at a table", each, each.most) for each in _met(terms.players, day)),
        ],
    }


def _limits(terms: Terms) -> Iterator[list[Any]]:
    """Yield each limit with the periods in which it applied; no periods mean all night."""
    spans_of: dict[tuple[str, str, int, int], list[Span]] = defaultdict(list)
    for span in terms.spans:
        for table, wagers in json.loads(span.setup).get("limits", {}).items():
            for wager, (low, high) in wagers.items():
                spans_of[table, wager, low, high].append(span)
    for limit in sorted(spans_of):
        spans = spans_of[limit]
        ends = [[local(instant_of(each)) for each in (it.begin, it.end)] for it in spans]
        yield [*limit, [] if len(spans) == len(terms.spans) else ends]


def _refused(terms: Terms) -> list[dict[str, str]]:
    """Return why play was not authorized, merging consecutive spans."""
    rows: list[dict[str, str]] = []
    last: dict[tuple[str, str], dict[str, str]] = {}
    for span in terms.spans:
        begin, end = (local(instant_of(each)) for each in (span.begin, span.end))
        for each in _refusals(span):
            before = last.get((each.code, each.says))
            if before is not None and before["end"] == begin:
                before["end"] = end
                continue
            made = {"begin": begin, "end": end, "code": each.code, "says": each.says}
            last[each.code, each.says] = made
            rows.append(made)
    return rows


def _refusals(span: Span) -> Iterator[Refusal]:
    """Yield why the game was not authorized, and why one of its tables was not."""
    yield from span.refused
    for table, refusals in sorted(span.refused_at.items()):
        for each in refusals:
            if each not in span.refused:
                yield Refusal(each.code, f"Table {table}: {each.says}", each.cites)


def _when(spans: Sequence[Sequence[str]]) -> str:
    return "\n".join(hours(begin, end) for begin, end in spans) or "All night"


def _met(values: Sequence[Bound], day: GamblingDay) -> Iterator[Bound]:
    """Yield the values that applied at any time during the day."""
    begin, end = micros(day.begins), micros(day.ends)
    for number, value in enumerate(values):
        until = values[number + 1].begin if number + 1 < len(values) else end
        if value.begin < end and until > begin:
            yield value


def _law(what: str, value: Cap | Players, amount: int | None) -> dict[str, Any]:
    since = instant_of(value.begin).astimezone(zone()) if value.begin > EARLIEST else None
    return {
        "what": what,
        "money": what.startswith("Maximum"),
        "amount": amount,
        "since": since.date().isoformat() if since else None,
        "citation": ", ".join(value.cites),
        "filing": value.filing if isinstance(value, Cap) else "",
        "grade": value.grade if isinstance(value, Cap) else "",
        "carried_since": value.carried_since,
    }


def waivers_on(day: GamblingDay, games: Iterable[str]) -> list[dict[str, Any]]:
    """Return the waivers on a day: of issues, and of conditions on the terms of these games."""
    return [*_of_issues(day), *_of_conditions(day, games)]


def waivers_blocks(waivers: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield what was waived, until when and why; nothing if nothing was."""
    if not waivers:
        return
    yield Rows(
        "waivers",
        "Waived on this gambling day",
        (Column("What"), Column("Where"), Column("By"), Column("Until"), Column("Reason")),
        tuple(
            (
                each["what"],
                each["where"],
                f"{each['by'] or 'a person whose name was removed'}, {instant(each['at'])}",
                day_in_words(each["until"]) if each["until"] else "–",
                each["reason"],
            )
            for each in waivers
        ),
    )


def _of_issues(day: GamblingDay) -> Iterator[dict[str, Any]]:
    waived = Issue.State.WAIVED
    decisions = Decision.objects.filter(
        Q(until__isnull=True) | Q(until__gte=day.day),
        issue__party=day.party,
        issue__state=waived,
        state=waived,
    )
    # the last of several on one issue counts
    last = {each.issue_id: each for each in decisions.select_related("issue").order_by("pk")}
    for each in last.values():
        issue = each.issue
        yield {
            "what": describe_title(issue),
            "where": describe_place(issue) or "The gambling day",
            "by": name_of(each.by),
            "at": local(each.at),
            "until": each.until.isoformat() if each.until else None,
            "reason": each.reason,
        }


def _of_conditions(day: GamblingDay, games: Iterable[str]) -> Iterator[dict[str, Any]]:
    approvals = {
        approval.pk: (game, approval)
        for game in games
        for _, _, bound in find_terms_between(
            operator=day.party, game=game, table=None, begin=day.begins, end=day.ends
        )
        for approval in bound.approvals
    }
    marks = ConditionMark.objects.filter(
        condition__approval__in=list(approvals), at__lt=day.ends
    ).select_related("condition")
    last = {each.condition_id: each for each in marks.order_by("pk")}
    for each in last.values():
        if each.mark != ConditionMark.Mark.WAIVED or (each.until and each.until <= day.day):
            continue
        game, approval = approvals[each.condition.approval_id]
        yield {
            "what": f"Condition: {each.condition.says}",
            "where": f"{approval.get_kind_display()}, {game}",
            "by": name_of(each.by),
            "at": local(each.at),
            "until": each.until.isoformat() if each.until else None,
            "reason": each.reason,
        }
