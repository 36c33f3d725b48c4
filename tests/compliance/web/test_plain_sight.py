"""Invisible characters that change the meaning of text are not accepted by forms."""

from __future__ import annotations

import pytest
from django import forms

from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.law.models import LawAddition
from compliance.ui.forms import LongField, NameField
from tests.compliance.pages.browsing import browser_as, check_and_post, confirm_act
from tests.compliance.people import person_as

pytestmark = pytest.mark.anywhere

SEEN = ["Rules of play: 3-5 “Bonus”", "Río Ñandú", "赌场 😀", "שלום", "a\tb"]
UNSEEN = {"a\x01b": "U+0001", "\u202eevil.pdf": "U+202E", "a\x7f": "U+007F", "x\u2066y": "U+2066"}


@pytest.mark.parametrize("field", [LongField(), NameField()])
def test_typed_text_is_kept_verbatim(field):
    assert [field.clean(text) for text in SEEN] == SEEN


@pytest.mark.parametrize("field", [LongField(), NameField()])
@pytest.mark.parametrize(("text", "named"), UNSEEN.items())
def test_invisible_character_is_named_with_its_line(field, text, named):
    with pytest.raises(forms.ValidationError) as refused:
        field.clean(text)
    assert f"Line 1 holds a sign that nobody sees ({named}" in refused.value.messages[0]
    assert LongField().clean("one\r\ntwo") == "one\ntwo"
    with pytest.raises(forms.ValidationError, match="Line 2"):
        LongField().clean(f"one\n{text}")


def test_a_name_is_one_line():
    with pytest.raises(forms.ValidationError, match="in one line"):
        NameField().clean("one\ntwo")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "reason",
    ["", "   ", "a\0b", "\u202eb", "x" * 10_001],
    ids=["none", "blank", "NUL", "turn", "long"],
)
def test_role_does_not_end_for_unreadable_reason(reason):
    manager = browser_as(Role.OPERATOR_MANAGER, "room")
    person_as(Role.OPERATOR_CLERK, "room")
    with without_access_scope():
        membership = Membership.objects.get(role=Role.OPERATOR_CLERK)
    answer = manager.post(f"/people/room/roles/{membership.pk}/end/", {"reason": reason})
    assert answer.status_code == 422
    membership.refresh_from_db()
    assert membership.ended is None


@pytest.mark.django_db
def test_law_amount_with_leading_zeros_is_read():
    licensing = browser_as(Role.LICENSING)
    sent = {
        "add-from_date": "2026-01-01",
        "add-verified_through": "2026-01-02",
        "add-citation": "WAC 230-15-140",
        "add-grade": "confirmed",
        "add-source": "Read.",
    }
    address = "/law/wager_house_banked/add/"
    for value in ("0" * 14 + "9" * 40, "9" * 500, "-5", "4e4", "²"):
        assert licensing.post(address, {**sent, "add-value": value}).status_code == 422
    sent |= {"add-value": "$00050,000"}
    assert check_and_post(licensing, address, sent).status_code == 302
    confirm_act(browser_as(Role.DIRECTOR))
    assert LawAddition.objects.get().value == 5_000_000
