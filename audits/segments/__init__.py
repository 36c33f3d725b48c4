"""Segments: an operator's round logs as columns, per game and gambling day, in order of play.

The library is told where files are and writes files; it knows no database, no archive, no requests.

Taking a log (`intake.Intake`):

    days = Days(start)                        # start(date): when a gambling day begins, µs
    with Intake(log=sha256, folder=scratch, days=days, latest=now_in_µs) as intake:
        intake.read(stream, progress=...)     # long; needs nothing that is on file. Raises
                                              # RefusedLogError (empty, broken, no log at all)
        taken = intake.compare(segments_on_file, replaced=corrected_log_or_None)
        for place in taken.places:            # every game and day that needs a new generation
            for made in intake.segments(place, folder):
                ...                           # three files each: made.path, made.index, made.tails

`compare` is given the current generation of *all* the operator's segments (`OldSegment`): from them
it is known which ids are taken, and those of a place are made anew together with the log's rounds.
`taken` has the counts, the rejected lines by cause with first examples, and the file of all of
them. Between `compare` and the last segment nothing else may be registered for the operator; where
it was, `compare` and the segments are done again, `read` is not.

Reading a segment:

    segment_file.read_header(path)            # place, piece, the place's logs
    segment_file.read_segment(path)           # SegmentGroup after SegmentGroup
    tails.read_tails(path)                    # Tail of each table: what comes after looks back at
    segment_file.identity_of(path)            # computed again from the rows
    lookup.find_round(segments, id)           # the segment and the round, or None
    lookup.read_round(path, row)

A damaged file raises `refusals.DamagedSegmentError`, which names it.

What is kept of a round is the round as read, not its spelling: a round that fits no columns (void,
wrong number of cards) is kept as the line that `games.round_log.written.line_of` writes; fields of
the operator's own (`x_…`) are in the log alone.
"""
