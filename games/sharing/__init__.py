"""Previews of matches for other sites: the social preview and the embedded step."""
