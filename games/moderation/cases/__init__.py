"""Reports about people, the cases that they open, and the queue of moderators."""
