"""Pictures of tiles, tables, cards and pieces, for notebooks and for print.

They look as they do on the page: both are drawn from the games' `looks.json`.
"""
