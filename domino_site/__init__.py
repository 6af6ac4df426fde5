"""The project: settings, URLs, ASGI, middleware, error pages, logs, health and metrics (monitoring.py), admin site."""
