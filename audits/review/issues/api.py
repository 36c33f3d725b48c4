"""API for findings, issues and questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.replay.findings.models import Finding, Issue
from audits.replay.findings.queries import Sight, find_issues_with
from audits.replay.findings.reads import (
    chosen_issues,
    issues_in_state,
    standing_issues,
)
from audits.replay.findings.wording import parts_of, title_of
from audits.review.issues.questions import (
    answer_question,
    questions_on,
    waiting_for_an_answer,
    with_deadline,
)
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    FindingCodeField,
    GameField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, allows, key_in, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import TextField, query_of
from compliance.filings.documents.api import (
    WITH_PAPERS,
    PaperShape,
    body_and_papers,
    request_bodies,
)
from games.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request


STATES = [("open", "Open"), *Issue.State.choices]
INTERNAL = "What an agent says of an issue is internal to the commission."

WHOSE = (
    "They are players', but for the wager `house`, which is the house's own, and "
    "`settlement.balance`, which says what a table comes to in sum."
)


class IssueQuery(PageQuery):
    """Which issues to list."""

    operator = CodeField(required=False)
    game = GameField(required=False)
    table = TextField(required=False, max_length=32)
    code = FindingCodeField(required=False)
    weight = serializers.ChoiceField([each.value for each in Severity], required=False)
    state = serializers.ChoiceField(
        STATES,
        required=False,
        help_text="For keys of the commission.",
    )
    day = DayField(required=False, help_text="Gambling day on which it occurred.")
    moved = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="Cents that moved at least."
    )
    q = TextField(
        required=False, max_length=100, help_text="A round, table, player, amount, clause or code."
    )


NOT_SEARCHED = {
    "not_searched": serializers.IntegerField(
        help_text="Findings that `q` was not looked for in, because they are still being prepared."
    )
}
"""What a list of issues says besides them."""


class IssueShape(serializers.Serializer[Any]):
    """Findings of one cause."""

    issue = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    game = TextOrNull()
    title = serializers.SerializerMethodField(help_text="Where, what and how much.")
    cause = TextOrNull(source="diagnosis", help_text="Null where none is inferred.")
    code = serializers.CharField(help_text="The first of its codes.")
    weight = serializers.CharField()
    tables = serializers.SerializerMethodField()
    wagers = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    findings = serializers.IntegerField()
    rounds = serializers.IntegerField()
    over = serializers.IntegerField(help_text=f"Cents overpaid. {WHOSE}")
    under = serializers.IntegerField(help_text=f"Cents underpaid. {WHOSE}")
    first = InstantField(allow_null=True)
    last = InstantField(allow_null=True)
    explained = serializers.SerializerMethodField(
        help_text="Rounds that the cause explains, and rounds held against it."
    )
    state = serializers.CharField(required=False, help_text="Told to the commission alone.")

    def get_title(self, issue: Issue) -> str:
        return title_of(issue)

    def get_tables(self, issue: Issue) -> list[str]:
        return parts_of(issue, "table")

    def get_wagers(self, issue: Issue) -> list[str]:
        return parts_of(issue, "wager")

    def get_lines(self, issue: Issue) -> list[str]:
        return parts_of(issue, "line")

    def get_explained(self, issue: Issue) -> list[int]:
        return [issue.explained, issue.tested]


class ReleasedIssueShape(IssueShape):
    """An issue as its operator sees it: what an agent says of it is internal."""

    state = None  # type: ignore[assignment]


class FindingQuery(PageQuery):
    """Which findings to list."""

    operator = CodeField(required=False)
    issue = serializers.UUIDField(required=False)
    day = DayField(required=False, help_text="Gambling day.")
    code = FindingCodeField(required=False)
    round = TextField(required=False, max_length=64)


class FindingShape(serializers.Serializer[Any]):
    """A finding in full: the round as logged and as it should have been."""

    operator = serializers.CharField(source="issue.party.code")
    day = serializers.DateField()
    game = TextOrNull(source="issue.game")
    table = TextOrNull()
    round = TextOrNull()
    at = InstantField(allow_null=True)
    code = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    wager = TextOrNull()
    logged = serializers.JSONField()
    expected = serializers.JSONField()
    delta = serializers.IntegerField(help_text="Cents; what was logged above what was due.")
    cites = serializers.ListField(child=serializers.CharField())
    player = TextOrNull(help_text="A pseudonym.")
    issue = serializers.UUIDField(source="issue.uuid")


class Issues(Operation):
    """Issues."""

    operation = "issues"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(parameters=[IssueQuery], responses=page_of(IssueShape, **NOT_SEARCHED))
    def get(self, request: Request) -> Response:
        """Issues, the newest first."""
        query = query_of(request, IssueQuery)
        require_sight(request, Action.SEE_RELEASED)
        inside = allows(request, Action.SEE_FINDINGS)
        if "state" in query and not inside:
            faults = [fault("query", "state", INTERNAL, "internal")]
            raise Problem(403, INTERNAL, code="internal", errors=faults)
        operator = operator_of(request, query["operator"]) if "operator" in query else None
        found = issues_in_state(standing_issues(inside=inside), query.get("state", ""))
        found, left_out = search_all_findings(request, found, query | {"operator": operator})
        listed = page(found.select_related("party"), query, _shape(inside=inside), of="issues")
        return Response(listed | {"not_searched": left_out})


def search_all_findings(
    request: Request, found: QuerySet[Issue], criteria: Mapping[str, Any]
) -> tuple[QuerySet[Issue], int]:
    """Filter issues by the criteria, and by words in any of their findings, shown or not.

    Also returns how many findings could not be searched yet.
    """
    also: set[int] = set()
    left_out = 0
    if words := criteria.get("q", "").strip():
        sight, operator = Sight.of_key(key_in(request)), criteria.get("operator")
        also, left_out = find_issues_with(sight, words, operator=operator)
    return chosen_issues(found, criteria, also=also), left_out


class OneIssue(Operation):
    """An issue."""

    operation = "issue"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(responses=IssueShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What happened, how often, and what it moved."""
        require_sight(request, Action.SEE_RELEASED)
        found = get_object_or_404(Issue.objects.select_related("party"), uuid=uuid)
        shape = _shape(inside=allows(request, Action.SEE_FINDINGS))
        return Response(shape(found).data)


class Findings(Operation):
    """Findings."""

    operation = "findings"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(parameters=[FindingQuery], responses=page_of(FindingShape))
    def get(self, request: Request) -> Response:
        """Findings that stand, oldest first: of each issue and segment the first ones, in full.

        A broken table makes a million of one kind. All of a replay are in its own file.
        """
        query = query_of(request, FindingQuery)
        require_sight(request, Action.SEE_RELEASED)
        found = Finding.objects.exclude(standing=Finding.Standing.GONE)
        found = chosen(
            found.select_related("issue__party"),
            request,
            query,
            operator="issue__party",
            issue="issue__uuid",
            code="code",
            day="day",
            round="round",
        )
        return Response(page(found, query, FindingShape, by=("pk",), of="findings"))


def _shape(*, inside: bool) -> type[IssueShape]:
    return IssueShape if inside else ReleasedIssueShape


LONGEST_ANSWER = 10_000


class QuestionQuery(PageQuery):
    """Which issues to list."""

    operator = CodeField(required=False)


class AskedIssue(serializers.Serializer[Any]):
    """An issue on which the commission waits for an answer."""

    issue = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    code = serializers.CharField()
    until = serializers.DateField(allow_null=True, help_text="Day by which it is to be answered.")


class QuestionShape(serializers.Serializer[Any]):
    """A question, and its answer where there is one."""

    question = serializers.CharField(source="text")
    asked = InstantField(source="at")
    until = serializers.DateField(allow_null=True)
    answer = TextOrNull()
    answered = InstantField(allow_null=True)
    papers = PaperShape(many=True, help_text="That came with the answer.")


class QuestionsShape(serializers.Serializer[Any]):
    """What was asked about one issue."""

    questions = QuestionShape(many=True, help_text="The newest first.")


class AnswerShape(serializers.Serializer[Any]):
    """An answer."""

    answer = TextField(min_length=1, max_length=LONGEST_ANSWER)


class Questions(Operation):
    """Questions."""

    operation = "questions"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.ANSWERS})

    @extend_schema(parameters=[QuestionQuery], responses=page_of(AskedIssue))
    def get(self, request: Request) -> Response:
        """Released issues on which the commission waits for an answer."""
        query = query_of(request, QuestionQuery)
        require_sight(request, Action.SEE_RELEASED)
        found = with_deadline(waiting_for_an_answer()).select_related("party")
        found = chosen(found, request, query)
        return Response(page(found, query, AskedIssue, of="questions"))


class QuestionsOnIssue(Operation):
    """Questions on an issue, and the answer."""

    operation = "questions_on_issue"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.ANSWERS})
    writes = frozenset({KeyScope.ANSWERS})
    parser_classes = WITH_PAPERS

    @extend_schema(responses=QuestionsShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What was asked about a released issue, and what was answered."""
        found = {"questions": questions_on(_of(request, uuid))}
        return Response(QuestionsShape(found).data)

    @extend_schema(request=request_bodies(AnswerShape), responses={201: QuestionsShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Answer the question that waits; papers come as parts of a form."""
        found = _of(request, uuid)
        require_sight(request, Action.ANSWER_QUESTIONS, found.party)
        with body_and_papers(request, AnswerShape) as (data, papers):
            answer_question(issue=found, text=data["answer"], papers=papers, by=key_in(request))
        return Response(QuestionsShape({"questions": questions_on(found)}).data, 201)


def _of(request: Request, uuid: UUID) -> Issue:
    require_sight(request, Action.SEE_RELEASED)
    return get_object_or_404(Issue.objects.select_related("party"), uuid=uuid)
