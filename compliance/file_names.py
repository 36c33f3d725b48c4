"""What a file is called here: the last part of the name that its sender gave it, made harmless."""

LONGEST_NAME = 200


def plain_name(name: str) -> str:
    """A file's name without folders, control characters and what else could mislead."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[-LONGEST_NAME:] or "file"
