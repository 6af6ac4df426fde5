"""Daphne with limits on what browsers send and backpressure for what they receive.

docs/security.md states the targets, and which part serves which.
"""
