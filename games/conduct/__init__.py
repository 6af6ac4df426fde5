"""The conduct of people at the tables: a ledger of points, open to its owner, and pauses from rated play."""
