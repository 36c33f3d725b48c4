"""The restitution schedule: whom the room pays, how much, for which rounds, by when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.db.models import Min
from django.urls import reverse

from audits.instants import instant as instant_of
from audits.replay.findings.files import findings_of
from audits.replay.findings.models import IssueNight
from audits.replay.findings.reads import units_of
from audits.review.restitution.models import RestitutionPayment
from audits.review.restitution.reads import DAYS_TO_PAY, due_of, is_owed
from compliance.access.permissions import Action
from compliance.filings.requests.reads import game_names
from games.explanation.words import describe_name
from reports.documents.days import closing_checkpoint, edition_of, readers_of, require_audited_day
from reports.documents.registry import About, DocumentKind, ReportContent, register
from reports.documents.wording import counted, dollars, instant, local
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Callout, Column, Facts, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block

PRINTED = 300
"""Rounds printed one by one; a schedule with more has them in its attached data."""
UNNAMED = "Not named in the log"
SAYS = (
    "Each amount is what the approved rules pay less what the log says was paid. A player's "
    "overpayment is not set off against an underpayment, in the same round or in another."
)
LINE = "_" * 40


def gather(about: About) -> dict[str, Any]:
    """Read what each player is owed, and what is on file as paid."""
    day = require_audited_day(about)
    rounds = list(_rounds(day))
    players: dict[tuple[str, str, str], dict[str, Any]] = {}
    for each in rounds:
        place = (each["player"], each["slug"], each["table"])
        found = players.setdefault(
            place,
            {"player": each["player"], "slug": each["slug"], "game": each["game"],
             "table": each["table"], "rounds": 0, "owed": 0, "paid": 0, "paid_on": None},
        )  # fmt: skip
        found["rounds"] += 1
        found["owed"] += each["owed"]
    for payment in RestitutionPayment.objects.filter(party=day.party, day=day.day).order_by("at"):
        row = players.get((payment.player, payment.game, payment.table))
        if row is not None:
            row["paid"] += payment.cents
            row["paid_on"] = payment.paid_on.isoformat()
    rows = sorted(players.values(), key=lambda it: (not it["player"], it["player"], it["table"]))
    return {
        "operator": day.party.name,
        "code": day.party.code,
        "day": day.day.isoformat(),
        "due": _due(day),
        "replay": str(day.current.uuid) if day.current else None,
        "digest": day.current.digest if day.current else None,
        "engine": day.current.engine if day.current else "",
        "rows": rows,
        "rounds": rounds,
    }


def _rounds(day: GamblingDay) -> Iterator[dict[str, Any]]:
    """Yield what a player is owed for a round: one row for all wagers that were underpaid."""
    names = game_names()
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for unit in units_of(day) if day.current is not None else ():
        with findings_of(unit) as lines:
            for line in lines:
                finding = orjson.loads(line)
                if not is_owed(finding) or finding["delta"] >= 0:
                    continue
                player = finding["player"] or ""
                row = rows.setdefault(
                    (player, finding["round"]),
                    {
                        "player": player,
                        "round": finding["round"],
                        "path": reverse("round", args=[day.party.code, finding["round"]]),
                        "at": local(instant_of(finding["at"])),
                        "slug": finding["game"],
                        "game": names.get(finding["game"], finding["game"]),
                        "table": finding["table"],
                        "wagers": [],
                        "owed": 0,
                    },
                )
                row["wagers"].append(finding["wager"] or "")
                row["owed"] -= finding["delta"]
    yield from sorted(rows.values(), key=lambda it: (not it["player"], it["player"], it["at"]))


def _due(day: GamblingDay) -> str | None:
    """Return the last day to pay; None until the findings are released to the operator."""
    nights = IssueNight.objects.filter(
        issue__party=day.party, day=day.day, issue__released__isnull=False, under__gt=0
    )
    released = nights.aggregate(since=Min("issue__released"))["since"]
    return due_of(day.day, released).isoformat() if released else None


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the schedule."""
    return ReportContent(
        title=f"Restitution schedule of {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(_blocks(data)),
    )


def _blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    rows = data["rows"]
    owed, paid = (sum(each[name] for each in rows) for name in ("owed", "paid"))
    if not rows:
        yield Callout("Nothing is owed", f"No player was underpaid. {SAYS}", Mood.GOOD)
        return
    players = len({each["player"] for each in rows if each["player"]})
    due = (
        f"Pay by {day_in_words(data['due'])}."
        if data["due"]
        else f"Due {DAYS_TO_PAY} days after the findings are released to the room."
    )
    yield Callout(
        f"{dollars(owed)} payable to {counted(players, 'player')}",
        f"{due} On file as paid: {dollars(paid)}; left: {dollars(max(owed - paid, 0))}. {SAYS}",
        Mood.ATTENTION if owed > paid else Mood.GOOD,
    )
    yield Rows(
        "restitution",
        "Payable, by player and table. The room fills in what is empty",
        (
            Column("Player"),
            Column("Game and table"),
            *(Column(title, Align.NUMBERS) for title in ("Rounds", "Payable", "Paid")),
            Column("Paid on"),
            Column("Not found"),
            Column("Initials"),
        ),
        (
            *(
                (
                    each["player"] or UNNAMED,
                    f"{each['game']}, {each['table']}",
                    f"{each['rounds']:,}",
                    dollars(each["owed"]),
                    dollars(each["paid"]) if each["paid"] else "",
                    day_in_words(each["paid_on"]) if each["paid_on"] else "",
                    "",
                    "",
                )
                for each in rows
            ),
            ("All", "", f"{sum(each['rounds'] for each in rows):,}", dollars(owed),
             dollars(paid) if paid else "", "", "", ""),
        ),
    )  # fmt: skip
    yield Heading("Sign-off by the room")
    yield Words(
        "I paid the amounts entered above to the players named, or marked them as not found after "
        "looking for them. Confirm each payment to the commission on its restitution page."
    )
    yield Facts(tuple((name, LINE) for name in ("Name and title", "Signature", "Date")))
    yield Heading("By player and round")
    yield Rows(
        "rounds",
        "What each player is owed for each round",
        (
            Column("Player"),
            Column("Round"),
            Column("Table"),
            Column("When"),
            Column("Wagers underpaid"),
            Column("Payable", Align.NUMBERS),
        ),
        tuple(
            (
                each["player"] or UNNAMED,
                each["round"],
                each["table"],
                instant(each["at"]),
                ", ".join(describe_name(name) for name in each["wagers"] if name) or "All",
                dollars(each["owed"]),
            )
            for each in data["rounds"]
        ),
        links={each["round"]: each["path"] for each in data["rounds"]},
        printed=PRINTED,
    )
    if data["replay"]:
        yield Facts((("Replay", data["replay"]), ("Findings", data["digest"])), Align.CODES)


RESTITUTION = register(
    DocumentKind(
        name="restitution",
        title="Restitution schedule",
        letters="RS",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers_of,
        checkpoint=closing_checkpoint,
        edition=edition_of,
    )
)
