"""WebSocket consumers of the table, the order of updates (match_broadcasts.py), and the queue of moves."""
