"""Count payout errors by whom they favor, from the findings of a segment."""

from __future__ import annotations

from collections import Counter, defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from audits.watch.statistics import DEALER, PAIR, PLAYER, SHIFT, TABLE, Subject
from games.findings import HOUSE_WAGER
from games.statistics.cards import Again, Draw
from games.statistics.errors import MOST_ALIKE, Errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from audits.watch.worked import Worked

SETTLEMENT = "settlement."


def count_errors(
    findings: Sequence[Mapping[str, Any]], worked: Mapping[str, Worked] = MappingProxyType({})
) -> dict[Subject, Errors]:
    """Return rounds settled wrong, in the player's favor or not, by whom they concern.

    That is the table and the player, and by `worked`, which names who dealt some rounds and when,
    the dealer, the dealer and the player together, and the shift. A round counts once for each
    subject, by the sum of its errors. Of errors alike, in one wager and line of the pay table, only
    the first few count: a pay table learned wrong is no chance.
    """
    alike: Counter[tuple[Any, ...]] = Counter()
    sums: defaultdict[tuple[Subject, str], int] = defaultdict(int)
    for each in findings:
        if not is_error(each):
            continue
        for subject in _subjects(each, worked.get(each["round"])):
            kind = (subject, each["wager"], each["line"])
            alike[kind] += 1
            if alike[kind] <= MOST_ALIKE:
                sums[subject, each["round"]] += each["delta"]
    counted: defaultdict[Subject, Errors] = defaultdict(Errors)
    for (subject, _), delta in sums.items():
        counted[subject].add(Errors(over=int(delta > 0), under=int(delta < 0)))
    for subject, favors in _favors(findings, worked):
        counted[subject].favors.add(favors)
    return dict(counted)


def _favors(
    findings: Iterable[Mapping[str, Any]], worked: Mapping[str, Worked]
) -> Iterator[tuple[Subject, Again]]:
    """Yield for each player whose round has errors in a player's favor how many were in theirs.

    Only seats that are alike are compared: in one round, with the same wagers, the same amount on
    this one, the same choices and the same result coming. So a cap that is overlooked, or a rare
    choice that a dealer settles wrong, shows nothing about the player who meets it most. Of alike
    seats, each is as likely to have the errors; if all are one player's, they show nothing.
    """
    deltas: Counter[tuple[str, str, int]] = Counter()
    for each in findings:
        if is_error(each):
            deltas[each["round"], each["wager"], each["seat"]] += each["delta"]
    for round_, wager in {key[:2]: None for key, delta in deltas.items() if delta > 0}:
        of = worked.get(round_)
        alike: defaultdict[tuple[Any, ...], list[tuple[str, bool]]] = defaultdict(list)
        for staked in of.staked.get(wager, ()) if of else ():
            delta = deltas[round_, wager, staked.seat]
            kind = (staked.amount, staked.result - delta, staked.choices)
            alike[kind].append((staked.player, delta > 0))
        for seats in alike.values():
            errors = sum(favored for _, favored in seats)
            for player, own in Counter(name for name, _ in seats if errors and name).items():
                seen = sum(favored for name, favored in seats if name == player)
                favors = Again(seen, Counter({Draw(len(seats), own, errors): 1}))
                if own < len(seats):
                    yield Subject(PLAYER, player), favors
                    if of and of.dealer:
                        yield Subject(PAIR, f"{of.dealer}, {player}"), favors


def as_row(errors: Errors) -> list[Any]:
    """Return errors as stored in the database."""
    favors = [[*draw, rounds] for draw, rounds in sorted(errors.favors.draws.items())]
    return [errors.over, errors.under, errors.favors.seen, favors]


def of_row(over: int, under: int, seen: int = 0, favors: Iterable[Sequence[int]] = ()) -> Errors:
    """Load what `as_row` returned; earlier versions did not say who was favored."""
    draws = Counter({Draw(*draw): rounds for *draw, rounds in favors})
    return Errors(over, under, Again(seen, draws))


def is_error(finding: Mapping[str, Any]) -> bool:
    """Return whether a finding says that a player's wager was settled wrong."""
    of_seat = finding["seat"] is not None and finding["wager"] not in {None, HOUSE_WAGER}
    return of_seat and finding["delta"] != 0 and finding["code"].startswith(SETTLEMENT)


def _subjects(finding: Mapping[str, Any], worked: Worked | None) -> list[Subject]:
    found = [Subject(TABLE, finding["table"])]
    player = finding["player"]
    if player:
        found.append(Subject(PLAYER, player))
    if worked is not None and worked.shift:
        found.append(Subject(SHIFT, worked.shift))
    if worked is not None and worked.dealer:
        found.append(Subject(DEALER, worked.dealer))
        if player:
            found.append(Subject(PAIR, f"{worked.dealer}, {player}"))
    return found
