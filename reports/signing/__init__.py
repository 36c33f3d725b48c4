"""The envelope of a report: whose key seals it, how it is put on, how it is opened again."""
