"""The rules of the games: pure functions over immutable state, standard library only.

Public names by module; a module imports only from those above it:

- ``tiles``, ``moves``, ``events``, ``state``: data types; ``layout``: the tiles on the table
- ``refusal``: ``Refusal``; ``ranking``: ``ranks``; ``ending``, ``leads``, ``options``, ``settling``: parts of rules
- ``rules``: ``RulesOf``, the base class of a variant, and ``Rules``, any variant
- ``variants``: ``registry()``, ``rules_for(key)``
- ``evolve``: ``start_state``, ``evolve``, ``fold``: apply events to a state
- ``decide``: ``new_match``, ``deal_round``, ``decide``, ``hold_seat``, ``leave_match``, ``stop_match``: turn requests
  into events
- ``view``: ``view_for``: the part of a state that one viewer may see
- ``notation``, ``transcript``: matches as JSON and as text; ``replay``, ``proof``: their verification
- ``view_json``: a view as JSON, for programs that play; ``bench``: plays them against the levels of ``games.bots``
- ``deal``: fair dealing; ``playout``: random matches; ``referee``: the protocol of ``python -m games.engine``
"""
