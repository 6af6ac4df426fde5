"""WebSocket consumers of the table, the order of updates, and the queue of moves."""
