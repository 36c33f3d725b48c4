"""What people of the demonstration have sent to them: made once, theirs to change afterwards."""

from __future__ import annotations

from django.db import transaction

from compliance.models import Party, Person
from compliance.walls import without_walls
from reports.documents.night_days import OF_A_DAY, SUMMARY
from reports.documents.period import MONTHLY, WEEKLY
from reports.models import Subscription, Way
from reports.services.subscriptions import subscribe

EVERY_KIND = ""
WANTED = (
    ("Frances Lindqvist", "field", SUMMARY, None, Way.MAIL),
    ("Frances Lindqvist", "field", MONTHLY, None, Way.MAIL),
    ("Carla Jensen", "field", WEEKLY, None, Way.APPLICATION),
    ("Ada Moreno", "field", OF_A_DAY[0], "cedar", Way.APPLICATION),
    ("Ben Okafor", "field", OF_A_DAY[0], "twin-rivers", Way.MAIL),
    ("Irene Castillo", "cedar", EVERY_KIND, None, Way.MAIL),
    ("Kim Tran", "harbor", EVERY_KIND, None, Way.APPLICATION),
    ("Nathan Reed", "twin-rivers-agency", EVERY_KIND, "twin-rivers", Way.MAIL),
)
"""Who, for which party, what, about whom, how."""


def load_subscriptions() -> int:
    """Subscribe them, unless anybody ever subscribed to anything here; how many were made."""
    with transaction.atomic(), without_walls():
        if Subscription.objects.exists():
            return 0
        parties = {each.code: each for each in Party.objects.all()}
        for name, party, kind, about, way in WANTED:
            subscribe(
                party=parties[party],
                kind=kind,
                about=parties[about] if about else None,
                way=way,
                by=Person.objects.get(name=name, memberships__party=parties[party]),
            )
    return len(WANTED)
