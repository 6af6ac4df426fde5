"""Shared parts of views: forms that call a service, redirects, pages that need a person."""
