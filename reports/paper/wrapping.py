"""Words into lines that fit: a word that is wider than its place is cut, never printed over it."""

from __future__ import annotations

from functools import lru_cache

from reportlab.pdfbase.pdfmetrics import stringWidth


@lru_cache(maxsize=1 << 16)
def width_of(text: str, face: str, size: float) -> float:
    """Tell how wide a text is set in one line."""
    width: float = stringWidth(text, face, size)
    return width


def lines_of(text: str, face: str, size: float, width: float) -> list[str]:
    """Cut a text into lines of at most `width`; its own line ends are kept."""
    lines: list[str] = []
    for line in text.splitlines() or [""]:
        if width_of(line, face, size) <= width:
            lines.append(line)
        else:
            lines.extend(_filled(line, face, size, width))
    return lines


def _filled(line: str, face: str, size: float, width: float) -> list[str]:
    made: list[str] = []
    now = ""
    for word in line.split():
        longer = f"{now} {word}" if now else word
        if width_of(longer, face, size) <= width:
            now = longer
            continue
        if now:
            made.append(now)
        *whole, now = _cut(word, face, size, width)
        made.extend(whole)
    return [*made, now]


def _cut(word: str, face: str, size: float, width: float) -> list[str]:
    """Cut one word into pieces that fit; at least one character each."""
    pieces: list[str] = []
    while word and width_of(word, face, size) > width:
        low, high = 1, len(word)
        while low < high:
            middle = (low + high + 1) // 2
            if width_of(word[:middle], face, size) <= width:
                low = middle
            else:
                high = middle - 1
        pieces.append(word[:low])
        word = word[low:]
    return [*pieces, word]
