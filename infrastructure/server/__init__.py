"""Daphne with limits on what browsers send and backpressure for what they receive.

docs/security.md has the targets, and what each part is needed for.
"""
