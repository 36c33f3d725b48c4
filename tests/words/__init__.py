"""Plain American English in names and text: a lint that only lets files improve."""
