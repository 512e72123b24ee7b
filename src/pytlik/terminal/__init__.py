"""Playing in the terminal: line by line or on the whole screen, against bots or on a server.

Only `screens`, `widgets` and each game's screen need Textual, which is an extra.
"""
