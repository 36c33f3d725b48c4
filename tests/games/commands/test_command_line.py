"""The command line as a whole: what it offers, what it rejects, how it ends when cut short."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GAMES = [sys.executable, "-m", "games"]
FULL = Path("/dev/full")


def call(*arguments, **options):
    return subprocess.run(
        [*GAMES, *arguments], check=False, text=True, stderr=subprocess.PIPE, **options
    )


def test_without_a_command_the_commands_are_named():
    done = call(stdout=subprocess.PIPE)
    assert done.returncode == 2
    for name in ("settle", "explain", "rules", "odds", "convert", "compile"):
        assert f"  {name} " in done.stderr


def test_an_unknown_command_is_refused_by_name():
    done = call("setle", stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith("There is no command `setle`.")


def test_help_is_no_refusal():
    done = call("--help", stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "explain" in done.stdout


@pytest.mark.parametrize("arguments", [("rules", "showdown"), ("odds", "showdown")])
def test_a_full_disk_ends_in_a_sentence(arguments):
    with FULL.open("w") as full:
        done = call(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr == "games: the answer cannot be given: No space left on device.\n"


@pytest.mark.parametrize("command", ["rules showdown", "settle", "odds showdown"])
def test_missing_standard_output_gets_no_answer(command):
    closed = [*GAMES, *command.split()]
    line = ["sh", "-c", 'exec "$@" >&-', "sh", *closed]
    done = subprocess.run(line, check=False, text=True, capture_output=True)
    assert done.returncode == 2
    assert done.stderr == "games: there is no standard output to answer on.\n"


def test_a_reader_who_leaves_ends_it_quietly():
    ours, theirs = os.pipe()
    os.close(ours)
    done = call("rules", "showdown", stdout=theirs)
    os.close(theirs)
    assert done.stderr == ""
    assert done.returncode == 141
