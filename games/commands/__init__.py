"""The commands of `python -m games`: each file has `run(arguments) -> exit status`."""
