"""What the apps build on and no app knows: rate limits, outages, addresses, the caches of a process."""
