"""Wrong passwords slow down their source, and lock no one out of their own device."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance import clock
from compliance.access.permissions import Role
from compliance.events.models import Event
from compliance.people.models import KnownDevice, SignInLimit
from compliance.people.sign_in_limits import (
    ACCOUNT,
    ADDRESS,
    SIGN_IN,
    TooManyAttemptsError,
    begin_attempt,
    forget_old_devices,
    forget_old_limits,
    take_back,
)
from tests.compliance.people import (
    PASSWORD,
    code_of,
    made_person,
    person_as,
    signed_in,
    with_second_factor,
)

pytestmark = pytest.mark.django_db
HOME, ELSEWHERE = "198.51.100.7", "203.0.113.9"
WRONG = "not the right pass phrase"


@pytest.fixture
def at(monkeypatch):
    """Set the clock forward by a given time."""
    now = timezone.now()
    return lambda **later: monkeypatch.setattr(clock, "now", lambda: now + timedelta(**later))


def enter(client, person, password=PASSWORD, address=HOME):
    given = {"login": person.email, "password": password}
    return client.post(reverse("account_login"), given, REMOTE_ADDR=address, follow=True)


def is_in(client):
    return "_auth_user_id" in client.session


def out(client):
    client.post(reverse("account_logout"))
    return client


def attempt(login="x@example.org", address=HOME, person=None, token=""):
    return begin_attempt(SIGN_IN, person=person, login=login, address=address, token=token)


def test_attacker_elsewhere_never_locks_a_known_device():
    clerk = person_as(Role.OPERATOR_CLERK)
    own = Client()
    enter(own, clerk)
    out(own)
    for _ in range(8):
        answer = enter(Client(), clerk, WRONG, ELSEWHERE)
    assert "for this account from new devices. Try again after" in answer.text
    assert not is_in(enter_from_new(clerk))
    enter(own, clerk)
    assert is_in(own)


def enter_from_new(person):
    client = Client()
    enter(client, person)
    return client


def test_attacker_at_the_same_address_locks_no_device():
    clerk = person_as(Role.OPERATOR_CLERK)
    own = Client()
    enter(own, clerk)
    out(own)
    for number in range(31):
        answer = enter(Client(), made_person(f"victim{number}"), WRONG)
    assert "from your network. Try again after" in answer.text
    enter(own, clerk)
    assert is_in(own)


def test_spraying_many_accounts_slows_down_the_address():
    for number in range(30):
        attempt(f"a{number}@example.org", ELSEWHERE)
    with pytest.raises(TooManyAttemptsError) as early:
        attempt("b@example.org", ELSEWHERE)
    assert early.value.source is ADDRESS
    attempt("b@example.org", HOME)


def test_addresses_of_one_ipv6_network_count_as_one():
    for number in range(30):
        attempt(f"a{number}@example.org", f"2001:db8:1:2::{number}")
    with pytest.raises(TooManyAttemptsError):
        attempt("b@example.org", "2001:db8:1:2:ffff::1")
    attempt("b@example.org", "2001:db8:1:3::1")


def test_each_further_wrong_password_doubles_the_wait(at):
    for number in range(5):
        at(seconds=0)
        attempt(address=f"192.0.2.{number}")
    for minutes, waits in ((1, 1), (3, 2), (7, 4), (15, 8), (30, 15), (45, 15)):
        at(minutes=minutes, seconds=-1)
        with pytest.raises(TooManyAttemptsError) as early:
            attempt(address=f"192.0.3.{minutes}")
        assert early.value.source is ACCOUNT
        at(minutes=minutes)
        assert early.value.until == clock.now(), waits
        attempt(address=f"192.0.3.{minutes}")


def test_own_sign_ins_between_win_an_attacker_nothing():
    for number in range(29):
        attempt(f"{number}@example.org")
    for _ in range(5):
        take_back(attempt("own@example.org"))
    attempt("victim@example.org")
    with pytest.raises(TooManyAttemptsError):
        attempt("own@example.org")


def test_known_device_waits_only_for_its_own_errors():
    clerk = person_as(Role.OPERATOR_CLERK)
    own = Client()
    enter(own, clerk)
    out(own)
    for _ in range(5):
        enter(own, clerk, WRONG)
    answer = enter(own, clerk)
    assert re.search(r"on this device\. Try again after \d+:\d\d [ap]\.m\. P[SD]T", answer.text)
    assert not is_in(own)
    assert is_in(enter_from_new(clerk))


def test_second_factor_codes_are_limited_as_well():
    agent = person_as(Role.AGENT)
    secret = with_second_factor(agent)
    own, thief = Client(), Client()
    enter(own, agent)
    own.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(own)
    out(own)
    enter(thief, agent, address=ELSEWHERE)
    page, guess = reverse("mfa_authenticate"), {"code": "000000"}
    for _ in range(5):
        thief.post(page, guess, REMOTE_ADDR=ELSEWHERE)
    answer = thief.post(page, guess, REMOTE_ADDR=ELSEWHERE)
    assert "Too many wrong passwords or codes" in answer.text
    assert Event.objects.filter(type="second_factor.failed").count() == 5
    enter(own, agent)
    assert own.get(reverse("mfa_authenticate")).status_code == 200


def test_password_alone_does_not_remember_a_device():
    agent = person_as(Role.AGENT)
    enter(Client(), agent)
    assert not KnownDevice.objects.exists()
    with_second_factor(agent)
    enter(Client(), agent)
    assert not KnownDevice.objects.exists()


def test_device_token_changes_and_fits_one_account():
    clerk, other = person_as(Role.OPERATOR_CLERK), made_person("other")
    own = Client()
    enter(own, clerk)
    first = own.cookies["device"].value
    assert own.cookies["device"]["httponly"]
    assert own.cookies["device"]["samesite"] == "Lax"
    enter(out(own), clerk)
    second = own.cookies["device"].value
    assert first != second
    assert KnownDevice.objects.count() == 1
    assert first not in str(KnownDevice.objects.values())
    assert second not in str(KnownDevice.objects.values())
    for person, token in ((clerk, first), (other, second)):
        for _ in range(5):
            attempt(person=person, token=token, address=ELSEWHERE)
        with pytest.raises(TooManyAttemptsError) as early:
            attempt(person=person, token=token, address=HOME)
        assert early.value.source is ACCOUNT
    attempt(person=clerk, token=second, address=ELSEWHERE)


def test_shared_computer_knows_everyone_who_uses_it():
    clerk, other = person_as(Role.OPERATOR_CLERK), made_person("other")
    shared = Client()
    for person in (clerk, other):
        enter(out(shared), person)
    token = shared.cookies["device"].value
    for person in (clerk, other):
        for _ in range(5):
            attempt(person=person, address=ELSEWHERE)
        attempt(person=person, token=token)


def test_forgotten_device_is_a_new_one_again():
    clerk = person_as(Role.OPERATOR_CLERK)
    own = Client(headers={"User-Agent": "Netscape"})
    enter(own, clerk)
    page = own.get(reverse("devices")).text
    assert "Netscape" in page
    assert "This device" in page
    mine = KnownDevice.objects.get()
    stranger = signed_in(Client(), made_person("other"))
    stranger.post(reverse("forget_device"), {"device": str(mine.uuid)})
    stranger.post(reverse("forget_device"), {"device": "nonsense"})
    assert KnownDevice.objects.exists()
    own.post(reverse("forget_device"), {"device": str(mine.uuid)})
    assert not KnownDevice.objects.exists()
    assert Event.objects.filter(type="device.forgotten").count() == 1


def test_reset_emails_are_limited_and_clear_the_wait():
    clerk = person_as(Role.OPERATOR_CLERK)
    page = reverse("account_reset_password")
    for _ in range(5):
        Client().post(page, {"email": clerk.email}, REMOTE_ADDR=ELSEWHERE)
        attempt(person=clerk, address=ELSEWHERE)
    answer = Client().post(page, {"email": clerk.email}, REMOTE_ADDR=HOME)
    assert "Too many requests for a new password for this account" in answer.text
    assert len(mail.outbox) == 5
    with pytest.raises(TooManyAttemptsError):
        attempt(person=clerk)
    client = Client()
    link = re.search(r"https?://[^/\s]+(\S+)", mail.outbox[-1].body).group(1)
    form = client.get(link, follow=True).redirect_chain[-1][0]
    new = "quite another pass phrase"
    client.post(form, {"password1": new, "password2": new})
    enter(client, clerk, new)
    assert is_in(client)


def test_limits_say_nothing_of_who_has_an_account():
    clerk = person_as(Role.OPERATOR_CLERK)
    nobody = made_person("nobody")
    nobody.email = "no-account@example.org"
    data = []
    for each in (clerk, nobody):
        for _ in range(6):
            answer = enter(Client(), each, WRONG, f"192.0.2.{each.pk}")
        [line] = re.findall(r"Too many[^<]+", answer.text)[:1]
        data.append(re.sub(r"\d+:\d\d", "", line))
    assert data[0] == data[1]


def test_old_limits_and_devices_are_removed(at):
    clerk = person_as(Role.OPERATOR_CLERK)
    enter(Client(), clerk)
    attempt()
    at(hours=23)
    forget_old_limits()
    assert SignInLimit.objects.exists()
    at(hours=25)
    forget_old_limits()
    assert not SignInLimit.objects.exists()
    at(days=399)
    forget_old_devices()
    assert KnownDevice.objects.exists()
    at(days=401)
    forget_old_devices()
    assert not KnownDevice.objects.exists()


def test_invitation_links_cannot_be_tried_without_end():
    page = reverse("accept_invitation", args=["guess"])
    answers = {Client().get(page, REMOTE_ADDR=ELSEWHERE).status_code for _ in range(62)}
    assert answers == {404, 429}
    assert Client().get(page, REMOTE_ADDR=HOME).status_code == 404


def test_second_factor_can_be_asked_of_everyone(settings):
    clerk = person_as(Role.OPERATOR_CLERK)
    client = Client()
    enter(client, clerk)
    assert client.get(reverse("account")).status_code == 200
    settings.SECOND_FACTOR = "everyone"
    answer = client.get(reverse("account"), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("mfa_index")
    assert "You need a second factor to sign in" in answer.text
