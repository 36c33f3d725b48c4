"""Definitions while they are written: in parts, anchored in filed documents, tried at once."""
