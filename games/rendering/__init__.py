"""View to HTML: pure functions of the public table, one viewer's view and a language.

Markup is put together in Python from cached parts, with names escaped; templates hold only the shell of the page.
"""
