"""Records of matches: downloads, uploads and their checks. engine/notation.py and transcript.py have the formats."""
