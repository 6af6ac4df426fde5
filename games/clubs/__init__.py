"""Clubs: people with accounts who play tournaments of their own.

Functions raise ``Refused``; times are given as ``now``; rows are read again under the lock:

- ``founding``: ``found_club``, ``edit_club``
- ``joining``: ``join`` (or ask to), ``leave``, ``accept``, ``remove``, ``name_leader``, ``close``, and what happens to
  the clubs of people who are suspended or deleted
- ``selectors``: lists and pages; ``wording``: the rules for names and texts; ``notices``; ``locks``

A tournament of a club is a tournament with ``club``: ``tournaments.announcing`` and ``entering`` check who may.
"""
