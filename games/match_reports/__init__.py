"""The report of a finished match: what each choice cost, and what was luck.

``computation`` computes a report from a record alone, in any process; ``report`` is its result. ``reports`` stores
reports, and ``reporter`` makes them in the background.
"""
