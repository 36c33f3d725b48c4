"""The envelope of a report: its signing key, how to seal it, and how to open it again."""
