"""People of the demonstration get deliveries, and keep their changes to them."""

import pytest

from compliance.access.models import Person
from compliance.access.scope import without_access_scope
from compliance.people.demonstration import load_people
from reports.schedules.models import Subscription
from reports.schedules.subscriptions import WANTED, end, load_subscriptions

pytestmark = pytest.mark.django_db


def test_what_comes_is_set_once_and_theirs_to_change(settings, tmp_path):
    settings.VAR = tmp_path
    load_people()
    assert load_subscriptions() == len(WANTED)
    director = Person.objects.get(name="Frances Lindqvist")
    with without_access_scope():
        hers = Subscription.objects.filter(person=director)
        assert set(hers.values_list("kind", flat=True)) == {"summary", "monthly"}
        end(subscription=hers[0], by=director)
        left = Subscription.objects.filter(ended__isnull=True).count()
        assert load_subscriptions() == 0
        assert Subscription.objects.filter(ended__isnull=True).count() == left
