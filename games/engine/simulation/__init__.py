"""Fast playouts for bots, one module a layout family, held to the rules by a lock-step test.

There is one module for each family of layouts. The rules stay the judge: they score every simulated round, and
tests/engine/test_lockstep.py holds every move of a simulation to them.
"""
