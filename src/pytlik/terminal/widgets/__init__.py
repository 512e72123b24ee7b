"""What screens are made of, whatever the game. It needs Textual."""
