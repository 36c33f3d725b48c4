"""The family `baccarat`: wagers on two common hands, drawn by a table of rules."""
