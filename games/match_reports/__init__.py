"""The report of a finished match: what each choice cost, and what was luck.

``making`` computes a report from a record alone, in any process; ``report`` is its result. ``reports`` stores them and
``reporter`` makes them in the background.
"""
