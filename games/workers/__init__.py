"""Worker processes: bots think and pictures are drawn outside the web process."""
