"""Issues in words: the title, place and wager of one, for pages, mail and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.checks import describe_code
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from audits.replay.findings.models import Issue


def title_of(issue: Issue) -> str:
    """Return the heading of an issue."""
    return describe_code(issue.code)


def describe_place(issue: Issue) -> str:
    """Return its game and table."""
    return ", ".join(filter(None, (describe_name(issue.game), issue.table)))


def describe_wager(issue: Issue) -> str:
    """Return its wager and line."""
    return ", ".join(map(describe_name, filter(None, (issue.wager, issue.line))))


def describe_issue(issue: Issue) -> str:
    """Describe an issue where it is one of many: what went wrong, and where."""
    line = ": ".join(filter(None, (title_of(issue), describe_wager(issue))))
    place = describe_place(issue)
    return f"{line} ({place})" if place else line
