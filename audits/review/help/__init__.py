"""Help for reviewers."""
