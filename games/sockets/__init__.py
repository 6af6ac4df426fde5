"""WebSocket consumers of the table, who is told first, and the queue of moves."""
