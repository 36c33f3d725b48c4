"""Every address of the API, by its name: the scopes that open it, and what stands in it."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.permissions import KeyScope


@dataclass(frozen=True)
class Opened:
    """By which scopes an address is opened; `of` names what of a party stands in it, in order."""

    by: tuple[KeyScope, ...] = ()
    method: str = "get"
    of: tuple[str, ...] = ()


HAND_IN, ROUNDS, FINDINGS = KeyScope.HAND_IN, KeyScope.ROUNDS, KeyScope.FINDINGS
REPLAYS, CONTROLS, REPORTS = KeyScope.REPLAYS, KeyScope.CONTROLS, KeyScope.REPORTS

OPENED: dict[str, Opened] = {
    "api_key_itself": Opened(tuple(KeyScope)),
    "api_in_force": Opened((CONTROLS,)),
    "api_hand_ins": Opened((HAND_IN, ROUNDS)),
    "api_hand_in": Opened((HAND_IN, ROUNDS), of=("hand_in",)),
    "api_hand_in_piece": Opened((HAND_IN,), "put", ("hand_in", "piece")),
    "api_finish_hand_in": Opened((HAND_IN,), "post", ("hand_in",)),
    "api_give_up_hand_in": Opened((HAND_IN,), "post", ("hand_in",)),
    "api_round_logs": Opened((ROUNDS,)),
    "api_round_log": Opened((HAND_IN, ROUNDS), of=("round_log",)),
    "api_round_log_proof": Opened((HAND_IN, ROUNDS), of=("round_log",)),
    "api_rejected_lines": Opened((ROUNDS,), of=("round_log",)),
    "api_round_log_file": Opened((ROUNDS,), of=("round_log",)),
    "api_round": Opened((ROUNDS,)),
    "api_patterns": Opened((FINDINGS,)),
    "api_pattern": Opened((FINDINGS,), of=("pattern",)),
    "api_findings": Opened((FINDINGS,)),
    "api_replays": Opened((FINDINGS, REPLAYS)),
    "api_replay": Opened((FINDINGS, REPLAYS), of=("replay",)),
    "api_findings_of_replay": Opened((FINDINGS,), of=("replay",)),
    "api_cancel_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_move_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_retry_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_reports": Opened((REPORTS,)),
    "api_report": Opened((REPORTS,), of=("report",)),
    "api_report_file": Opened((REPORTS,), of=("report",)),
    "api_report_data": Opened((REPORTS,), of=("report",)),
    "api_report_table": Opened((REPORTS,), of=("report", "report_table")),
}
