"""Forms by which a replay is begun, put before others, and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.timezone import localtime

from audits.findings_in_words import name_in_words
from audits.selectors.round_logs import find_log
from compliance.web.fields import DayField, NameField
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.models import Replay
    from compliance.models import Party

GAMES = [(slug, name_in_words(slug)) for slug in SLUGS]
NO_LOG = "This operator has no log of this number or SHA-256 on file."


class BeginForm(forms.Form):
    """Whose rounds are judged, and which of them: what is left empty chooses all."""

    operator = forms.ChoiceField()
    day = DayField(
        label="Gambling day",
        required=False,
        help_text="Leave it empty for every day on file.",
    )
    last = DayField(
        label="Last gambling day",
        required=False,
        help_text="For several days: all from the day above to this one.",
    )
    game = forms.ChoiceField(choices=[("", "Every game"), *GAMES], required=False)
    table = NameField(
        required=False, max_length=32, help_text="As the log names it: T3. Empty for every table."
    )
    log = NameField(
        label="Round log",
        required=False,
        max_length=64,
        help_text="Number or SHA-256, as its receipt says it. Chooses what it has rounds in.",
    )

    def __init__(self, operators: dict[str, Party], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self._operators = operators
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(code, party.name) for code, party in operators.items()]

    def clean(self) -> dict[str, Any]:
        """Look up what is named; days stand in order."""
        said = super().clean() or {}
        party = self._operators.get(said.get("operator", ""))
        log = None
        if party is not None and (named := said.get("log")):
            log = find_log(party, named)
            if log is None:
                self.add_error("log", NO_LOG)
        day, last = said.get("day"), said.get("last")
        if last and not day and "day" not in self.errors:
            self.add_error("day", "Name the first day, too.")
        if day and last and last < day:
            self.add_error("last", "The last day is not before the first.")
        return said | {"party": party, "sha256": log.sha256 if log else None}


class PriorityForm(forms.Form):
    """Before or after which others a replay goes."""

    priority = forms.IntegerField(
        min_value=-10, max_value=10, help_text="From -10 to 10; higher goes first."
    )


class CompareForm(forms.Form):
    """Which earlier replay one is put beside."""

    former = forms.UUIDField(label="Compare with")

    def __init__(self, others: Sequence[Replay], data: Any = None) -> None:
        super().__init__(data)
        choices = [
            (each.uuid, f"{localtime(each.at):%b %-d, %Y, %H:%M}: {each.findings:,} findings")
            for each in others
        ]
        self.fields["former"].widget = forms.Select(choices=choices)
