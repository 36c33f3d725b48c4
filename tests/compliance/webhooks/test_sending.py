"""A party's programs get the same news as its people, signed, until delivered."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import timedelta

import pytest
import time_machine
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from audits.review.releases.writes import release_issue
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.jobs.models import Job
from compliance.jobs.queue import add_jobs, take_job
from compliance.jobs.work import do_job
from compliance.notifications.models import Notice, Webhook, WebhookDelivery
from compliance.notifications.webhooks import (
    MOST,
    end_webhook,
    make_webhook,
    resume_webhook,
    send_again,
    send_trial,
)
from compliance.people.writes import end_role
from compliance.secret import Secret
from tests.audits.queue.issues import issue_of
from tests.compliance.api.programs import Program, key_for, maker_of, program_of
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.people import party_for, person_as, signed_in

pytestmark = pytest.mark.django_db
WEBHOOKS = "/api/v1/webhooks"
HERE = "https://example.com/hooks"
State = WebhookDelivery.State


def made(url=HERE, kinds=("findings_released",), role=Role.OPERATOR_MANAGER, code=None):
    by = maker_of(role, code)
    return make_webhook(party=party_for(role, code), url=url, kinds=kinds, by=by)


def deliveries():
    with without_access_scope():
        return list(WebhookDelivery.objects.order_by("pk"))


def send_next():
    """Send what is due next; return None if nothing is."""
    lease = take_job({WebhookDelivery.JOB})
    if lease is None:
        return None
    do_job(lease)
    with without_access_scope():
        return WebhookDelivery.objects.select_related("webhook").get(pk=lease.subject)


def sent():
    done = send_next()
    assert done
    return done


def tried_to_the_end():
    """Send pending deliveries until accepted or failed; return the pauses."""
    pauses = timedelta(0)
    while send_next() is not None:
        for job in Job.objects.annotate(pause=F("due") - Now()):
            pauses += job.pause
        make_jobs_due()
    (last,) = deliveries()[-1:]
    return pauses, last


def found_at(party):
    """Create an issue that nobody outside the commission sees yet."""
    agent = maker_of(Role.SUPERVISOR)
    return issue_of(party, seen_by=party_for(Role.SUPERVISOR)), agent


def test_sent_message_is_signed_with_numbers_and_link_only(receiver):
    webhook, secret = made(receiver.url)
    trial = send_trial(webhook=webhook, by=maker_of(Role.OPERATOR_MANAGER))
    assert sent().state == State.SENT
    ((headers, body),) = receiver.received
    assert headers["webhook-id"] == str(trial.uuid)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    # As specified by https://github.com/standard-webhooks, by hand.
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    assert len(key) == 32
    signature = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{signature}"
    result = json.loads(body)
    assert result["type"] == "test"
    assert set(result) == {"type", "timestamp", "data"}
    assert set(result["data"]) == {"link"}


def test_webhook_secret_is_shown_once_and_encrypted():
    _, secret = made()
    with without_access_scope():
        kept = str(list(Webhook.objects.values())) + str(list(Event.objects.values()))
    assert secret not in kept
    assert secret.removeprefix("whsec_") not in kept


def test_delivery_backs_off_then_fails(receiver):
    webhook, _ = made(receiver.url)
    manager = maker_of(Role.OPERATOR_MANAGER)
    first = send_trial(webhook=webhook, by=manager)
    receiver.status = 503
    took, failed = tried_to_the_end()
    assert failed.state == State.FAILED
    assert failed.reason == "It was answered with 503."
    # 1 + 5 + 15 + 60 + 240 + 720 minutes
    assert timedelta(minutes=1040) <= took <= timedelta(minutes=1041)
    assert [headers["webhook-id"] for headers, _ in receiver.received] == [str(first.uuid)] * 7
    assert Event.objects.filter(type="webhook.failed").count() == 1
    receiver.status = 204
    send_again(delivery=failed, by=manager)
    assert sent().uuid == first.uuid
    with pytest.raises(RefusedError):
        send_again(delivery=failed, by=manager)


def test_delivery_of_a_dead_sender_is_resent_under_its_number(receiver):
    webhook, _ = made(receiver.url)
    send_trial(webhook=webhook, by=maker_of(Role.OPERATOR_MANAGER))
    assert take_job({WebhookDelivery.JOB})
    assert send_next() is None
    kill_workers()
    assert sent().state == State.SENT


def test_failing_webhook_is_stopped_and_notifies(receiver):
    webhook, _ = made(receiver.url)
    manager = maker_of(Role.OPERATOR_MANAGER)
    receiver.status = 500
    send_trial(webhook=webhook, by=manager)
    sent()
    make_jobs_due()
    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1)):
        sent()
        with without_access_scope():
            stopped = Webhook.objects.select_related("party").get()
            (notice,) = Notice.objects.filter(person=manager, kind="webhook_stopped")
        assert stopped.stopped is not None
        assert "3 days" in notice.says
        assert deliveries()[0].state == State.FAILED
        assert send_next() is None
        with pytest.raises(RefusedError):
            send_trial(webhook=stopped, by=manager)
        receiver.status = 200
        resume_webhook(webhook=stopped, by=manager)
        send_again(delivery=deliveries()[0], by=manager)
        assert sent().state == State.SENT
        with pytest.raises(RefusedError):
            resume_webhook(webhook=stopped, by=manager)


def test_declined_certificate_is_not_asked_for_again(receiver):
    webhook, _ = made(receiver.url)
    send_trial(webhook=webhook, by=maker_of(Role.OPERATOR_MANAGER))
    receiver.status = 410
    assert sent().state == State.FAILED
    with without_access_scope():
        assert Webhook.objects.get().stopped is not None


def test_one_that_fails_keeps_no_other_waiting(receiver, settings):
    settings.WEBHOOK_NETWORKS += ["127.0.0.1/32"]
    deaf, _ = made("https://127.0.0.1:8443/")
    hearing, _ = made(receiver.url)
    manager = maker_of(Role.OPERATOR_MANAGER)
    send_trial(webhook=deaf, by=manager)
    with without_access_scope():
        for number in range(30):
            waits = WebhookDelivery.objects.latest("pk")
            waits.pk, waits.uuid = None, f"00000000-0000-4000-8000-{number:012}"
            waits.save()
            add_jobs(WebhookDelivery.JOB, [waits.pk], group=deaf.pk)
    send_trial(webhook=hearing, by=manager)
    assert sent().state == State.WAITING
    assert sent().webhook == hearing
    assert send_next() is None


def test_webhook_waits_for_release_to_its_party(receiver):
    party = party_for(Role.OPERATOR_MANAGER)
    made(receiver.url)
    made("https://example.com/other", code="other")
    issue, agent = found_at(party)
    assert deliveries() == []
    release_issue(issue=issue, by=agent)
    (result,) = deliveries()
    number = issue.uuid
    assert result.kind == "findings_released"
    body = json.loads(result.body)
    assert body["data"]["issue"] == str(number)
    assert body["data"]["link"].endswith(reverse("issue", args=[number]))
    assert sent().state == State.SENT


def test_unselected_event_kind_is_not_sent():
    made(kinds=["filing_decided"])
    issue, agent = found_at(party_for(Role.OPERATOR_MANAGER))
    release_issue(issue=issue, by=agent)
    assert deliveries() == []


def test_unattended_event_sends_nothing(receiver):
    webhook, _ = made(receiver.url, code="deserted")
    send_trial(webhook=webhook, by=maker_of(Role.OPERATOR_MANAGER, "deserted"))
    with without_access_scope():
        ended_membership = Membership.objects.get(party__code="deserted")
    end_role(
        membership=ended_membership, reason="the house closed", by=person_as(Role.ADMINISTRATOR)
    )
    assert sent().state == State.WAITING
    assert receiver.received == []


def test_a_secret_sealed_under_another_key_says_what_to_do(receiver, settings):
    webhook, _ = made(receiver.url)
    send_trial(webhook=webhook, by=maker_of(Role.OPERATOR_MANAGER))
    settings.WEBHOOK_KEYS = [Secret("another")]
    assert "End the webhook, make a new one" in sent().reason


def test_an_ended_webhook_is_sent_nothing_that_waits():
    webhook, _ = made()
    manager = maker_of(Role.OPERATOR_MANAGER)
    send_trial(webhook=webhook, by=manager)
    end_webhook(webhook=webhook, reason="moved", by=manager)
    assert send_next() is None
    assert deliveries()[0].state == State.FAILED
    with pytest.raises(RefusedError, match="before"):
        end_webhook(webhook=webhook, reason="moved", by=manager)


@pytest.mark.parametrize(
    ("url", "kinds"),
    [
        ("http://example.com/", ["question"]),
        ("https://localhost.example:22/", ["question"]),
        (HERE, []),
        (HERE, ["no_such"]),
        (HERE, ["disclosure"]),  # the commission's
        (HERE, ["webhook_stopped"]),  # only for people
    ],
)
def test_a_webhook_that_makes_no_sense_is_refused(url, kinds):
    with pytest.raises(RefusedError):
        made(url, kinds)


def test_webhook_needs_party_second_factor_and_limit():
    party = party_for(Role.OPERATOR_MANAGER)
    for by in (maker_of(Role.SUPERVISOR), person_as(Role.OPERATOR_CLERK)):
        with pytest.raises(NotAllowedError):
            make_webhook(party=party, url=HERE, kinds=["question"], by=by)
    with pytest.raises(RefusedError, match="second factor"):
        make_webhook(party=party, url=HERE, kinds=["question"], by=person_as(Role.OPERATOR_MANAGER))


def test_a_party_has_so_many_webhooks_and_each_address_once():
    for number in range(MOST):
        made(f"{HERE}/{number}")
    with pytest.raises(RefusedError, match="up to 10"):
        made()
    made(HERE, code="other")
    with pytest.raises(RefusedError, match="already"):
        made(HERE, code="other")


def test_people_make_try_and_end_one_on_the_page(receiver):
    client = signed_in(Client(), maker_of(Role.OPERATOR_MANAGER))
    page = reverse("webhooks", args=["card-room"])
    assert "There are no webhooks" in client.get(page).text
    form = {"url": receiver.url, "kinds": ["question", "report_ready"]}
    answer = client.post(reverse("make_webhook", args=["card-room"]), form)
    assert "<code>whsec_" in answer.text
    with without_access_scope():
        webhook = Webhook.objects.get()
    number = ["card-room", webhook.uuid]
    client.post(reverse("test_webhook", args=number))
    receiver.status, receiver.body = 500, b"<script>alert(1)</script>"
    sent()
    listed = client.get(page).text
    assert "It was answered with 500" in listed
    assert "whsec_" not in listed
    assert "<script>alert" not in listed
    reason = {f"end-{webhook.uuid}-reason": "moved"}
    ended = client.post(reverse("end_webhook", args=number), reason, follow=True)
    assert "nothing more is sent to it" in ended.text


def test_program_makes_a_webhook_within_its_keys_rights():
    program = program_of(Role.OPERATOR_MANAGER)
    body = {"url": HERE, "kinds": ["findings_released", "filing_decided"]}
    first = program.post(WEBHOOKS, body, name="one")
    again = program.post(WEBHOOKS, body, name="one")
    assert first.status_code == 201
    assert first.json()["secret"].startswith("whsec_")
    assert again.json() == first.json() | {"secret": None}  # shown once, and stored nowhere
    assert program.get(WEBHOOKS).json()["items"] == [again.json()]
    place = first.headers["Location"]
    trial = program.post(f"{place}/test").json()
    assert program.get(f"{place}/deliveries").json()["items"] == [trial]
    assert program.post(f"{place}/end", {"reason": "moved"}).json()["ended"]
    assert program.get(WEBHOOKS).json()["items"] == []


def test_webhook_needs_a_role_that_sees_findings():
    key, secret = key_for(Role.OPERATOR_MANAGER)
    key.scopes = ["webhooks:write"]
    key.save(update_fields=["scopes"])
    answer = Program(secret).post(WEBHOOKS, {"url": HERE, "kinds": ["findings_released"]})
    assert answer.status_code == 409
