"""How long what is kept, and forgetting it then."""
