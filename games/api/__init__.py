"""The JSON API: authentication, refusals, endpoints and their document (docs/api.md)."""
