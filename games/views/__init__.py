"""Views of the table and its forms."""
