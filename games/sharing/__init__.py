"""What other sites show of a match: the preview picture and the embedded step."""
