"""A party is registered on a page, and its first person by email, or neither."""

from __future__ import annotations

import pytest
from django.core import mail
from django.urls import reverse

from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.people.models import Invitation
from tests.compliance.pages.browsing import browser_as, words

pytestmark = pytest.mark.django_db
ROOM = {"kind": "card_room", "name": "Maple Lane", "code": "Maple"}


def test_administrator_registers_room_and_invites_its_clerk():
    queue = browser_as(Role.ADMINISTRATOR, "commission-unit")
    page = reverse("register_party")
    made = queue.post(page, ROOM)
    assert made.url == "/people/maple/"
    assert "The code 'maple' belongs to another party" in words(queue.post(page, ROOM))
    assert "as in cedar-ridge" in words(queue.post(page, {**ROOM, "code": "Maple Lane"}))
    tribal = {**ROOM, "kind": "tribal_operation", "code": "river"}
    assert "names the gaming agency of its tribe" in words(queue.post(page, tribal))
    with without_access_scope():
        assert Party.objects.get(code="maple").shown_to.count() == 1
    invited = {"email": "iris@maple.example", "role": Role.OPERATOR_MANAGER}
    assert queue.post(reverse("invite_person", args=["maple"]), invited).status_code == 302
    assert "authenticator app" in mail.outbox[0].body
    assert browser_as(Role.OPERATOR_MANAGER, "room").get(page).status_code == 404


def test_undelivered_invitation_is_not_listed_as_invited(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    manager = browser_as(Role.OPERATOR_MANAGER, "room")
    invited = {"email": "jo@room.example", "role": Role.OPERATOR_CLERK}
    answer = manager.post(reverse("invite_person", args=["room"]), invited)
    assert answer.status_code == 422
    assert "nothing was changed" in words(answer)
    with without_access_scope():
        assert not Invitation.objects.exists()
