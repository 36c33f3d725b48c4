"""A report's numbers, computed from what others can have: round logs and `manage.py findings`.

Nothing here imports the product. It reads a report as printed, by pypdf, and adds up again what
every table says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from io import BytesIO
from typing import Any

from pypdf import PdfReader

AMOUNT = r"(−?\$[\d,]+\.\d\d)"
COUNT = r"([\d,]+)"
MONEY = rf"{AMOUNT}\s+{AMOUNT}"
ISSUE = re.compile(rf"^\s*([0-9a-f]{{8}}|All)\s.*?\s{COUNT}\s+{MONEY}\s*$", re.MULTILINE)
OTHERS = re.compile(
    rf"^\s*([0-9a-f]{{8}}|All)\s+(The house|Tables in total)\s+{MONEY}\s*$", re.MULTILINE
)
FIGURES = rf"{COUNT}\s+{COUNT}\s+{AMOUNT}\s+{AMOUNT}\s+(−?[\d.]+%|–)\s+{COUNT}\s+([\d,.]+)"
TABLE = re.compile(rf"^\s*(T\d+), .*?\s{FIGURES}\s*$", re.MULTILINE)
SHIFT = re.compile(rf"^\s*Shift\s+(\d+:00 [ap]\.m\. to \d+:00 [ap]\.m\.)\s+{FIGURES}", re.MULTILINE)
OWED = re.compile(rf"^\s*(p\S+)\s+.*?, (T\d+)\s+{COUNT}\s+{AMOUNT}\s*$", re.MULTILINE)
ROUND = re.compile(rf"^\s*(p\S+)\s+(\S+)\s+(T\d+)\s+.*\s{AMOUNT}\s*$", re.MULTILINE)
RATE = r"([\d,.]+)"
ROOM = re.compile(
    rf"^\s*(.+?)\s+(\d+) of \d+\s+{COUNT}\s+{COUNT}\s+{RATE}\s+{MONEY}\s+(−?[\d.]+%|–)"
    rf"\s+{COUNT}\s*$",
    re.MULTILINE,
)
NIGHT = re.compile(
    rf"^\s*(\w+, \w+ \d+, \d+)\s+\d+ of \d+\s+{COUNT}\s+{COUNT}\s+{COUNT}\s+{MONEY}\s*$",
    re.MULTILINE,
)
OF_A_PERIOD = re.compile(
    rf"^\s*([0-9a-f]{{8}}|All)\s.*?\s(?:\d+|–)\s+{COUNT}\s+{MONEY}(?:\s+\S.*)?$", re.MULTILINE
)
SHIFTS = {6: "6:00 a.m. to 2:00 p.m.", 14: "2:00 p.m. to 10:00 p.m.", 22: "10:00 p.m. to 6:00 a.m."}


def read_pages(content: bytes) -> str:
    """Return a report as it is laid out on its pages."""
    pages = PdfReader(BytesIO(content)).pages
    return "\n".join(page.extract_text(extraction_mode="layout") for page in pages)


def cents(text: str) -> int:
    digits = int(re.sub(r"\D", "", text))
    return -digits if text.startswith("−") else digits


def numbers(text: str) -> int:
    return int(text.replace(",", ""))


def owner(finding: dict[str, Any]) -> str:
    """Return whose money it is, as the report names it."""
    if finding["code"] == "settlement.balance":
        return "Tables in total"
    return "The house" if finding["wager"] == "house" else "players"


def printed_issues(pages: str, pattern: re.Pattern[str] = ISSUE) -> dict[str, tuple[int, int, int]]:
    """Return findings, cents overpaid and underpaid of each issue and of all."""
    return {
        issue: (numbers(count), cents(over), cents(under))
        for issue, count, over, under in pattern.findall(pages)
    }


def summed_issues(findings: list[dict[str, Any]]) -> dict[str, tuple[int, int, int]]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for each in findings:
        for issue in (each["issue"][:8], "All"):
            sums[issue][0] += 1
            if owner(each) == "players":
                sums[issue][1] += max(each["delta"], 0)
                sums[issue][2] += max(-each["delta"], 0)
    return {issue: (count, over, under) for issue, (count, over, under) in sums.items()}


def printed_others(pages: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return cents overpaid and underpaid that are not players', by issue and owner."""
    return {
        (issue, whose): (cents(over), cents(under))
        for issue, whose, over, under in OTHERS.findall(pages)
    }


def summed_others(findings: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[int, int]]:
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for each in findings:
        if (whose := owner(each)) != "players" and each["delta"]:
            for issue in (each["issue"][:8], "All"):
                sums[issue, whose][0] += max(each["delta"], 0)
                sums[issue, whose][1] += max(-each["delta"], 0)
    return {key: (over, under) for key, (over, under) in sums.items()}


Figures = tuple[int, int, int, str, int, str]


def printed_figures(pattern: re.Pattern[str], pages: str) -> dict[str, Figures]:
    """Return rounds, handle, win, hold, findings and findings per 1,000, by table or shift."""
    return {
        name: (numbers(rounds), cents(handle), cents(win), hold, numbers(found), rate)
        for name, rounds, _, handle, win, hold, found, rate in pattern.findall(pages)
    }


def summed_figures(
    rounds: list[dict[str, Any]], findings: list[dict[str, Any]], by: str
) -> dict[str, Figures]:
    """Add up logged rounds, of which a player's bank has no handle; void ones do not count."""

    def name_of(row: dict[str, Any]) -> str:
        if by == "table":
            return str(row["table"])
        hour = int(row["at"][11:13])
        return SHIFTS[6 if 6 <= hour < 14 else 14 if 14 <= hour < 22 else 22]

    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in rounds:
        if each.get("void"):
            continue
        found = sums[name_of(each)]
        found[0] += 1
        if each.get("banker") is None:
            found[1] += sum(sum(seat["wagers"].values()) for seat in each["seats"])
            found[2] -= sum(sum(seat["result"].values()) for seat in each["seats"])
    for each in findings:
        sums[name_of(each)][3] += 1
    return {
        name: (
            *(count, handle, win),
            f"{win / handle:.2%}".replace("-", "−") if handle else "–",
            *(found, f"{found * 1000 / count:,.1f}"),
        )
        for name, (count, handle, win, found) in sums.items()
    }


def owed_rounds(
    rounds: list[dict[str, Any]], findings: list[dict[str, Any]]
) -> dict[tuple[str, str, str], int]:
    """Return what each named player was underpaid, by round and table."""
    players = {
        (each["round"], seat["seat"]): seat.get("player")
        for each in rounds
        for seat in each["seats"]
    }
    owed: dict[tuple[str, str, str], int] = defaultdict(int)
    for each in findings:
        player = players.get((each["round"], each["seat"]))
        if owner(each) == "players" and each["delta"] < 0 and player:
            owed[player, each["round"], each["table"]] -= each["delta"]
    return dict(owed)


def printed_owed(pages: str) -> dict[tuple[str, str, str], int]:
    """Return what the schedule says that each player is owed for each round."""
    return {
        (player, round_, table): cents(amount)
        for player, round_, table, amount in ROUND.findall(pages)
    }


def printed_payable(pages: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the rounds and the total payable of each player at each table."""
    return {
        (player, table): (numbers(rounds), cents(amount))
        for player, table, rounds, amount in OWED.findall(pages)
    }


def printed_rooms(pages: str) -> dict[str, tuple[Any, ...]]:
    """Return a room's nights, rounds, findings, rate, cents over and under, hold and missing."""
    return {
        name: (*map(numbers, counts), rate, cents(over), cents(under), hold, numbers(missing))
        for name, *counts, rate, over, under, hold, missing in ROOM.findall(pages)
    }


def summed_room(
    nights: list[tuple[list[dict[str, Any]], list[dict[str, Any]]]],
) -> tuple[Any, ...]:
    """Add up nights of rounds and findings; findings without a round are what is missing."""
    rounds = [each for night, _ in nights for each in night]
    listed = [each for _, night in nights for each in night]
    findings = [each for each in listed if each["round"]]
    tables = summed_figures(rounds, findings, "table").values()
    handle, win = sum(each[1] for each in tables), sum(each[2] for each in tables)
    _, over, under = summed_issues(findings)["All"]
    return (
        *(len(nights), len(rounds), len(findings)),
        f"{len(findings) * 1000 / len(rounds):,.1f}",
        *(over, under),
        f"{win / handle:.2%}".replace("-", "−"),
        len([each for each in listed if each["code"].startswith("night.")]),
    )


def printed_nights(pages: str) -> dict[str, tuple[int, ...]]:
    """Return a night's rounds, those with findings, findings, cents overpaid and underpaid."""
    return {
        name: (*map(numbers, counts), cents(over), cents(under))
        for name, *counts, over, under in NIGHT.findall(pages)
    }


def summed_night(rounds: list[dict[str, Any]], listed: list[dict[str, Any]]) -> tuple[int, ...]:
    findings = [each for each in listed if each["round"]]
    flagged = {each["round"] for each in findings}
    return (len(rounds), len(flagged), *summed_issues(findings)["All"])
