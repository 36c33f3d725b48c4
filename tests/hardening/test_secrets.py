"""What no log may contain, and which columns are declared as personal data."""

from __future__ import annotations

import io
import logging
import logging.config
import re
from typing import TYPE_CHECKING

import pytest
import structlog
from django.apps import apps
from django.db import models
from django.test import Client

from compliance.access.permissions import Role
from compliance.history import Kind
from compliance.notifications.webhook_requests import new_secret
from compliance.project.logs import logging_to_stderr
from tests.compliance.api.programs import program_of
from tests.compliance.people import PASSWORD, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = "hunter2-and-more"


@pytest.mark.parametrize("as_json", [True, False])
def test_a_failure_is_logged_without_the_values_of_variables(as_json):
    before = structlog.get_config()
    try:
        printed = io.StringIO()
        handler = logging.StreamHandler(printed)
        answer = logging_to_stderr(as_json=as_json)["formatters"]["structured"]
        handler.setFormatter(
            answer["()"](
                foreign_pre_chain=answer["foreign_pre_chain"], processors=answer["processors"]
            )
        )
        logger = logging.Logger("failing")
        logger.addHandler(handler)
        try:
            _fails(SECRET)
        except ZeroDivisionError:
            logger.exception("It failed.")
    finally:
        structlog.configure(**before)
    assert "ZeroDivisionError" in printed.getvalue()
    assert "_fails" in printed.getvalue()
    assert SECRET not in printed.getvalue()


def _fails(password: str) -> float:
    return len(password) / 0


@pytest.fixture
def logged_lines() -> Iterator[io.StringIO]:
    """Capture what the running system's own handlers write, besides their usual output."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    named = [logging.getLogger(name) for name in ("", "django_structlog", "compliance")]
    handler.setFormatter(named[1].handlers[0].formatter)
    for logger in named:
        logger.addHandler(handler)
    yield lines
    for logger in named:
        logger.removeHandler(handler)


@pytest.mark.django_db
def test_no_password_key_or_cookie_is_logged(logged_lines):
    person = person_as(Role.SUPPLIER)
    browser = Client()
    for password in (SECRET, PASSWORD):
        browser.post("/account/sign-in/", {"login": person.email, "password": password})
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    program.get("/api/v1/round-logs")
    program.get("/api/v1/round-logs", password=PASSWORD + "?", nonsense="1")
    browser.get(f"/account/invitation/{SECRET}/")
    # A key sent by mistake where it doesn't belong.
    key, hook = program.headers["Authorization"].removeprefix("Bearer "), new_secret()
    browser.get("/api/v1/key", {"access_token": key, "hook": hook})
    browser.get(f"/{key}/", headers={"User-Agent": hook})
    logged = logged_lines.getvalue()
    assert "round-logs" in logged
    assert SECRET not in logged
    assert "access_token=cg_…" in logged
    assert key not in logged
    assert hook[6:26] not in logged
    assert browser.cookies["csrftoken"].value not in logged


SENSITIVE = re.compile(
    r"email|e_mail|password|secret|phone|birth|last_login|_address$|^ip$|user_agent"
)


def test_what_is_about_people_is_declared_by_each_model():
    """Fields with email addresses, addresses or secrets are named in `personal_fields`."""
    undeclared = []
    for model in apps.get_models():
        if not issubclass(model, Kind):
            continue
        for field in model._meta.concrete_fields:
            kinds = (models.EmailField, models.GenericIPAddressField)
            tells = isinstance(field, kinds) or SENSITIVE.search(field.name)
            if tells and field.name not in model.personal_fields:
                undeclared.append(f"{model._meta.label}.{field.name}")
    assert undeclared == []
    person = apps.get_model("compliance.Person")
    assert {"email", "name", "password", "last_login"} <= set(person.personal_fields)
