"""Tables of what a log covers, for its receipt and for a rehearsal."""

from __future__ import annotations

import django_tables2 as tables

from compliance.ui.tables import CountColumn, ListTable
from games.explanation.words import describe_name


class TableRoundsTable(ListTable):
    """Rounds of a file by table and game."""

    table = tables.Column()
    game = tables.Column()
    rounds = CountColumn()
    caption = "Rounds by table"

    class Meta:
        orderable = False

    def render_game(self, value: str) -> str:
        return describe_name(value)


class MissingTable(ListTable):
    """Tables without a round on a gambling day."""

    day = tables.Column(verbose_name="Gambling day")
    table = tables.Column()
    game = tables.Column()
    caption = "Missing tables"

    class Meta:
        orderable = False

    def render_game(self, value: str) -> str:
        return describe_name(value)
