"""Passwords are hashed one at a time, by Django's own function."""

from __future__ import annotations

from threading import Event, Thread

from django.contrib.auth.hashers import PBKDF2PasswordHasher, identify_hasher
from django.test import override_settings

from compliance.people.sign_in import InTurn
from compliance.project import settings as of_the_product
from tests.compliance.people import PASSWORD


def test_concurrent_hashes_run_one_at_a_time() -> None:
    begun, ended = Event(), Event()

    def hash_() -> None:
        begun.set()
        InTurn().encode(PASSWORD, "salt", 1)
        ended.set()

    with InTurn.turn:
        other = Thread(target=hash_)
        other.start()
        assert begun.wait(10)
        assert not ended.wait(0.2)
    other.join()
    assert ended.is_set()


def test_a_hash_that_was_made_before_is_still_good() -> None:
    before = PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1)
    with override_settings(PASSWORD_HASHERS=of_the_product.PASSWORD_HASHERS):
        hasher = identify_hasher(before)
    assert isinstance(hasher, InTurn)
    assert hasher.verify(PASSWORD, before)
    assert not hasher.verify("another pass phrase", before)
