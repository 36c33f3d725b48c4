"""What operators say of their tables and jackpots: cash, closures, and balances of funds."""
