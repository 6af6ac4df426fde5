"""A match in the database: its record, its row, snapshots, clocks, and who may know what by now."""
