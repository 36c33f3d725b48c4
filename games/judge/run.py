"""A run over logs, line by line: every round judged with what came before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.judge.sequence import ALTERNATING, Tables
from games.judge.verdict import judge
from games.round_log.ids import TakenIds

if TYPE_CHECKING:
    from games.judge.verdict import Verdict
    from games.round_log.form import Rejection
    from games.round_log.round import Round
    from games.setup import Setup


class Run:
    """One call over one or more logs. Rounds before and ids are those of the whole call."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._tables = Tables()
        self._ids = TakenIds()

    def new_log(self) -> None:
        """Another log begins."""
        self._tables.new_log()

    def reject(self, line: Rejection) -> None:
        """The next line is rejected: its table does not know what stood there."""
        self._tables.note_rejection(line.table)

    def verdict(self, line: Round) -> Verdict:
        """Judge the next line."""
        taken = not self._ids.take(line.round)
        judged = judge(line, self._setup, self._tables.before(line), taken=taken)
        self._tables.note(line)
        return judged

    def two_decks(self, line: Round) -> bool:
        """Whether a round's table is known, by now, to use two decks in this log (P2-I8)."""
        return line.game == ALTERNATING and len(self._tables.before(line).decks) > 1

    def close(self) -> None:
        """Let go of what lies on disk."""
        self._ids.close()
        self._tables.close()
