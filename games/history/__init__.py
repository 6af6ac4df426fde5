"""Finished matches: lists, filters, the page of a person, statistics."""
