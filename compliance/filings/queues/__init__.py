"""The commission's queues of filings: who reviews what, since when, and by when."""
