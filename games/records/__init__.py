"""Records of matches: downloads, uploads and their checks."""
