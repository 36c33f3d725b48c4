"""Kinds of reports: one module each, with its data and its wording.

To add a report, add a module here with a `DocumentKind`, and register it at the end:

* `gather(about)` reads what the report is based on, and returns *data*: a mapping for canonical
  JSON (integers, texts, lists, mappings; cents, ISO dates). It is kept in the archive. Anything
  that may be different tomorrow (names, states, law, clocks) is read here.
* `compose(data)` turns data into `ReportContent`: a title and blocks (`reports.rendering.blocks`).
  It uses no database, clock or settings, so a report can be reproduced from the stored data.

To add a section, `gather` its data under a new key, and `compose` its blocks only if that key is
there: a report made before has no such key, and is made again without the section. Then record the
frozen facts again: `python -m tests.frozen tests/frozen/test_nights.py`.

Services do the rest: `make_report` adds number, instant, agency and checkpoint, typesets the body,
records and signs it; `order_report` lets a worker do that. Tables of `ReportContent` are the
report's CSV files, its data is its JSON, its blocks are its page. `shown_to` returns its readers.
"""
