"""The round log, version 1: what a card room hands in, read strictly."""
