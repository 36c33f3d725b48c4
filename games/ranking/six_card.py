"""Six cards of a shoe: the lines of Pyramid Poker's `six_card` table that they fit (PP-29, PP-I6).

Straights and flushes are any five of the six; five and six of a kind count all that match.
Occurrences are counted in one number, four bits per rank. `best_line` chooses the line of a table
that a hand is paid (PP-I5, P2-I2).
"""

from __future__ import annotations

from typing import Final

from games.cards import JACK
from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.names import SUIT_MASK

LINE_TWO_PAIRS: Final = 1
LINE_THREE_OF_A_KIND: Final = 2
LINE_STRAIGHT: Final = 4
LINE_FLUSH: Final = 8
LINE_FULL_HOUSE: Final = 16
LINE_FOUR_OF_A_KIND: Final = 32
LINE_FIVE_OF_A_KIND: Final = 64
LINE_STRAIGHT_FLUSH: Final = 128
LINE_ROYAL_FLUSH: Final = 256
LINE_SIX_OF_A_KIND: Final = 512
LINE_PAIR_OF_JACKS_OR_BETTER: Final = 1024
LINE_THREE_PAIRS: Final = 2048
LINE_TWO_THREES_OF_A_KIND: Final = 4096
LINE_STRAIGHT_OF_SIX: Final = 8192
LINE_FLUSH_OF_SIX: Final = 16384
LINE_STRAIGHT_FLUSH_OF_SIX: Final = 32768

# Added to counts of four bits, these carry into the fourth bit where a rank occurs n times.
ONES: Final = 0x1111111111111
EIGHTS: Final = 8 * ONES
TEN_TO_ACE: Final = 1 << 9  # lowest card of a run; the low ace is bit 0


@kernel
def occurring(counts: int, times: int) -> int:
    """Return one bit per rank that occurs at least `times` times (one to seven)."""
    return (counts + (8 - times) * ONES) & EIGHTS


@kernel
def runs_of_five(ranks: int) -> int:
    """Return one bit per five in sequence, at its lowest card; an ace is also low."""
    both_aces = (ranks << 1) | (ranks >> 12)
    return both_aces & (both_aces >> 1) & (both_aces >> 2) & (both_aces >> 3) & (both_aces >> 4)


@kernel
def groups_of_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the lines that equal ranks alone give."""
    counts = (
        (1 << 4 * rank_of(a))
        + (1 << 4 * rank_of(b))
        + (1 << 4 * rank_of(c))
        + (1 << 4 * rank_of(d))
        + (1 << 4 * rank_of(e))
        + (1 << 4 * rank_of(f))
    )
    pairs, threes = occurring(counts, 2), occurring(counts, 3)
    second = pairs & (pairs - 1)
    two_groups = second != 0
    lines = 0
    if pairs >> 4 * JACK:
        lines |= LINE_PAIR_OF_JACKS_OR_BETTER
    if two_groups:
        lines |= LINE_TWO_PAIRS
    if second & (second - 1):
        lines |= LINE_THREE_PAIRS
    if threes & (threes - 1):
        lines |= LINE_TWO_THREES_OF_A_KIND
    if threes:
        lines |= LINE_THREE_OF_A_KIND
        if two_groups:
            lines |= LINE_FULL_HOUSE
    if occurring(counts, 4):
        lines |= LINE_FOUR_OF_A_KIND
    if occurring(counts, 5):
        lines |= LINE_FIVE_OF_A_KIND
    if occurring(counts, 6):
        lines |= LINE_SIX_OF_A_KIND
    return lines


@kernel
def ranks_in_suit(suit: int, a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the set of ranks that six cards hold in one suit."""
    return (
        (int((a & SUIT_MASK) == suit) << rank_of(a))
        | (int((b & SUIT_MASK) == suit) << rank_of(b))
        | (int((c & SUIT_MASK) == suit) << rank_of(c))
        | (int((d & SUIT_MASK) == suit) << rank_of(d))
        | (int((e & SUIT_MASK) == suit) << rank_of(e))
        | (int((f & SUIT_MASK) == suit) << rank_of(f))
    )


@kernel
def suit_of_five_in_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the suit that at least five of six cards share, or -1."""
    suits = (
        (1 << 4 * (a & SUIT_MASK))
        + (1 << 4 * (b & SUIT_MASK))
        + (1 << 4 * (c & SUIT_MASK))
        + (1 << 4 * (d & SUIT_MASK))
        + (1 << 4 * (e & SUIT_MASK))
        + (1 << 4 * (f & SUIT_MASK))
    )
    for suit in range(4):
        if (suits >> 4 * suit) & 15 >= 5:
            return suit
    return -1


@kernel
def six_card_lines(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return every pay table line that six cards fit, as `LINE_...` bits."""
    lines = groups_of_six(a, b, c, d, e, f)
    ranks = (
        (1 << rank_of(a))
        | (1 << rank_of(b))
        | (1 << rank_of(c))
        | (1 << rank_of(d))
        | (1 << rank_of(e))
        | (1 << rank_of(f))
    )
    straights = runs_of_five(ranks)
    if straights:
        lines |= LINE_STRAIGHT
    if straights & (straights >> 1):
        lines |= LINE_STRAIGHT_OF_SIX
    flush = suit_of_five_in_six(a, b, c, d, e, f)
    if flush >= 0:
        lines |= LINE_FLUSH
        if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e) | (a ^ f)) & SUIT_MASK == 0:
            lines |= LINE_FLUSH_OF_SIX
        runs = runs_of_five(ranks_in_suit(flush, a, b, c, d, e, f))
        if runs & (runs >> 1):
            lines |= LINE_STRAIGHT_FLUSH_OF_SIX
        if runs:
            lines |= LINE_STRAIGHT_FLUSH
        if runs & TEN_TO_ACE:
            lines |= LINE_ROYAL_FLUSH
    return lines


@kernel
def best_line(fitting: int, lines: tuple[int, ...]) -> int:
    """Return the place of the fitting line that pays most (bit 0 the first), or -1 if none fits.

    Of two that pay the same, it is the later one, which is the higher name. A line below 0 is not
    in the approved table: it pays nothing, whatever fits it.
    """
    best = -1
    for line in range(len(lines)):
        if fitting >> line & 1 and lines[line] >= 0 and (best < 0 or lines[line] >= lines[best]):
            best = line
    return best
