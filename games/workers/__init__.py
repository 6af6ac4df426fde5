"""Worker processes for bots and pictures. They end with the web process."""
