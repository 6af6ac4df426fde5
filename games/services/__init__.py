"""Everything that changes a running match: moves, clocks, absence, reconnecting, bots' turns and delays, results."""
