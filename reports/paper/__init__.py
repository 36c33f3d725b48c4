"""Paper: what a report says, as blocks that know no medium, and the PDF that is set from them.

`blocks` is all a document's author needs; the same blocks become a page (`templates/reports`) and
rows of CSV. `build` sets them in type: the same sheet and the same faces give the same bytes.
"""
