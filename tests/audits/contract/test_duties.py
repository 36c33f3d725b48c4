"""Prizes that the room must verify on camera, or pay in part by check, are listed."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from compliance import clock
from compliance.access.permissions import Role
from tests.audits.auditing.nights import WEST, ahead, local, pyramid
from tests.audits.contract.test_late_logs import a_night_after, banked
from tests.audits.replay.ledger_rows import commission
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

WON: dict[str, dict[str, int]] = {
    "exactly-3000": {"main": 300_000},
    "a-cent-over": {"main": 300_001},
    "over-together": {"main": 200_000, "three_card": 150_000, "six_card": -500},
    "under-after-all": {"main": -200_000, "three_card": 290_000},
    "prize-of-5000": {"three_card": 500_000},
    "prize-over-5000": {"six_card": 500_001},
    "no-prize": {"main": 600_000},
}
"""What a seat won, in cents: WAC 230-15-320(4) says over $3,000, WAC 230-15-186 over $5,000."""
CAMERA = {"over-together": 350_000, "prize-of-5000": 500_000, "prize-over-5000": 500_001,
          "no-prize": 600_000, "a-cent-over": 300_001}  # fmt: skip


def night(folder: Path, *days: tuple[int, int, int]) -> Path:
    place = folder / "night"
    lines = [banked(f"bank-{day[2]}", local(*day, 20), table="T2") for day in days]
    for day in days:
        for minute, (name, results) in enumerate(WON.items()):
            seat: dict[str, Any] = ahead()
            seat["result"] = {"main": 0, "three_card": 0, "six_card": 0, **results}
            lines.append(pyramid(f"{name}-{day[2]}", local(*day, 21, minute), seat))
        strange = {**ahead(), "cards": "As Kd Kd Kd", "result": {"main": 0, "three_card": 0,
                   "six_card": 999_999}}  # fmt: skip
        lines.append(pyramid(f"strange-{day[2]}", local(*day, 22), strange))
    place.write_bytes(b"".join(lines))
    return place


def listed(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    call_command("duties", "--json", *options)
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_large_prizes_are_duties_of_the_night(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commission()
    party_for(Role.OPERATOR_CLERK, "cedar")
    a_night_after(night(tmp_path, (2025, 7, 12)), datetime(2025, 7, 14, 13, tzinfo=WEST))
    found = listed(capsys, "--operator", "cedar", "--day", "2025-07-12")
    camera = {each["round"]: each["amount"] for each in found if each["duty"] == "camera_check"}
    check = {each["round"]: each["amount"] for each in found if each["duty"] != "camera_check"}
    assert camera == {f"{name}-12": each for name, each in CAMERA.items()} | {"strange-12": 999_999}
    assert check == {"prize-over-5000-12": 500_001, "strange-12": 999_999}
    assert found[0] == {
        "operator": "cedar", "day": "2025-07-12", "table": "T1", "round": "a-cent-over-12",
        "seat": 1, "duty": "camera_check", "amount": 300_001, "citation": "WAC 230-15-320(4)",
    }  # fmt: skip
    assert {each["citation"] for each in found if each["duty"] == "pay_rest_by_check"} == {
        "WAC 230-15-186"
    }
    assert listed(capsys, "--day", "2025-07-11") == []


def test_duty_follows_the_law_of_the_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # WSR 25-03-062 is in effect from February 13, 2025
    commission()
    party_for(Role.OPERATOR_CLERK, "cedar")
    a_night_after(
        night(tmp_path, (2025, 2, 12), (2025, 2, 13)), datetime(2025, 2, 15, 13, tzinfo=WEST)
    )
    found = listed(capsys)
    by_check = {each["day"] for each in found if each["duty"] == "pay_rest_by_check"}
    on_camera = {each["day"] for each in found if each["duty"] == "camera_check"}
    assert (by_check, on_camera) == ({"2025-02-13"}, {"2025-02-12", "2025-02-13"})


@pytest.mark.parametrize("wrong", [("--operator", "nobody"), ("--day", "July 12")])
def test_wrong_option_of_duties_is_rejected(wrong: tuple[str, str]) -> None:
    with clock.standing_at(datetime(2025, 7, 14, tzinfo=WEST)), pytest.raises(CommandError):
        call_command("duties", *wrong)
