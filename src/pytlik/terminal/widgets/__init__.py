"""Widgets and dialogs for any game's screens. They need Textual."""
