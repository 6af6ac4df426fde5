"""Simulations: rounds played on from a position, many times faster than by events, for bots that try moves out.

There is one module for each family of layouts. The rules stay the judge: they score every simulated round, and
tests/engine/test_lockstep.py holds every move of a simulation to them.
"""
