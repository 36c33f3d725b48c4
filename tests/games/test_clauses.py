"""Every clause and open question has a test that names it; the page of them is current."""

from tests.games.clauses_page import PAGE, all_ids, named_in_code, named_in_tests, page

UNKNOWN_ON_PURPOSE = {"PP-I99"}
"""Named by tests of what happens to an id that there is not."""


def test_every_clause_and_reading_has_a_test_that_names_it():
    tests = named_in_tests()
    assert [id_ for id_ in all_ids() if id_ not in tests] == []


def test_no_test_and_no_source_names_a_clause_that_no_rule_set_has():
    known = {*all_ids(), *UNKNOWN_ON_PURPOSE}
    named = {**named_in_code(), **named_in_tests()}
    assert {id_: places for id_, places in named.items() if id_ not in known} == {}


def test_the_page_of_clauses_is_the_one_that_its_command_makes():
    assert PAGE.read_text("utf-8") == page(), "stale: run `make clauses`"
