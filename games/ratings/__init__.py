"""How well people play: one rating a person and game, what each rated match did to it, and who leads."""
