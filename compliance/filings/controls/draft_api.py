"""The draft of an operator's internal controls: read, written part by part, submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from django.utils.text import capfirst
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance import clock
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, at, operator_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in
from compliance.api.problems import Problem, fault
from compliance.api.reading import body_of, query_of
from compliance.events.canonical import digest
from compliance.filings.controls.api import (
    ProblemOfContent,
    VersionWithContent,
    describe_problems,
    describe_version,
    submit_version,
)
from compliance.filings.controls.content import (
    GAME,
    PART_OF_GAME,
    SECTIONS,
    digest_of_part,
    get_part,
    is_part,
    problems_of_part,
)
from compliance.filings.controls.drafts import StaleDraftError, UnreadableError, save_part
from compliance.filings.controls.reads import Draft, find_problems, get_draft

if TYPE_CHECKING:
    from rest_framework.request import Request

    from compliance.access.models import Party


DIGEST = r"^[0-9a-f]{64}$"
CHANGED = "This draft was saved after you read it. Read it again, and submit it as it is now."
PART = OpenApiParameter(
    "part",
    {"type": "string", "pattern": f"^({'|'.join(SECTIONS)}|{PART_OF_GAME.pattern})$"},
    OpenApiParameter.PATH,
    description="A section, or `games.` and a game.",
)


class DraftQuery(serializers.Serializer[Any]):
    """Whose draft."""

    operator = CodeField()


class SavePart(serializers.Serializer[Any]):
    """What a part of the draft is to say, and what it said when it was read."""

    operator = CodeField()
    value = serializers.JSONField(
        allow_null=True,
        help_text="As the part stands in `content` of a version; null takes it out.",
    )
    seen = serializers.RegexField(DIGEST, help_text="`seen` of the part as it was read.")


class SubmitDraft(serializers.Serializer[Any]):
    """That the draft is submitted as it was read."""

    operator = CodeField()
    seen = serializers.RegexField(DIGEST, help_text="`seen` of the draft as it was read.")
    games_swap_only = serializers.BooleanField(
        required=False, help_text="Only the games change: may be approved verbally first."
    )


class PartOfDraft(serializers.Serializer[Any]):
    """A part of the draft."""

    part = serializers.CharField()
    value = serializers.JSONField(help_text="Null if nothing is written.")
    seen = serializers.CharField(help_text="To be sent when it is saved: nobody is overwritten.")
    problems = ProblemOfContent(many=True)


class DraftShape(serializers.Serializer[Any]):
    """The draft; before anybody saved one, the newest version."""

    operator = serializers.CharField()
    saved = serializers.DateTimeField(allow_null=True)
    seen = serializers.CharField(help_text="To be sent when it is submitted.")
    parts = PartOfDraft(many=True)
    problems = ProblemOfContent(many=True, help_text="What keeps it from being submitted today.")


class OneDraft(Operation):
    """The draft of internal controls."""

    operation = "controls_draft"
    reads = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(parameters=[DraftQuery], responses=DraftShape)
    def get(self, request: Request) -> Response:
        """Every part as it stands, and what it lacks."""
        said = query_of(request, DraftQuery)
        operator = operator_of(request, said["operator"], Action.WRITE_CONTROLS)
        return Response(_told(operator, get_draft(operator)))


class OnePart(Operation):
    """A part of the draft."""

    operation = "controls_draft_part"
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(parameters=[PART], request=SavePart, responses=DraftShape)
    def put(self, request: Request, part: str) -> Response:
        """Save one part, whole; rejected if it was saved by another person since it was read."""
        if not is_part(part):
            raise Http404
        said = body_of(request, SavePart)
        operator = operator_of(request, said["operator"], Action.WRITE_CONTROLS)
        try:
            save_part(
                operator=operator,
                part=part,
                value=said["value"],
                seen=said["seen"],
                by=key_in(request),
            )
        except StaleDraftError as overtaken:
            says = "saved this part since you read it. Read it again, and save it on top of that."
            whose = capfirst(overtaken.draft.hand)
            raise Problem(409, f"{whose} {says}", code="overtaken") from overtaken
        except UnreadableError as refused:
            faults = [fault("body", "/value", f"{it.place}: {it.says}") for it in refused.problems]
            raise Problem(409, str(refused), code="unreadable", errors=faults) from refused
        return Response(_told(operator, get_draft(operator)))


class SubmitTheDraft(Operation):
    """The end of a draft."""

    operation = "submit_controls_draft"
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(request=SubmitDraft, responses={201: VersionWithContent})
    @once
    def post(self, request: Request) -> Response:
        """Submit the draft for review, as a new version."""
        said = body_of(request, SubmitDraft)
        operator = operator_of(request, said["operator"], Action.SUBMIT_CONTROLS)
        content = get_draft(operator).content
        if digest(content) != said["seen"]:
            raise Problem(409, CHANGED, code="overtaken")
        made = submit_version(
            request, operator, content, swap_only=said.get("games_swap_only", False)
        )
        place = reverse("api_controls_version", args=[made.uuid])
        return Response(describe_version(made), 201, headers={"Location": place})


def _told(operator: Party, draft: Draft) -> dict[str, Any]:
    problems = find_problems(operator, draft.content, clock.today())
    games = draft.content.get("games", {})
    parts = [*SECTIONS, *(f"{GAME}{slug}" for slug in games)]
    return {
        "operator": operator.code,
        "saved": at(draft.saved),
        "seen": digest(draft.content),
        "parts": [
            {
                "part": part,
                "value": get_part(draft.content, part),
                "seen": digest_of_part(draft.content, part),
                "problems": describe_problems(problems_of_part(part, problems)),
            }
            for part in parts
        ],
        "problems": describe_problems(problems),
    }
