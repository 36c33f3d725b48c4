"""Accounts and sign-ins at the same instant."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from compliance.access.models import Person
from compliance.access.permissions import Role
from compliance.errors import RefusedError
from compliance.people.accounts import close_account
from compliance.people.models import SignInLimit
from compliance.people.sign_in_limits import SIGN_IN, TooManyAttemptsError, begin_attempt
from tests.compliance.people import person_as

MANY = 16


def test_parallel_guesses_count_as_many(own_database):
    together = Barrier(MANY)

    def guess(number):
        together.wait()
        try:
            begin_attempt(
                SIGN_IN,
                person=None,
                login="victim@example.org",
                address=f"192.0.2.{number}",
                token="",
            )
        except TooManyAttemptsError:
            return "waits"
        finally:
            connection.close()
        return "looked at"

    with ThreadPoolExecutor(MANY) as pool:
        answers = list(pool.map(guess, range(MANY)))
    assert answers.count("looked at") == 5
    assert max(each.failures for each in SignInLimit.objects.all()) == 5


def test_administrators_closing_each_other_leave_one(own_database):
    two = [person_as(Role.ADMINISTRATOR), person_as(Role.ADMINISTRATOR, "second")]
    together = Barrier(len(two))

    def close(by):
        together.wait()
        try:
            close_account(person=two[by == two[0]], reason="first come", by=by)
        except RefusedError as refused:
            return str(refused)
        finally:
            connection.close()
        return "closed"

    with ThreadPoolExecutor(len(two)) as pool:
        answers = sorted(pool.map(close, two))
    assert answers == ["Your own account was just closed.", "closed"]
    assert Person.objects.filter(is_active=True).count() == 1
