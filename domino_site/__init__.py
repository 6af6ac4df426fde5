"""The project: settings, URLs, ASGI, middleware, error pages, logs, metrics, the admin site."""
