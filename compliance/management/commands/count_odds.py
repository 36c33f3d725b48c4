"""`manage.py count_odds`: count the odds of filed definitions; the worker starts it by itself."""

import os
from typing import Any

from django.core.management.base import BaseCommand

from compliance.filings.games.models import DefinitionOdds
from compliance.filings.games.odds import add_odds_jobs
from compliance.jobs.work import do_jobs

NICENESS = 10
"""Counting takes minutes of a whole core, and nobody waits for it."""


class Command(BaseCommand):
    """Counts odds until none is waiting."""

    help = "Count the odds of filed definitions that are not counted yet."

    def handle(self, **_: Any) -> None:
        os.nice(NICENESS)
        add_odds_jobs()
        do_jobs({DefinitionOdds.JOB})
