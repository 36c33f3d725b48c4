"""What is in force for an operator's game and table at an instant, and by whose word."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.gambling_day import gambling_day
from compliance.models import Party, Person
from compliance.permissions import Action
from compliance.selectors.games import names_of_games
from compliance.selectors.in_force import InForce, cut_offs_of, in_force, zone
from compliance.web.acting import require_sight
from compliance.web.fields import InstantField
from compliance.web.lists import dollars
from games.rule_set import rule_set

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class Question(forms.Form):
    """Whose table, which game, when."""

    operator = forms.ChoiceField()
    game = forms.ChoiceField()
    table = forms.CharField(required=False, max_length=40)
    at = InstantField(label="At")

    def __init__(self, operators: dict[str, Party], data: object = None) -> None:
        super().__init__(
            data,  # type: ignore[arg-type]
            initial={"at": timezone.localtime(clock.now()).replace(second=0, microsecond=0)},
        )
        chosen = {
            "operator": [(code, party.name) for code, party in operators.items()],
            "game": list(names_of_games().items()),
        }
        for name, choices in chosen.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Ask, and be answered: what bound a round, or why none could be dealt."""
    require_sight(request, Action.SEE_CONTROLS)
    operators = {each.code: each for each in Party.objects.filter(kind__in=OPERATOR_KINDS)}
    form = Question(operators, request.GET or None)
    context: dict[str, Any] = {"form": form, "operators": operators}
    if form.is_bound and form.is_valid():
        asked = form.cleaned_data
        found = in_force(
            operator=operators[asked["operator"]],
            game=asked["game"],
            table=asked["table"] or None,
            at=asked["at"],
        )
        context |= _told(found)
    refused = form.is_bound and not form.is_valid()
    return render(request, "in_force/page.html", context, status=422 if refused else 200)


def _told(found: InForce) -> dict[str, Any]:
    people = {
        each.uuid: each.name
        for each in Person.objects.filter(uuid__in={each.by for each in found.approvals})
    }
    return {
        "found": found,
        "day": gambling_day(found.at, cut_offs_of(found.operator), zone()),
        "game_name": names_of_games().get(found.game, found.game),
        "limits": [
            (wager.replace("_", " "), dollars(low), dollars(high))
            for wager, (low, high) in found.limits.items()
        ],
        "aggregate": _aggregate(found),
        "readings": _readings(found),
        "cap": _cap(found),
        "chain": [
            {
                "approval": each,
                "by": people.get(each.by, ""),
                "conditions": [
                    (condition, list(condition.marks.all())) for condition in each.conditions.all()
                ],
            }
            for each in found.approvals
        ],
    }


def _aggregate(found: InForce) -> list[tuple[str, str]]:
    if found.controls is None:
        return []
    aggregate = found.controls.aggregate
    rows = [(wager.replace("_", " "), dollars(most)) for wager, most in aggregate.per_deal.items()]
    if aggregate.per_hand is not None:
        rows.append(("each hand in play", dollars(aggregate.per_hand)))
    return rows


def _readings(found: InForce) -> list[dict[str, Any]]:
    """Every open question of the rules with the reading that binds, and whether it was chosen."""
    version = found.rule_version
    if version is None or not version.game.engine:
        return []
    questions = rule_set(version.game.engine).interpretations.values()
    return [
        {
            "id": each.id,
            "asks": each.asks,
            "reading": found.interpretations.get(each.id, each.default).replace("_", " "),
            "chosen": each.id in found.interpretations,
        }
        for each in questions
    ]


def _cap(found: InForce) -> dict[str, Any] | None:
    if found.cap is None:
        return None
    through = found.cap["verified_through"]
    on = timezone.localtime(found.at).date()
    carried = through is not None and on > date.fromisoformat(through)
    value = found.cap["value"]
    return {
        **found.cap,
        "amount": None if value is None else dollars(value),
        "carried_since": date.fromisoformat(through) if carried else None,
        "since": date.fromisoformat(found.cap["from"]),
    }
