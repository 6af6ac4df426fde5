"""The pages of moderators in the admin."""
