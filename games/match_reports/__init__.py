"""The report of a finished match: what each choice cost, and what was luck.

``making`` works it out from the record alone, in any process, and ``report`` is what it says; ``kept`` is where the
reports are, and ``reporter`` the work beside the site that makes them.
"""
