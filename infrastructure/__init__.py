"""What the apps build on and no app knows: rate limits, outages, the server, worker shutdown."""
