"""Code below the apps: rate limits, outages, addresses, forms sent twice, state of a process, admin base classes."""
