"""Open data: files of each month's public matches, without names, and the page that lists them."""
