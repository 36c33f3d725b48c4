"""What a seat's wagers came to, and why, in the words of the game's own reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.story.story import Account, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.judge.settlement import Outcome
    from games.reason import Reason
    from games.round_log.round import Seat


def seat_title(seat: Seat) -> str:
    """Whose section it is."""
    return f"Seat {seat.seat}" + (f", player {seat.player}" if seat.player else "")


def wager_account(
    seat: Seat,
    key: str,
    outcome: Outcome | None,
    known: Mapping[int, Reason],
    said: Iterable[Sentence] = (),
) -> Account:
    """A wager of a seat: what was said of it, then the reasons of the game."""
    wagered = seat.wagers[key]
    sentences = (*said, *reasons(outcome, key, known, wagered))
    return Account(key, wagered, sentences, seat.result[key], amount(outcome, key))


def reasons(
    outcome: Outcome | None,
    key: str,
    known: Mapping[int, Reason],
    wagered: int = 0,
) -> tuple[Sentence, ...]:
    """Why a wager ended as it did, in the words of the game's reasons; what it pays to one."""
    if outcome is None:
        return ()
    said = [reason(known[code]) for code in outcome.reasons.get(key, ())]
    result = outcome.amounts.get(key, 0)
    if wagered and result > 0 and result % wagered == 0:
        said.append(Sentence(f"Pays {result // wagered} to 1 on {in_dollars(wagered)}."))
    return tuple(said)


def reason(known: Reason) -> Sentence:
    """A reason as a sentence."""
    return Sentence(f"{known.says[0].upper()}{known.says[1:]}.", known.cites)


def amount(outcome: Outcome | None, key: str) -> int | None:
    """What a wager should have won, if that can be told."""
    return outcome.amounts.get(key) if outcome is not None else None
