"""The rules of the games: pure functions over immutable state, standard library only.

The public names, by module (each imports only from those above it):

- ``tiles``, ``moves``, ``events``, ``state``: the data; ``layout``: what lies on the table
- ``refusal``: ``Refusal``; ``ranking``: ``ranks``; ``ending``, ``leads``, ``options``: parts of rules
- ``rules``: ``RulesOf``, the small base of every variant, and ``Rules``, any of them
- ``variants``: ``registry()``, ``rules_for(key)``
- ``evolve``: ``start_state``, ``evolve``, ``fold``: applying events
- ``decide``: ``new_match``, ``deal_round``, ``decide``, ``hold``, ``leave``, ``stop``: judging, which makes events
- ``view``: ``view_for``, what one viewer may see
- ``notation``: events and matches as JSON; ``deal``: fair dealing; ``playout``: random matches
- ``referee``: the line protocol of ``python -m games.engine``
"""
