"""Forms for a closed table, a table's cash, a jackpot's fund, and withdrawing a record."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms

from audits.intake.days.reads import bounds_of_day
from audits.intake.filed_forms import filed_definitions
from audits.intake.table_records.comparison import AMOUNTS_OF_CASH, CASH, CLOSED, FUND, Entry
from compliance.filings.controls.content import AS_LOGGED, TABLE
from compliance.ui.forms import DayField, DollarsField, InstantField, NameField
from games.log.schema import PLAYER_SUPPORTED, PROGRESSIVE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from compliance.access.models import Party

FARTHEST = timedelta(days=366)
"""How far ahead a table may be said to be closed."""
NO_DAY = "Choose the gambling day, or enter both times of the span."
ONE_END = "Enter both times of the span, or neither for the whole gambling day."


class TableForm(forms.Form):
    """A table of the operator, as its round logs name it."""

    def __init__(
        self, party: Party, tables: Sequence[str], today: date, data: Any = None, **more: Any
    ) -> None:
        self._party, self._today = party, today
        super().__init__(data, **more)
        if tables:
            choices = [("", "Choose a table"), *((name, name) for name in tables)]
            self.fields["table"] = forms.ChoiceField(choices=choices)
        else:
            self.fields["table"] = NameField(max_length=32, help_text="As in the round log: T3.")
        self.order_fields(["table"])

    @staticmethod
    def entry_of(data: dict[str, Any]) -> Entry:
        """Return the record of a completed form."""
        raise NotImplementedError

    def clean_table(self) -> str:
        """Accept a name as the round log has it."""
        table: str = self.cleaned_data["table"]
        if not TABLE.fullmatch(table):
            raise forms.ValidationError(AS_LOGGED)
        return table


class ClosedForm(TableForm):
    """A table on which nothing was dealt on a gambling day."""

    day = DayField(label="Gambling day")
    reason = NameField(
        label="Why it was closed", max_length=256, help_text="For example: not staffed."
    )

    def clean_day(self) -> date:
        """Refuse a day that is far ahead."""
        day: date = self.cleaned_data["day"]
        if day > self._today + FARTHEST:
            msg = "Choose a day up to a year ahead."
            raise forms.ValidationError(msg)
        return day

    @staticmethod
    def entry_of(data: dict[str, Any]) -> Entry:
        return Entry(subject=CLOSED, **data)


class CashForm(TableForm):
    """A table's chips and drop of a gambling day, or of a span within it."""

    day = DayField(label="Gambling day", required=False)
    opener = DollarsField(help_text="The table's chips at the beginning, in dollars.")
    fills = DollarsField(help_text="Chips brought to the table.", initial=0)
    credits = DollarsField(help_text="Chips taken from the table.", initial=0)
    closer = DollarsField(help_text="The table's chips at the end.")
    drop = DollarsField(help_text="What the drop box contained.")
    begins = InstantField(
        label="From",
        required=False,
        help_text="Only if these amounts are not of the whole gambling day. Local time, as "
        "2025-07-12 22:15; in the hour that the clock shows twice, with the offset: "
        "2025-11-02T01:30-07:00.",
    )
    ends = InstantField(label="To", required=False, help_text="Not included. Written like From.")

    def clean(self) -> dict[str, Any]:
        """Fill in the bounds of the gambling day where no times are given."""
        data = super().clean() or {}
        if {"day", "begins", "ends"} & self.errors.keys():
            return data
        times = [data.get("begins"), data.get("ends")]
        if times == [None, None]:
            if data.get("day") is None:
                self.add_error("day", NO_DAY)
            else:
                data["begins"], data["ends"] = bounds_of_day(self._party, data["day"])
        elif None in times:
            self.add_error("begins" if data.get("begins") is None else "ends", ONE_END)
        return data

    @staticmethod
    def entry_of(data: dict[str, Any]) -> Entry:
        kept = {name: data[name] for name in ("table", "begins", "ends", *AMOUNTS_OF_CASH)}
        return Entry(subject=CASH, **kept)


class FundForm(forms.Form):
    """A jackpot's fund on a gambling day."""

    fund = NameField(
        max_length=32, help_text="As you name it; a progressive’s is the id of its meter."
    )
    game = NameField(max_length=64, help_text="The short name of the game whose rounds fill it.")
    kind = forms.ChoiceField(
        choices=[(PLAYER_SUPPORTED, "Player-supported jackpot"), (PROGRESSIVE, "Progressive")]
    )
    day = DayField(label="Gambling day")
    before = DollarsField(label="Balance before", help_text="When the day began, in dollars.")
    contributions = DollarsField(help_text="What went into the fund, before any fee.")
    payouts = DollarsField(help_text="Prizes paid from it.", initial=0)
    fee = DollarsField(
        label="Administrative fee", help_text="Taken of these contributions.", initial=0
    )
    after = DollarsField(label="Balance after", help_text="When the day ended.")

    def __init__(self, data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self._games = sorted(filed_definitions())

    def clean_fund(self) -> str:
        """Accept a name as the round log has it."""
        fund: str = self.cleaned_data["fund"]
        if not TABLE.fullmatch(fund):
            msg = "Write letters, digits, dots, hyphens and underscores: bad-beat."
            raise forms.ValidationError(msg)
        return fund

    def clean_game(self) -> str:
        """Accept the short name of a filed game."""
        game: str = self.cleaned_data["game"]
        if game not in self._games:
            msg = f"Write one of: {', '.join(self._games) or 'no filed game is approved yet'}."
            raise forms.ValidationError(msg)
        return game

    @staticmethod
    def entry_of(data: dict[str, Any]) -> Entry:
        """Return the record of a completed form."""
        return Entry(subject=FUND, **data)


class WithdrawalForm(forms.Form):
    """Why a record is wrong."""

    reason = NameField(label="Why the record is wrong", max_length=256)
