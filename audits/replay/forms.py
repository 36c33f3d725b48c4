"""Forms to begin, prioritize and compare replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.timezone import localtime

from audits.intake.reads import find_log
from compliance.filings.requests.reads import game_names
from compliance.ui.forms import DayField, NameField, OperatorField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.replay.models import Replay


NO_LOG = "This operator has no log of this number or SHA-256 on file."


class NewReplayForm(forms.Form):
    """The operator and rounds to replay; an empty field means all."""

    operator = OperatorField(empty_label=None)
    day = DayField(
        label="Gambling day",
        required=False,
        help_text="Leave this empty for every day on file.",
    )
    last = DayField(
        label="Last gambling day",
        required=False,
        help_text="For several days, the last of them.",
    )
    game = forms.ChoiceField(
        choices=lambda: [("", "Any game"), *game_names().items()], required=False
    )
    table = NameField(
        required=False,
        max_length=32,
        help_text="As in the log: T3. Empty for every table.",
    )
    log = NameField(
        label="Round log",
        required=False,
        max_length=64,
        help_text="The number or SHA-256 on its receipt. Replays the days that it has rounds of.",
    )

    def clean(self) -> dict[str, Any]:
        """Look up the log and require the days to be in order."""
        data = super().clean() or {}
        party, name = data.get("operator"), data.get("log")
        log = find_log(party, name) if party and name else None
        if party and name and log is None:
            self.add_error("log", NO_LOG)
        day, last = data.get("day"), data.get("last")
        if last and not day and "day" not in self.errors:
            self.add_error("day", "Enter the first day, too.")
        if day and last and last < day:
            self.add_error("last", "The last day cannot be before the first.")
        return data | {"sha256": log.sha256 if log else None}


class PriorityForm(forms.Form):
    """Priority of a replay relative to others."""

    priority = forms.IntegerField(
        min_value=-10, max_value=10, help_text="From -10 to 10; higher goes first."
    )


class CompareForm(forms.Form):
    """Choice of an earlier replay to compare with."""

    former = forms.UUIDField(label="Compare with")

    def __init__(self, others: Sequence[Replay], data: Any = None) -> None:
        super().__init__(data)
        choices = [
            (each.uuid, f"{localtime(each.at):%b %-d, %Y, %H:%M}: {each.findings:,} findings")
            for each in others
        ]
        self.fields["former"].widget = forms.Select(choices=choices)
