"""The nightly audit report: one operator's gambling day, with its verdict on the first page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.intake.reads import current_segments
from audits.replay.findings.reads import units_of
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.requests.reads import game_names
from compliance.verification.nightly import verification_alarm
from reports.documents.days import closing_checkpoint, edition_of, readers_of, require_audited_day
from reports.documents.models import Report
from reports.documents.nightly_charts import charts_blocks, counts_of, history_blocks, history_of
from reports.documents.nightly_issues import issues_blocks, issues_of_night, name_issue
from reports.documents.nightly_logs import (
    lacking_on,
    logs_on,
    method_blocks,
    method_of,
    missing_blocks,
    rejected_blocks,
    rejected_on,
)
from reports.documents.nightly_terms import (
    refused_blocks,
    terms_blocks,
    terms_of_night,
    unverified_blocks,
    waivers_blocks,
    waivers_on,
)
from reports.documents.registry import About, DocumentKind, ReportContent, read_inputs, register
from reports.documents.restitution import LARGEST, money_of, owed_on, restitution_blocks
from reports.documents.wording import counted, dollars, instant, local, unsettled
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import (
    Align,
    Callout,
    Column,
    Facts,
    Heading,
    Mood,
    Points,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block


TOP = 5


def first_page(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield everything that a person who reads a single page must know."""
    if alarm := data.get("verification"):
        yield Callout("The records behind this report need to be verified", alarm, Mood.SERIOUS)
    if data["before"]:
        yield from _supplement(data)
    for each in data.get("set_aside", ()):
        says = f"{each['why']} Its rounds were not settled; the night's other games were audited."
        yield Callout(f"{each['name']} was not audited", says, Mood.SERIOUS)
    yield verdict(data)
    figures = data["figures"]
    yield Facts(
        (
            ("Operator", data["operator"]),
            ("Gambling day", f"{instant(data['begins'])} to {instant(data['ends'])}"),
            ("Rounds audited", _rounds(figures)),
            ("Rounds with findings", f"{figures['flagged']:,}"),
            ("Findings in rounds", _in_issues(figures)),
            ("Overpaid", dollars(figures["received"])),
            ("Underpaid", dollars(figures["owed"])),
            ("Rejected lines", f"{figures['rejected']:,}"),
            ("Missing", f"{figures['lacking']:,}"),
            ("Could not be verified", _unverified(data)),
            *([("Came after closing", _came_late(data))] if data["supplements"] else []),
        )
    )
    if data["issues"]:
        yield Rows(
            "first",
            "Top issues",
            (
                Column("Issue"),
                Column("Table"),
                Column("Findings", Align.NUMBERS),
                Column("Overpaid", Align.NUMBERS),
                Column("Underpaid", Align.NUMBERS),
            ),
            tuple(
                (
                    name_issue(each) + (f". {each['diagnosis']}" if each["diagnosis"] else ""),
                    each["table"],
                    f"{each['findings']:,}",
                    dollars(each["over"]),
                    dollars(each["under"]),
                )
                for each in data["issues"][:TOP]
            ),
        )
    waits = tuple(_waits(data))
    if waits:
        yield Words("Needs action:")
        yield Points(waits)


def verdict(data: Mapping[str, Any]) -> Callout:
    """Return the one-sentence verdict."""
    figures = data["figures"]
    night = f"{data['operator']}, gambling day of {day_in_words(data['day'])}."
    if not figures["rounds"]:
        heading = "No round was audited"
        says = "nothing was submitted" if not data["logs"] else "no round of this day is on file"
        return Callout(
            heading, f"{night} There is nothing to audit: {says}.", _mood(bool(data["lacking"]))
        )
    verb = "has" if figures["flagged"] == 1 else "have"
    rounds = counted(figures["rounds"], "round")
    shown = f"{rounds} {'was' if figures['rounds'] == 1 else 'were'} audited; "
    shown += f"{figures['flagged']:,} {verb} findings"
    weights = {each["weight"] for each in data["issues"]}
    if figures["received"] or figures["owed"]:
        heading = "Apparent violations, with money"
        says = (
            f"{shown}. Players were overpaid {dollars(figures['received'])} and underpaid "
            f"{dollars(figures['owed'])}."
        )
        return Callout(heading, f"{night} {says}", Mood.SERIOUS)
    if weights & {"money", "procedure"}:
        heading = f"Apparent violations{'' if 'money' in weights else ' of procedure'}"
        says = f"{shown}. In the settled rounds, no player was overpaid or underpaid."
        return Callout(heading, f"{night} {says}", _mood("money" in weights))
    if weights or data["lacking"] or figures["rejected"]:
        says = f"{shown}. What is missing, rejected or not verified is named below."
        return Callout(
            "No apparent violation in what could be audited", f"{night} {says}", Mood.ATTENTION
        )
    return Callout("No apparent violation", f"{night} {shown}.", Mood.GOOD)


def _in_issues(figures: Mapping[str, Any]) -> str:
    return f"{figures['findings']:,} in {counted(figures['issues'], 'issue')}"


def _mood(serious: bool) -> Mood:  # noqa: FBT001 - one question
    return Mood.SERIOUS if serious else Mood.ATTENTION


def _rounds(figures: Mapping[str, Any]) -> str:
    games = ", ".join(figures["games"])
    return f"{figures['rounds']:,}, {figures['seats']:,} seats" + (f": {games}" if games else "")


def _unverified(data: Mapping[str, Any]) -> str:
    """Describe rounds audited without a cap, and those not settled, as separate questions."""
    odd = unsettled(data["issues"])
    uncapped = counted(data["figures"]["unverified"], "round")
    shown = [f"the cap of a wager in {uncapped}"] if data["figures"]["unverified"] else []
    shown += [f"the settlement of {counted(odd, 'round')}"] if odd else []
    says = " and ".join(shown) or "none"
    return says[0].upper() + says[1:]


def _came_late(data: Mapping[str, Any]) -> str:
    late = counted(data["supplements"], "supplement")
    return late if data["before"] else f"{late}; no report was made before"


def _waits(data: Mapping[str, Any]) -> Iterator[str]:
    figures = data["figures"]
    if figures["undecided"]:
        yield f"{counted(figures['undecided'], 'issue')} not decided yet."
    if figures["owed"]:
        yield (
            f"{dollars(figures['owed'])} that "
            f"{counted(figures['players_owed'], 'player')} were underpaid."
        )
    if figures["lacking"]:
        yield f"{counted(figures['lacking'], 'item')} missing from the day."
    if figures["rejected"]:
        yield f"{counted(figures['rejected'], 'rejected line')}: not audited."
    if figures["unverified"]:
        yield f"{counted(figures['unverified'], 'round')} audited without a verified cap."


def _supplement(data: Mapping[str, Any]) -> Iterator[Block]:
    before, now = data["before"], data["figures"]
    yield Words(
        f"This report supplements {before['reference']}, which stays as it is. What came after "
        "the day closed changes the following."
    )
    yield Rows(
        "changes",
        f"Against {before['reference']}",
        (
            Column("Figure"),
            Column("Before", Align.NUMBERS),
            Column("Now", Align.NUMBERS),
            Column("Difference", Align.NUMBERS),
        ),
        tuple(
            (title, show(was), show(now[name]), show(now[name] - was))
            for name, title, show in (
                ("rounds", "Rounds audited", _number),
                ("findings", "Findings", _number),
                ("issues", "Issues", _number),
                ("received", "Overpaid", dollars),
                ("owed", "Underpaid", dollars),
                ("rejected", "Rejected lines", _number),
                ("lacking", "Missing", _number),
            )
            for was in (before["figures"][name],)
        ),
    )
    standing = before["standing"]
    if standing:
        shown = ", ".join(f"{count:,} {name}" for name, count in standing.items())
        yield Words(f"Of the findings of the replay before: {shown}.")
    yield Heading("The night as it stands now")


def _number(count: int) -> str:
    return f"{count:,}".replace("-", "−")


NAME = "nightly"


def gather(about: About) -> dict[str, Any]:
    """Read everything known about the night, by its current replay."""
    day = require_audited_day(about)
    segments = current_segments(day.party, day=day.day)
    owed, names = owed_on(day), game_names()
    issues = issues_of_night(day)
    lacking, rejected = lacking_on(day), rejected_on(day)
    alarm = verification_alarm()
    terms = terms_of_night(day)
    aside = day.current.set_aside if day.current is not None else []
    set_aside = [
        {"name": names.get(each["game"], each["game"]), "why": each["why"]}
        for each in aside
        if each["day"] == day.day.isoformat()
    ]
    return {
        **({"set_aside": set_aside} if set_aside else {}),
        "operator": day.party.name,
        "code": day.party.code,
        "day": day.day.isoformat(),
        "begins": local(day.begins),
        "ends": local(day.ends),
        "closes": local(day.closes),
        "closed": local(day.closed) if day.closed else None,
        "supplements": day.supplements,
        "figures": {
            **_figures(day, issues),
            "games": sorted({names[each.game] for each in segments}),
            "issues": len(issues),
            "undecided": sum(not each["decided"] for each in issues),
            "rejected": sum(each["count"] for each in rejected),
            "lacking": len(lacking),
            "unverified": sum(
                each["rounds"] for each in issues if each["code"] == "limit.unverified"
            ),
            **money_of(owed),
        },
        "engine": day.current.engine if day.current else "",
        "method": method_of(day),
        "issues": issues,
        "terms": terms,
        "lacking": lacking,
        "logs": logs_on(day),
        "rejected": rejected,
        "owed": owed[:LARGEST],
        "owed_rows": len(owed),
        "counts": counts_of(day),
        "before": _before(about, day),
        "waivers": waivers_on(day, [each["game"] for each in terms]),
        "history": history_of(day, NAME),
        **({"verification": alarm} if alarm else {}),
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report: the essentials on the first page, then their basis.

    Inputs from before reports had waivers and a history are composed without them.
    """
    front = tuple(first_page(data))
    blocks: list[Block] = [
        *front,
        *issues_blocks(data["issues"]),
        *restitution_blocks(data["figures"], data["owed"], data["owed_rows"]),
        *missing_blocks(data["lacking"]),
        *rejected_blocks(data["rejected"]),
        *unverified_blocks(data["terms"], data["issues"]),
        *refused_blocks(data["terms"]),
        *terms_blocks(data["terms"]),
        *(waivers_blocks(data["waivers"]) if "waivers" in data else ()),
        *charts_blocks(data["counts"], data["issues"]),
        *(history_blocks(data) if "history" in data else ()),
        *method_blocks(data),
    ]
    return ReportContent(
        title=f"Nightly audit of {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(blocks),
        contents=True,
        front=len(front),
    )


def _figures(day: GamblingDay, issues: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum the counts of the day's work units; irregular rounds also count as having findings."""
    names = ("rounds", "seats", "flagged", "findings")
    sums = dict.fromkeys(names, 0)
    if day.current is not None:
        for row in units_of(day).values_list(*names):
            for name, value in zip(names, row, strict=True):
                sums[name] += value
    sums["flagged"] += unsettled(issues)
    return sums


def _before(about: About, day: GamblingDay) -> dict[str, Any] | None:
    """Return the report that this one supplements, its figures, and its findings' standing now."""
    made = Report.objects.filter(kind=NAME, about=about.key).order_by("number").last()
    if made is None:
        return None
    kept = read_inputs(read_bytes(current_archive(), made.inputs))["data"]
    standing = day.current.standings.get(str(day.day), {}) if day.current else {}
    return {
        "reference": made.reference,
        "body": made.body,
        "figures": kept["figures"],
        "standing": {
            name: standing[name]
            for name in ("confirmed", "changed", "gone", "new")
            if name in standing
        },
    }


NIGHTLY = register(
    DocumentKind(
        name=NAME,
        title="Nightly audit report",
        letters="NA",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers_of,
        checkpoint=closing_checkpoint,
        edition=edition_of,
    )
)
