"""Documents on file, version by version, and the comments that cite them."""
