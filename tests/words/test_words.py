"""The word lint finds denied words in each place where it looks, and leaves others alone."""

from tests.words.__main__ import denied_in


def test_denied_words_are_found_where_they_count() -> None:
    module = 'def tell_desk(held: int) -> None:\n    "Nothing is paper here, or in force."\n'
    page = "<h2>What <b>moved</b></h2><p>What moved.</p>"
    found = [says for _, says in denied_in({"a/walls.py": module, "page.html": page})]
    assert found == [
        ":2: in force: use in effect",
        ": the name walls: walls: use access scope",
        ": the name tell_desk: desk: use queue",
        ": the name tell_desk: tell: use notify or explain",
        ": the name held: held: use terms, kept or lease",
        ": 'What <b>moved</b>': moved: use Amount",
    ]
