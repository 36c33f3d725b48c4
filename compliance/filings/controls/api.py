"""Internal controls: versions on file, what keeps new ones from being submitted, submitting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance import clock
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import TextField, body_of, query_of
from compliance.filings.controls.models import ControlsFiling, ControlsVersion
from compliance.filings.controls.reads import comments_on_controls, find_problems
from compliance.filings.controls.writes import (
    SECTIONS,
    NotReadyError,
    comment_on_controls,
    submit_controls,
    withdraw_controls,
)
from compliance.filings.documents.api import RemarkShape, describe_comments
from compliance.filings.requests.api import ApprovalShape, describe_approvals

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from rest_framework.request import Request

    from compliance.access.models import Party
    from compliance.filings.controls.content import Problem as ContentProblem


LONGEST = 10_000


class VersionQuery(PageQuery):
    """Which versions to list."""

    operator = CodeField(required=False)
    state = serializers.ChoiceField(ControlsFiling.State.choices, required=False)


class ContentOf(serializers.Serializer[Any]):
    """Internal controls of an operator, whole."""

    operator = CodeField(help_text="Code of the operator whose controls they are.")
    content = serializers.DictField(
        help_text="As `content` of a version on file: sections, hours, games with their limits."
    )


class Submitted(ContentOf):
    """The same, to be reviewed."""

    games_swap_only = serializers.BooleanField(
        required=False, help_text="Only the games change: may be approved verbally first."
    )


class ProblemOfContent(serializers.Serializer[Any]):
    """What keeps controls from being submitted."""

    place = serializers.CharField(help_text="Where in the content.")
    detail = serializers.CharField(source="says")
    rule = TextOrNull(source="cites", help_text="The rule that asks for it.")


class Checked(serializers.Serializer[Any]):
    """Whether controls could be submitted today."""

    ready = serializers.BooleanField()
    problems = ProblemOfContent(many=True)


class VersionShape(serializers.Serializer[Any]):
    """A version of internal controls on file."""

    version = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="operator.code")
    number = serializers.IntegerField()
    state = serializers.CharField(
        source="filing.state", help_text="As the filter `state` names them."
    )
    due = serializers.DateField(
        source="filing.due", allow_null=True, help_text="By when an answer is due."
    )
    games_swap_only = serializers.BooleanField()
    at = InstantField()


class VersionWithContent(VersionShape):
    """The same, whole."""

    content = serializers.DictField()
    remarks = RemarkShape(many=True, help_text="Between the operator and its reviewers.")
    approvals = ApprovalShape(many=True)


class Versions(Operation):
    """Versions of internal controls."""

    operation = "controls_versions"
    reads = frozenset({KeyScope.CONTROLS, KeyScope.FILE_CONTROLS})
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(parameters=[VersionQuery], responses=page_of(VersionShape))
    def get(self, request: Request) -> Response:
        """Versions that were submitted, the newest first."""
        said = query_of(request, VersionQuery)
        require_sight(request, Action.SEE_CONTROLS)
        found = ControlsVersion.objects.select_related("operator", "filing")
        found = chosen(found, request, said, operator="operator", state="filing__state")
        return Response(page(found, said, VersionShape, of="controls"))

    @extend_schema(request=Submitted, responses={201: VersionWithContent})
    @once
    def post(self, request: Request) -> Response:
        """Submit controls for review, as a new version; one is under review at a time."""
        said = body_of(request, Submitted)
        operator = operator_of(request, said["operator"], Action.SUBMIT_CONTROLS)
        made = submit_version(
            request, operator, said["content"], swap_only=said.get("games_swap_only")
        )
        place = reverse("api_controls_version", args=[made.uuid])
        return Response(describe_version(made), 201, headers={"Location": place})


class OneVersion(Operation):
    """A version of internal controls."""

    operation = "controls_version"
    reads = frozenset({KeyScope.CONTROLS, KeyScope.FILE_CONTROLS})

    @extend_schema(responses=VersionWithContent)
    def get(self, request: Request, uuid: UUID) -> Response:
        """As it was submitted, and where it stands."""
        return Response(describe_version(_found(request, uuid)))


class WhyWithdrawn(serializers.Serializer[Any]):
    """Why a version is taken back."""

    reason = TextField(min_length=1, max_length=LONGEST)


class WithdrawControls(Operation):
    """The end of a version that was not decided."""

    operation = "withdraw_controls"
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(request=WhyWithdrawn, responses=VersionWithContent)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Take back a version that is not decided yet."""
        found = _found(request, uuid, Action.SUBMIT_CONTROLS)
        reason = body_of(request, WhyWithdrawn)["reason"]
        withdraw_controls(version=found, reason=reason, by=key_in(request))
        return Response(describe_version(_found(request, uuid)))


class RemarkOnSection(serializers.Serializer[Any]):
    """What is said of one section."""

    section = serializers.ChoiceField(sorted(SECTIONS))
    text = TextField(min_length=1, max_length=LONGEST)


class RemarkOnControls(Operation):
    """Remarks on a version."""

    operation = "remark_on_controls"
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(request=RemarkOnSection, responses={201: VersionWithContent})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Say something of one section as the operator, to its reviewers."""
        found = _found(request, uuid, Action.WRITE_CONTROLS)
        said = body_of(request, RemarkOnSection)
        key = key_in(request)
        comment_on_controls(version=found, by=key, by_party=key.party, **said)
        return Response(describe_version(found), 201)


class CheckControls(Operation):
    """A look at controls before they are submitted."""

    operation = "check_controls"
    writes = frozenset({KeyScope.FILE_CONTROLS})

    @extend_schema(request=ContentOf, responses=Checked)
    @once
    def post(self, request: Request) -> Response:
        """Say what keeps controls from being submitted today; nothing is filed."""
        said = body_of(request, ContentOf)
        operator = operator_of(request, said["operator"], Action.SUBMIT_CONTROLS)
        found = find_problems(operator, said["content"], clock.today())
        return Response({"ready": not found, "problems": describe_problems(found)})


def _found(request: Request, uuid: UUID, action: Action = Action.SEE_CONTROLS) -> ControlsVersion:
    require_sight(request, Action.SEE_CONTROLS)
    versions = ControlsVersion.objects.select_related("operator", "filing")
    found = get_object_or_404(versions, uuid=uuid)
    require_sight(request, action, found.operator)
    return found


def submit_version(
    request: Request, operator: Party, content: dict[str, Any], *, swap_only: bool | None
) -> ControlsVersion:
    """Submit a version, or report every problem that prevents it."""
    try:
        return submit_controls(
            operator=operator,
            content=content,
            games_swap_only=bool(swap_only),
            by=key_in(request),
        )
    except NotReadyError as refused:
        faults = [
            fault("body", pointer_to(each, "/content"), each.says, "not_ready")
            for each in refused.problems
        ]
        raise Problem(409, str(refused), code="not_ready", errors=faults) from refused


def pointer_to(problem: ContentProblem, of: str) -> str:
    """Return the JSON pointer to a problem of controls in a body."""
    return f"{of}/{problem.place.replace('.', '/')}".rstrip("/")


def describe_problems(problems: Iterable[ContentProblem]) -> list[dict[str, Any]]:
    """Format the problems of controls for programs."""
    return [ProblemOfContent(each).data for each in problems]


def describe_version(version: ControlsVersion) -> dict[str, Any]:
    """Format a version with all its content."""
    return VersionShape(version).data | {
        "content": version.content,
        "remarks": describe_comments(comments_on_controls(version)),
        "approvals": describe_approvals(version.uuid, version.operator),
    }
