"""What the commission asks an operator about a released pattern, and the operator's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import Pattern
from audits.selectors.questions import Question, questions_on, waiting_for_an_answer, with_deadline
from audits.services.answers import answer_question
from compliance.api.fields import CodeField, at, chosen, day_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.papers import (
    WITH_PAPERS,
    PaperShape,
    bodies,
    body_and_papers,
    papers_told,
)
from compliance.api.reading import TextField, query_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

LONGEST_ANSWER = 10_000


class QuestionQuery(PageQuery):
    """Which patterns to list."""

    operator = CodeField(required=False)


class AskedPattern(serializers.Serializer[Any]):
    """A pattern on which the commission waits for an answer."""

    pattern = serializers.UUIDField()
    operator = serializers.CharField()
    code = serializers.CharField()
    until = serializers.DateField(allow_null=True, help_text="Day by which it is to be answered.")


class QuestionShape(serializers.Serializer[Any]):
    """A question, and its answer where there is one."""

    question = serializers.CharField()
    asked = serializers.DateTimeField()
    until = serializers.DateField(allow_null=True)
    answer = serializers.CharField(allow_null=True)
    answered = serializers.DateTimeField(allow_null=True)
    papers = PaperShape(many=True, help_text="That came with the answer.")


class QuestionsShape(serializers.Serializer[Any]):
    """What was asked about one pattern."""

    questions = QuestionShape(many=True, help_text="The newest first.")


class AnswerShape(serializers.Serializer[Any]):
    """An answer."""

    answer = TextField(min_length=1, max_length=LONGEST_ANSWER)


class Questions(Operation):
    """Questions."""

    operation = "questions"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.ANSWERS})

    @extend_schema(parameters=[QuestionQuery], responses=page_of(AskedPattern))
    def get(self, request: Request) -> Response:
        """Released patterns on which the commission waits for an answer."""
        said = query_of(request, QuestionQuery)
        require_sight(request, Action.SEE_RELEASED)
        found = with_deadline(waiting_for_an_answer()).select_related("party")
        found = chosen(found, request, said)
        return Response(page(found, said, _waiting, of="questions"))


class QuestionsOnPattern(Operation):
    """Questions on a pattern, and the answer."""

    operation = "questions_on_pattern"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.ANSWERS})
    writes = frozenset({KeyScope.ANSWERS})
    parser_classes = WITH_PAPERS

    @extend_schema(responses=QuestionsShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What was asked about a released pattern, and what was answered."""
        return Response({"questions": [_told(each) for each in questions_on(_of(request, uuid))]})

    @extend_schema(request=bodies(AnswerShape), responses={201: QuestionsShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Answer the question that waits; papers come as parts of a form."""
        found = _of(request, uuid)
        require_sight(request, Action.ANSWER_QUESTIONS, found.party)
        with body_and_papers(request, AnswerShape) as (said, papers):
            answer_question(pattern=found, text=said["answer"], papers=papers, by=key_in(request))
        return Response({"questions": [_told(each) for each in questions_on(found)]}, 201)


def _of(request: Request, uuid: UUID) -> Pattern:
    require_sight(request, Action.SEE_RELEASED)
    return get_object_or_404(Pattern.objects.select_related("party"), uuid=uuid)


def _waiting(pattern: Any) -> dict[str, Any]:
    return {
        "pattern": str(pattern.uuid),
        "operator": pattern.party.code,
        "code": pattern.code,
        "until": day_of(pattern.until),
    }


def _told(each: Question) -> dict[str, Any]:
    return {
        "question": each.text,
        "asked": at(each.at),
        "until": day_of(each.until),
        "answer": each.answer or None,
        "answered": at(each.answered),
        "papers": papers_told(each.papers),
    }
