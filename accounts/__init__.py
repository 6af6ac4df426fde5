"""People: guests, accounts, settings, follows, blocks, and the export and deletion of personal data."""
