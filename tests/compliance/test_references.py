"""What the documents take from the code matches the code."""

import pytest

from compliance.references import references


@pytest.mark.parametrize("path", references(), ids=lambda path: path.name)
def test_a_page_made_from_the_code_is_not_stale(path):
    made = path.read_text() if path.exists() else ""
    assert made == references()[path], "Run `.venv/bin/python manage.py write_references`."
