"""Everything that changes a running match: moves, clocks, absence, bots' turns and delays, results."""
