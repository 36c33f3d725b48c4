"""Find anything: all findings by what they concern, and a page for each of these subjects."""
