"""Pictures of positions. `text` draws them with characters."""
