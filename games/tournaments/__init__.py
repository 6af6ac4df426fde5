"""Tournaments: core/ has their rules, record.py their events, clock.py what happens by itself.

For pages. Functions raise ``Refused``; times are given as ``now``; rows are read again under the lock:

- ``selectors``: ``load_lists``, ``tournament_with_slug``, ``standing_rows``, ``current_tables``, ``pending_entries``,
  ``partner_seekers``, ``tournament_of_match``, ``load_state`` for all else
- ``entering``: ``enter``, ``withdraw``, ``sit_out`` and ``come_back`` (pause), ``approve`` and ``remove_entry``
  (host), ``ask_partner`` (asks and accepts), ``note_seen`` (every page, heartbeat and "I am here"), ``note_gone``
- ``announcing``: ``announce_as_host`` with an ``Announcement``, ``cancel`` (host)
- ``moderation.tournament_acts``: ``cancel_tournament``, ``remove_entry``, ``hide_name``, each with a reason
- ``conditions``: ``Conditions``, ``require_fit``

Pages listen to ``broadcast.groups.tournament_group(slug)`` for ``tournament.changed`` with the revision. When the
clock has laid a table, every socket gets ``user.seated`` and sends the zone ``next-table``; a page with
``js/next_table.js`` goes there. The page of an ended table shows the ``next_steps`` that are stored with the table.

The pages: ``reading`` and ``board_results`` read their ``content``, ``rendering`` makes the zones that ``socket``
renews, ``views`` answers requests, ``forms`` has the form of a new tournament, ``texts`` the words, ``calendar`` the
calendar file.

For the site: ``record`` (events and state), ``commits`` (changes under the lock), ``clock`` and ``ticker`` (due work),
``laying`` and ``counting`` (tables), ``opening`` (nonces), ``boards`` and ``levels`` (duplicate), ``waiting``
(who the site has seen), ``schedule`` (the site's own tournaments).
"""
