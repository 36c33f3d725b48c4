"""What reports there are: one file each, its data and its words.

A new report is one file here with a `DocumentKind`, registered at its end:

* `gather(about)` reads through selectors what the report rests on and returns *data*: a mapping
  that canonical JSON can hold (whole numbers, texts, lists, mappings; cents, ISO dates). It is kept
  in the archive. Whatever may differ tomorrow (names, states, law, clocks) is asked here.
* `compose(data)` turns data into `Told`: a title and blocks (`reports.paper.blocks`). It asks
  nobody: no database, no clock, no setting. So a report can be made again from what was kept.

The rest is the services': `make_report` adds number, instant, agency and checkpoint, sets the body,
records and signs it; `order_report` lets a worker do that. Tables of `Told` are the report's CSV
files, its data is its JSON, its blocks are its page. To whom it is shown is said by `shown_to`.
"""
