"""What happens to round logs, replays and patterns."""

from audits.event_types import days, replays, review, round_logs, visits

__all__ = ["days", "replays", "review", "round_logs", "visits"]
