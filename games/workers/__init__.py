"""Worker processes: bots think and pictures are drawn outside the web process, and end with it."""
