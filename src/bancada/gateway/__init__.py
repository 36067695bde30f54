"""The vendor's wire for clients of others: their requests, any model behind them, our rules."""
