"""Words that all reports use alike: amounts, days, instants."""

from __future__ import annotations

from datetime import date, datetime

from games.cents import in_dollars


def dollars(cents: int) -> str:
    """An amount as people read it."""
    return in_dollars(cents)


def day(iso: str) -> str:
    """A day, from its ISO date."""
    return f"{date.fromisoformat(iso):%B %-d, %Y}"


def instant(iso: str) -> str:
    """An instant, from RFC 3339, by the clock that it names."""
    at = datetime.fromisoformat(iso)
    offset = at.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    sign = "−" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"{at:%B %-d, %Y, %-I:%M %p} (UTC{sign}{hours}{f':{rest:02}' if rest else ''})"


def said(word: str) -> str:
    """A key of data as words; a hand that two lines pay has a key of both."""
    return word.replace("_", " ").replace("+", " and ")


def counted(count: int, what: str) -> str:
    """So many of something that takes an s where there are several."""
    return f"{count:,} {what}{'s' if count != 1 else ''}"
