"""Tournaments: core/ has their rules."""
