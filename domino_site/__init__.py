"""This site: settings, URLs, ASGI, middleware, error pages, logs, metrics, the admin site."""
