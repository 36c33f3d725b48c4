"""Every irregularity by its name, for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.dealing.faults import bank, deal, money, setting, void, wagers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.dealing.faults.scene import Scene, Wrong

    Fault = Callable[[Scene], Wrong | None]

_ANY: Final[dict[str, Fault]] = {
    "short_hand": deal.short_hand,
    "strange_shoe": deal.strange_shoe,
    "void_without_reason": void.without_reason,
    "void_but_paid": void.but_paid,
    "clock_backwards": deal.clock_backwards,
}
_HOUSE: Final[dict[str, Fault]] = {
    "dealer_short": deal.dealer_short,
    "wager_left_out": wagers.left_out,
    "under_minimum": wagers.under_minimum,
    "over_maximum": wagers.over_maximum,
    "over_cap": wagers.over_cap,
    "too_many_players": wagers.too_many,
    "foreign_card": setting.foreign_card,
}

FAULTS: Final[Mapping[str, Mapping[str, Fault]]] = {
    "pyramid-poker": {
        **_ANY,
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("main", "three_card", "six_card")},
        "wrong_house_result": money.house_result,
        "layout_pays": money.layout_pays,
        "paid_for_one": money.paid_for_one,
        "copies_otherwise": money.other_reading(
            "PP-I1", ("push", "dealer_wins"), "two equal hands were not settled as approved"
        ),
        "maximum_ignored": money.maximum_ignored,
        "dealer_set": setting.dealer_set(pairs=False),
        "dealer_pair": setting.dealer_set(pairs=True),
        "joker_dealt": deal.joker_dealt,
        "bank_not_covered": bank.not_covered,
        "bank_out_of_turn": bank.out_of_turn,
        "house_wagers_too_much": bank.house_wagers_too_much,
        "banker_on_main": bank.banker_on_main,
        "banker_below_minimum": bank.banker_below_minimum,
        "banker_fouls": bank.banker_fouls,
    },
    "chinese-poker": {
        **_ANY,
        "wrong_total": money.wrong("total"),
        "moved_total": money.moved("total"),
        "card_twice": deal.card_twice,
        "joker_dealt": deal.joker_dealt,
        "wrong_sizes": setting.wrong_sizes,
        "false_natural": setting.false_natural,
        "natural_not_approved": setting.natural_not_approved,
        "scoring_not_approved": setting.scoring_not_approved,
        "surrender_not_approved": setting.surrender_not_approved,
        "unit_too_large": wagers.unit_too_large,
        "one_alone": wagers.one_alone,
    },
    "pick-2-poker": {
        **_ANY,
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("ante", "bonus_3_5", "bonus_5", "play")},
        "layout_pays": money.layout_pays,
        "paid_for_one": money.paid_for_one,
        "unqualified_otherwise": money.other_reading(
            "P2-I1", ("ante_wins", "both_push"), "a dealer without ace-king high settled wrongly"
        ),
        "maximum_ignored": money.maximum_ignored,
        "dealers_three": setting.dealers_three,
        "card_twice": deal.card_twice,
        "joker_dealt": deal.joker_dealt,
        "same_deck": deal.same_deck,
        "third_deck": deal.third_deck,
        "play_unrelated": wagers.play_unrelated,
        "bonus_unrelated": wagers.bonus_unrelated,
    },
    "showdown": {
        **_ANY,
        **{f"wrong_{key}": money.wrong(key) for key in ("showdown", "surrender", "pot")},
        **{f"moved_{key}": money.moved(key) for key in ("showdown", "surrender", "pot")},
        "foreign_card": setting.foreign_card,
        "card_twice": deal.card_twice,
        "everyone_surrenders": setting.everyone_surrenders,
        "one_alone": wagers.one_alone,
    },
    "casino-version": {
        **_ANY,
        **_HOUSE,
        **{f"wrong_{key}": money.wrong(key) for key in ("points", "ante", "buy_in")},
        "dealer_fouls": setting.dealer_fouls,
        "card_twice": deal.card_twice,
        "buy_in_unrelated": wagers.buy_in_unrelated,
    },
}
"""What can go wrong in a game; each needs a round, and perhaps a set-up, in which it can happen."""
