"""The nightly run: new logs, missing logs, and replays."""
