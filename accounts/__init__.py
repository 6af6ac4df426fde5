"""People: guests, accounts, settings, page_language.py, follows, blocks, export and deletion of personal data."""
