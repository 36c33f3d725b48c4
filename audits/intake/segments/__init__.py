"""Segments: an operator's round logs as columns, per game and gambling day, in order of play.

This library reads and writes files at given paths, without database, archive or requests.

Ingesting a log (`ingestion.Intake`):

    days = Days(start)                        # start(date): when a gambling day begins, µs
    with Intake(log=sha256, folder=scratch, days=days, latest=now_in_µs) as intake:
        intake.read(stream, progress=...)     # slow; needs nothing that is on file. Raises
                                              # RefusedLogError (empty, broken, not a log at all)
        taken = intake.compare(segments_on_file, replaced=corrected_log_or_None)
        for place in taken.places:            # every game and day that needs a new generation
            for made in intake.segments(place, folder):
                ...                           # three files each: made.path, made.index, made.tails

`compare` takes segments of the current generation (`OldSegment`): at least those of the places that
the log names, those that have its IDs, and those with rounds of a log that it corrects. They show
which IDs are taken, and those of a place are rebuilt together with the log's rounds. `taken` has
the counts, the rejected lines by cause with first examples, and the file of all of them. Between
`compare` and the last segment nothing else may be registered for the operator. If something was,
repeat `compare` and the segments, but not `read`.

Reading a segment:

    segment_file.read_header(path)            # place, piece, the place's logs
    segment_file.read_segment(path)           # one SegmentGroup after another
    tails.read_tails(path)                    # Tail of each table, for checking what comes after
    segment_file.identity_of(path)            # recomputed from the rows
    lookup.find_round(segments, id)           # the segment and the round, or None
    lookup.read_round(path, row)

A damaged file raises `rejections.DamagedSegmentError`, which names it.

A segment keeps each round as parsed, not as spelled. A round that does not fit the columns (void,
wrong number of cards) is kept as the line that `games.log.form.line_of` writes. The operator's
own fields (`x_…`) are only in the log.
"""
