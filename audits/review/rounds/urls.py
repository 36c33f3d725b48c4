"""Page routes of rounds: search and show."""

from __future__ import annotations

from django.urls import path, register_converter

from audits.review.rounds import pages

ESCAPED = "~"
"""Never part of an ID; it marks one that browsers would take for a relative path, `.` or `..`."""


class RoundId:
    """A round's ID as a part of a path."""

    regex = r"[A-Za-z0-9._:~-]{1,65}"

    def to_python(self, value: str) -> str:
        """Return the ID."""
        return value.removeprefix(ESCAPED)

    def to_url(self, value: str) -> str:
        """Return the ID as in the URL."""
        return value if value.strip(".") else ESCAPED + value


register_converter(RoundId, "round_id")

urlpatterns = [
    path("find/", pages.FindRound.as_view(), name="find_round"),
    path("of/<slug:operator>/<round_id:id_>/", pages.RoundPage.as_view(), name="round"),
]
