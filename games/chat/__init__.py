"""Chat at the table, of spectators and in a shared review; the quick phrases."""
