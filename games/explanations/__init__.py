"""Explanations of moves: facts of the position and of playouts that tell one move from another.

A fact is data, and ``texts`` has its sentence. Facts of a position follow from the rules and from what the seat that
moved could know. ``bot_moves`` uses only what spectators know.
"""
