"""What happens to round logs, replays and patterns."""

from audits.event_types import days, disclosures, replays, review, round_logs, visits

__all__ = ["days", "disclosures", "replays", "review", "round_logs", "visits"]
