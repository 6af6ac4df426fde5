"""Logging in: guests, passwords, second factors, limits on wrong attempts, and suspended guests who return."""
