"""A summary, week, month or any period as blocks: what matters, rooms compared, what gets worse."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reports.documents.nightly_blocks import money_in_words, sum_money
from reports.documents.wording import counted, dollars, instant, join
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import (
    Align,
    Callout,
    Column,
    Facts,
    Heading,
    Item,
    Items,
    Mood,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block

NUMBER = Align.NUMBERS
TOP = 5
MOST_LISTED = 100
DIGEST = 16
NO_REPORT = "No report"
TITLES = {
    "summary": "Commission summary of {in_words}",
    "weekly": "Weekly report of {whose}, {in_words}",
    "monthly": "Monthly report of {whose}, {in_words}",
    "period": "Report of {whose}, {in_words}",
}
ADDS_UP = (
    "Nothing was audited again for this report: it adds up the nightly reports named here, each "
    "identified by the SHA-256 of its body, whole in the attached data. A night without a report "
    "adds nothing. Findings are apparent violations; an agent decides on them."
)

WATCH = (
    "The watch compares all rounds on file with what chance would do. An alarm is a lead, never a "
    "violation: a fair game would not do this, but a miscounted shoe, a misspelled card or one "
    "name for several people may explain it."
)


def title_of(data: Mapping[str, Any]) -> str:
    """Return the report's title."""
    whose = data["operator"] or "the commission"
    return TITLES[data["period"]].format(whose=whose, in_words=data["in_words"])


def period_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the report."""
    yield _rating(data)
    if data["issues"]:
        yield _top(data["issues"][:TOP])
    yield from _rooms(data)
    yield from _worse(data)
    yield from _issues(data["issues"])
    yield from watch_blocks(data["rooms"])
    if data["decisions"] is not None:
        yield from _decisions(data["decisions"])
    if data["first"] != data["last"]:
        yield from _days(data)
    yield from _basis(data)


def watch_blocks(rooms: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield what the watch saw for the first time in the period, by operator."""
    yield Heading("The watch")
    yield Words(WATCH)
    yield Rows(
        "watched",
        "New alarms of the watch",
        (Column("Operator"), Column("Night"), Column("Game"), Column("Seen"), Column("Usual")),
        tuple(
            (
                room["name"],
                day_in_words(each["day"]),
                each["game"],
                each["says"],
                each["awaited"],
            )
            for room in rooms
            for each in room.get("watched", ())
        ),
        "No alarm was raised on a night of this period.",
    )


def _rating(data: Mapping[str, Any]) -> Callout:
    """Return the period's rating: an incomplete period is never called good."""
    sums, rooms = data["sums"], data["rooms"]
    nights = [day for room in rooms for day in room["days"]]
    missing = sum(day["report"] is None for day in nights)
    outdated = sum(day["report"] is not None and bool(day["why"]) for day in nights)
    if missing == len(nights):
        return Callout(f"Rating: {NO_REPORT}", "No night of this period has a report.",
                       Mood.ATTENTION)  # fmt: skip
    says = (
        f"{counted(sums['rounds'], 'round')} audited in {len(nights) - missing:,} of "
        f"{counted(len(nights), 'night')}; {sums['flagged']:,} with findings. "
    )
    money = money_in_words(sum_money(data["issues"]))
    says += f"{money}." if money else "No amount was paid wrong in a settled round."
    if missing:
        says += f" Not complete: {counted(missing, 'night')} without a report, named below."
    if outdated:
        says += f" Not complete: {counted(outdated, 'night')} with a supplement due."
    if sums["lacking"] or sums["rejected"]:
        says += (
            f" Missing: {counted(sums['lacking'], 'item')}; rejected: "
            f"{counted(sums['rejected'], 'line')}."
        )
    if any(each["weight"] != "notice" for each in data["issues"]):
        return Callout("Rating: Action required", says, Mood.SERIOUS)
    if data["issues"] or missing or outdated or sums["lacking"] or sums["rejected"]:
        return Callout("Rating: Attention", says, Mood.ATTENTION)
    return Callout("Rating: Satisfactory", says, Mood.GOOD)


def _top(issues: Sequence[Mapping[str, Any]]) -> Items:
    items = []
    for each in issues:
        money = money_in_words(each["money"])
        nights = f" on {each['nights']:,} nights" if each["nights"] > 1 else ""
        says = f"{counted(each['rounds'], 'round')}{nights}. {f'{money}. ' if money else ''}"
        cites = ", ".join(it["id"] for it in each["criteria"])
        lead = f"{each['operator']}, {join(each['tables'])}: {each['headline']}."
        items.append(Item(lead, f"{says}{cites}. {each['state']}.", each["short"]))
    return Items(tuple(items), {each["short"]: each["path"] for each in issues})


def _rooms(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Rooms compared" if len(data["rooms"]) > 1 else "The room")
    rows = [_room(room) for room in data["rooms"]]
    if len(rows) > 1:
        whole = {
            "name": "All",
            "reported": sum(room["reported"] for room in data["rooms"]),
            "days": [day for room in data["rooms"] for day in room["days"]],
            "sums": data["sums"],
            "handle": sum(room["handle"] for room in data["rooms"]),
            "win": sum(room["win"] for room in data["rooms"]),
        }
        rows.append(_room(whole))
    yield Rows(
        "rooms",
        "Findings per 1,000 rounds; players' money; what the house kept of wagers against it",
        (
            Column("Room"),
            *(
                Column(title, NUMBER)
                for title in (
                    *("Nights", "Rounds", "Findings", "Per 1,000"),
                    *("Overpaid", "Underpaid", "Hold", "Missing"),
                )
            ),
        ),
        tuple(rows),
    )
    without = [row for room in data["rooms"] for row in _without(room)]
    if without:
        yield Rows(
            "without",
            "Nights without a report, or whose supplement is due",
            (Column("Room"), Column("Days"), Column("Nights", NUMBER), Column("Why")),
            tuple(without),
        )


def _without(room: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each run of nights in a row that lack a report for the same reason."""
    for why, run in groupby(room["days"], key=lambda day: day["why"]):
        nights = [day_in_words(day["day"]) for day in run]
        if why:
            span = nights[0] if len(nights) == 1 else f"{nights[0]} to {nights[-1]}"
            yield (room["name"], span, f"{len(nights):,}", why)


def _room(room: Mapping[str, Any]) -> tuple[str, ...]:
    nights = f"{room['reported']} of {len(room['days'])}"
    if not room["reported"]:
        return (room["name"], NO_REPORT, *["–"] * 7)
    sums = room["sums"]
    return (
        room["name"],
        nights,
        *(f"{sums[name]:,}" for name in ("rounds", "findings")),
        _rate(sums),
        *(dollars(sums[name]) for name in ("received", "owed")),
        f"{room['win'] / room['handle']:.2%}".replace("-", "−") if room["handle"] else "–",
        f"{sums['lacking']:,}",
    )


def _rate(sums: Mapping[str, int]) -> str:
    return f"{sums['findings'] * 1000 / sums['rounds']:,.1f}" if sums["rounds"] else "–"


WORSE = (
    ("findings", "Findings per 1,000 rounds"),
    ("received", "Players overpaid, per 1,000 rounds"),
    ("owed", "Players underpaid, per 1,000 rounds"),
)


def _worse(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what rose against the period before, by the number of rounds."""
    yield Heading("What is getting worse")
    before = data["before"]["rooms"]
    rows = []
    compared = False
    for room in data["rooms"]:
        earlier = before.get(room["code"])
        now, was = room["sums"], earlier["sums"] if earlier else None
        if was is None or not room["reported"] or not now["rounds"] or not was["rounds"]:
            continue
        compared = True
        for name, title in WORSE:
            if now[name] * was["rounds"] > was[name] * now["rounds"]:
                rates = (each[name] * 1000 / each["rounds"] for each in (was, now))
                shown = (f"{it:,.1f}" if name == "findings" else dollars(round(it)) for it in rates)
                rows.append((room["name"], title, *shown))
    recurring = [
        (each["operator"], f"{each['short']}: {each['headline']}", "–",
         f"on {each['nights']:,} nights")
        for each in data["issues"]
        if each["nights"] > 1
    ]  # fmt: skip
    nothing = "Nothing rose against the period before, and no issue recurred."
    yield Rows(
        "worse",
        f"Against {data['before']['in_words']}",
        (Column("Room"), Column("What"), Column("Before", NUMBER), Column("Now", NUMBER)),
        (*rows, *recurring),
        nothing
        if compared
        else "The period before has no report to compare with, and no issue recurred.",
    )


def _issues(issues: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    yield Heading("Issues")
    rows = [
        (
            each["short"],
            f"{each['operator']}, {join(each['tables'])}: {each['headline']}",
            f"{each['nights']:,}",
            f"{each['findings']:,}",
            *(dollars(cents) for cents in each["money"]["players"]),
            each["state"],
        )
        for each in issues[:MOST_LISTED]
    ]
    if more := issues[MOST_LISTED:]:
        sums = sum_money(more)["players"]
        count = sum(each["findings"] for each in more)
        rows.append(("–", f"{len(more):,} more, in the attached data", "–", f"{count:,}",
                     *map(dollars, sums), "–"))  # fmt: skip
    if issues:
        sums = sum_money(issues)["players"]
        count = sum(each["findings"] for each in issues)
        rows.append(("All", "", "–", f"{count:,}", *map(dollars, sums), ""))
    yield Rows(
        "issues",
        "Issues of the period, the most serious in law first; players' money only",
        (
            Column("Issue"),
            Column("What"),
            Column("Nights", NUMBER),
            Column("Findings", NUMBER),
            Column("Overpaid", NUMBER),
            Column("Underpaid", NUMBER),
            Column("State"),
        ),
        tuple(rows),
        "No findings in any round that was reported.",
        links={each["short"]: each["path"] for each in issues},
    )


def _decisions(decisions: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Decisions")
    links = {it["short"]: it["path"] for name in ("made", "overdue") for it in decisions[name]}
    yield Words(
        f"On {day_in_words(decisions['today'])}, {counted(decisions['open'], 'issue')} were open "
        f"and {len(decisions['overdue']):,} of them overdue."
    )
    for name, caption, column, empty in (
        ("made", "Decided in this period", "When", "No decision was made in this period."),
        ("overdue", "Overdue when this report was made", "Due", "Nothing is overdue."),
    ):
        yield Rows(
            name,
            caption,
            (Column("Issue"), Column("What"), Column("State"), Column("By"), Column(column)),
            tuple(
                (
                    each["short"],
                    f"{each['operator']}: {each['headline']}",
                    each["state"],
                    each["by"],
                    instant(each["at"]) if name == "made" else day_in_words(each["due"]),
                )
                for each in decisions[name]
            ),
            empty,
            links,
            MOST_LISTED,
        )


def _days(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Night by night")
    nights: dict[str, list[Mapping[str, Any]]] = {}
    for room in data["rooms"]:
        for day in room["days"]:
            nights.setdefault(day["day"], []).append(day)
    names = ("rounds", "flagged", "findings")
    money = ("received", "owed")
    rows = []
    for day, parts in nights.items():
        made = [each["figures"] for each in parts if each["report"]]
        if not made:
            rows.append((_weekday(day), NO_REPORT, *["–"] * 5))
            continue
        sums = {name: sum(each[name] for each in made) for name in (*names, *money)}
        rows.append(
            (
                _weekday(day),
                f"{len(made)} of {len(parts)}",
                *(f"{sums[name]:,}" for name in names),
                *(dollars(sums[name]) for name in money),
            )
        )
    titles = ("Rounds", "With findings", "Findings", "Overpaid", "Underpaid")
    yield Rows(
        "days",
        "Gambling days, with how many rooms have a report",
        (Column("Night"), Column("Reports", NUMBER), *(Column(title, NUMBER) for title in titles)),
        tuple(rows),
    )


def _weekday(iso: str) -> str:
    return f"{date.fromisoformat(iso):%a, %b %-d, %Y}"


def _basis(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Basis")
    yield Words(ADDS_UP, quiet=True)
    yield Rows(
        "reports",
        "Nightly reports",
        (Column("Room"), Column("Night"), Column("Report"), Column("SHA-256", Align.CODES)),
        tuple(
            (room["name"], day_in_words(day["day"]), day["report"], day["body"][:DIGEST])
            for room in data["rooms"]
            for day in room["days"]
            if day["report"]
        ),
        "None.",
    )
    if data["engines"]:
        yield Facts(tuple(("Engine", each) for each in data["engines"]), Align.CODES)
