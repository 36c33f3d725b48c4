"""The terms in effect at an instant, and at each table now on the home page."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from compliance import clock
from compliance.access.models import Party, Person
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.clock import zone
from compliance.filings.controls.reads import list_cut_offs, newest_version
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.named_tables import STANDARD, odds_in_words
from compliance.filings.games.rules import rules_of_version
from compliance.filings.requests.reads import game_names
from compliance.in_effect.gaming_tables import list_tables_in_effect
from compliance.in_effect.reads import TermsInEffect, find_terms
from compliance.law.gambling_day import gambling_day
from compliance.ui.forms import InstantField, OperatorField
from compliance.ui.lists import dollars
from compliance.ui.pages import Page
from compliance.ui.tables import ListTable, MoneyColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from compliance.in_effect.gaming_tables import GameInEffect


class GamingTables(ListTable):
    """The gaming tables of a game; tables with the same limits share a row."""

    names = tables.Column(verbose_name="Table")
    limits = tables.Column(default="none in the controls")

    def render_names(self, value: list[tuple[str, str]]) -> SafeString:
        return format_html_join(", ", '<a class="usa-link" href="{}">{}</a>', value)

    def render_limits(self, value: list[tuple[str, str]]) -> SafeString:
        return format_html_join("; ", '{} <span class="amount">{}</span>', value)


def tables_today(_: HttpRequest, party: Party) -> dict[str, Any]:
    """Return games with their tables, grouped where limits are equal, and the next change.

    An operator may not open a supplier's filing: the commission's approvals of it are in the
    reading room, if that is open.
    """
    names = game_names()
    games = list_tables_in_effect(party)
    rules = {each.rule_version.pk for each in games if each.rule_version}
    return {
        "newest": newest_version(party),
        "opens_rules": set(RuleVersion.objects.filter(pk__in=rules).values_list("pk", flat=True)),
        "reads_rules": settings.READING_ROOM,
        "games": [
            {"terms": each, "name": name, "table": _tables_of(party, each, name)}
            for each in games
            for name in [names.get(each.game, each.game)]
        ],
    }


def _tables_of(party: Party, game: GameInEffect, name: str) -> GamingTables:
    address = {
        "operator": party.code,
        "game": game.game,
        "at": f"{timezone.localtime(clock.now()):%Y-%m-%d %H:%M}",
    }
    rows = []
    for limits, names in groupby(game.tables, lambda table: _limits(game, table)):
        links = [
            (f"{reverse('in_effect')}?{urlencode(address | {'table': table})}", table)
            for table in names
        ]
        rows.append({"names": links, "limits": limits or None})
    return GamingTables(rows, caption=f"Tables of {name}")


def _limits(terms: GameInEffect, table: str) -> list[tuple[str, str]]:
    return [
        (wager.replace("_", " "), f"{dollars(low)} to {dollars(high)}")
        for wager, (low, high) in terms.tables[table].items()
    ]


class TermsForm(forms.Form):
    """The operator, table, game and instant to look up."""

    operator = OperatorField(empty_label=None)
    game = forms.ChoiceField(choices=lambda: list(game_names().items()))
    table = forms.CharField(required=False, max_length=40)
    at = InstantField(label="At", initial=lambda: clock.now().replace(second=0, microsecond=0))


class LimitTable(ListTable):
    """The limits at a table, by wager."""

    wager = tables.Column()
    minimum = MoneyColumn()
    maximum = MoneyColumn()


class PayTable(ListTable):
    """The lines of a pay table."""

    line = tables.Column()
    pays = tables.Column()


class InterpretationTable(ListTable):
    """The open questions of the rules, and their interpretation in effect."""

    asks = tables.Column(verbose_name="Question")
    interpretation = tables.Column()
    chosen = tables.Column()
    caption = "Interpretations in effect"

    def render_asks(self, value: str, record: dict[str, str]) -> SafeString:
        return format_html("<code>{}</code> {}", record["id"], value)


class InEffectPage(Page):
    """The form, and the terms in effect for a round, or why none could be dealt."""

    permission = Action.SEE_CONTROLS
    template_name = "in_effect/page.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the terms; an invalid question finds nothing, and says why."""
        self.terms_form = TermsForm(request.GET or None)
        return self.show(status=422 if self.terms_form.errors else 200)

    def get_context(self) -> dict[str, Any]:
        form = self.terms_form
        context: dict[str, Any] = {
            "form": form,
            "has_operators": Party.objects.filter(kind__in=OPERATOR_KINDS).exists(),
        }
        if not form.is_valid():
            return context
        asked = form.cleaned_data
        return context | _describe_terms(find_terms(**asked | {"table": asked["table"] or None}))


def _describe_terms(terms: TermsInEffect) -> dict[str, Any]:
    approvers = Person.objects.filter(uuid__in={each.by for each in terms.approvals})
    names = {each.uuid: each.name for each in approvers}
    return {
        "terms": terms,
        "day": gambling_day(terms.at, list_cut_offs(terms.operator), zone()),
        "game_name": game_names().get(terms.game, terms.game),
        "limits": LimitTable(
            [
                {"wager": wager.replace("_", " "), "minimum": low, "maximum": high}
                for wager, (low, high) in terms.limits.items()
            ],
            caption=f"Limits at table {terms.table}",
        ),
        "aggregate": _aggregate(terms),
        "pay_tables": list(_pay_tables(terms)),
        "interpretations": InterpretationTable(_interpretations(terms)),
        "cap": _cap(terms),
        "chain": [
            {
                "approval": each,
                "by": names.get(each.by, ""),
                "conditions": [
                    (condition, list(condition.marks.all())) for condition in each.conditions.all()
                ],
            }
            for each in terms.approvals
        ],
    }


def _aggregate(terms: TermsInEffect) -> list[tuple[str, str]]:
    if terms.controls is None:
        return []
    aggregate = terms.controls.aggregate
    rows = [(wager.replace("_", " "), dollars(most)) for wager, most in aggregate.per_deal.items()]
    if aggregate.per_hand is not None:
        rows.append(("each hand in play", dollars(aggregate.per_hand)))
    return rows


def _pay_tables(terms: TermsInEffect) -> Iterator[PayTable]:
    """Yield the approved pay tables that the controls choose, line by line."""
    for each in terms.pay_tables.values():
        for table, lines in each.lines.items():
            name = "" if each.name == STANDARD else f", {each.name}"
            yield PayTable(
                [
                    {"line": line.replace("_", " "), "pays": odds_in_words(pays)}
                    for line, pays in lines.items()
                ],
                caption=f"Pay table in effect: {table.replace('_', ' ')}{name}",
            )


def _interpretations(terms: TermsInEffect) -> list[dict[str, Any]]:
    """Return every open question of the rules, its interpretation, and who chose it."""
    version = terms.rule_version
    if version is None:
        return []
    approved = {
        id_: each
        for approval in terms.approvals
        for id_, each in (approval.interpretations or {}).items()
    }
    chosen = terms.controls.choice(terms.table).interpretations if terms.controls else {}
    rows = []
    for each in rules_of_version(version).interpretations.values():
        reading, how = terms.interpretations.get(each.id), "in the filing"
        if each.id in chosen:
            how = "in the controls"
        elif each.id in approved:
            how = f"in the approval: {approved[each.id]['reason']}"
        elif reading is None:
            reading = each.default if len(each.readings) == 1 else None
            how = "the only reading" if reading else "by nobody"
        words = reading.replace("_", " ") if reading else "not chosen"
        rows.append({"id": each.id, "asks": each.asks, "interpretation": words, "chosen": how})
    return rows


def _cap(terms: TermsInEffect) -> dict[str, Any] | None:
    if terms.cap is None:
        return None
    through = terms.cap["verified_through"]
    on = timezone.localtime(terms.at).date()
    carried = through is not None and on > date.fromisoformat(through)
    value = terms.cap["value"]
    return {
        **terms.cap,
        "amount": None if value is None else dollars(value),
        "carried_since": date.fromisoformat(through) if carried else None,
        "since": date.fromisoformat(terms.cap["from"]),
    }
