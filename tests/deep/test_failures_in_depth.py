"""Each failure against each kind of work: the result is the undisturbed one, once.

The failing worker is a real process, disturbed before its work or between its work and the record
of it; an undisturbed worker does the rest. An email can't be recalled: if nobody knows whether it
was sent, it is left to a person, and never sent twice.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import os
import resource
import signal
import time
import traceback
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from aiosmtpd.controller import Controller
from django.conf import settings as django_settings
from django.db import connections
from django.utils import timezone

from audits.intake.days.models import GamblingDay
from audits.intake.models import Segment, Submission
from audits.intake.submission import submit_whole
from audits.replay.comparisons import begin_comparison
from audits.replay.findings.models import Finding, IssueNight
from audits.replay.jobs import KINDS as REPLAYING
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.replay.writes import Scope, begin_replay
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.models import Leaf, SiemCursor
from compliance.event_log.siem import ship
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.filings.requests.writes import comment_on
from compliance.jobs import queue
from compliance.jobs.models import Job
from compliance.jobs.work import do_jobs
from compliance.notifications import mail as notice_mails
from compliance.notifications.kinds import Way as NoticeWay
from compliance.notifications.mail import send_mails
from compliance.notifications.models import Notice, NoticeMail, WebhookDelivery
from compliance.notifications.webhooks import make_webhook, send_trial
from compliance.notifications.writes import choose_ways
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About
from reports.schedules import deliveries
from reports.schedules.making import make_report
from reports.schedules.models import Delivery, Way
from reports.schedules.orders import order_report
from reports.schedules.subscriptions import subscribe
from tests import servers
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.submission.logs import evening
from tests.audits.submission.logs import written as as_log
from tests.compliance.api.programs import maker_of
from tests.compliance.games.filing import approved, maker_and_officer, under_review
from tests.compliance.jobs.due import make_jobs_due
from tests.compliance.log.test_siem import listening as listening_to_syslog
from tests.compliance.people import party_for
from tests.compliance.webhooks.receiver import listening as listening_to_webhooks
from tests.compliance.webhooks.receiver import own_address
from tests.reports.made import body_of, file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

pytestmark = pytest.mark.deep
SECONDS = 120
NO_CAPABILITIES = (ctypes.c_uint32 * 6)()
CAPABILITIES_OF_THIS_PROCESS = (ctypes.c_uint32 * 2)(0x20080522, 0)


class Work:
    """A kind of work: how to create a job, its result, and the party at the other end."""

    kinds: Collection[str]
    receiver: Any = None

    def __init__(self, stack: ExitStack, folder: Path, settings: Any) -> None:
        self.stack, self.folder, self.settings = stack, folder, settings
        self.set_up()

    def set_up(self) -> None:
        """Set up what all jobs of this kind need."""

    def add(self, number: int) -> Any:
        """Add a job; return its subject."""
        raise NotImplementedError

    def result(self, subject: Any) -> Any:
        """Return the result, which is the same whatever happened."""
        raise NotImplementedError

    def may_be(self, quiet: Any) -> list[Any]:
        """Return the possible results after the worker failed."""
        return [quiet]

    def refuse(self) -> None:
        """Make the other end answer with an error."""

    def accept(self) -> None:
        """Make the other end answer successfully again."""


class Reading(Work):
    kinds = (Submission.JOB,)

    def add(self, number: int) -> Submission:
        content = io.BytesIO(as_log(evening(200)))
        room = party_for(Role.OPERATOR_CLERK, f"room-{number}")
        return submit_whole(party=room, name="night.jsonl", content=content, by=SYSTEM)

    def result(self, subject: Submission) -> Any:
        subject.refresh_from_db()
        log, party = subject.log, subject.party
        assert log is not None, (subject.state, subject.failure)
        return (
            (subject.state, log.sha256, log.good, log.rejected),
            list(Segment.objects.filter(party=party).values_list("identity", "sha256", "rounds")),
            GamblingDay.objects.filter(party=party).count(),
            Event.objects.filter(type="round_log.registered", object=log.uuid).count(),
        )


class Unit(Work):
    kinds = (ReplaySegment.JOB,)

    def set_up(self) -> None:
        commission()
        self.party = party_for(Role.OPERATOR_CLERK, "cedar")
        nights = [spoiled(dealt(40, day=NIGHT + timedelta(days=n)), every=4) for n in range(2)]
        on_file(self.party, [each for night in nights for each in night])

    def add(self, number: int) -> Any:
        del number
        return begin_replay(operator=self.party, scope=Scope(), by=None)

    def result(self, subject: Replay) -> Any:
        work_off(REPLAYING)
        subject.refresh_from_db()
        assert subject.state == "done", (subject.state, subject.failure)
        nights = IssueNight.objects.order_by("day", "issue_id")
        findings = Finding.objects.order_by("day", "identity")
        return (
            (subject.digest, subject.findings, subject.rounds, subject.over, subject.under),
            list(subject.units.values_list("state", "findings_digest").order_by("position")),
            list(nights.values_list("day", "findings", "rounds", "over", "under")),
            list(findings.values_list("day", "identity")),
            Event.objects.filter(type="replay.done", object=subject.uuid).count(),
        )


class Settling(Unit):
    kinds = (Replay.JOB,)

    def add(self, number: int) -> Any:
        replay = super().add(number)
        work_off((ReplaySegment.JOB,))
        return replay


class Comparing(Unit):
    kinds = (ReplayComparison.JOB,)

    def set_up(self) -> None:
        super().set_up()
        self.former = super().add(0)
        work_off(REPLAYING)
        self.former.refresh_from_db()

    def add(self, number: int) -> Any:
        later = super().add(number)
        work_off(REPLAYING)
        later.refresh_from_db()
        return begin_comparison(former=self.former, later=later, by=None)

    def result(self, subject: ReplayComparison) -> Any:
        subject.refresh_from_db()
        return subject.state, subject.compared, subject.result, subject.failure


class Ordering(Work):
    kinds = (ReportOrder.JOB,)

    def set_up(self) -> None:
        self.maker, officer = maker_and_officer()
        self.about = About(
            subject=approved(self.maker, officer).uuid, party=party_for(Role.SUPPLIER, "maker")
        )

    def add(self, number: int) -> Any:
        return order_report(kind="approval_letter", about=self.about, by=SYSTEM, number=number)

    def result(self, subject: ReportOrder) -> Any:
        subject.refresh_from_db()
        report = Report.objects.get(kind=subject.kind, number=subject.number)
        assert hashlib.sha256(body_of(report)).hexdigest() == report.body
        assert file_of(report).startswith(body_of(report))
        made = Event.objects.filter(type="report.made", object=report.uuid)
        return subject.state, subject.reason, report.envelopes.count(), made.count()


class Filing(Ordering):
    """A report into a folder."""

    kinds = (Delivery.JOBS[Way.FOLDER],)

    def set_up(self) -> None:
        super().set_up()
        self.settings.REPORTS_URL = str(self.folder / "reports")
        self.subscribe()

    def subscribe(self) -> None:
        party = self.about.party
        assert party is not None
        subscribe(party=party, way=Way.FOLDER, by=self.maker, everybody=True)

    def add(self, number: int) -> Any:
        report = make_report(kind="approval_letter", about=self.about, number=number)
        return Delivery.objects.select_related("report").get(report=report)

    def result(self, subject: Delivery) -> Any:
        place = self.folder / "reports" / "maker" / f"{subject.report.reference}.pdf"
        assert place.read_bytes() == file_of(subject.report)
        assert not list(place.parent.glob(".*"))
        return self.ended(subject)

    def ended(self, subject: Delivery) -> tuple[Any, ...]:
        subject.refresh_from_db()
        events = Event.objects.filter(object=subject.uuid).values_list("type", flat=True)
        return subject.state, subject.reason, sorted(events)


class MailServer:
    """Accepts emails, or answers each with an error."""

    def __init__(self) -> None:
        self.mails: Counter[str] = Counter()
        self.answer = "250 taken"

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: N802
        if self.answer.startswith("2"):
            self.mails[str(message_from_bytes(envelope.content)["Message-ID"])] += 1
        return self.answer


class Mailing(Filing):
    """A report by email."""

    kinds = (Delivery.JOBS[Way.MAIL],)

    def subscribe(self) -> None:
        self.receiver = mail_server(self.stack, self.settings)
        party = self.about.party
        assert party is not None
        subscribe(party=party, way=Way.MAIL, by=self.maker)

    def result(self, subject: Delivery) -> Any:
        return *self.ended(subject), self.receiver.mails.total()

    def add(self, number: int) -> Any:
        self.receiver.mails.clear()
        return super().add(number)

    def may_be(self, quiet: Any) -> list[Any]:
        return sent_at_most_once(quiet, deliveries.INTERRUPTED, "report.not_sent")

    def refuse(self) -> None:
        self.receiver.answer = "451 later"

    def accept(self) -> None:
        self.receiver.answer = "250 taken"


class Noticing(Work):
    """An email about notifications."""

    kinds = (NoticeMail.JOB,)

    def set_up(self) -> None:
        self.receiver = mail_server(self.stack, self.settings)
        self.maker, self.officer = maker_and_officer()
        choose_ways(ways={"filing_waits": NoticeWay.NEVER}, by=self.officer)
        self.request = under_review(self.maker, self.officer)
        self.add(0)
        work_off(self.kinds)

    def add(self, number: int) -> Any:
        unit = party_for(Role.LICENSING)
        text = f"Question {number}?"
        comment_on(request=self.request, text=text, by=self.officer, by_party=unit)
        Notice.objects.filter(mail=None).update(mail_due=timezone.now())
        send_mails(seconds=0)
        self.receiver.mails.clear()
        self.events = notice_events().count()
        return NoticeMail.objects.latest("pk")

    def result(self, subject: NoticeMail) -> Any:
        subject.refresh_from_db()
        events = list(notice_events().order_by("pk").values_list("type", flat=True))
        mails = self.receiver.mails.total()
        return subject.state, subject.reason, events[self.events :], mails

    def may_be(self, quiet: Any) -> list[Any]:
        return sent_at_most_once(quiet, notice_mails.INTERRUPTED, "notices.not_mailed")

    refuse, accept = Mailing.refuse, Mailing.accept


class Calling(Work):
    """A webhook: at least once, under one number."""

    kinds = (WebhookDelivery.JOB,)

    def set_up(self) -> None:
        self.receiver, known_by = self.stack.enter_context(listening_to_webhooks(self.folder))
        patch = self.stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("SSL_CERT_FILE", str(known_by))
        self.settings.WEBHOOK_NETWORKS = [f"{self.receiver.address}/32"]
        self.manager = maker_of(Role.OPERATOR_MANAGER)
        self.webhook, _ = make_webhook(
            party=party_for(Role.OPERATOR_MANAGER),
            url=self.receiver.url,
            kinds=("findings_released",),
            by=self.manager,
        )

    def add(self, number: int) -> Any:
        del number
        self.receiver.received.clear()
        self.webhook.refresh_from_db()
        return send_trial(webhook=self.webhook, by=self.manager)

    def result(self, subject: WebhookDelivery) -> Any:
        subject.refresh_from_db()
        self.webhook.refresh_from_db()
        numbers = {headers["webhook-id"] for headers, _ in self.receiver.received}
        bodies = {body for _, body in self.receiver.received}
        assert len(self.receiver.received) <= 2
        assert bodies == {subject.body.encode()}
        return subject.state, subject.reason, numbers == {str(subject.uuid)}, self.webhook.stopped

    def refuse(self) -> None:
        self.receiver.status = 500

    def accept(self) -> None:
        self.receiver.status = 200


class Shipping(Work):
    """A batch for a SIEM: at least once, in order."""

    kinds = (SiemCursor.JOB,)

    def set_up(self) -> None:
        address = own_address()
        listening = listening_to_syslog(self.folder, address, address)
        self.receiver = self.stack.enter_context(listening)
        self.settings.SIEM_URL = self.receiver.url
        self.settings.SIEM_CA = str(self.folder / f"{address}.pem")
        maker_and_officer()
        integrate()
        ship()

    def add(self, number: int) -> Any:
        self.receiver.connections.clear()
        party_for(Role.OPERATOR_CLERK, f"room-{number}")
        integrate()
        cursor = SiemCursor.objects.get()
        self.begin = cursor.shipped
        queue.add_jobs(SiemCursor.JOB, [cursor.pk])
        return cursor

    def result(self, subject: SiemCursor) -> Any:
        subject.refresh_from_db()
        assert subject.shipped == Leaf.objects.count()
        came = [one["index"] for one in self.receiver.messages()]
        new = list(range(self.begin, subject.shipped))
        assert new
        assert came in (new, new + new)
        return subject.failing_since, subject.reason

    def refuse(self) -> None:
        self.receiver.crashes_after = 1

    def accept(self) -> None:
        self.receiver.crashes_after = None
        self.receiver.connections.clear()


def notice_events() -> Any:
    return Event.objects.filter(type__in=("notices.mailed", "notices.not_mailed"))


def sent_at_most_once(quiet: Any, reason: str, event: str) -> list[Any]:
    """Return an email as sent, or as one with an unknown outcome left to a person."""
    return [quiet, *(("failed", reason, [event], mails) for mails in (0, 1))]


def mail_server(stack: ExitStack, settings: Any) -> MailServer:
    server, port = MailServer(), servers.free_port()
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    stack.callback(controller.stop)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    return server


def work_off(kinds: Collection[str]) -> None:
    """Do the remaining work without disturbance."""
    until = time.monotonic() + SECONDS
    while Job.objects.filter(kind__in=kinds).exists():
        left = list(Job.objects.filter(kind__in=kinds).values())
        assert time.monotonic() < until, left
        make_jobs_due()
        if not do_jobs(kinds, seconds=SECONDS):
            time.sleep(0.1)  # a lease has to expire


class Worker:
    """A real process that does jobs; it may wait before its work, or before recording it."""

    def __init__(
        self,
        work: Work,
        *,
        at: str = "",
        born: Callable[[], object] = lambda: None,
    ) -> None:
        self.reached, self.hold = work.folder / "reached", work.folder / "hold"
        self.reached.unlink(missing_ok=True)
        self.hold.touch()
        connections.close_all()
        self.number = os.fork()
        if not self.number:
            self._work(work.kinds, at, born)

    def _work(self, kinds: Collection[str], at: str, born: Callable[[], object]) -> None:
        try:
            if at:
                setattr(queue, at, self._waiting(getattr(queue, at)))
            born()
            do_jobs(kinds, seconds=SECONDS)
        except Exception:  # noqa: BLE001 - what it comes to is asserted
            with suppress(OSError):
                traceback.print_exc()
        finally:  # a fork never returns into the tests
            os._exit(0)

    def _waiting(self, real: Any) -> Any:
        @contextmanager
        def waiting(lease: queue.Lease) -> Iterator[None]:
            self.reached.touch()
            while self.hold.exists():
                time.sleep(0.02)
            with real(lease):
                yield

        return waiting

    def wait_until_reached(self) -> None:
        until = time.monotonic() + SECONDS
        while not self.reached.exists():
            ended, _ = os.waitpid(self.number, os.WNOHANG)
            assert not ended, "it ended before"
            assert time.monotonic() < until
            time.sleep(0.02)

    def go_on(self) -> None:
        self.hold.unlink(missing_ok=True)

    def end(self) -> None:
        self.go_on()
        os.waitpid(self.number, 0)


BEGINNING, ENDING = "renewing", "finishing"


def kill(work: Work, at: str) -> None:
    worker = Worker(work, at=at)
    worker.wait_until_reached()
    os.kill(worker.number, signal.SIGKILL)
    worker.end()


def pause(work: Work, at: str) -> None:
    """Pause it beyond its lease, let another do its work, and resume it."""
    worker = Worker(work, at=at)
    worker.wait_until_reached()
    os.kill(worker.number, signal.SIGSTOP)
    work_off(work.kinds)
    worker.go_on()
    os.kill(worker.number, signal.SIGCONT)
    worker.end()


def fill_the_disk(work: Work, at: str) -> None:
    worker = Worker(work, at=at)
    worker.wait_until_reached()
    resource.prlimit(worker.number, resource.RLIMIT_FSIZE, (1000, 1000))
    worker.end()


def close_the_folders(work: Work, at: str) -> None:
    """Make every folder for files read-only; the database stays writable."""
    del at
    places = [Path(work.settings.ARCHIVE_URL), work.folder / "reports"]
    places += [Path(django_settings.VAR) / "intake"]
    folders = [each for place in places if place.exists() for each in (place, *place.rglob("*"))]
    modes = {each: each.stat().st_mode for each in folders if each.is_dir()}
    for each in modes:
        each.chmod(0o500)
    try:
        Worker(work, born=become_ordinary).end()
    finally:
        for each, mode in modes.items():
            each.chmod(mode)


def become_ordinary() -> None:
    """Give up the capabilities that let a superuser write everywhere."""
    libc = ctypes.CDLL(None, use_errno=True)
    assert not libc.capset(CAPABILITIES_OF_THIS_PROCESS, NO_CAPABILITIES)


def answer_with_errors(work: Work, at: str) -> None:
    del at
    work.refuse()
    Worker(work).end()
    work.accept()


def shift_the_clock(hours: int) -> Callable[[Work, str], None]:
    def shift(work: Work, at: str) -> None:
        travel = time_machine.travel(timezone.now() + timedelta(hours=hours))
        worker = Worker(work, at=at, born=travel.start)
        worker.wait_until_reached()
        leased = Job.objects.get(state=Job.State.RUNNING)
        time.sleep(2 * LEASE_SECONDS)
        assert queue.take_job(work.kinds, subject=leased.subject) is None
        worker.end()

    return shift


LEASE_SECONDS = 1.5
BLOWS: tuple[tuple[str, Callable[[Work, str], None], str], ...] = (
    *(("kill", kill, at) for at in (BEGINNING, ENDING)),
    *(("pause", pause, at) for at in (BEGINNING, ENDING)),
    *(("full disk", fill_the_disk, at) for at in (BEGINNING, ENDING)),
    ("read-only", close_the_folders, ""),
    ("refused", answer_with_errors, ""),
    ("an hour ahead", shift_the_clock(1), ENDING),
    ("an hour behind", shift_the_clock(-1), ENDING),
)


@pytest.mark.parametrize(
    "kind",
    [
        Reading, Unit, Settling, Comparing, Ordering, Filing, Mailing, Noticing, Calling, Shipping,
    ],
)  # fmt: skip
def test_failed_work_is_done_once(
    kind: type[Work],
    own_database: str,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    del own_database
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    monkeypatch.setattr(queue, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(queue, "RENEW_AFTER_SECONDS", 0.3)
    with without_access_scope(), ExitStack() as stack:
        work = kind(stack, tmp_path, settings)
        first = work.add(1)
        work_off(work.kinds)
        quiet = work.result(first)
        for number, (name, blow, at) in enumerate(BLOWS, start=2):
            if name == "refused" and work.receiver is None:
                continue
            subject = work.add(number)
            blow(work, at)
            work_off(work.kinds)
            assert work.result(subject) in work.may_be(quiet), (name, at)
        record_property(
            "failures", sum(name != "refused" or bool(work.receiver) for name, *_ in BLOWS)
        )
