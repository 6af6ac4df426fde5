"""Conduct points for leaving and stalling, their ledger, and pauses from rated play."""
