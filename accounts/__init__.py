"""People: guests, accounts, settings, follows, blocks, and what the site knows about a person."""
