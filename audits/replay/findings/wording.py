"""Issues in words: the title, place and wager of one, for pages, mail and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch

from audits.replay.auditing.cause_keys import FAMILIES, inferred_cause
from audits.replay.findings.models import IssuePart
from games.cents import in_dollars
from games.checks import describe_code
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from audits.replay.findings.models import Issue


MOST_TABLES = 4


def title_of(issue: Issue) -> str:
    """Return the title of an issue: where, what, how much; `party` must be selected."""
    tables = parts_of(issue, "table")
    where = ", ".join(tables) if len(tables) <= MOST_TABLES else f"{len(tables)} tables"
    return (
        f"{' '.join(filter(None, (str(issue.party), where)))}: {headline_of(issue)}{_sums(issue)}"
    )


def with_parts(found: QuerySet[Issue]) -> QuerySet[Issue]:
    """Load what the titles of a list of issues need, within the current access scope."""
    return found.prefetch_related(Prefetch("parts", IssuePart.objects.filter(findings__gt=0)))


def _sums(issue: Issue) -> str:
    money = [
        f"{in_dollars(cents)} {way}"
        for cents, way in ((abs(issue.over), "overpaid"), (abs(issue.under), "underpaid"))
        if cents
    ]
    rounds = f"{issue.rounds:,} round{'' if issue.rounds == 1 else 's'}" if issue.rounds else ""
    return "".join(f", {each}" for each in (*money, rounds) if each)


def headline_of(issue: Issue) -> str:
    """Return what happened, without the place and the amounts."""
    if issue.headline and not _is_one_code(issue):
        return issue.headline
    return _lower(describe_code(issue.code))


def _is_one_code(issue: Issue) -> bool:
    """Return whether only one rule of a family was broken, so that its own title says more."""
    return inferred_cause(issue.cause) in FAMILIES and len(_values(issue, "code")) == 1


def parts_of(issue: Issue, name: str) -> list[str]:
    """Return the tables, wagers or lines of an issue's findings."""
    if only := getattr(issue, name):
        return [only]
    return sorted(_values(issue, name) - {""})


def _values(issue: Issue, name: str) -> set[str]:
    """Return the values of its parts; a list of issues has them prefetched."""
    if "parts" in getattr(issue, "_prefetched_objects_cache", {}):
        return {getattr(each, name) for each in issue.parts.all() if each.findings}
    found = issue.parts.filter(findings__gt=0).order_by()
    return set(found.values_list(name, flat=True).distinct())


def describe_title(issue: Issue) -> str:
    """Return the headline with a capital."""
    text = headline_of(issue)
    return text[:1].upper() + text[1:]


def describe_coverage(issue: Issue) -> str:
    """Say how much of an issue its inferred cause explains; empty if none is inferred."""
    if not issue.diagnosis:
        return ""
    strays = issue.tested - issue.explained
    beyond = issue.rounds - issue.tested
    exceptions = f", with {strays:,} exception{'' if strays == 1 else 's'}" if strays > 0 else ""
    more = f"; {beyond:,} more were not tested" if beyond > 0 else ""
    return f"Explains {issue.explained:,} of {issue.tested:,} rounds{exceptions}{more}."


def describe_place(issue: Issue) -> str:
    """Return its game and tables."""
    tables = parts_of(issue, "table")
    where = ", ".join(tables) if len(tables) <= MOST_TABLES else f"{len(tables)} tables"
    return ", ".join(filter(None, (describe_name(issue.game), where)))


def describe_issue(issue: Issue) -> str:
    """Describe an issue where it is one of many: what went wrong, and where."""
    place = describe_place(issue)
    return f"{describe_title(issue)} ({place})" if place else describe_title(issue)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
