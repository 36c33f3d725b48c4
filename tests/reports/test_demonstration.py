"""People of the demonstration have something sent to them, and keep what they change."""

import pytest

from compliance.models import Person
from compliance.services.demonstration import load_people
from compliance.walls import without_walls
from reports.models import Subscription
from reports.services.demonstration_subscriptions import WANTED, load_subscriptions
from reports.services.subscriptions import end

pytestmark = pytest.mark.django_db


def test_what_comes_is_set_once_and_theirs_to_change(settings, tmp_path):
    settings.VAR = tmp_path
    load_people()
    assert load_subscriptions() == len(WANTED)
    director = Person.objects.get(name="Frances Lindqvist")
    with without_walls():
        hers = Subscription.objects.filter(person=director)
        assert set(hers.values_list("kind", flat=True)) == {"summary", "monthly"}
        end(subscription=hers[0], by=director)
        left = Subscription.objects.filter(ended__isnull=True).count()
        assert load_subscriptions() == 0
        assert Subscription.objects.filter(ended__isnull=True).count() == left
