"""The first page of a nightly report: the verdict, the figures, what waits to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.documents.night_patterns import what
from reports.documents.wording import counted, dollars, instant
from reports.documents.wording import day as day_in_words
from reports.paper.blocks import Align, Callout, Column, Facts, Heading, Mood, Points, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reports.paper.blocks import Block

TOP = 5


def first_page(data: Mapping[str, Any]) -> Iterator[Block]:
    """Everything that whoever reads one page must have read."""
    if data["before"]:
        yield from _supplement(data)
    yield verdict(data)
    figures = data["figures"]
    yield Facts(
        (
            ("Operator", data["operator"]),
            ("Gambling day", f"{instant(data['begins'])} to {instant(data['ends'])}"),
            ("Rounds judged", _rounds(figures)),
            ("Rounds with findings", f"{figures['flagged']:,}"),
            ("Findings in rounds", _in_patterns(figures)),
            ("Received too much", dollars(figures["received"])),
            ("Received too little", dollars(figures["owed"])),
            ("Rejected lines", f"{figures['rejected']:,}"),
            ("Missing", f"{figures['lacking']:,}"),
            ("Could not be verified", _unverified(data)),
            *([("Came after closing", _came_late(data))] if data["supplements"] else []),
        )
    )
    if data["patterns"]:
        yield Rows(
            "first",
            "What weighs most",
            (
                Column("Pattern"),
                Column("Table"),
                Column("Findings", Align.NUMBERS),
                Column("Too much", Align.NUMBERS),
                Column("Too little", Align.NUMBERS),
            ),
            tuple(
                (
                    what(each) + (f". {each['diagnosis']}" if each["diagnosis"] else ""),
                    each["table"],
                    f"{each['findings']:,}",
                    dollars(each["over"]),
                    dollars(each["under"]),
                )
                for each in data["patterns"][:TOP]
            ),
        )
    waits = tuple(_waits(data))
    if waits:
        yield Words("What waits for somebody:")
        yield Points(waits)


def verdict(data: Mapping[str, Any]) -> Callout:
    """The one sentence."""
    figures = data["figures"]
    night = f"{data['operator']}, gambling day of {day_in_words(data['day'])}."
    if not figures["rounds"]:
        heading = "No round was judged"
        says = "nothing was handed in" if not data["logs"] else "no round of this day is on file"
        return Callout(
            heading, f"{night} There is nothing to judge: {says}.", _mood(bool(data["lacking"]))
        )
    verb = "has" if figures["flagged"] == 1 else "have"
    rounds = counted(figures["rounds"], "round")
    told = f"{rounds} {'was' if figures['rounds'] == 1 else 'were'} judged; "
    told += f"{figures['flagged']:,} {verb} findings"
    weights = {each["weight"] for each in data["patterns"]}
    if figures["received"] or figures["owed"]:
        heading = "Apparent violations, with money"
        says = (
            f"{told}. Players received {dollars(figures['received'])} too much and "
            f"{dollars(figures['owed'])} too little."
        )
        return Callout(heading, f"{night} {says}", Mood.SERIOUS)
    if weights & {"money", "procedure"}:
        heading = f"Apparent violations{'' if 'money' in weights else ' of procedure'}"
        says = f"{told}. By what could be settled no player received too much or too little."
        return Callout(heading, f"{night} {says}", _mood("money" in weights))
    if weights or data["lacking"] or figures["rejected"]:
        says = f"{told}. What is missing, rejected or not verified is named below."
        return Callout(
            "No apparent violation in what could be judged", f"{night} {says}", Mood.ATTENTION
        )
    return Callout("No apparent violation", f"{night} {told}.", Mood.GOOD)


def _in_patterns(figures: Mapping[str, Any]) -> str:
    return f"{figures['findings']:,} in {counted(figures['patterns'], 'pattern')}"


def _mood(serious: bool) -> Mood:  # noqa: FBT001 - one question
    return Mood.SERIOUS if serious else Mood.ATTENTION


def _rounds(figures: Mapping[str, Any]) -> str:
    games = ", ".join(figures["games"])
    return f"{figures['rounds']:,}, {figures['seats']:,} seats" + (f": {games}" if games else "")


def _unverified(data: Mapping[str, Any]) -> str:
    """Rounds judged without a cap, and those that could not be settled: other questions."""
    odd = sum(each["rounds"] for each in data["patterns"] if each["code"] == "irregular")
    uncapped = counted(data["figures"]["unverified"], "round")
    told = [f"the cap of a wager in {uncapped}"] if data["figures"]["unverified"] else []
    told += [f"the settlement of {counted(odd, 'round')}"] if odd else []
    says = " and ".join(told) or "nothing that was judged"
    return says[0].upper() + says[1:]


def _came_late(data: Mapping[str, Any]) -> str:
    late = counted(data["supplements"], "supplement")
    return late if data["before"] else f"{late}; no report was made before"


def _waits(data: Mapping[str, Any]) -> Iterator[str]:
    figures = data["figures"]
    if figures["undecided"]:
        yield f"{counted(figures['undecided'], 'pattern')} on which no agent has decided."
    if figures["owed"]:
        yield (
            f"{dollars(figures['owed'])} that {counted(figures['players_owed'], 'player')} "
            "received too little."
        )
    if figures["lacking"]:
        yield f"{counted(figures['lacking'], 'thing')} that the day lacks."
    if figures["rejected"]:
        yield f"{counted(figures['rejected'], 'rejected line')}: not judged."
    if figures["unverified"]:
        yield f"{counted(figures['unverified'], 'round')} judged without any verified cap."


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
                ("rounds", "Rounds judged", _number),
                ("findings", "Findings", _number),
                ("patterns", "Patterns", _number),
                ("received", "Received too much", dollars),
                ("owed", "Received too little", dollars),
                ("rejected", "Rejected lines", _number),
                ("lacking", "Missing", _number),
            )
            for was in (before["figures"][name],)
        ),
    )
    standing = before["standing"]
    if standing:
        told = ", ".join(f"{count:,} {name}" for name, count in standing.items())
        yield Words(f"Of the findings of the replay before: {told}.")
    yield Heading("The night as it stands now")


def _number(count: int) -> str:
    return f"{count:,}".replace("-", "−")
