"""Tokens of the API: creation, scopes, authentication, and their page in the settings."""
