"""The full-screen program: its app and the screens that all games share. It needs Textual."""
