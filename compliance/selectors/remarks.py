"""What was said of a filing, by the section that it is said of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.event_types.approvals import MOVED
from compliance.models import ControlsAttachment, Event, GameRequest, Person, RequestAttachment
from compliance.request_sections import WHOLE
from compliance.selectors.documents import papers_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compliance.models import ControlsComment, ControlsVersion, Game, RequestComment
    from compliance.selectors.documents import NamedPaper

Remarks = dict[str, list["Remark"]]


@dataclass(frozen=True)
class Remark:
    """What somebody said of a section, under their name, and the papers that it names."""

    comment: ControlsComment | RequestComment
    by: str
    papers: Sequence[NamedPaper]


def remarks_on_controls(version: ControlsVersion) -> Remarks:
    """What was said of a version, by section, the earliest first.

    Everybody who sees the version sees all of it: it passes between the operator and its reviewers.
    """
    comments = list(version.comments.select_related("by_party"))
    papers = papers_named(ControlsAttachment.objects.filter(comment__version=version))
    return _by_section(comments, papers)


def remarks_on_request(request: GameRequest) -> Remarks:
    """The same of a request, between whoever asked and who reviews it."""
    comments = list(request.comments.select_related("by_party"))
    papers = papers_named(RequestAttachment.objects.filter(comment__request=request))
    return _by_section(comments, papers)


def why_it_stands(request: GameRequest) -> str:
    """The reason given with the step that led to where a request stands; empty at first."""
    moved = Event.objects.filter(type=MOVED.name, object=request.uuid).order_by("pk").last()
    return moved.reason if moved is not None else ""


def request_to_mend(game: Game) -> GameRequest | None:
    """The last request for card rooms of a game's rules, unless it was approved."""
    asked = GameRequest.objects.filter(
        rule_version__game=game, path=GameRequest.Path.COMMERCIAL
    ).select_related("rule_version__game")
    newest = asked.order_by("id").last()
    return None if newest is None or newest.state == GameRequest.State.APPROVED else newest


def _by_section(
    comments: Sequence[ControlsComment | RequestComment],
    papers: Mapping[int, Sequence[NamedPaper]],
) -> Remarks:
    people = Person.objects.filter(uuid__in={each.by for each in comments})
    names = {each.uuid: each.name for each in people}
    said: Remarks = {}
    for each in comments:
        remark = Remark(each, names.get(each.by, ""), papers.get(each.pk, []))
        said.setdefault(each.section or WHOLE, []).append(remark)
    return said
