"""The rules of tournaments: pure functions over immutable state, like the engine's.

A *party* is one side of a table: a person, or two partners. It has points for each table, 12 times the share of the
opponents that it beat. Times are milliseconds since 1970. Nothing here reads a clock or draws a random number: callers
pass the time, and a seed for lots.

Public names by module; a module imports only from those above it:

- ``refusal``: ``Refusal``; ``lots``: ``lot``; ``shares``: points of a table; ``matchpoints``: results on one board
- ``duplicate``: seats, sets and entropy of duplicate boards; ``daily``: the boards, results and months of daily sets
- ``terms``, ``events``, ``state``, ``commands``: data types
- ``notation``: events as JSON
- ``evolve``: ``start_state``, ``evolve``, ``fold``: apply events to a state
- ``standings``: ``standings``: ranks with tie-breaks
- ``seating``: ``Costs``: the cost of a table, and who sits where
- ``blossom``, ``matching``: ``cheapest_pairs``: exact duels; ``grouping``: ``cheapest_tables``: tables of up to four
- ``swiss``: ``propose_round``; ``arena``: ``propose_tables``: pairings for a scheduler to command
- ``proposal``: ``PairingTask``, ``propose``: the same for either, in another process
- ``progress``: deadlines: tables that hang, boards that close
- ``tables``, ``results``: parts of ``decide``
- ``decide``: ``new_tournament``, ``decide``: turn commands into events
"""
