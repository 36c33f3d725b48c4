"""The definitions that come with the engine: sources, examples, and round logs of them."""

import hashlib

import pytest

from games.definition import read_definition
from games.families.examples import check_examples
from tests.games.families.filed_games import SEEDS, TEXTS, definition_of


@pytest.mark.parametrize("slug", SEEDS)
def test_seed_examples_settle_as_written(slug):
    results = check_examples(definition_of(slug))
    assert len(results) >= 4
    assert [result.why for result in results if not result.ok] == []


@pytest.mark.parametrize("slug", SEEDS)
def test_seed_clauses_quote_their_document(slug):
    definition = definition_of(slug)
    document = SEEDS[slug].with_name("rules.txt").read_bytes()
    assert definition.sources["rules"].digest == f"sha256:{hashlib.sha256(document).hexdigest()}"
    text = document.decode()
    for clause in definition.clauses.values():
        assert text[clause.source.first : clause.source.end] == clause.says


def test_example_that_is_wrong_says_where():
    text = TEXTS["three-card-poker"].replace("pair_plus = 3000", "pair_plus = 2500")
    wrong = [result for result in check_examples(read_definition(text)) if not result.ok]
    assert [result.name for result in wrong] == [
        "A straight beats a queen high and wins the ante bonus and Pair Plus"
    ]
    assert wrong[0].why == (
        "settlement.pair_plus, seat 1, `pair_plus`: the example has 2500, the rules give 3000"
        " (TC-9)."
    )
