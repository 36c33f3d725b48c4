"""A request as people read and comment on it: section by section, each with what was said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.models import GameRequest
from compliance.request_sections import CONDITIONS, PAPER, WHOLE, paper_section
from compliance.selectors.remarks import remarks_on_request
from compliance.services.requests import STANDARD_CONDITIONS
from compliance.web.games.told import rules_told
from compliance.web.sections import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from compliance.models import Approval
    from compliance.selectors.games import FiledPaper
    from compliance.selectors.remarks import Remark


@dataclass(frozen=True)
class Shown:
    """A section with its paper, where it is one, and what was said of it.

    What it says is `closed` to whoever sees the request and not the rules that it is for.
    """

    section: Section
    paper: FiledPaper | None
    remarks: Sequence[Remark]
    closed: bool


def told(request: GameRequest, approvals: Iterable[Approval]) -> list[Section]:
    """The sections of a request in the order in which they are read."""
    return [
        *rules_told(request.rule_version),
        Section(CONDITIONS, "Conditions", _conditions(request, approvals)),
        Section(WHOLE, "The request as a whole", ()),
    ]


def shown(
    request: GameRequest,
    sections: Iterable[Section],
    papers: Iterable[FiledPaper],
    *,
    reads: bool,
) -> list[Shown]:
    """These sections with what was said of them; `reads` tells whether the rules are open."""
    remarks = remarks_on_request(request)
    of_section = {paper_section(each.paper.document): each for each in papers}
    return [
        Shown(
            section=each,
            paper=of_section.get(each.key),
            remarks=remarks.get(each.key, ()),
            closed=not reads and each.key not in {WHOLE, CONDITIONS} and PAPER not in each.key,
        )
        for each in sections
    ]


def _conditions(request: GameRequest, approvals: Iterable[Approval]) -> tuple[str, ...]:
    given = [each.says for approval in approvals for each in approval.conditions.all()]
    if given:
        return tuple(dict.fromkeys(given))
    usual = STANDARD_CONDITIONS[GameRequest.Path(request.path)]
    return ("An approval usually has these:", *(each.says for each in usual))
