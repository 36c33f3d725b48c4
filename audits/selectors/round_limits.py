"""The limits that bound a round: of the table by the controls, of a wager and of players by law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.judging.one_round import JudgedRound
    from audits.judging.terms import Cap

CONTROLS = "The approved controls"
UNREAD = "Nobody has read the value of that day"


@dataclass(frozen=True)
class LimitTold:
    """One limit; `least` and `most` in cents, but for players, who are counted."""

    of: str
    """A wager's key, or what is limited, in words."""
    least: int | None
    most: int | None
    """None where nobody knows it: it is not judged."""
    rests_on: str
    counted: bool = False
    """Whether it counts people, not cents."""


def limits_of(alone: JudgedRound) -> tuple[LimitTold, ...]:
    """Every limit that the round was judged by; none of a kind that does not bind its game."""
    return (*_of_controls(alone), *_of_law(alone))


def _of_controls(alone: JudgedRound) -> Iterator[LimitTold]:
    round_, setup = alone.round, alone.setup
    for wager, (least, most) in setup.limits.get(round_.table, {}).items():
        yield LimitTold(wager, least, most, CONTROLS)
    if round_.banker is not None:
        for wager, least in setup.banker_min.items():
            yield LimitTold(f"{wager} of the banker", least, None, CONTROLS)
    if round_.game == "pyramid-poker" and setup.max_per_hand is not None:
        yield LimitTold("maximum aggregate payout of a hand", None, setup.max_per_hand, CONTROLS)
    for wager, most in setup.max_per_deal.get(round_.game, {}).items():
        of = f"maximum aggregate payout of {wager} in a deal"
        yield LimitTold(of, None, most, CONTROLS)


def _of_law(alone: JudgedRound) -> Iterator[LimitTold]:
    cap, players = alone.cap, alone.players
    if cap is not None:
        yield LimitTold("a single wager", None, cap.amount, _rests_on(cap))
    if players.most is not None:
        carried = _carried(players.carried_since)
        rests_on = ", ".join(players.cites) + carried
        yield LimitTold("players at the table", None, players.most, rests_on, counted=True)


def _rests_on(cap: Cap) -> str:
    if cap.amount is None:
        return UNREAD
    cited = ", ".join(cap.cites)
    filing = f" ({cap.filing})" if cap.filing else ""
    return f"{cited}{filing}{_carried(cap.carried_since)}"


def _carried(since: str | None) -> str:
    """A value that nobody has looked at since is carried on."""
    return f", carried forward from {since}" if since else ""
