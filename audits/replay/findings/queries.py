"""All findings on file, by what they concern: counted, added up and listed by DuckDB.

A reader sees what its role sees: the commission every finding, anyone else those of issues that
were released to them. Every query is bounded in time and memory.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from functools import lru_cache
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

import duckdb
import orjson
import pyarrow as pa

from audits.instants import instant, microseconds
from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.replay.findings.months import SCHEMA, folder, months, units_with_findings
from audits.replay.findings.reads import AMOUNT, cents_of
from compliance.access.models import Party
from compliance.access.permissions import COMMISSION_ROLES, Action, key_may, may
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from games.cents import clamp_cents
from games.findings import BALANCE, HOUSE_WAGER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import date, datetime

    from compliance.access.models import ApiKey, Membership


SECONDS: Final = 5.0
MEMORY: Final = "512MB"
THREADS: Final = 2
MOST_NAMES: Final = 1000


OF_NIGHT: Final = ("issue__party", "day", "issue__game", "issue__cause")


@dataclass(frozen=True)
class Sight:
    """Which findings a reader may see: all of some operators, and the released ones of others."""

    whole: frozenset[int]
    """Operators of which every finding is visible."""
    released: frozenset[tuple[int, date, str, str]]
    """Operator, day, game and cause of what else is visible."""

    @classmethod
    def of(cls, memberships: Collection[Membership]) -> Sight:
        """Return what roles allow, within the access scope.

        Of an outside party that a person belongs to, the person sees what that party sees.
        """
        if not may(memberships, Action.SEE_RELEASED):
            return cls(frozenset(), frozenset())
        shown = IssueNight.objects.filter(findings__gt=0)
        own = {each.party_id for each in memberships if each.role not in COMMISSION_ROLES}
        whole: set[int] = set()
        if may(memberships, Action.SEE_FINDINGS):
            whole = set(Party.objects.values_list("pk", flat=True)) - own
            shown = shown.filter(issue__party__in=own, issue__released__isnull=False)
        rows = shown.order_by().values_list(*OF_NIGHT) if own or not whole else ()
        return cls(frozenset(whole), frozenset(rows))

    @classmethod
    def of_key(cls, key: ApiKey) -> Sight:
        """Return what an API key allows, within its access scope."""
        if key_may(key, Action.SEE_FINDINGS):
            return cls(frozenset(Party.objects.values_list("pk", flat=True)), frozenset())
        if not key_may(key, Action.SEE_RELEASED):
            return cls(frozenset(), frozenset())
        shown = IssueNight.objects.filter(findings__gt=0).order_by()
        return cls(frozenset(), frozenset(shown.values_list(*OF_NIGHT)))

    @property
    def parties(self) -> set[int]:
        """Return the operators with anything visible."""
        return {*self.whole, *(each[0] for each in self.released)}


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """What findings concern; whatever is empty does not narrow them."""

    party: int | None = None
    player: str = ""
    dealer: str = ""
    table: str = ""
    game: str = ""
    code: str = ""
    wager: str = ""
    line: str = ""
    clause: str = ""
    round: str = ""
    id: str = ""
    lines: tuple[str, ...] = ()
    """Any of these wagers and lines, each pair with a space between."""
    first: date | None = None
    last: date | None = None

    def sql(self) -> tuple[str, list[Any]]:
        """Return the condition and its values."""
        parts, values = ["TRUE"], []
        for each in fields(self):
            value = getattr(self, each.name)
            if value:
                parts.append(CONDITIONS.get(each.name, f'"{each.name}" = ?'))
                values.append(list(value) if isinstance(value, tuple) else value)
        return " AND ".join(parts), values


CONDITIONS: Final = {
    "clause": "list_contains(cites, ?)",
    "lines": "list_contains(?, concat_ws(' ', wager, line))",
    "first": "day >= ?",
    "last": "day <= ?",
}
GROUPS: Final = frozenset(
    {"party", "day", "game", "cause", "table", "code", "wager", "line", "player", "dealer"}
)
PLAYERS_MONEY: Final = f"code <> '{BALANCE}' AND coalesce(wager, '') <> '{HOUSE_WAGER}'"
"""What a table's balance or the house's own wager is off by is no player's money."""
SUMS: Final = (
    "count(*) AS findings, "
    f"coalesce(sum(greatest(delta, 0)) FILTER ({PLAYERS_MONEY}), 0) AS over, "
    f"coalesce(sum(greatest(-delta, 0)) FILTER ({PLAYERS_MONEY}), 0) AS under"
)
ROUNDS: Final = "count(DISTINCT hash(party, round)) FILTER (round IS NOT NULL) AS rounds"
"""Hashes of 64 bits: distinct texts of a million findings take ten times as long to count."""
SHOWN: Final = (
    *("party", "id", "day", "game", "cause", "table", "round", "at", "code", "seat", "wager"),
    *("line", "player", "dealer", "logged", "expected", "delta", "cites"),
)


@dataclass(frozen=True)
class Sums:
    """What some findings add up to; amounts are in cents, and players' money only."""

    by: tuple[Any, ...]
    findings: int
    over: int
    under: int


@dataclass(frozen=True)
class FoundFinding:
    """A finding, with its operator and issue."""

    party: Party
    issue: Issue | None
    id: str
    day: date
    game: str
    table: str
    round: str
    at: datetime | None
    code: str
    seat: int | None
    wager: str
    line: str
    player: str
    dealer: str
    logged: Any
    expected: Any
    delta: int
    cites: list[str]


class Findings:
    """The findings that some criteria match."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        criteria: Criteria,
        *,
        left_out: int,
        table: str = "found",
    ) -> None:
        self._cursor, self._table = cursor, table
        self._where, self._values = criteria.sql()
        self.left_out = left_out
        """Findings that could not be searched yet; files are still being made of them."""

    def narrowed(self, criteria: Criteria) -> Findings:
        """Return the findings of other criteria, in the same files."""
        return Findings(self._cursor, criteria, left_out=self.left_out, table=self._table)

    def total(self) -> Sums:
        """Add up all of them."""
        [row] = self._rows(f"SELECT {SUMS} FROM {self._table} WHERE {self._where}")  # noqa: S608
        return Sums((), row[0], *map(clamp_cents, row[1:]))

    def rounds(self) -> int:
        """Count the rounds that they are in."""
        [[count]] = self._rows(f"SELECT {ROUNDS} FROM {self._table} WHERE {self._where}")  # noqa: S608
        return int(count)

    def sums(self, *by: str, most: int = 0) -> tuple[list[Sums], int]:
        """Add up by some columns, the most money first, then the most findings.

        Findings without the first name are in no group. Also returns how many groups there are.
        """
        if not GROUPS.issuperset(by):
            message = f"Findings are not grouped by {', '.join(by)}."
            raise ValueError(message)
        names = [f'"{each}"' for each in by]
        rows = self._rows(
            f"SELECT {', '.join([*names, SUMS])}, count(*) OVER () FROM {self._table} "  # noqa: S608
            f"WHERE {self._where} AND coalesce({names[0]}::VARCHAR, '') <> '' "
            f"GROUP BY {', '.join(names)} "
            f"ORDER BY {', '.join(['over + under DESC', 'findings DESC', *names])} "
            f"{f'LIMIT {int(most)}' if most else ''}"
        )
        places = len(by)
        sums = [
            Sums(row[:places], row[places], *map(clamp_cents, row[places + 1 : -1])) for row in rows
        ]
        return sums, int(rows[0][-1]) if rows else 0

    def names(self, by: str, words: str) -> list[tuple[int, str, int]]:
        """Return operators and names that contain the words, and their findings."""
        rows = self._rows(
            f'SELECT party, "{by}" AS name, count(*) FROM {self._table} '  # noqa: S608
            f'WHERE {self._where} AND contains(lower("{by}"), lower(?)) '
            f"GROUP BY ALL ORDER BY name, party LIMIT {MOST_NAMES}",
            words,
        )
        return [(int(party), str(name), int(count)) for party, name, count in rows]

    def page(self, number: int, size: int) -> list[FoundFinding]:
        """Return a page of them, the newest first; pages begin at 1."""
        # The other columns are read of these rows alone.
        keys = self._rows(
            f"SELECT id, day FROM {self._table} WHERE {self._where} "  # noqa: S608
            'ORDER BY day DESC, "at" DESC, party, id '
            f"LIMIT {int(size)} OFFSET {int(number - 1) * int(size)}"
        )
        columns = ", ".join(f'"{name}"' for name in SHOWN)
        rows = self._rows(
            f"SELECT {columns} FROM {self._table} WHERE {self._where} "  # noqa: S608
            "AND list_contains(?, day) AND list_contains(?, id) "
            'ORDER BY day DESC, "at" DESC, party, id',
            sorted({day for _, day in keys}),
            [id_ for id_, _ in keys],
        )
        return _with_issues([dict(zip(SHOWN, row, strict=True)) for row in rows])

    def issues(self) -> set[tuple[int, str, str]]:
        """Return operator, game and cause of the issues that they belong to."""
        return {
            (int(party), str(game), str(cause))
            for party, game, cause in self._rows(
                f"SELECT DISTINCT party, game, cause FROM {self._table} WHERE {self._where}"  # noqa: S608
            )
        }

    def issues_with(self, words: str, cents: int | None) -> set[tuple[int, date, str, str]]:
        """Return operator, day, game and cause of findings of a round, a player or an amount."""
        columns = "SELECT DISTINCT party, day, game, cause"
        rows = self._rows(
            f"{columns} FROM {self._table} WHERE {self._where} "
            "AND (round = ? OR player = ? OR abs(delta) = ?)",
            words,
            words,
            cents or None,
        )
        return {(int(party), day, str(game), str(cause)) for party, day, game, cause in rows}

    def _rows(self, sql: str, *more: Any) -> list[tuple[Any, ...]]:
        return _execute(self._cursor, sql, [*self._values, *more])


def _with_issues(rows: Sequence[dict[str, Any]]) -> list[FoundFinding]:
    """Return findings with their operators and issues, as far as these are visible."""
    with without_access_scope():
        # An agency sees released findings of an operation that is not in its own scope.
        parties = Party.objects.in_bulk({row["party"] for row in rows})
    nights = IssueNight.objects.filter(
        issue__party__in=parties,
        day__in={row["day"] for row in rows},
        issue__cause__in={row["cause"] for row in rows},
        findings__gt=0,
    ).select_related("issue")
    issues = {
        (each.issue.party_id, each.day, each.issue.game, each.issue.cause): each.issue
        for each in nights
    }
    found = []
    for row in rows:
        key = tuple(row[name] for name in ("party", "day", "game", "cause"))
        texts: dict[str, Any] = {name: row[name] or "" for name in TEXTS}
        values = {name: orjson.loads(row[name]) for name in ("logged", "expected")}
        same = {name: row[name] for name in ("id", "day", "seat", "delta", "cites")}
        found.append(
            FoundFinding(
                party=parties[row["party"]],
                issue=issues.get(key),
                at=None if row["at"] is None else instant(row["at"]),
                **texts,
                **values,
                **same,
            )
        )
    return found


def find_issues_with(
    sight: Sight, words: str, *, operator: Party | None = None
) -> tuple[set[int], int]:
    """Return issues with any finding of a round, a player or an amount, among all on file.

    Also returns how many findings could not be searched yet.
    """
    amount = AMOUNT.fullmatch(words)
    cents = None if amount is None else cents_of(amount)
    with opened(sight, Criteria(party=operator.pk if operator else None)) as found:
        keys, left_out = found.issues_with(words, cents), found.left_out
    nights = IssueNight.objects.filter(
        issue__party__in={key[0] for key in keys},
        day__in={key[1] for key in keys},
        issue__cause__in={key[3] for key in keys},
        findings__gt=0,
    ).values_list("issue", "issue__party", "day", "issue__game", "issue__cause")
    return {issue for issue, *key in nights if tuple(key) in keys}, left_out


TEXTS: Final = ("game", "table", "round", "code", "wager", "line", "player", "dealer")


@contextmanager
def opened(sight: Sight, criteria: Criteria) -> Iterator[Findings]:
    """Open the findings that a reader may see and the criteria match.

    Raises `RefusedError` if a query takes too long.
    """
    parties = sight.parties if criteria.party is None else sight.parties & {criteria.party}
    # A file has a month's findings, so the whole months are asked for.
    first = criteria.first and criteria.first.replace(day=1)
    units = units_with_findings(parties, first, criteria.last and _end_of_month(criteria.last))
    files = months(units)
    cursor = _database(os.getpid(), str(folder())).cursor()
    try:
        cursor.register("of_days", _of_days(parties))
        columns = ", ".join(f'"{name}"' for name in SCHEMA.names)
        rounds = ", ".join(_quoted(str(path)) for path in files.paths)
        sources = [f"SELECT {columns} FROM of_days"]  # noqa: S608
        if rounds:
            sources.append(f"SELECT {columns} FROM read_parquet([{rounds}])")  # noqa: S608
        visible = ""
        if sight.released:
            cursor.register("released", _released(sight))
            visible = (
                f"WHERE party IN ({_numbers(sight.whole)}) "
                "OR (party, day, game, cause) IN (FROM released)"
            )
        cursor.execute(
            f"CREATE TEMP VIEW found AS SELECT * FROM ({' UNION ALL '.join(sources)}) {visible}"  # noqa: S608
        )
        if not criteria.clause:
            yield Findings(cursor, criteria, left_out=files.left_out)
            return
        # To look into the list of rules of each finding takes long: it is done once.
        where, values = criteria.sql()
        sql = f"CREATE TEMP TABLE cited AS SELECT * FROM found WHERE {where}"  # noqa: S608
        _execute(cursor, sql, values)
        yield Findings(cursor, replace(criteria, clause=""), left_out=files.left_out, table="cited")
    finally:
        cursor.close()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _numbers(keys: Collection[int]) -> str:
    return ", ".join(str(int(key)) for key in keys) or "NULL"


def _end_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _released(sight: Sight) -> pa.Table:
    names = ("party", "day", "game", "cause")
    columns = zip(*sight.released, strict=True)
    types = (pa.int64(), pa.date32(), pa.string(), pa.string())
    return pa.table(
        {name: pa.array(column, of) for name, column, of in zip(names, columns, types, strict=True)}
    )


def _of_days(parties: Collection[int]) -> pa.Table:
    """Return the findings about days and of the watch: they are rows, and in no findings file."""
    found = (
        Finding.objects.filter(issue__party__in=parties, replay__isnull=True)
        .exclude(standing=Finding.Standing.GONE)
        .order_by()
        .select_related("issue")
    )
    return pa.Table.from_pylist([_as_row(each) for each in found], SCHEMA)


def _as_row(finding: Finding) -> dict[str, Any]:
    issue = finding.issue
    return {
        "party": issue.party_id,
        "day": finding.day,
        "id": finding.identity,
        "game": issue.game,
        "cause": issue.cause,
        "table": finding.table or issue.table or None,
        "round": finding.round or None,
        "at": microseconds(finding.at) if finding.at else None,
        "code": finding.code or issue.code,
        "weight": issue.weight,
        "seat": finding.seat,
        "wager": finding.wager or None,
        "line": finding.line or None,
        "player": finding.player or None,
        "logged": orjson.dumps(finding.logged).decode(),
        "expected": orjson.dumps(finding.expected).decode(),
        "delta": finding.delta,
        "cites": finding.cites,
    }


@lru_cache(maxsize=2)
def _database(process: int, place: str) -> duckdb.DuckDBPyConnection:
    """Open a database in memory that can read the files of findings, and nothing else."""
    del process  # a forked process opens its own
    database = duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY})
    for setting in (
        f"allowed_directories = [{_quoted(place + os.sep)}]",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "temp_directory = ''",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        database.execute(f"SET {setting}")
    return database


def _execute(
    cursor: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    timer = Timer(SECONDS, cursor.interrupt)
    timer.start()
    try:
        return cursor.execute(sql, values).fetchall()
    except duckdb.InterruptException:
        message = "This search takes too long. Choose an operator or fewer days."
        raise RefusedError(message) from None
    finally:
        timer.cancel()
