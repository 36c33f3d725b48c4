"""Count payout errors by whom they favor, from the findings of a segment."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from audits.watch.statistics import PLAYER, TABLE, Subject
from games.findings import HOUSE_WAGER
from games.statistics.errors import MOST_ALIKE, Errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SETTLEMENT = "settlement."


def count_errors(findings: Iterable[Mapping[str, Any]]) -> dict[Subject, Errors]:
    """Return rounds settled wrong by table and by player, in the player's favor or not.

    A round counts once for each subject, by the sum of its errors. Of errors alike, in one wager
    and line of the pay table, only the first few count: a pay table learned wrong is no chance.
    """
    alike: Counter[tuple[Any, ...]] = Counter()
    sums: defaultdict[tuple[Subject, str], int] = defaultdict(int)
    for each in findings:
        if not _is_error(each):
            continue
        for subject in _subjects(each):
            kind = (subject, each["wager"], each["line"])
            alike[kind] += 1
            if alike[kind] <= MOST_ALIKE:
                sums[subject, each["round"]] += each["delta"]
    counted: defaultdict[Subject, Errors] = defaultdict(Errors)
    for (subject, _), delta in sums.items():
        counted[subject].add(Errors(over=int(delta > 0), under=int(delta < 0)))
    return dict(counted)


def _is_error(finding: Mapping[str, Any]) -> bool:
    of_seat = finding["seat"] is not None and finding["wager"] not in {None, HOUSE_WAGER}
    return of_seat and finding["delta"] != 0 and finding["code"].startswith(SETTLEMENT)


def _subjects(finding: Mapping[str, Any]) -> list[Subject]:
    found = [Subject(TABLE, finding["table"])]
    if finding["player"]:
        found.append(Subject(PLAYER, finding["player"]))
    return found
