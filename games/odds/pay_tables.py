"""Which pay tables odds are counted for: as the rules or the set-up pay, as the layout prints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.setup import Setup


def as_printed(setup: Setup, game: str) -> Setup:
    """The same terms with the pay tables that the layout drawing prints."""
    printed = {
        layout.table: {**setup.pay_tables.get(game, {}).get(layout.table, {}), **layout.lines}
        for layout in setup.rules(game).layouts.values()
    }
    tables = {**setup.pay_tables.get(game, {}), **printed}
    return replace(setup, pay_tables={**setup.pay_tables, game: tables})


def which_table(setup: Setup, game: str, *names: str) -> str:
    """A sentence that names the pay tables used, and every line that is not as the rules pay."""
    rules = setup.rules(game)
    tables = [rules.pay_tables[name] for name in names]
    clauses = " and ".join(sorted({table.clause for table in tables}))
    changed = [
        f"{line} {to}, not {table.lines[line]}{_printed(setup, game, table.name, line, to)}"
        for table in tables
        for line, to in setup.pay_tables.get(game, {}).get(table.name, {}).items()
        if to != table.lines[line]
    ]
    return f"Paid by {clauses}" + (f", but {'; '.join(changed)}." if changed else ".")


def _printed(setup: Setup, game: str, table: str, line: str, to: int) -> str:
    layouts = [layout for layout in setup.rules(game).layouts.values() if layout.table == table]
    prints = any(layout.lines.get(line) == to for layout in layouts)
    return f" (as the layout drawing prints, {layouts[0].clause}, not approved)" if prints else ""
