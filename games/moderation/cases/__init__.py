"""Reports about people, the cases that they open, the queue of moderators, and their decisions."""
