"""What a match that is over comes to: what each choice cost, and what was luck.

``making`` works it out from the record alone, in any process; ``report`` is what it says.
"""
