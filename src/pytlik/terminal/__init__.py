"""A game in the terminal: what every way of playing there shares, and the full-screen program.

Only `app` and the widgets beneath it need Textual, which is an extra.
"""
