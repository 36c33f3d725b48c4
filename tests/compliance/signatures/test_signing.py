"""A person with a passkey signs what they decide; anyone can check it without the system."""

from __future__ import annotations

import base64
import copy
import json
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import Role
from compliance.errors import RefusedError
from compliance.event_log.export import export_log
from compliance.event_log.pages import build_script
from compliance.event_log.tree import trusted_keys
from compliance.event_log.verification import verify_log
from compliance.event_log.writes import integrate, leaf_of, prove
from compliance.events.actor import SYSTEM
from compliance.events.models import Event, Waiting
from compliance.events.record import seal_of
from compliance.events.signatures import Passkeys, is_signed, problem_of_signature
from compliance.law.models import LawAddition, LawVerification
from compliance.law.writes import verify_law
from compliance.people.passkeys import AGAIN, EARLIER
from tests.compliance.pages.browsing import browser_of, hidden, words
from tests.compliance.passkey import SoftPasskey
from tests.compliance.people import person_as

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
URL = reverse("verify_law", args=["wager_house_banked"])
TODAY = timezone.localdate()
FORM = {"verify-through": str(TODAY), "verify-source": "the register, invented for this test"}
DAY = timedelta(days=1)


@pytest.fixture
def director() -> Person:
    return person_as(Role.DIRECTOR)


@pytest.fixture
def browser(director: Person) -> Client:
    return browser_of(director)


@pytest.fixture
def passkey(director: Person) -> SoftPasskey:
    made = SoftPasskey()
    made.add_to(director)
    return made


def signed_event() -> Event:
    return Event.objects.get(type="law.verified")


def sign(browser: Client, passkey: SoftPasskey) -> Any:
    return passkey.confirm(browser, URL, browser.post(URL, FORM))


def test_person_without_passkey_acts_unsigned(browser, director):
    assert browser.post(URL, FORM).status_code == 302
    event = signed_event()
    assert event.content()["signature"] == {"unsigned": "no passkey was used"}
    page = browser.get(reverse("event", args=[event.uuid]))
    assert "None: no passkey was used." in words(page)


def test_nothing_happens_before_passkey_confirms(browser, passkey):
    page = browser.post(URL, FORM)
    assert f"You verified wager_house_banked through {TODAY}" in words(page)
    assert not LawVerification.objects.exists()
    assert not Event.objects.filter(type="law.verified").exists()


def test_confirmed_act_is_signed_and_shown(browser, passkey, director):
    assert sign(browser, passkey).status_code == 302
    assert LawVerification.objects.get().through == TODAY
    event = signed_event()
    assert problem_of_signature(event.content()) == ""
    assert event.signature["statement"]["person"] == str(director.uuid)
    page = browser.get(reverse("event", args=[event.uuid]))
    assert "Signed by the actor with a passkey" in words(page)


def test_changed_form_is_not_what_was_signed(browser, passkey):
    page = browser.post(URL, FORM)
    page.content = page.text.replace(f'value="{TODAY}"', f'value="{TODAY - DAY}"').encode()
    answer = passkey.confirm(browser, URL, page)
    assert answer.status_code == 422
    assert "This is no longer what you confirmed." in words(answer)
    assert not LawVerification.objects.exists()


def test_answer_works_once_and_for_minutes(browser, passkey):
    page = browser.post(URL, FORM)
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        late = passkey.confirm(browser, URL, page)
    assert AGAIN in words(late)
    again = passkey.confirm(browser, URL, page)  # the question was used up
    assert AGAIN in words(again)


def test_other_passkey_is_refused(browser, passkey):
    stranger = SoftPasskey()
    stranger.id = passkey.id
    answer = stranger.confirm(browser, URL, browser.post(URL, FORM))
    assert AGAIN in words(answer)
    assert not LawVerification.objects.exists()


def test_passkey_unknown_to_the_log_is_refused(browser, director):
    passkey = SoftPasskey()
    passkey.add_to(director, is_recorded=False)
    assert EARLIER in words(sign(browser, passkey))


def test_required_signature_stops_others(browser, director, settings):
    settings.SIGNATURES_REQUIRED_FROM = timezone.now().date().isoformat()
    answer = browser.post(URL, FORM)
    assert answer.status_code == 422
    assert "This needs your personal signature." in words(answer)
    with pytest.raises(RefusedError, match="personal signature"):
        verify_law(rule="wager_house_banked", through=TODAY, source="read", by=director)
    settings.SIGNATURES_REQUIRED_FROM = (timezone.now().date() + DAY).isoformat()
    assert browser.post(URL, FORM).status_code == 302


def test_both_people_sign_an_act_that_takes_two(browser, passkey, director):
    url = reverse("add_law_value", args=["wager_house_banked"])
    form = {
        "add-from_date": "2026-12-01", "add-value": "500.00", "add-grade": "confirmed",
        "add-verified_through": "2026-12-01", "add-citation": "WAC 230-15-140(1)",
        "add-filing": "WSR 26-12-001", "add-source": "the register, invented for this test",
    }  # fmt: skip
    check = hidden(browser.post(url, form), "checked")
    page = browser.post(url, {**form, "checked": check})
    assert not Event.objects.filter(type="act.proposed").exists()
    assert passkey.confirm(browser, url, page).status_code == 302
    proposed = Event.objects.get(type="act.proposed")
    assert problem_of_signature(proposed.content()) == ""
    assert is_signed(proposed.content())
    assert "passkey" not in proposed.payload["answers"]
    colleague = person_as(Role.LICENSING)
    theirs = SoftPasskey()
    theirs.add_to(colleague)
    second = browser_of(colleague)
    place = reverse("act", args=[proposed.object])
    confirm = reverse("confirm_act", args=[proposed.object])
    shown = hidden(second.get(place), "checked")
    page = second.post(confirm, {"checked": shown})
    assert not LawAddition.objects.exists()
    assert theirs.confirm(second, confirm, page).status_code == 302
    assert LawAddition.objects.get().value == 50_000
    signed = Event.objects.filter(type__in=["act.confirmed", "law.value_added"])
    assert [is_signed(each.content()) for each in signed] == [True, True]
    integrate()
    assert verify_log().problems == []


# --- without the system -------------------------------------------------------------------------


def forged(event: Event, **changed: Any) -> dict[str, Any]:
    """Return an event's content with other values at these places."""
    content = copy.deepcopy(event.leaf())
    for place, value in changed.items():
        *path, name = place.split("__")
        target = content
        for each in path:
            target = target[each]
        target[name] = value
    return content


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"payload__through": "2027-01-01"}, "for another act"),
        ({"reason": "another"}, "for another act"),
        ({"actor": {"kind": "person", "id": "x"}}, "for another act"),
        ({"signature__statement__nonce": "00"}, "signed something else"),
        ({"signature__signature": base64.b64encode(b"0" * 70).decode()}, "does not fit"),
        ({"signature__key": "AAAA"}, "cannot be read"),
        ({"signature": {"statement": 1}}, "cannot be read"),
    ],
)
def test_forged_signature_is_named(browser, passkey, change, problem):
    sign(browser, passkey)
    assert problem in problem_of_signature(forged(signed_event(), **change))


def test_untouched_passkey_signs_nothing(browser, passkey):
    sign(browser, passkey)
    event = signed_event()
    data = bytearray(base64.b64decode(event.signature["authenticator"]))
    data[32] &= 0xFE
    untouched = forged(event, signature__authenticator=base64.b64encode(data).decode())
    assert problem_of_signature(untouched) == "nobody touched the passkey"


def test_signature_of_a_passkey_not_in_the_log(browser, passkey):
    sign(browser, passkey)
    event = signed_event()
    says = Passkeys().follow(event.leaf())
    assert says == "is signed with a passkey that its actor did not have then"


def in_order(*, required: str = "") -> list[str]:
    passkeys = Passkeys(required)
    return [says for each in Event.objects.order_by("pk") if (says := passkeys.follow(each.leaf()))]


def test_removed_passkey_signs_no_later_act(browser, passkey, director):
    sign(browser, passkey)
    assert in_order() == []
    event = signed_event().leaf()
    known = Passkeys()
    for each in Event.objects.order_by("pk").exclude(type="law.verified"):
        known.follow(each.leaf())
    key = Event.objects.get(type="second_factor.added").payload["key"]
    known.follow(
        {"type": "second_factor.removed", "actor": {"id": str(director.uuid)},
         "payload": {"key": key}}
    )  # fmt: skip
    assert "did not have then" in known.follow(event)


def test_signature_copied_to_a_second_event_is_named(browser, passkey):
    sign(browser, passkey)
    event = signed_event()
    copied = Event(**{f.attname: getattr(event, f.attname) for f in event._meta.concrete_fields})
    copied.pk = None
    copied.uuid = UUID(int=1)
    copied.object = UUID(int=2)  # what it is about is a row of its own
    seal = seal_of(copied)  # as someone with the system's secret makes it
    copied.save(force_insert=True)
    Waiting(event=copied, seal=seal).save(force_insert=True)
    integrate()
    named = {each["what"] for each in verify_log().problems}
    assert "repeats the personal signature of an earlier event" in named


def test_unsigned_act_on_a_day_that_requires_it(browser, settings):
    browser.post(URL, FORM)
    integrate()
    assert verify_log().problems == []
    settings.SIGNATURES_REQUIRED_FROM = signed_event().at.date().isoformat()
    [problem] = verify_log().problems
    assert problem["what"] == "has no personal signature, which its day requires"
    settings.SIGNATURES_REQUIRED_FROM = (signed_event().at.date() + DAY).isoformat()
    assert verify_log().problems == []


def test_published_script_checks_signatures(browser, passkey, tmp_path):
    sign(browser, passkey)
    event = signed_event()
    (tmp_path / "proof").write_text(prove(event))
    line = json.loads(json.dumps({"event": leaf_of(event).event.leaf(), "personal": None}))
    (tmp_path / "event").write_text(json.dumps(line))
    (tmp_path / "export").write_text("".join(export_log(by=SYSTEM)[1]))
    assert run(tmp_path, "inclusion", "--proof", "proof", "--event", "event") == (0, [])
    assert run(tmp_path, "export", "export") == (0, [])
    day = event.at.date().isoformat()
    assert run(tmp_path, "export", "--signed-from", day, "export") == (0, [])


def run(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    (folder / "verifier.py").write_text(build_script())
    (folder / "key").write_text("".join(f"{each}\n" for each in trusted_keys()))
    command = [sys.executable, "-I", "verifier.py", arguments[0], "--key", "key", "--json"]
    done = subprocess.run(
        [*command, *arguments[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout) if done.stdout else {"problems": [{"what": done.stderr}]}
    return done.returncode, [each["what"] for each in answer["problems"]]
