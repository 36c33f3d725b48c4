"""bank.house_wager: the house wagers more against a bank than the banker did the round before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.findings import Finding, Severity, cites
from games.kernel import compiled, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, Terms

CODE: Final = "bank.house_wager"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "House wagered more against the bank than allowed"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a house wager above the banker's own main wager before (PP-25)."""
    before = terms.before
    if round_.banker is None or not round_.played or before.after_rejection:
        return
    player = next(seat.player for seat in round_.seats if seat.seat == round_.banker)
    if player is None or before.played is None or before.played.banked:
        return  # PP-I16: there is nothing to compare it with
    most = before.played.main_by_player.get(player, 0)  # PP-I12
    if round_.house.wager > most:
        ids = cites("PP-25", "PP-I12", "PP-I16")
        yield Finding(CODE, logged=round_.house.wager, expected=most, cites=ids)


@kernel
def is_same(texts: Any, start: Any, stop: Any, one: int, other: int) -> bool:
    """Return whether two rows have the same text."""
    length = stop[one] - start[one]
    if stop[other] - start[other] != length:
        return False
    place = 0
    while place < length and texts[start[one] + place] == texts[start[other] + place]:
        place += 1
    return bool(place == length)


@kernel
def wagered(
    first: int, last: int, holder: int, main: Any, texts: Any, start: Any, stop: Any
) -> int:
    """Return what the player of a seat's row wagered on main in the seats of another round."""
    total = 0
    for seat in range(first, last):
        if is_same(texts, start, stop, seat, holder):
            total += main[seat]
    return total


@kernel
def keep_house_wagers(
    banker: Any, house_wager: Any, previous: Any, first_seat: Any, seat: Any, main: Any,
    texts: Any, start: Any, stop: Any, certain: Any,
) -> None:  # fmt: skip
    """Keep certain only rounds whose house wager is 0 or within PP-25 (PP-I12, PP-I16)."""
    for row in range(certain.size):
        if banker[row] <= 0 or house_wager[row] <= 0:
            continue
        before = previous[row]
        if before < 0:
            certain[row] = 0
            continue
        holder = first_seat[row]
        while seat[holder] != banker[row]:
            holder += 1
        most = wagered(first_seat[before], first_seat[before + 1], holder, main, texts, start, stop)
        if start[holder] >= 0 and banker[before] <= 0 and house_wager[row] > most:
            certain[row] = 0


def screen_before(columns: Columns, before: ColumnsBefore, certain: Certain) -> None:
    """Keep certain only rounds without such a wager; the round before must be in the block."""
    numbers, seats = columns.rounds.numbers, columns.seats
    if "banker" in numbers:
        players = seats.texts["player"]
        compiled(keep_house_wagers)(
            numbers["banker"], numbers["house_wager"], before.previous, columns.first_seat,
            seats.numbers["seat"], seats.numbers["wager_main"], players.data, players.start,
            players.stop, certain,
        )  # fmt: skip


def plant(scene: Scene) -> Fault | None:
    """Let the house wager more against the bank than the banker did against the house."""
    if scene.banker is None or scene.before is None or "banker" in scene.before:
        return None
    line = scene.altered()
    banker = scene.banker_in(line)
    wagered_before = sum(
        seat["wagers"]["main"]
        for seat in scene.before["seats"]
        if seat["player"] == banker["player"]
    )
    line["bank"] += 3 * (wagered_before + 1_000)
    line["house"]["wager"] = wagered_before + 1_000
    what = f"the house wagered $10.00 more than seat {banker['seat']} the round before"
    return scene.fault(scene.settled(line), what, (CODE, None, None))
