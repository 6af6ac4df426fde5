"""Conduct points for leaving, stalling and flooding: ledger.py has their prices, balance.py fading and pauses."""
