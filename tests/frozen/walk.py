"""The recorded nights, audited through the services, with the events that each act writes."""

from __future__ import annotations

import io
import json
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.core.management import call_command

from audits.intake.days.writes import keep_day
from audits.intake.ingestion import take_in_here
from audits.intake.submission import submit_whole
from audits.replay.findings.models import Issue
from audits.replay.models import Replay
from audits.replay.writes import Scope, begin_replay, cancel_replay
from audits.review.cases.models import Case, CaseItem
from audits.review.cases.writes import (
    Gathered,
    close_case,
    gather,
    note_on_case,
    open_case,
    recommend,
    reopen_case,
    take_out,
    write_facts,
)
from audits.review.disclosures.writes import add_to_case, disclose
from audits.review.issues.assignments import arrange_cover, assign, claim, end_cover, escalate
from audits.review.issues.decisions import StepRequest, note, second, take_step
from audits.review.issues.questions import answer_question
from audits.review.nightly_run.writes import look_at_day
from audits.review.releases.writes import release_day, release_issue, set_standing_release
from audits.review.restitution.reads import to_pay
from audits.review.restitution.writes import confirm_restitution
from audits.review.visits.models import Look
from audits.review.visits.writes import begin_visit, end_visit, look
from compliance import clock
from compliance.access.models import Party, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.writes import integrate
from compliance.events.models import Event
from compliance.filings.demonstration import load_filings
from compliance.people.demonstration import load_people
from compliance.people.writes import invite, withdraw_invitation
from compliance.retention.writes import lift_hold, place_hold
from reports.documents.registry import About
from reports.schedules.making import make_due_report, make_report
from reports.schedules.models import Way
from reports.schedules.orders import order_report
from reports.schedules.subscriptions import end, pause, resume, subscribe
from tests.audits.replay.working import work
from tests.frozen.facts import HERE, as_fact, unpacked
from tests.reports.working import make_next

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.documents.models import Report

NIGHT = date(2025, 7, 12)
REVIEWED = datetime.fromisoformat("2025-08-11T09:00:00-07:00")
A_WEEK = timedelta(days=7)
OPERATORS = ("cedar", "harbor", "twin-rivers")


class Walk:
    """One walk through the system; `streams` has the events of each act, in order."""

    def __init__(self) -> None:
        self.streams: list[str] = []
        self._last = 0

    @contextmanager
    def act(self, name: str) -> Iterator[None]:
        """Record which events an act writes, in order, with the names of their fields."""
        with without_access_scope():
            yield
        events = Event.objects.filter(pk__gt=self._last).order_by("pk")
        written = [(each.type, each.actor_kind, sorted(each.payload)) for each in events]
        self._last = max((each.pk for each in events), default=self._last)
        for event, same in groupby(written):
            self.streams.append(as_fact(name, *event, len(list(same))))

    def nights(self) -> None:
        """Submit the recorded logs, run the nightly run, replay everything."""
        with self.act("set up people"):
            load_people()
        with self.act("set up filings"):
            load_filings()
        plan = json.loads((HERE / "nights.json").read_text())
        happened = [*plan["submissions"], *plan["nightly_runs"]]
        for each in sorted(happened, key=lambda one: (one["at"], "day" in one)):
            with clock.standing_at(datetime.fromisoformat(each["at"])):
                if "log" in each:
                    with self.act(f"submit {each['log']}"):
                        _submit(each)
                    continue
                with self.act(f"nightly run of {each['day']}"):
                    integrate()
                    for code in OPERATORS:
                        day = date.fromisoformat(each["day"])
                        look_at_day(day=keep_day(party=party(code), day=day))
                with self.act(f"replay {each['day']}"):
                    while work():
                        pass

    def reports(self) -> list[Report]:
        """Make every report of the night and of its case."""
        made = []
        for kind in ("nightly", "restitution"):
            for code in OPERATORS:
                with self.act(f"report {kind} {code}"):
                    about = About(party=party(code), day=NIGHT)
                    made.append(make_due_report(kind=kind, about=about))
        with self.act("report summary"):
            made.append(make_due_report(kind="summary", about=About(day=NIGHT)))
        return made

    def review(self) -> Report:
        """Decide, ask, answer, release, open a case and visit; return the case's report."""
        agent, other = person("Ada Moreno"), person("Ben Okafor")
        supervisor, manager = person("Carla Jensen"), person("Irene Castillo")
        with without_access_scope():
            largest = Issue.objects.filter(party=party("cedar")).order_by("-over", "pk")
            first, asked, waived = largest.filter(code__startswith="settlement.")[:3]
            underpaid = (
                largest.filter(code__startswith="settlement.", nights__day=NIGHT)
                .exclude(pk__in=(first.pk, asked.pk, waived.pk))
                .latest("under")
            )
        with self.act("claim"):
            claim(issue=first, by=agent)
        with self.act("reassign"):
            assign(issue=first, to=other, by=supervisor)
        with self.act("escalate"):
            escalate(issue=first, reason="Needs a decision.", by=other)
        with self.act("note"):
            note(issue=first, text="Seen on video.", by=agent)
        with self.act("release issue"):
            release_issue(issue=asked, by=supervisor)
            release_issue(issue=underpaid, by=supervisor)
        with self.act("ask"):
            _step(asked, agent, step="ask", until=clock.today() + A_WEEK)
        with self.act("answer"):
            answer_question(issue=asked, text="A new dealer.", by=manager)
        with self.act("propose"):
            proposal = _step(first, agent, step="confirm")
        with self.act("second"):
            second(proposal=proposal, by=supervisor)
        with self.act("reopen"):
            _step(first, agent, step="reopen")
        with self.act("take up"):
            _step(waived, agent, step="take_up")
        with self.act("open case"):
            case = open_case(party=party("cedar"), title="Payouts", reason="Seen.", by=agent)
        with self.act("gather"):
            item = _gather(case, agent, kind=CaseItem.Kind.ISSUE, issue=first)
            fact = _gather(case, agent, kind=CaseItem.Kind.FACT, text="It rained.")
        with self.act("take out"):
            take_out(item=fact, reason="No concern.", by=agent)
        assert item.pk != fact.pk
        with self.act("refer"):
            _step(asked, agent, step="refer", case=case)
        with self.act("write case"):
            case = _fresh(case)
            write_facts(
                case=case, title="Payouts", facts="Paid 50.", edition=case.edition, by=agent
            )
        with self.act("note on case"):
            note_on_case(case=_fresh(case), text="Call them.", by=agent)
        with self.act("recommend"):
            recommend(case=_fresh(case), level=Case.Level.VERBAL_WARNING, reason="First.", by=agent)
        with self.act("case file"):
            report = make_report(kind="case_file", about=About(subject=case.uuid))
        with self.act("close case"):
            close_case(case=_fresh(case), reason="Done.", by=agent)
        with self.act("reopen case"):
            reopen_case(case=_fresh(case), reason="More.", by=agent)
        self._around(case)
        return report

    def _around(self, case: Case) -> None:
        """Do everything that isn't about one issue."""
        agent, supervisor = person("Ada Moreno"), person("Carla Jensen")
        manager, cedar = person("Irene Castillo"), party("cedar")
        with self.act("disclose"):
            disclosure = disclose(party=cedar, day=NIGHT, facts="A card fell.", by=manager)
        with self.act("disclosure into case"):
            add_to_case(disclosure=disclosure, case=_fresh(case), by=agent)
        with self.act("begin visit"):
            visit = begin_visit(party=cedar, by=agent)
        with without_access_scope():
            items = list(visit.items.all())
        with self.act("visit findings"):
            look(item=items[0], outcome=Look.Outcome.DIFFERS, seen="Another sign.", by=agent)
            look(item=items[1], outcome=Look.Outcome.AS_APPROVED, by=agent)
        with self.act("end visit"):
            end_visit(visit=visit, why_not="The rest is as on the last visit.", by=agent)
        with self.act("release day"):
            release_day(day=keep_day(party=cedar, day=NIGHT), by=supervisor)
        with self.act("release as they come"):
            set_standing_release(party=cedar, code="deal.count", stands=True, by=supervisor)
        with without_access_scope():
            row = to_pay(cedar, NIGHT)[0]
        with self.act("pay restitution"):
            confirm_restitution(
                party=cedar, owed=row.owed, cents=100, paid_on=clock.today(), by=manager
            )
        with self.act("replay on request"):
            replay = begin_replay(operator=cedar, scope=Scope(day=NIGHT), by=supervisor)
        with self.act("cancel replay"):
            cancel_replay(replay=replay, by=supervisor)
        with self.act("cover"):
            cover = arrange_cover(
                absent=agent, covering=supervisor, first=clock.today(), last=clock.today(), by=agent
            )
        with self.act("end cover"):
            end_cover(cover=cover, by=agent)
        with self.act("invite"):
            invitation, _ = invite(
                party=cedar, role=Role.OPERATOR_CLERK, email="new@cedar.example", by=manager
            )
        with self.act("withdraw invitation"):
            withdraw_invitation(invitation=invitation, by=manager)
        with self.act("subscribe"):
            wanted = subscribe(party=cedar, way=Way.MAIL, by=manager)
        with self.act("change subscription"):
            pause(subscription=wanted, by=manager)
            resume(subscription=wanted, by=manager)
            end(subscription=wanted, by=manager)
        with self.act("place hold"):
            hold = place_hold(kind="operator", which="cedar", reason="Order", by=supervisor)
        with self.act("lift hold"):
            lift_hold(hold=hold, reason="Over", by=supervisor)
        with self.act("order report"):
            order_report(kind="in_effect_on_a_day", about=About(party=cedar, day=NIGHT), by=manager)
        with self.act("make ordered report"):
            make_next()


def party(code: str) -> Party:
    with without_access_scope():
        return Party.objects.select_related("agency").get(code=code)


def person(name: str) -> Person:
    return Person.objects.get(name=name)


def printed(*command: str, **options: Any) -> list[dict[str, Any]]:
    """Return what a command prints for programs, line by line."""
    out = io.StringIO()
    call_command(*command, stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def replays_left() -> int:
    with without_access_scope():
        return Replay.objects.filter(ended__isnull=True).count()


def _submit(each: dict[str, str]) -> None:
    content = unpacked(HERE / "nights" / f"{each['log']}.zst")
    submitted = submit_whole(
        party=party(each["operator"]), name=each["log"], content=io.BytesIO(content),
        by=person(each["by"]), read_here=True,
    )  # fmt: skip
    take_in_here(submitted)


def _step(issue: Issue, by: Person, **data: Any) -> Any:
    return take_step(issue=issue, said=StepRequest(reason="As seen.", **data), by=by)


def _gather(case: Case, by: Person, **what: Any) -> CaseItem:
    return gather(case=_fresh(case), what=Gathered(**what), by=by)


def _fresh(case: Case) -> Case:
    with without_access_scope():
        return Case.objects.select_related("party").get(pk=case.pk)
