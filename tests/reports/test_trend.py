"""The trend of the nightly report, against figures computed by hand."""

from __future__ import annotations

from reports.documents.nightly_trend import trend_blocks
from reports.rendering.blocks import Rows


def test_trend_shows_gaps_and_averages_reported_nights():
    figures = {"rounds": 200, "findings": 3, "received": 4_00, "owed": 0}
    tables = [{"handle": 600_00, "win": 30_00}, {"handle": 400_00, "win": -55_00}]
    earlier = {"rounds": 100, "handle": 800_00, "win": 20_00, "findings": 1, "received": 0}
    earlier |= {"owed": 0}
    oldest = {**earlier, "rounds": 300, "win": 60_00, "findings": 6, "received": 2_50, "owed": 1_00}
    data = {
        "day": "2025-07-13",
        "figures": figures,
        "performance": {"tables": tables},
        "trend": [{"day": "2025-07-12", **earlier}, {"day": "2025-06-20", **oldest}],
    }
    (trend,) = trend_blocks(data)
    assert isinstance(trend, Rows)
    first, second, *gaps, last = trend.rows
    # 30.00 - 55.00 = -25.00 of 1,000.00; 3 of 200 rounds
    assert first == (
        "This night", "200", "$1,000.00", "−$25.00", "−2.50%", "3", "15.0", "$4.00", "$0.00",
    )  # fmt: skip
    assert second == (
        "July 12, 2025", "100", "$800.00", "$20.00", "2.50%", "1", "10.0", "$0.00", "$0.00",
    )  # fmt: skip
    # July 6 to 11 have no report; the night of June 20 counts in the average only
    assert [row[:2] for row in gaps] == [
        (f"July {day}, 2025", "No report") for day in range(11, 5, -1)
    ]
    # (100 + 300) / 2; (20 + 60) / 2 of 800; 3.5 findings, but 7 in 400 rounds
    assert last == (
        "Average of 2 reported nights", "200", "$800.00", "$40.00", "5.00%", "4", "17.5", "$1.25",
        "$0.50",
    )  # fmt: skip
