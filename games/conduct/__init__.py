"""Conduct points for leaving, stalling and flooding, their ledger, and pauses from rated play."""
