"""The JSON API: authentication, refusals, endpoints and their document, streams (docs/api.md)."""
