"""Retention: how long files are kept, legal holds, removal, and checks of every file."""
