"""Logging in: guests, passwords, second factors, limits on wrong attempts, returning suspended guests."""
