"""Fast playouts for bots, one module per layout family.

The rules score every simulated round, and tests/engine/test_lockstep.py compares every simulated move with them.
"""
