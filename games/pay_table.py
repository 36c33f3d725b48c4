"""Which line of a pay table a hand is paid (PP-I5, P2-I2)."""

from __future__ import annotations

from games.kernel import kernel


@kernel
def best_line(fitting: int, pays: tuple[int, ...]) -> int:
    """Of the lines that fit (bit 0 the first), the place of the one that pays most; -1 for none.

    Of two that pay the same, the later one, which is the higher name.
    """
    best = -1
    for line in range(len(pays)):
        if fitting >> line & 1 and (best < 0 or pays[line] >= pays[best]):
            best = line
    return best
