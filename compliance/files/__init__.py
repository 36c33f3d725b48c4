"""Files: stored by digest, read in a sandbox, downloaded."""
