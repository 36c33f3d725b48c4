"""Cards as table systems write them: `10h`, `TH`, `♥10`, `h10`, an index, words; into `Th`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from audits.intake.mapping.definition import CardIndex


_SUIT_SIGNS: Final = str.maketrans("♠♤♣♧♥♡♦♢", "sscchhdd")
_WORDS: Final = {
    "spades": "s",
    "hearts": "h",
    "diamonds": "d",
    "clubs": "c",
    "spade": "s",
    "heart": "h",
    "diamond": "d",
    "club": "c",
    "ace": "a",
    "king": "k",
    "queen": "q",
    "jack": "j",
    "ten": "t",
    "nine": "9",
    "eight": "8",
    "seven": "7",
    "six": "6",
    "five": "5",
    "four": "4",
    "three": "3",
    "deuce": "2",
    "two": "2",
}
_WORD: Final = re.compile(r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b")
_OF: Final = re.compile(r"\s+of\s+")
_RANK: Final = "(?:10|[2-9tjqka])"
_JOKER: Final = r"(?:jo(?:ker)?|jk|🃏)(?:=(?:" + _RANK + "[shdc]))?"
_BETWEEN: Final = r"[\s,;|/_+\-]*"
_RANK_FIRST: Final = re.compile(f"({_JOKER}|{_RANK}[shdc]){_BETWEEN}")
_SUIT_FIRST: Final = re.compile(f"({_JOKER}|[shdc]{_RANK}){_BETWEEN}")
_VARIATION: Final = "\ufe0f"
"""Some systems add it to a suit's sign, to have it drawn in color."""


def read_cards(text: str, index: CardIndex | None = None) -> str:
    """Return cards in the spelling of the round log; raise ValueError with a sentence otherwise.

    `index` says how numbers stand for cards; without it, numbers are not cards.
    """
    text = text.strip().strip("[](){}\"'")
    if not text:
        return ""
    if index is not None:
        return " ".join(index.card(number) for number in re.split(r"[\s,;|/]+", text))
    plain = text.replace(_VARIATION, "").translate(_SUIT_SIGNS).lower()
    plain = _OF.sub("", _WORD.sub(lambda found: _WORDS[found[0]], plain))
    for one in (_RANK_FIRST, _SUIT_FIRST):
        cards = _all(one, plain)
        if cards is not None:
            return " ".join(cards)
    msg = (
        f'"{text[:40]}" is not a card or a list of cards. Write a rank and a suit for each, as in '
        "Th, 10h or ♥10; if your system numbers its cards, say so in the mapping."
    )
    raise ValueError(msg)


def _all(one: re.Pattern[str], text: str) -> list[str] | None:
    cards, at = [], 0
    while at < len(text):
        found = one.match(text, at)
        if found is None:
            return None
        cards.append(_spelled(found[1]))
        at = found.end()
    return cards


def _spelled(card: str) -> str:
    if card.startswith(("jo", "jk", "🃏")):
        _, named, stands_for = card.partition("=")
        return f"Jo={_spelled(stands_for)}" if named else "Jo"
    suit = card[0] if card[0] in "shdc" else card[-1]
    rank = card.replace(suit, "", 1).replace("10", "t").upper()
    return rank + suit
