"""WebSocket consumers (table.py: heartbeats, lost updates), order of updates (match_broadcasts.py), queue of moves."""
